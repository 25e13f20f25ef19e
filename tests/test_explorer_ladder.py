"""The ladder: the ordered questions drawn as they were answered, in two groups, to the one that stopped them."""

import pytest

from assistant.barriers import BarrierResult, judge_reply
from assistant.decision import Group, State
from assistant.explorer.ladder import GROUPS, STATES, barrier_ladder, ladder
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.markup import NO_MARKS
from assistant.sentence import say
from assistant.tools import CHECKS, decide
from tests.books import HALF_ANSWERING, UNANSWERING
from tests.examples import BAD_REPLIES, OWN_ORDER, REFUSALS, TICKET, reply_with
from tests.scripted import BOOK
from tests.test_explorer_markup import read

NAMES = [check.name for check in CHECKS]
ASKED, NOT_ASKED = "The order book was asked.", "The order book was not asked."


def drawn(decision, language=ENGLISH, marks=NO_MARKS):
    return read(ladder(decision.checks, language, marks))


def states(page):
    """The word of each rung's state."""
    return [next(rung.all(kind="state")).text.partition(" ")[2] for rung in page.all(kind="rung")]


def stopped_at(check, word):
    """The five words when this check stops the rest."""
    before = NAMES.index(check)
    return ["passed"] * before + [word] + ["not run"] * (4 - before)


def test_every_state_and_every_group_has_its_words():
    assert set(STATES) == set(State)
    assert set(GROUPS) == set(Group)


def test_every_state_has_an_icon_and_a_word_of_its_own_in_both_languages():
    for language in (ENGLISH, FRENCH):
        told = {(icon, language.tell(word)) for icon, word in STATES.values()}
        assert len({icon for icon, _ in told}) == len({word for _, word in told}) == len(State)


@pytest.mark.parametrize("refusal", REFUSALS, ids=[refusal.title for refusal in REFUSALS])
def test_a_refusal_is_drawn_as_it_came_about(refusal):
    page = drawn(decide(refusal.name, refusal.arguments, refusal.customer_id, BOOK))
    assert states(page) == stopped_at(refusal.check, "failed")
    books = [each.one("p").text for each in page.all(kind="group-head")]
    assert books == [NOT_ASKED, ASKED if refusal.check in ("order_exists", "own_order") else NOT_ASKED]


def test_an_order_that_is_found_passes_every_check():
    page = drawn(decide(*OWN_ORDER, BOOK))
    assert states(page) == ["passed"] * 5
    assert [each.one("p").text for each in page.all(kind="group-head")] == [NOT_ASKED, ASKED]


@pytest.mark.parametrize("book", UNANSWERING, ids=[book.__doc__ for book in UNANSWERING])
def test_an_order_book_that_cannot_answer_is_no_failed_check(book, tmp_path):
    with book(tmp_path) as unanswering:
        page = drawn(decide(*OWN_ORDER, unanswering))
    assert states(page) == stopped_at("order_exists", "could not be answered")
    assert [each.one("p").text for each in page.all(kind="group-head")] == [NOT_ASKED, ASKED]


@pytest.mark.parametrize("book", HALF_ANSWERING, ids=[book.__doc__ for book in HALF_ANSWERING])
def test_an_order_that_cannot_be_read_after_the_checks_leaves_them_passed(book, tmp_path):
    with book(tmp_path) as unanswering:
        assert states(drawn(decide(*OWN_ORDER, unanswering))) == ["passed"] * 5


def test_each_check_that_ran_shows_its_evidence_and_no_other():
    page = drawn(decide("get_order", '{"order_id":"LK-55190"}', "C-88930", BOOK), marks={"LK-55190": 8})
    shown = [rung.texts(kind="evidence") for rung in page.all(kind="rung")]
    assert shown == [
        ["The model asked for get_order."],
        ["One object with the one key order_id."],
        ["LK-55190 has 5 digits after LK-, not 6."],
        [],
        [],
    ]
    assert page.texts("mark") == ["LK-55190"]


def test_each_question_stands_in_its_group():
    page = drawn(decide(*OWN_ORDER, BOOK))
    groups = {each.one("h3").text: each.texts(kind="question") for each in page.all(kind="group")}
    questions = [str(check.question) for check in CHECKS]
    assert groups == {"Well formed?": questions[:3], "Allowed?": questions[3:]}


def test_the_ladder_speaks_french():
    page = drawn(decide("get_order", '{"order_id":"LK-615204"}', "C-20417", BOOK), FRENCH)
    assert states(page) == ["réussie"] * 4 + ["échec"]
    assert page.texts("h3") == ["Bien formée?", "Permise?"]
    assert page.texts(kind="evidence")[4] == "Le billet est de C-20417; la commande appartient à un autre client."


def test_a_ladder_never_names_the_other_customer():
    assert "C-38852" not in drawn(decide("get_order", '{"order_id":"LK-615204"}', "C-20417", BOOK)).text


@pytest.mark.parametrize("bad", BAD_REPLIES, ids=[bad.title for bad in BAD_REPLIES])
def test_the_barriers_are_drawn_as_they_were_judged(bad):
    verdict = judge_reply(bad.reply, TICKET, bad.looked_up)
    page = read(barrier_ladder(verdict.barriers, FRENCH, NO_MARKS))
    rules = [rule for barrier in verdict.barriers for rule in barrier.rules]
    assert states(page) == [FRENCH.tell(STATES[rule.state][1]) for rule in rules]
    assert page.texts("h3") == ["Barrière 1\u00a0: Schéma", "Barrière 2\u00a0: Règles d’affaires"]
    assert len(page.texts(kind="evidence")) == sum(rule.state is not State.NOT_RUN for rule in rules)


def test_a_barrier_says_of_itself_what_became_of_it():
    verdict = judge_reply(reply_with(team="none"), TICKET, {})
    page = read(barrier_ladder(verdict.barriers, ENGLISH, NO_MARKS))
    assert [head.one("p").text for head in page.all(kind="group-head")] == ["✗ failed", "– not run"]


def test_a_barrier_without_rules_is_drawn():
    page = read(barrier_ladder([BarrierResult(say("Schema"), State.PASSED, ())], ENGLISH, NO_MARKS))
    assert page.one("h3").text == "Barrier 1: Schema"
    assert not list(page.all(kind="rung"))
