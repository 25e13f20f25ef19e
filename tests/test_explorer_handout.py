"""The hand-out: one document with the whole loop in the page's language, which needs nothing else."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given

from assistant.decision import Decision
from assistant.events import Decided, Diverged, LimitReached
from assistant.explorer.cards import CARDS, title_of
from assistant.explorer.failure import Failure
from assistant.explorer.handout import document
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.run import Run
from assistant.sentence import say
from assistant.ticket import Ticket
from tests.scripted import asking_for, events_of, proposing, replying
from tests.strategies import text, trying
from tests.test_explorer_markup import read
from tests.test_explorer_page import own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_run import TICKETS, events, recording
from tests.test_explorer_site import open_at

LANGUAGE = pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
EACH_TICKET = pytest.mark.parametrize("ticket_id", TICKETS)
HOSTILE = (
    "<img src=https://example.org/x onerror=alert(1)> </style></title></body><script>alert(1)</script> <details> \" '"
)
LOADING = {"src", "href", "srcset", "action", "formaction", "poster", "background", "ping", "xlink:href", "style"}
RUNS = {ticket_id: Run(recording(ticket_id), events(ticket_id)) for ticket_id in TICKETS}


def body(html):
    """The document's body, read. What stands around it is checked where it is asked for."""
    start, _, rest = html.partition("<body ")
    assert start
    inside, end, after = rest.partition("</body>")
    assert (end, after) == ("</body>", "\n</html>\n")
    return read(f"<body {inside}</body>")


def head(html):
    return html.partition("<body ")[0]


def style(html):
    (css,) = re.findall(r"<style>(.*?)</style>", head(html), re.DOTALL)
    return css


def assert_needs_nothing_else(html):
    """Nothing in it loads, runs or leads anywhere."""
    page = body(html)
    assert not {"img", "script", "link", "iframe", "object", "embed", "base", "form", "style", "a"} & {
        each.tag for each in page.all()
    }
    assert not [name for each in page.all() for name in each.attributes if name in LOADING or name.startswith("on")]
    assert re.findall(r"<[a-z!]+", head(html)) == ["<!doctype", "<html", "<head", "<meta", "<meta", "<title", "<style"]
    assert not re.search(r"url\(|@import|image-set\(|src\(|expression\(|https?:|//", style(html))


@LANGUAGE
@EACH_TICKET
def test_the_document_holds_every_step_in_order(ticket_id, language):
    page = body(document(RUNS[ticket_id], language))
    cards = list(page.all("article"))
    assert [card.attributes["data-step"] for card in cards] == [str(step) for step in range(1, 8)]
    assert [card.one("h2").text for card in cards] == [language.tell(title_of(event)) for event in events(ticket_id)]


@LANGUAGE
@EACH_TICKET
def test_the_document_is_in_the_pages_language_and_names_its_ticket(ticket_id, language):
    html = document(RUNS[ticket_id], language)
    assert html.startswith(f'<!doctype html>\n<html lang="{language.tag}">\n<head><meta charset="utf-8">')
    title = f"{ticket_id} – {language.tell(say('Tool-loop explorer'))}"
    assert re.findall("<title>(.*)</title>", html) == [title]
    heading = language.tell(say("Ticket {ticket}, step by step", ticket=ticket_id))
    assert body(html).texts("h1") == [heading]


@EACH_TICKET
def test_the_document_begins_with_the_ticket_and_what_came_of_it(ticket_id):
    page = body(document(RUNS[ticket_id], ENGLISH))
    assert page.one("blockquote").text == recording(ticket_id).ticket.text
    figures = page.one("dl", kind="figures").texts("dd")
    assert figures[0] == "2"
    assert figures[2:] == [recording(ticket_id).decisions[0]["outcome"], str(events(ticket_id)[-1].verdict)]


@EACH_TICKET
def test_the_document_holds_what_was_said_and_decided(ticket_id):
    page = body(document(RUNS[ticket_id], ENGLISH))
    decision, reply = events(ticket_id)[2].decision, events(ticket_id)[5].reply
    evidence = [str(check.evidence) for check in decision.checks if check.evidence]
    assert page.texts("p", kind="evidence")[: len(evidence)] == evidence
    assert decision.outcome in page.texts("pre")
    assert reply.content in page.texts("pre")


@LANGUAGE
@EACH_TICKET
def test_the_document_needs_nothing_else(ticket_id, language):
    assert_needs_nothing_else(document(RUNS[ticket_id], language))


@EACH_TICKET
def test_all_that_can_be_unfolded_is(ticket_id):
    folds = list(body(document(RUNS[ticket_id], ENGLISH)).all("details"))
    long = [fold for fold in folds if fold.attributes.get("class") == "long"]
    assert 0 < len(long) < len(folds)
    assert [fold for fold in folds if "open" not in fold.attributes] == []


@EACH_TICKET
def test_no_id_stands_twice_and_every_heading_that_is_pointed_at_is_there(ticket_id):
    page = body(document(RUNS[ticket_id], ENGLISH))
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    pointed = [each.attributes["aria-labelledby"] for each in page.all() if "aria-labelledby" in each.attributes]
    assert len(set(ids)) == len(ids)
    assert set(pointed) <= set(ids)


def test_the_decision_stands_beside_the_time_of_its_model_call():
    assert "the model call 1.32\u00a0s." in body(document(RUNS["T-80001"], ENGLISH)).text


def test_the_digit_that_nobody_wrote_is_set_off():
    assert set(body(document(RUNS["T-80009"], ENGLISH)).texts(kind="invented")) == {"2"}


# Loops of any kind.


def test_a_run_that_left_its_recording_says_where():
    left = Diverged("/decisions/0/outcome", say("The code decides differently from the recording."), '"ok"', None)
    html = document(Run(recording("T-80001"), (*events("T-80001")[:3], left)), ENGLISH)
    assert_needs_nothing_else(html)
    assert body(html).texts("h2")[-1] == "The replay leaves the recording"
    assert "/decisions/0/outcome" in body(html).text
    assert body(html).one("p", kind="diverged").text.endswith("it leaves the recording at step 4.")


@pytest.mark.parametrize("count", range(8))
@LANGUAGE
def test_a_run_that_was_stopped_anywhere_has_the_steps_so_far(count, language):
    stopped = Failure("assistant/tools.py", 4, f"ZeroDivisionError: {HOSTILE}")
    html = document(Run(recording("T-80001"), events("T-80001")[:count], stopped), language)
    assert_needs_nothing_else(html)
    assert len(list(body(html).all("article"))) == count


@pytest.mark.parametrize(
    "all_events",
    [
        events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B")), replying(order=None)),
        events_of(proposing(asking_for("LK-581106"))),
        events_of({}),
        events_of({"choices": [{"message": {"refusal": "No."}}]}),
    ],
    ids=["two proposals", "no end", "nothing", "a refusal"],
)
@LANGUAGE
def test_a_loop_of_any_shape_is_handed_out(all_events, language):
    html = document(Run(recording("T-80008"), tuple(all_events)), language)
    assert_needs_nothing_else(html)
    assert len(list(body(html).all("article"))) == len(all_events)
    assert {type(event) for event in all_events} <= set(CARDS)


def test_code_that_tells_no_checks_is_handed_out():
    decided = Decided(events("T-80001")[1], Decision("refused: mine", {"ok": False}), 0.0)
    html = document(Run(recording("T-80001"), (decided, LimitReached(1))), ENGLISH)
    assert_needs_nothing_else(html)
    assert "This tools.py does not list its checks, only their outcome." in body(html).text


# Text from outside.


def hostile_run(written):
    """A loop with this text wherever a loop can hold any."""
    call = {
        "id": written,
        "type": "function",
        "function": {"name": written, "arguments": json.dumps({"order_id": written})},
    }
    ticket = Ticket(written, written, written)
    reply = {"order_id": written, "status": written}
    all_events = events_of(proposing(call, content=written), replying(order=reply, reply=written), ticket=ticket)
    model = {"name": written, "model": written, "provider": written, "request": written}
    one = replace(recording("T-80001"), ticket=ticket, model=model, recorded_at=written, reconstructed=(f"/{written}",))
    return Run(one, (*all_events, Diverged(f"/x/{written}", say("{x}", x=written), written, written)))


@LANGUAGE
def test_hostile_text_stays_text(language):
    html = document(hostile_run(HOSTILE), language)
    assert_needs_nothing_else(html)
    assert body(html).text.count(HOSTILE) >= 10
    assert html.count("<details") == html.count("</details>") == len(list(body(html).all("details")))


@trying(60)
@given(text)
def test_any_text_stays_text(written):
    assert_needs_nothing_else(document(hostile_run(written), FRENCH))


# The button.


@LANGUAGE
@EACH_TICKET
def test_the_page_offers_the_hand_out_and_does_not_hold_it(ticket_id, language):
    page = open_at("", language.tag, ticket=ticket_id)
    (button,) = page.get("download_button")
    assert plain(button.label) == language.tell(say("Hand-out of the whole loop"))
    sent = "".join([*(each.value for each in page.get("html")), str(button.proto)])
    for event in events(ticket_id):
        assert language.tell(title_of(event)) not in sent
    assert json.loads(events(ticket_id)[5].reply.content)["reply"] not in sent


def test_when_presenting_there_is_no_hand_out():
    assert not open_at("", ticket="T-80001", present=1).get("download_button")
