"""Owns asking before telling: the questions at a loop's turning points, and what may be shown before they are answered.

Questions, possible answers and the truth all come from what the code did; nothing here knows a check or a rule.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assistant.barriers import Verdict
from assistant.decision import STOPPING, Decision, Group, State
from assistant.events import Concluded, Decided, Event
from assistant.sentence import Sentence, say

NONE, UNSURE, SKIPPED = "none", "unsure", "skip"


class Answer(NamedTuple):
    """One possible answer: its code for the address, its words, and the group of the ladder that it stands in."""

    code: str
    words: Sentence
    group: Group | None = None


class Question(NamedTuple):
    """What is asked at one turning point. `truth` is the code of an answer, `why` the reason for it."""

    words: Sentence
    answers: tuple[Answer, ...]
    truth: str
    why: Sentence

    @property
    def codes(self) -> tuple[str, ...]:
        """All that counts as an answer."""
        return tuple(answer.code for answer in (*self.answers, *OTHER_ANSWERS))

    def words_of(self, code: str) -> Sentence:
        """An answer in words."""
        return next(answer.words for answer in (*self.answers, *OTHER_ANSWERS) if answer.code == code)


OTHER_ANSWERS = (Answer(UNSURE, say("Not sure")), Answer(SKIPPED, say("Skip")))


class Asked(NamedTuple):
    """A question with what was said to it, None while it is open, and the step that answers it."""

    step: int
    question: Question
    guess: str | None


def on_decision(decision: Decision) -> Question | None:
    """Which check stops the proposal? Code that tells no checks cannot be asked about."""
    if not decision.checks:
        return None
    stopping = next((check for check in decision.checks if check.state in STOPPING), None)
    why = stopping.evidence if stopping else decision.message
    return Question(
        say("Which check stops this proposal?"),
        (
            *(Answer(check.name, check.question, check.group) for check in decision.checks),
            Answer(NONE, say("None: the order is looked up")),
        ),
        stopping.name if stopping else NONE,
        why or say("Each check said yes, so the order was looked up."),
    )


def on_verdict(verdict: Verdict) -> Question:
    """Is the reply valid, or which barrier rejects it?"""
    names = {f"barrier-{number}": barrier for number, barrier in enumerate(verdict.barriers, start=1)}
    rejecting = next((code for code, barrier in names.items() if barrier.state is State.FAILED), NONE)
    broken = [rule.evidence for barrier in verdict.barriers for rule in barrier.rules if rule.state is State.FAILED]
    return Question(
        say("Does a barrier reject this reply?"),
        (
            *(Answer(code, barrier.name) for code, barrier in names.items()),
            Answer(NONE, say("None: the reply is valid")),
        ),
        rejecting,
        next((evidence for evidence in broken if evidence), say("No rule is broken.")),
    )


def asked_in(events: Iterable[Event], guesses: Sequence[str]) -> list[Asked]:
    """The loop's questions in order, with the guesses as far as they are answers. What follows one that is none is
    not looked at."""
    found: list[Asked] = []
    for step, event in enumerate(events, start=1):
        question = _on(event)
        if question is None:
            continue
        is_next = len(found) < len(guesses) and all(asked.guess for asked in found)
        guess = guesses[len(found)] if is_next else None
        found.append(Asked(step, question, guess if guess in question.codes else None))
    return found


def valid(events: Iterable[Event], guesses: tuple[str, ...]) -> tuple[str, ...]:
    """The guesses up to the first that is no answer."""
    return tuple(one.guess for one in asked_in(events, guesses) if one.guess)


def first_open(asked: Iterable[Asked]) -> Asked | None:
    """The first question that is not answered yet: nothing from its step on may be shown."""
    return next((one for one in asked if one.guess is None), None)


def _on(event: Event) -> Question | None:
    match event:
        case Decided():
            return on_decision(event.decision)
        case Concluded():
            return on_verdict(event.verdict)
    return None
