"""Asking before telling: the questions come from what the code did, and nothing tells an answer before it is given."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import judge_reply
from assistant.decision import Decision, Group, State
from assistant.events import Concluded, Decided
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.predict import (
    NONE,
    OTHER_ANSWERS,
    SKIPPED,
    UNSURE,
    Asked,
    asked_in,
    first_open,
    on_decision,
    on_verdict,
)
from assistant.explorer.run import caption
from assistant.recording import load
from assistant.sentence import say
from assistant.tools import CHECKS, decide
from tests.books import HALF_ANSWERING, UNANSWERING, write_book
from tests.examples import BAD_REPLIES, LOOKED_UP, OWN_ORDER, REFUSALS, SHORT_TOOLS, TICKET, reply_with
from tests.scripted import BOOK, asking_for, events_of, proposing, replying
from tests.strategies import text, trying
from tests.test_explorer_controls import press
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import bar, own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_run import FOLDER, TICKETS, events, recording
from tests.test_explorer_site import assert_sound, drawn, go_on, open_at, says, sent

NAMES = [check.name for check in CHECKS]
LANGUAGE = pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
EACH_TICKET = pytest.mark.parametrize("ticket_id", TICKETS)


def codes(question):
    return [answer.code for answer in question.answers]


# The question about a decision.


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.title)
def test_the_truth_about_a_refusal_is_the_check_that_stopped_it_and_why_is_its_evidence(refusal):
    decision = decide(refusal.name, refusal.arguments, refusal.customer_id, BOOK)
    question = on_decision(decision)
    assert question.truth == refusal.check
    (evidence,) = (check.evidence for check in decision.checks if check.state is State.FAILED)
    assert question.why == evidence


def test_the_truth_about_an_order_that_is_looked_up_is_none_of_them():
    question = on_decision(decide(*OWN_ORDER, BOOK))
    assert question.truth == NONE
    assert str(question.why) == "Each check said yes, so the order was looked up."


@pytest.mark.parametrize("book", UNANSWERING, ids=lambda book: book.__doc__)
def test_a_check_that_could_not_be_answered_stopped_the_proposal_too(book, tmp_path):
    with book(tmp_path) as unanswering:
        assert on_decision(decide(*OWN_ORDER, unanswering)).truth == "order_exists"


@pytest.mark.parametrize("book", HALF_ANSWERING, ids=lambda book: book.__doc__)
def test_where_only_the_look_up_failed_no_check_is_the_truth_and_why_says_so(book, tmp_path):
    with book(tmp_path) as unanswering:
        question = on_decision(decide(*OWN_ORDER, unanswering))
    assert (question.truth, str(question.why)) == (NONE, "The order lookup is unavailable right now.")


def test_the_answers_are_the_checks_in_their_order_each_in_its_group_and_none():
    question = on_decision(decide(*OWN_ORDER, BOOK))
    assert codes(question) == [*NAMES, NONE]
    assert [answer.group for answer in question.answers] == [*(check.group for check in CHECKS), None]
    assert [answer.words for answer in question.answers[:-1]] == [check.question for check in CHECKS]


def test_the_answers_are_the_same_whatever_the_truth():
    asked = [on_decision(decide(one.name, one.arguments, one.customer_id, BOOK)) for one in REFUSALS]
    assert {question.answers for question in asked} == {on_decision(decide(*OWN_ORDER, BOOK)).answers}
    assert len({question.words for question in asked}) == 1


def test_a_decision_that_tells_no_checks_is_not_asked_about():
    assert on_decision(Decision("ok", {"ok": True})) is None


def test_not_sure_and_skip_are_answers_to_any_question_and_never_the_truth():
    for question in (on_decision(decide(*OWN_ORDER, BOOK)), on_verdict(judge_reply(reply_with(), TICKET, LOOKED_UP))):
        assert question.codes == (*codes(question), UNSURE, SKIPPED)
        assert question.truth in codes(question)
        assert [str(question.words_of(answer.code)) for answer in OTHER_ANSWERS] == ["Not sure", "Skip"]


# The question about a verdict.


@pytest.mark.parametrize("bad", BAD_REPLIES, ids=lambda bad: bad.title)
def test_the_truth_about_a_rejected_reply_is_the_barrier_and_why_is_the_broken_rules_evidence(bad):
    verdict = judge_reply(bad.reply, TICKET, bad.looked_up)
    question = on_verdict(verdict)
    schema, _ = verdict.barriers
    assert question.truth == ("barrier-1" if schema.state is State.FAILED else "barrier-2")
    broken = [rule for barrier in verdict.barriers for rule in barrier.rules if rule.state is State.FAILED]
    assert question.why == broken[0].evidence


def test_the_truth_about_a_valid_reply_is_that_no_barrier_rejects_it():
    question = on_verdict(judge_reply(reply_with(), TICKET, LOOKED_UP))
    assert (question.truth, str(question.why)) == (NONE, "No rule is broken.")
    assert codes(question) == ["barrier-1", "barrier-2", NONE]
    assert [str(answer.words) for answer in question.answers] == [
        "Schema",
        "Business rules",
        "None: the reply is valid",
    ]


# All questions of a loop.


@EACH_TICKET
def test_a_loop_is_asked_about_at_its_decision_and_at_its_verdict(ticket_id):
    asked = asked_in(events(ticket_id), ())
    assert [one.step for one in asked] == [3, 7]
    assert [type(events(ticket_id)[one.step - 1]) for one in asked] == [Decided, Concluded]
    (recorded,) = recording(ticket_id).decisions
    assert asked[0].question.truth == (recorded["failed_check"] or NONE)


def test_each_decision_of_a_loop_is_asked_about():
    several = events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B")), replying(order=None))
    assert [one.question.truth for one in asked_in(several, ())] == [NONE, "own_order", NONE]


GUESSES = (
    ((), [None, None]),
    (("none",), ["none", None]),
    (("none", "barrier-1"), ["none", "barrier-1"]),
    (("skip", "unsure"), ["skip", "unsure"]),
    (("none", "none", "none", "own_order"), ["none", "none"]),
    (("nonsense", "none"), [None, None]),
    (("none", "nonsense"), ["none", None]),
    (("barrier-1",), [None, None]),
    (("none", "own_order"), ["none", None]),
    (("", "none"), [None, None]),
    (("OWN_ORDER",), [None, None]),
)


@pytest.mark.parametrize(("guesses", "counted"), GUESSES)
def test_what_is_no_answer_to_its_question_counts_as_none_and_nothing_after_it_does(guesses, counted):
    asked = asked_in(events("T-80001"), guesses)
    assert [one.guess for one in asked] == counted
    waiting = first_open(asked)
    assert (waiting.step if waiting else None) == {0: 3, 1: 7, 2: None}[sum(guess is not None for guess in counted)]


@trying(200)
@given(st.sampled_from(TICKETS), st.lists(text | st.sampled_from([*NAMES, NONE, UNSURE, "barrier-1"]), max_size=4))
def test_any_guesses_leave_the_first_unanswered_question_open(ticket_id, guesses):
    asked = asked_in(events(ticket_id), guesses)
    waiting = first_open(asked)
    answered = [one for one in asked if one.guess is not None]
    assert answered == asked[: len(answered)]
    assert waiting == (asked[len(answered)] if len(answered) < len(asked) else None)
    assert [one.guess for one in answered] == guesses[: len(answered)]


def test_without_questions_none_is_open():
    assert first_open([]) is None
    assert asked_in(events("T-80001")[:2], ("none",)) == []
    question = on_decision(decide(*OWN_ORDER, BOOK))
    assert first_open([Asked(3, question, NONE), Asked(4, question, None)]).step == 4


# The page.


def asking(locale="en-CA", **address):
    page = open_at("", locale, predict=1, **address)
    assert_sound(page)
    return page


def secrets(ticket_id, language):
    """What the loop tells, in this language and as it reads on the page, each with the step that tells it."""
    tell, run = language.tell, events(ticket_id)
    decision, verdict, reply = run[2].decision, run[6].verdict, json.loads(run[5].reply.content)
    rules = [rule for barrier in verdict.barriers for rule in barrier.rules]
    found = [
        *((3, tell(check.evidence)) for check in decision.checks if check.evidence),
        (3, f">{decision.outcome}<"),
        (4, "tool_call_id"),
        (4, tell(say("Sends back the tool result"))),
        (5, language.number(recording(ticket_id).usage.prompt_tokens)),
        (6, tell(say("Writes the final reply"))),
        (6, reply["reason"]),
        (6, reply["reply"]),
        *((7, tell(rule.evidence)) for rule in rules if rule.evidence),
        *((7, code) for code in verdict.broken),
        (7, f"<dd>{verdict}</dd>"),
        (7, tell(say("Two barriers: {verdict}", verdict=verdict))),
    ]
    if decision.message:
        found += [(3, str(decision.message)), (3, tell(decision.message)), (3, decision.outcome.partition(": ")[2])]
    else:
        found += [(3, "unit_price")]
    if ticket_id == "T-65059":
        found += [(7, tell(say("{order_id} appears nowhere in the ticket.", order_id="LK-000000")))]
    if ticket_id == "T-80009":
        nobody = say(
            "Nobody wrote the end of {order_id}: {invented} is the model's own.", order_id="LK-551902", invented=2
        )
        found += [(6, "LK-551902"), (7, tell(nobody)), (7, 'class="invented"')]
    return found


@cache
def walk(ticket_id, tag, present, guesses):
    """What the page sends at each address of the ticket's loop, and its bar."""
    settings = {"present": 1} if present else {}
    said = {"guess": guesses} if guesses else {}
    page = asking(tag, ticket=ticket_id, step=0, **said, **settings)
    places = []
    for step in range(8):
        go_on(page, ticket=ticket_id, step=step, predict=1, **said, **settings)
        assert_sound(page)
        places.append((sent(page), bar(page)))
    return places


PRESENTED = pytest.mark.parametrize("present", [False, True], ids=["", "presenting"])


@PRESENTED
@LANGUAGE
@EACH_TICKET
def test_until_the_first_question_is_answered_nothing_that_follows_from_it_is_in_the_page(ticket_id, language, present):
    words = [word for _, word in secrets(ticket_id, language)]
    for page, _ in walk(ticket_id, language.tag, present, ""):
        assert [word for word in words if word in page] == []


@PRESENTED
@LANGUAGE
@EACH_TICKET
def test_until_the_second_question_is_answered_nothing_that_follows_from_it_is_in_the_page(
    ticket_id, language, present
):
    words = [word for step, word in secrets(ticket_id, language) if step == 7]
    for page, _ in walk(ticket_id, language.tag, present, "skip"):
        assert [word for word in words if word in page] == []


@LANGUAGE
@EACH_TICKET
def test_once_both_are_answered_all_of_it_is_there(ticket_id, language):
    page = sent(asking(language.tag, ticket=ticket_id, step=7, guess="skip,skip"))
    assert [word for _, word in secrets(ticket_id, language) if word not in page] == []


@LANGUAGE
def test_no_caption_of_a_ticket_gives_an_answer_away(language):
    for address in ({"step": 0}, {"step": 3}, {"step": 7, "guess": "skip,skip"}):
        page = asking(language.tag, ticket="T-80001", **address)
        assert [plain(page.button(key=f"ticket {one}").label).strip() for one in TICKETS] == [
            f"`{one}`" for one in TICKETS
        ]
    page = open_at("", language.tag, ticket="T-80001")
    assert language.tell(caption("T-80001")) in plain(page.button(key="ticket T-80001").label)


@EACH_TICKET
def test_while_a_question_is_open_neither_the_number_of_steps_nor_a_later_card_is_told(ticket_id):
    for guesses, waits_at in (("", 3), ("skip", 7)):
        for step, (_, where) in enumerate(walk(ticket_id, "en-CA", False, guesses)):
            assert where.startswith(f"Step {min(step, waits_at)} ")
            assert " of " not in where


def test_the_bar_puts_the_question():
    assert bar(asking(ticket="T-80001", step=3)) == "Step 3 Which check stops this proposal?"
    assert bar(asking(ticket="T-80001", step=7, guess="skip")) == "Step 7 Does a barrier reject this reply?"


@pytest.mark.parametrize(
    ("address", "step", "notice"),
    [
        ({"step": 7}, 3, "Step 7 waits behind the question at step 3."),
        ({"step": 4}, 3, "Step 4 waits behind the question at step 3."),
        ({"step": 7, "guess": "nonsense"}, 3, "nonsense is no answer to question 1."),
        ({"step": 7, "guess": "none,own_order"}, 7, "own_order is no answer to question 2."),
    ],
)
@EACH_TICKET
def test_an_address_beyond_a_question_stands_at_it_and_says_so(ticket_id, address, step, notice):
    page = asking(ticket=ticket_id, **address)
    assert notice in says(page)
    assert bar(page).startswith(f"Step {step} ")
    question = "Which check stops this proposal?" if step == 3 else "Does a barrier reject this reply?"
    assert titles_of(page)[-1] == question


def titles_of(page):
    return drawn(page).texts("h2")


def test_at_a_question_there_is_no_notice_when_one_is_just_there():
    assert not says(asking(ticket="T-80001", step=3))
    assert not says(asking(ticket="T-80001", step=7, guess="skip"))


def test_a_guess_without_a_question_is_let_go():
    page = asking(ticket="T-80001", step=7, guess="none,none,none")
    assert bar(page) == "Step 7 of 7 Two barriers: valid"


@EACH_TICKET
def test_every_answer_to_the_first_question_shows_guess_and_truth_side_by_side(ticket_id):
    (asked, _) = asked_in(events(ticket_id), ())
    for code in asked.question.codes:
        page = asking(ticket=ticket_id, step=3)
        press(page, f"answer-step-{code}")
        assert page.query_params == {"ticket": ticket_id, "step": "3", "predict": "1", "guess": code}
        guess = drawn(page).one("div", kind="guess")
        assert guess.texts("dd") == [
            str(asked.question.words_of(code)),
            str(asked.question.words_of(asked.question.truth)),
        ]
        assert str(asked.question.why) in guess.text
        assert titles_of(page)[-1].startswith("Checks the proposal: ")
        kind = "right" if code == asked.question.truth else "open" if code in (UNSURE, SKIPPED) else "wrong"
        assert kind in guess.attributes["class"].split()


@pytest.mark.parametrize("code", ["barrier-1", "barrier-2", NONE, UNSURE, SKIPPED])
@EACH_TICKET
def test_every_answer_to_the_second_question_reveals_the_verdict(ticket_id, code):
    page = asking(ticket=ticket_id, step=7, guess="unsure")
    press(page, f"answer-step-{code}")
    assert page.query_params["guess"] == f"unsure,{code}"
    assert titles_of(page)[-1] == f"Two barriers: {events(ticket_id)[-1].verdict}"
    assert len(list(drawn(page).all("div", kind="guess"))) == 2
    assert bar(page).startswith("Step 7 of 7 ")


def test_a_question_has_a_button_for_every_answer_and_no_other_page_has():
    keys = [each.key for each in asking(ticket="T-80001", step=3).button if "answer-" in each.key]
    assert keys == [f"answer-step-{code}" for code in [*NAMES, NONE, UNSURE, SKIPPED]]
    for address in ({"step": 2}, {"step": 5, "guess": "skip"}, {"step": 7, "guess": "skip,skip"}):
        page = asking(ticket="T-80001", **address)
        assert not [each.key for each in page.button if "answer-" in each.key]


def test_the_digit_that_nobody_wrote_is_set_off_only_after_the_barriers_were_asked_about():
    for step in (6, 7):
        page = drawn(asking(ticket="T-80009", step=step, guess="skip"))
        assert not list(page.all(kind="invented"))
        assert "Nobody wrote the end of LK-551902" not in page.text
        assert "LK-551902" in page.texts("mark")
    page = drawn(asking(ticket="T-80009", step=7, guess="skip,skip"))
    assert set(page.texts(kind="invented")) == {"2"}
    assert "Nobody wrote the end of LK-551902: 2 is the model's own." in page.texts("p", kind="note")


def test_an_invented_id_is_not_called_so_before_the_checks_were_asked_about():
    assert "appears nowhere" not in sent(asking(ticket="T-65059", step=2))
    assert "appears nowhere" in sent(open_at("", ticket="T-65059", step=2))


def test_next_does_not_go_past_a_question_and_says_what_to_do():
    page = asking(ticket="T-80001", step=2)
    assert press(page, "Right").query_params["step"] == "3"
    assert press(page, "Right").query_params["step"] == "3"
    assert bar(page) == "Step 3 Answer first, or skip."
    press(page, "End")
    assert page.query_params["step"] == "3"
    press(page, "answer-step-skip")
    assert press(page, "End").query_params["step"] == "7"
    assert bar(page) == "Step 7 Does a barrier reject this reply?"


def test_who_goes_back_before_a_question_keeps_their_answer():
    page = press(asking(ticket="T-80001", step=3, guess="none"), "Left")
    assert page.query_params == {"ticket": "T-80001", "step": "2", "predict": "1", "guess": "none"}
    assert len(list(drawn(press(page, "Right")).all("div", kind="guess"))) == 1


def test_who_starts_over_or_takes_another_ticket_is_asked_anew():
    page = press(asking(ticket="T-80001", step=7, guess="none,none"), "Home")
    assert page.query_params == {"ticket": "T-80001", "step": "0", "predict": "1"}
    page = press(asking(ticket="T-80001", step=7, guess="none,none"), "ticket T-80009")
    assert page.query_params == {"ticket": "T-80009", "step": "0", "predict": "1"}


@pytest.mark.parametrize(("step", "to"), [(0, "0"), (2, "2"), (3, "0"), (7, "0")])
def test_who_switches_asking_on_is_asked_without_having_seen_the_answer(step, to):
    page = open_at("", ticket="T-80001", step=step)
    page.toggle(key="asking").set_value(True).run()
    assert page.query_params == {"ticket": "T-80001", "step": to, "predict": "1"}
    assert_sound(page)


def test_who_switches_asking_off_is_told_and_stays():
    page = asking(ticket="T-80001", step=3)
    page.toggle(key="asking").set_value(False).run()
    assert page.query_params == {"ticket": "T-80001", "step": "3"}
    assert titles_of(page)[-1] == "Checks the proposal: refused: other_customer"


@pytest.mark.parametrize("asked", ["0", "yes", ""])
def test_a_switch_that_means_nothing_is_told_and_is_off(asked):
    page = open_at("", ticket="T-80001", step=3, predict=asked, guess="none")
    assert f"For predict only 1 is known, not {asked}." in says(page)
    assert not page.toggle(key="asking").value


# Other loops.


def test_a_decision_that_differs_from_the_recording_is_not_told_before_it_is_asked_about(tmp_path, monkeypatch):
    book = write_book(tmp_path / "book.db", [("LK-615204", "C-20417", "shipped"), ("LK-581106", "C-1", "shipped")])
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    page = asking(ticket="T-80001", step=3)
    assert "diverge" not in sent(page)
    assert "leaves the recording" not in sent(page)
    press(page, "answer-step-own_order")
    assert drawn(page).one("div", kind="guess").texts("dd")[1] == "None: the order is looked up"
    assert titles_of(press(page, "Right"))[-1] == "The replay leaves the recording"


def test_an_order_book_that_cannot_answer_is_asked_about_like_any_other_check(monkeypatch):
    monkeypatch.setenv("EXPLORER_ORDERS", "nowhere.db")
    page = asking(ticket="T-80008", step=3)
    assert "order_book_unavailable" not in sent(page)
    press(page, "answer-step-order_exists")
    assert "You saw it." in drawn(page).one("div", kind="guess").text


def test_code_that_stops_before_a_decision_asks_nothing(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", "TOOLS = []\n\ndef run_tool(*_):\n    return 1 / 0\n")
        page = open_at("", root=project, predict=1, ticket="T-80001", step=7)
        assert not page.exception
        assert "assistant/tools.py, line 4 stops the loop." in drawn(page).one(kind="failure").text
        assert not [each.key for each in page.button if "answer-" in each.key]


def test_code_that_tells_no_checks_is_asked_about_only_at_the_barriers(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", SHORT_TOOLS)
        page = open_at("", root=project, predict=1, ticket="T-80008", step=7)
        assert_sound(page)
        assert bar(page) == "Step 7 Does a barrier reject this reply?"


def test_two_decisions_in_one_loop_are_two_questions(tmp_path, monkeypatch):
    document = json.loads((FOLDER / "T-80008.json").read_text(encoding="utf-8"))
    (call,) = document["calls"][0]["response"]["choices"][0]["message"]["tool_calls"]
    second = json.loads(json.dumps(call).replace("LK-581106", "LK-615204"))
    document["calls"][0]["response"]["choices"][0]["message"]["tool_calls"] = [call, second]
    document["calls"][1]["request"] = {}
    for key in ("decisions", "verdict", "usage"):
        document.pop(key, None)
    (tmp_path / "two.json").write_text(json.dumps(document), encoding="utf-8")
    assert load(tmp_path / "two.json").ticket.id == "T-80008"
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(tmp_path))
    page = asking(ticket="T-80008", step=3)
    press(page, "answer-step-none")
    page = press(page, "End")
    assert bar(page) == "Step 6 Which check stops this proposal?"
    press(page, "answer-step-own_order")
    assert page.query_params["guess"] == "none,own_order"
    assert [guess.attributes["class"] for guess in drawn(page).all("div", kind="guess")] == ["guess right"] * 2


def test_the_groups_of_the_form_are_the_groups_of_the_ladder():
    groups = [each.text for each in drawn(asking(ticket="T-80001", step=3)).all("div", kind="group-head")]
    assert groups == ["Well formed?", "Allowed?", ""]
    assert len(Group) == 2
