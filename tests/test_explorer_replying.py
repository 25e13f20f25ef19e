"""The page for one reply of one's own: the same two barriers as in the loop."""

import json
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import Reply, judge_reply
from assistant.explorer.cases import cases
from assistant.explorer.ladder import STATES
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.replying import FIELDS, read_lookups, values_of
from assistant.sentence import say
from assistant.ticket import Ticket
from tests.examples import BAD_REPLIES, TICKET
from tests.strategies import text, trying
from tests.test_explorer_page import HOSTILE, own_environment, page_modules  # noqa: F401
from tests.test_explorer_site import assert_sound, drawn, open_at, says

PREPARED = {case.name: case for case in cases().replies}
JUDGED = {name: judge_reply(case.reply, case.ticket, case.looked_up) for name, case in PREPARED.items()}
# A reply whose content is text and short enough for an address.
TYPED = [bad for bad in BAD_REPLIES if isinstance(bad.reply.content, str) and len(bad.reply.content) < 6_000]
TYPED_VERDICTS = {bad.title: judge_reply(bad.reply, TICKET, bad.looked_up) for bad in TYPED}


def judge(locale="en-CA", **address):
    page = open_at("reply", locale, **address)
    assert_sound(page)
    return page


def article(page):
    return drawn(page).one("article")


def assert_shows(shown, verdict, language=ENGLISH):
    """The article shows this verdict: in its heading, each rule's state, and in the log's words."""
    assert shown.one("h2").text == language.tell(say("Two barriers: {verdict}", verdict=verdict))
    rules = list(chain.from_iterable(barrier.rules for barrier in verdict.barriers))
    rungs = list(shown.all("li", kind="rung"))
    states = [f"{STATES[rule.state][0]} {language.tell(STATES[rule.state][1])}" for rule in rules]
    assert [rung.one("span", kind="state").text for rung in rungs] == states
    assert [rung.one("p", kind="question").text for rung in rungs] == [language.tell(rule.question) for rule in rules]
    assert shown.texts("pre")[-1] == str(verdict)


def typed(reply, ticket, looked_up):
    """What one types for a reply."""
    return {
        "reply": reply.content or "",
        "ticket": ticket.text,
        "returned": "\n".join(f"{order_id}: {status}" for order_id, status in looked_up.items()),
        "finish": reply.finish_reason or "",
        "refusal": reply.refusal or "",
    }


@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
@pytest.mark.parametrize("name", PREPARED)
def test_every_prepared_case_is_judged_as_by_the_code(name, language):
    assert_shows(article(judge(language.tag, case=name)), JUDGED[name], language)


@pytest.mark.parametrize("bad", TYPED, ids=lambda bad: bad.title)
def test_whatever_is_typed_is_judged_as_by_the_code(bad):
    page = judge(**typed(bad.reply, TICKET, bad.looked_up))
    assert_shows(article(page), TYPED_VERDICTS[bad.title])
    assert TYPED_VERDICTS[bad.title].broken == (bad.code,)


@pytest.mark.parametrize("name", PREPARED)
def test_a_case_as_it_would_be_typed_is_judged_as_the_case_is(name):
    case, values = PREPARED[name], values_of(PREPARED[name])
    assert list(values) == [field.name for field in FIELDS]
    looked_up, unread = read_lookups(values["returned"])
    assert (looked_up, unread) == (case.looked_up, [])
    reply = Reply(values["reply"], values["refusal"] or None, values["finish"] or None)
    assert str(judge_reply(reply, Ticket("", None, values["ticket"]), looked_up)) == str(JUDGED[name])


def test_a_made_up_status_is_caught():
    page = judge(case="made-up")
    assert article(page).one("h2").text == "Two barriers: rejected: status_not_from_lookup"
    assert "No lookup returned LK-439563, but the reply says shipped." in article(page).texts(kind="evidence")


def test_the_codes_of_every_broken_rule_stand_for_the_log():
    page = judge(case="other-status")
    assert article(page).texts("pre")[-1] == "rejected: order_not_in_ticket, status_not_from_lookup"
    assert len(list(article(page).all("details"))) == 2


def test_the_code_that_decided_is_folded_under_the_rule_that_was_broken():
    (fold,) = article(judge(case="made-up")).all("details")
    assert fold.one("summary").text.startswith("The code that decided: assistant/barriers.py, line ")
    assert "def the_status_is_from_the_lookup(judged: Judged)" in fold.one("pre").text


def test_what_the_lookups_returned_decides():
    reply = json.loads(PREPARED["made-up"].reply.content)
    address = {"reply": json.dumps(reply), "ticket": PREPARED["made-up"].ticket.text, "finish": "stop"}
    assert article(judge(**address, returned="LK-439563: shipped")).one("h2").text == "Two barriers: valid"
    assert "rejected" in article(judge(**address, returned="LK-439563: delivered")).one("h2").text
    assert "rejected" in article(judge(**address)).one("h2").text


def test_a_refusal_and_a_reason_to_stop_decide():
    good = PREPARED["as-looked-up"]
    address = typed(good.reply, good.ticket, good.looked_up)
    assert article(judge(**address)).one("h2").text == "Two barriers: valid"
    assert "reply_refused" in article(judge(**{**address, "refusal": "No."})).one("h2").text
    assert "reply_cut_off" in article(judge(**{**address, "finish": "length"})).one("h2").text


def test_nothing_of_a_reply_takes_effect():
    page = judge(reply=HOSTILE, ticket=HOSTILE, returned=HOSTILE, finish=HOSTILE, refusal=HOSTILE)
    assert HOSTILE in article(page).text


# What the lookups returned.


@pytest.mark.parametrize(
    ("written", "looked_up"),
    [
        ("", {}),
        ("\n \n\t\n", {}),
        ("LK-1: shipped", {"LK-1": "shipped"}),
        ("LK-1:shipped", {"LK-1": "shipped"}),
        ("  LK-1  :  shipped  ", {"LK-1": "shipped"}),
        ("LK-1: shipped\r\nLK-2: returned\r\n", {"LK-1": "shipped", "LK-2": "returned"}),
        ("LK-1: a: b", {"LK-1": "a: b"}),
        ("LK-1: shipped\nLK-1: returned", {"LK-1": "returned"}),
        ("lk 1: Shipped", {"lk 1": "Shipped"}),
    ],
)
def test_a_line_is_an_order_id_and_a_status(written, looked_up):
    assert read_lookups(written) == (looked_up, [])


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("LK-1", [1]),
        ("LK-1 shipped", [1]),
        (": shipped", [1]),
        ("LK-1:", [1]),
        (":", [1]),
        ("LK-1: shipped\n\nnonsense\nLK-2: returned\n<b>", [3, 5]),
    ],
)
def test_a_line_that_is_none_is_told_by_its_number(written, numbers):
    wanted = [f"Lookups, line {number}: expected an order ID, a colon and a status." for number in numbers]
    assert [str(one) for one in read_lookups(written)[1]] == wanted
    assert says(judge(returned=written)) == wanted


word = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"], exclude_characters=":"), min_size=1)


@trying(200)
@given(st.dictionaries(word, word))
def test_what_is_written_as_the_page_asks_is_read_as_it_was(looked_up):
    written = "\n".join(f"{order_id}: {status}" for order_id, status in looked_up.items())
    assert read_lookups(written) == (looked_up, [])


@trying(200)
@given(text)
def test_each_line_of_any_text_is_either_read_or_told_or_empty(written):
    looked_up, unread = read_lookups(written)
    assert len(looked_up) + len(unread) <= sum(bool(line.strip()) for line in written.split("\n"))
    for order_id, status in looked_up.items():
        assert any(order_id in line and status in line for line in written.split("\n"))
