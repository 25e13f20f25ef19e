"""The ladder: the ordered questions drawn as they were answered, in two groups, to the one that stopped them."""

import pytest

from assistant.barriers import BarrierResult, judge_reply
from assistant.decision import STOPPING, CheckResult, Group, State
from assistant.explorer.ladder import GROUPS, STATES, barrier_ladder, decisive, ladder
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.markup import NO_MARKS
from assistant.sentence import say
from assistant.tools import CHECKS, decide
from tests.books import HALF_ANSWERING, UNANSWERING
from tests.examples import BAD_REPLIES, LOOKED_UP, OWN_ORDER, REFUSALS, TICKET, reply_with
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


# What decided, and the code that did.

P, F, N, U = State.PASSED, State.FAILED, State.NOT_RUN, State.UNANSWERED


def results(*states):
    """Results with these states, each named by its place."""
    return [CheckResult(str(place), Group.ALLOWED, say("?"), state) for place, state in enumerate(states)]


@pytest.mark.parametrize(
    ("states", "deciding"),
    [
        ([], []),
        ([N, N], []),
        ([P], ["0"]),
        ([P, P, P], ["2"]),
        ([P, P, N], ["1"]),
        ([F], ["0"]),
        ([P, F, N], ["1"]),
        ([P, U, N], ["1"]),
        ([F, P, F, N], ["0", "2"]),
        ([P, F, P], ["1"]),
    ],
)
def test_what_decided_is_each_no_or_without_one_the_last_yes(states, deciding):
    assert [result.name for result in decisive(results(*states))] == deciding


def with_code(page):
    """The places of the rungs under which the code that decided is folded."""
    return [place for place, rung in enumerate(page.all(kind="rung")) if list(rung.all("details"))]


@pytest.mark.parametrize("refusal", REFUSALS, ids=[refusal.title for refusal in REFUSALS])
def test_under_the_check_that_stopped_stands_the_code_that_decided_with_its_file_and_line(refusal):
    decision = decide(refusal.name, refusal.arguments, refusal.customer_id, BOOK)
    page = drawn(decision)
    place = NAMES.index(refusal.check)
    assert with_code(page) == [place]
    function = CHECKS[place].ask
    line = function.__code__.co_firstlineno
    assert page.one("summary").text == f"The code that decided: assistant/tools.py, line {line}"
    assert page.one("pre").text.startswith(f"def {function.__name__}(")


def test_under_the_last_check_stands_its_code_when_all_said_yes():
    page = drawn(decide(*OWN_ORDER, BOOK), FRENCH)
    assert with_code(page) == [len(CHECKS) - 1]
    line = CHECKS[-1].ask.__code__.co_firstlineno
    assert page.one("summary").text.endswith(f"assistant/tools.py, ligne {line}")
    assert not page.one("summary").text.startswith("The code")


@pytest.mark.parametrize("book", UNANSWERING, ids=[book.__doc__ for book in UNANSWERING])
def test_a_check_that_could_not_be_answered_decided_too(book, tmp_path):
    with book(tmp_path) as unanswering:
        assert with_code(drawn(decide(*OWN_ORDER, unanswering))) == [NAMES.index("order_exists")]


@pytest.mark.parametrize("bad", BAD_REPLIES, ids=[bad.title for bad in BAD_REPLIES])
def test_under_each_broken_rule_stands_its_code(bad):
    verdict = judge_reply(bad.reply, TICKET, bad.looked_up)
    rules = [rule for barrier in verdict.barriers for rule in barrier.rules]
    page = read(barrier_ladder(verdict.barriers, ENGLISH, NO_MARKS))
    broken = [place for place, rule in enumerate(rules) if rule.state in STOPPING]
    assert broken
    assert with_code(page) == broken
    lines = [rules[place].function.__code__.co_firstlineno for place in broken]
    assert page.texts("summary") == [f"The code that decided: assistant/barriers.py, line {line}" for line in lines]


def test_under_the_last_rule_of_all_stands_its_code_when_none_is_broken():
    verdict = judge_reply(reply_with(), TICKET, LOOKED_UP)
    page = read(barrier_ladder(verdict.barriers, ENGLISH, NO_MARKS))
    assert with_code(page) == [len(states(page)) - 1]


def test_a_result_that_names_no_function_of_ours_has_no_code():
    made_up = [CheckResult("x", Group.ALLOWED, say("?"), State.FAILED, say("No."), False, len)]
    for checks in (made_up, results(P, F, N)):
        assert with_code(read(ladder(checks, ENGLISH, NO_MARKS))) == []


# Beside others.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("language", "words"), [(ENGLISH, "first difference"), (FRENCH, "première différence")], ids=["en", "fr"]
)
def test_the_check_at_which_it_first_differs_is_marked_in_words_and_no_other_is(name, language, words):
    page = read(ladder(decide(*OWN_ORDER, BOOK).checks, language, NO_MARKS, name))
    rungs = list(page.all(kind="rung"))
    differing = [place for place, rung in enumerate(rungs) if "differs" in rung.attributes["class"].split()]
    assert differing == [NAMES.index(name)]
    assert [rung.texts(kind="first-difference") for rung in rungs] == [
        [words] if place in differing else [] for place in range(len(NAMES))
    ]


@pytest.mark.parametrize("name", [None, "", "no such check", "<b>"])
def test_without_a_difference_none_is_marked(name):
    checks = decide(*OWN_ORDER, BOOK).checks
    assert ladder(checks, ENGLISH, NO_MARKS, name) == ladder(checks, ENGLISH, NO_MARKS)
    assert not list(read(ladder(checks, ENGLISH, NO_MARKS, name)).all(kind="differs"))
