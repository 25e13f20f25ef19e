"""Owns the page of the lesson's exercise: four decisions to predict, and three questions. The code has the answers."""

from typing import NamedTuple

import streamlit as st

from assistant.decision import Decision, Group
from assistant.events import Proposed
from assistant.explorer import address, answering, frame, notices, predict, put, told_apart
from assistant.explorer.address import Setting
from assistant.explorer.cases import EXERCISE, INJECTED, Cases, ProposalCase, cases
from assistant.explorer.decided import decision_shown
from assistant.explorer.language import Language
from assistant.explorer.markup import Article, article, block, label, sentence, shown
from assistant.explorer.navigation import go
from assistant.explorer.predict import Question
from assistant.explorer.view import View
from assistant.loop import decide
from assistant.orders import OrderBook
from assistant.sentence import Sentence, say

PAGE = "exercise"
QUESTIONS: dict[str, Sentence] = {
    "two-questions": say("How does checking the form differ from checking the permission? Which proposals show it?"),
    "same-words": say("Why does the model read the same words for a missing order and for somebody else's?"),
    "injected": say("A ticket says: {text} The model proposes just that. What happens?", text=INJECTED.ticket.text),
}


class Exercise(NamedTuple):
    """What was predicted so far, one guess a proposal, and which questions' answers are shown."""

    guesses: tuple[str, ...]
    answers: tuple[str, ...]
    setting: Setting = Setting()

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""
        guesses = {"guess": ",".join(self.guesses)} if self.guesses else {}
        answers = {"answer": ",".join(self.answers)} if self.answers else {}
        return {**guesses, **answers, **self.setting.parameters()}

    def with_setting(self, setting: Setting) -> "Exercise":
        """The same place in another setting."""
        return self._replace(setting=setting)


def page() -> None:
    """Draw the page for the address as it is."""
    setting, wrong = address.read_setting(st.query_params)
    asked = tuple(address.items(st.query_params, "guess"))
    answers = address.known_items(st.query_params, "answer", QUESTIONS, wrong)
    decisions = [(case, decision_on(case)) for case in EXERCISE]
    questions = [predict.on_decision(decision) for _, decision in decisions]
    known = [question for question in questions if question]
    guesses = _valid(asked, known, wrong)
    place = Exercise(guesses, answers, setting)
    language = frame.language_of(place)
    frame.top(PAGE, place, language)
    with st.container(key="exercise"):
        frame.title(say("Predict four decisions, then answer three questions"), language)
        said = say(
            "The order {order} belongs to {owner}. Each time {tool} is asked for with these arguments, for the customer"
            " named. Which check stops it?",
            order="LK-428830",
            owner="C-44702",
            tool="get_order",
        )
        put.html(f'<p class="lead">{sentence(said, language)}</p>')
        frame.notices(wrong, language)
        if len(known) < len(questions):
            put.html(
                notices.notice(
                    language, say("This tools.py does not list its checks, so there is no ladder to ask with.")
                )
            )
        for number, (case, decision) in enumerate(decisions[: len(guesses) + 1], start=1):
            question = questions[number - 1]
            _prediction(number, case, decision, question, place, language)
        left = len(decisions) - len(guesses) - 1
        if left > 0 and known:
            put.html(f'<p class="lead">{sentence(say("{left} more after this one.", left=left), language)}</p>')
        put.html(f"<h2>{sentence(say('Three questions'), language)}</h2>")
        for name, words in QUESTIONS.items():
            _question(name, words, place, language)
    frame.script(language, PAGE, step=len(guesses), answered=len(guesses) + len(answers))


def decision_on(case: ProposalCase) -> Decision:
    """What the running code decides on a prepared proposal, over the sample orders."""
    proposal = Proposed(1, 1, 1, "", False, case.tool, case.arguments)
    return decide(proposal, case.ticket, OrderBook())


def _valid(asked: tuple[str, ...], questions: list[Question], wrong: list[Sentence]) -> tuple[str, ...]:
    """The guesses up to the first that is no answer."""
    for number, (guess, question) in enumerate(zip(asked, questions, strict=False), start=1):
        if guess not in question.codes:
            wrong.append(say("{asked} is no answer to question {number}.", asked=address.cut(guess), number=number))
            return asked[: number - 1]
    return asked[: len(questions)]


def _prediction(
    number: int, case: ProposalCase, decision: Decision, question: Question | None, place: Exercise, language: Language
) -> None:
    view = View(language, None, {})
    guess = place.guesses[number - 1] if number <= len(place.guesses) else None
    call = block(f"{shown(case.tool)}({shown(case.arguments)})", language, say("The proposal"))
    customer = sentence(say("For the customer {customer}.", customer=str(case.ticket.customer_id)), language)
    title = sentence(say("Proposal {number} of {count}", number=number, count=len(EXERCISE)), language)
    body = f'{call}<p class="note">{customer}</p>'
    if guess and question:
        body += answering.outcome(question, guess, language) + decision_shown(decision, view)
    with st.container(key=f"question-{number}" if not guess else f"prediction-{number}"):
        put.html(article(Article("application", "", title, f"proposal-{number}", number), body))
        if question and not guess:
            answering.form(question, language, str(number), lambda code: place._replace(guesses=(*place.guesses, code)))


def _question(name: str, words: Sentence, place: Exercise, language: Language) -> None:
    is_open = name in place.answers
    answer = f'<div class="answer">{_answer(name, language)}</div>' if is_open else ""
    with st.container(key=f"asked-{name}"):
        put.html(article(Article("model", "", sentence(words, language), f"asked-{name}"), answer))
        there = tuple(one for one in QUESTIONS if (one in place.answers) != (one == name))
        words = say("Hide the answer") if is_open else say("Show the answer")
        st.button(label(words, language), key=f"show-{name}", on_click=go, args=(place._replace(answers=there),))


def _answer(name: str, language: Language) -> str:
    """An answer, computed by the code as far as it can be."""
    match name:
        case "two-questions":
            return _two_questions(cases(), language)
        case "same-words":
            why = say(
                "What the model reads can reach the customer. If the words differed, anybody could try IDs and learn"
                " which orders exist. The log is for the support desk, which has to know the real reason."
            )
            return f"{told_apart.drawn(told_apart.compare(), language)}<p>{sentence(why, language)}</p>"
        case _:
            why = say(
                "The instruction changed what the model proposed, and nothing of what the code allows. The loop goes"
                " on: the model reads the refusal, and the barriers judge its reply as always."
            )
            return f"{decision_shown(decision_on(INJECTED), View(language, None, {}))}<p>{sentence(why, language)}</p>"


def _two_questions(prepared: Cases, language: Language) -> str:
    """For each group of checks, the first recorded proposal that it stops."""
    said = {
        Group.WELL_FORMED: say("Is it well formed? That needs the proposal alone; the order book is not asked."),
        Group.ALLOWED: say("Is it allowed? That needs the order book, and who wrote the ticket."),
    }
    parts = []
    decided = [(case, decision_on(case)) for case in prepared.proposals if case.recording]
    for group, words in said.items():
        parts.append(f"<h3>{sentence(words, language)}</h3>")
        # The last check of a group is its core: an ID's form, an order's owner.
        stopped = [(case, decision) for case, decision in decided if _stopped_in(decision, group)]
        stopped.sort(key=lambda one: [check.name for check in one[1].checks].index(one[1].failed_check or ""))
        for case, decision in stopped[-1:]:
            heading = say("{ticket} asked for {arguments}:", ticket=case.name, arguments=case.arguments)
            parts.append(f"<p>{sentence(heading, language)}</p>{decision_shown(decision, View(language, None, {}))}")
    return "".join(parts)


def _stopped_in(decision: Decision, group: Group) -> bool:
    return any(check.name == decision.failed_check and check.group is group for check in decision.checks)
