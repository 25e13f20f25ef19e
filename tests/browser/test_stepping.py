"""Stepping: Next reveals one card a press, and what is not revealed yet is nowhere in the browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from .server import ROOT
from .walk import TICKETS, Walk
from .window import STEPS

TITLES = (
    "Model call 1",
    "Proposes a call",
    "Checks the proposal",
    "Sends back the tool result",
    "Model call 2",
    "Writes the final reply",
    "Two barriers",
)
OUTCOMES = {
    "T-80008": "ok",
    "T-80001": "refused: other_customer",
    "T-65059": "refused: not_found",
    "T-80009": "refused: invalid_argument",
}
CODES = ("unknown_tool", "invalid_argument", "not_found", "other_customer", "order_book_unavailable")
PROPOSED, DECIDED, CALLED_AGAIN, REPLIED, CONCLUDED = 2, 3, 5, 6, 7  # the steps that reveal


def recorded(ticket):
    return json.loads((ROOT / "recordings" / f"{ticket}.json").read_text(encoding="utf-8"))


def secrets(ticket):
    """What a ticket's steps reveal, each as a pattern with the step before which it is nowhere in the browser."""
    recording = recorded(ticket)
    first, second = (call["response"]["choices"][0]["message"] for call in recording["calls"])
    order_id = json.loads(first["tool_calls"][0]["function"]["arguments"])["order_id"]
    if order_id not in recording["ticket"]["text"]:
        yield order_id, PROPOSED
    for code in CODES:
        yield code, DECIDED
    yield "is available for this customer", DECIDED
    yield r"must be LK- followed by 6 digits\.", DECIDED
    if recording["decisions"][0]["outcome"] == "ok":
        yield "2026-10-05", DECIDED
    if "usage" in recording["calls"][1]["response"]:
        yield f"<dd>{recording['calls'][1]['response']['usage']['completion_tokens']}</dd>", CALLED_AGAIN
    reply = json.loads(second["content"])
    for field in ("reason", "reply"):
        for piece in re.split(r"[’'\"]", reply[field]):
            if len(piece) > 15:
                yield re.escape(piece), REPLIED
    if reply["order"] and reply["order"]["order_id"] != order_id:
        yield rf"{reply['order']['order_id']}|{order_id}<span", REPLIED
    yield r"\brejected\b", CONCLUDED
    yield r"\bvalid\b(?! JSON)", CONCLUDED
    for rule in recording["verdict"]["broken"]:
        yield rule, CONCLUDED


def without_code(html):
    """The page's HTML without style sheets, scripts and links to them, whose words are their own."""
    return re.sub(r"<(style|script)\b.*?</\1>|<link\b[^>]*>", "", html, flags=re.DOTALL)


def leak(pattern, html):
    """Where the pattern stands in the HTML, with what is around it; None if nowhere."""
    found = re.search(rf".{{0,60}}(?:{pattern}).{{0,20}}", without_code(html))
    return found and found[0]


@pytest.mark.parametrize("ticket", TICKETS)
def test_seven_next_presses_reveal_seven_cards_one_a_press(walks, ticket):
    walk = walks[ticket]
    assert [stop.html.count('<article class="card') for stop in walk] == list(range(STEPS + 1))
    titles = [re.sub("<.*?>", "", title) for title in re.findall(r'<h2 id="step-\d">(.*?)</h2>', walk[-1].html)]
    assert all(title.startswith(told) for title, told in zip(titles, TITLES, strict=True)), titles


@pytest.mark.parametrize("ticket", TICKETS)
def test_the_last_step_tells_the_recorded_outcome_and_verdict(walks, ticket):
    text = walks[ticket][-1].text
    assert f"Tool outcome\n{OUTCOMES[ticket]}\n" in text
    verdict = recorded(ticket)["verdict"]
    assert f"Verdict\n{': '.join([verdict['status'], *verdict['broken']])}\n" in text
    assert "it matches the recording so far" in text


@pytest.mark.parametrize("ticket", TICKETS)
def test_nothing_of_an_unrevealed_step_is_in_the_page(walks, ticket):
    walk: Walk = walks[ticket]
    for pattern, step in secrets(ticket):
        for stop in walk[:step]:
            assert leak(pattern, stop.html) is None, f"at step {stop.step}"


@pytest.mark.parametrize("ticket", TICKETS)
def test_nothing_of_an_unrevealed_step_has_been_sent_to_the_browser(walks, ticket):
    walk: Walk = walks[ticket]
    for pattern, step in secrets(ticket):
        for stop in walk[:step]:
            assert leak(pattern, stop.received.decode(errors="replace")) is None, f"at step {stop.step}"


@pytest.mark.parametrize("ticket", TICKETS)
def test_the_search_for_unrevealed_things_finds_them_once_they_are_revealed(walks, ticket):
    end = walks[ticket][-1]
    found = {step for pattern, step in secrets(ticket) if leak(pattern, end.html)}
    received = {step for pattern, step in secrets(ticket) if leak(pattern, end.received.decode(errors="replace"))}
    assert found == received == {step for _, step in secrets(ticket)}


def test_a_fresh_browser_at_a_step_shows_the_text_that_stepping_there_showed(walks, windows, site):
    window = windows.new(site, fresh=True).open(ticket="T-80001", step=5).stands_at(5, "T-80001")
    assert window.text == walks["T-80001"][5].text


def test_back_hides_the_newest_step_again(window, walks):
    window.at("T-80001", 4).press("Back").stands_at(3)
    assert window.text == walks["T-80001"][3].text


def test_show_all_steps_reveals_all_at_once(window, walks):
    window.at("T-80009").press("Show all").stands_at(STEPS)
    assert window.text == walks["T-80009"][STEPS].text


def test_start_over_hides_every_step(window, walks):
    window.at("T-65059", STEPS).press("Start over").stands_at(0)
    assert window.text == walks["T-65059"][0].text


def test_another_ticket_starts_at_its_beginning(window, walks):
    window.at("T-80008", STEPS).choose("T-80009").stands_at(0, "T-80009")
    assert window.text == walks["T-80009"][0].text


def test_a_press_at_either_end_says_where_one_is(window):
    window.at("T-80008", STEPS).press("Next")
    expect(window.where).to_contain_text("This is the last step.")
    window.stands_at(STEPS).press("Start over").stands_at(0).press("Back")
    expect(window.where).to_contain_text("This is the start.")
    window.stands_at(0).press("Next").stands_at(1)
    expect(window.where).not_to_contain_text("This is")
