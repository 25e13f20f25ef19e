"""One's own proposal or reply: hostile text stays text, a link brings it back, and typing is nothing but typing."""

import json
import re

import pytest
from playwright.sync_api import expect

from assistant.explorer.cases import ANOTHERS, MISSING

from . import pages

TRAP = "http://127.0.0.1:9"
HOSTILE = (
    f'<img src={TRAP}/a.png onerror="document.title=1"> </script><script>alert(1)</script> '
    f"![x]({TRAP}/b.png) [link]({TRAP}) **bold** $x^2$ :smile: :red[red] `code` &amp; %26 +plus 'quote' # ;"
)
EFFECTS = "img, script, iframe, a:not([data-here]), em, del, .katex, [onerror], strong:text-is('bold')"
FIELDS = {
    "proposal": {"tool": "input", "arguments": "textarea", "customer": "input"},
    "reply": {"reply": "textarea", "ticket": "textarea", "returned": "textarea", "finish": "input", "refusal": "input"},
}
SECOND = {"proposal": "arguments", "reply": "reply"}


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def field(window, path, name):
    return pages.keyed(window, f"{path}-{name}", FIELDS[path][name])


def submit(window, path):
    pages.keyed(window, f"{path}-submit").click()
    return window


def values(window, path):
    return {name: field(window, path, name).input_value() for name in FIELDS[path]}


def result(window):
    return window.page.locator(".st-key-result")


@pytest.mark.parametrize("path", FIELDS)
def test_hostile_text_is_shown_as_text_and_its_address_brings_it_back_in_a_new_window(window, windows, site, path):
    typed = {name: f"{name} {HOSTILE}" for name in FIELDS[path]}
    dialogs = []
    pages.go(window, path)
    window.page.once("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    for name, text in typed.items():
        field(window, path, name).fill(text)
    submit(window, path)
    pages.is_at(window, path, **typed)
    again = windows.new(site)
    again.page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    again.page.goto(window.page.url)
    pages.arrived(again, path)
    for one in (window, again):
        expect(result(one).locator("pre").first).to_contain_text(typed[SECOND[path]])
        assert values(one, path) == typed
        assert result(one).locator(EFFECTS).count() == 0
        assert [url for url in one.asked_for if not url.startswith((one.url, "data:", "blob:"))] == []
        expect(one.page).to_have_title(re.compile("Try a .+ – Tool-loop explorer"))
    assert dialogs == []


@pytest.mark.parametrize("path", FIELDS)
def test_what_is_typed_and_not_submitted_outlives_a_change_of_language(window, path):
    pages.go(window, path)
    typed = field(window, path, SECOND[path])
    typed.fill("only typed")
    window.press("Language")
    pages.is_at(window, path, case="T-80008", lang="fr")
    expect(typed).to_have_value("only typed")
    expect(result(window)).not_to_contain_text("only typed")
    submit(window, path)
    expect(result(window).locator("pre").first).to_contain_text("only typed")


def test_the_keys_of_the_steps_only_edit_what_is_typed(window):
    pages.go(window, "proposal")
    tool = field(window, "proposal", "tool")
    tool.fill("abc")
    window.key("ArrowLeft", "ArrowRight", "Home", "ArrowRight", "X", "End", "Y")
    expect(tool).to_have_value("aXbcY")
    arguments = field(window, "proposal", "arguments")
    arguments.fill("one\ntwo")
    window.key("Home", "1", "ArrowLeft", "0", "ArrowUp", "End", "Z")
    expect(arguments).to_have_value("oneZ\n01two")
    assert pages.place(window) == ("proposal", {})


def test_what_was_typed_is_put_to_the_code_by_keyboard_and_the_focus_stays_on_the_button(window):
    pages.go(window, "proposal", case="quote")
    field(window, "proposal", "tool").fill("refund_order")
    pages.tab_to(window, "proposal-submit").key("Enter")
    rest = {name: text for name, text in values(window, "proposal").items() if name != "tool"}
    pages.is_at(window, "proposal", tool="refund_order", **rest)
    expect(result(window)).to_contain_text("refused: unknown_tool")
    assert window.focus == "proposal-submit"


@pytest.mark.parametrize("path", FIELDS)
def test_the_fields_hold_what_is_judged_also_when_one_comes_back_from_another_page(window, path):
    pages.go(window, path)
    filled = values(window, path)
    pages.go(window, "compare")
    pages.go(window, path)
    for name, text in filled.items():
        expect(field(window, path, name)).to_have_value(text, timeout=3000)


def test_a_text_too_long_for_an_address_is_judged_and_the_page_says_that_no_link_brings_it_back(window, windows, site):
    long = json.dumps({"order_id": "x" * 3000})
    pages.go(window, "proposal")
    field(window, "proposal", "arguments").fill(long)
    submit(window, "proposal")
    expect(window.notice).to_contain_text("too long for an address")
    expect(result(window).locator("pre").first).to_contain_text(long)
    assert len(window.page.url) < 200
    pages.go(window, "proposal", case="words")
    pages.back(window)
    expect(result(window).locator("pre").first).to_contain_text(long)  # in this visit it is still there
    again = windows.new(site)
    again.page.goto(window.page.url)
    pages.arrived(again, "proposal")
    expect(again.notice).to_contain_text("too long for it, and that is not here")
    expect(result(again)).to_contain_text("Checks the proposal: ok")


def test_a_prepared_case_is_chosen_by_keyboard_and_a_made_up_status_is_rejected(window):
    pages.go(window, "reply")
    pages.keyed(window, "reply-case", "input").focus()
    window.page.keyboard.type("a status that no lookup")
    window.key("Enter")
    pages.is_at(window, "reply", case="made-up")
    expect(result(window)).to_contain_text("rejected: status_not_from_lookup")
    assert field(window, "reply", "returned").input_value() == ""
    assert '"status": "shipped"' in field(window, "reply", "reply").input_value()


def test_what_is_typed_and_is_a_prepared_case_gets_its_address_and_the_fields_follow_the_browsers_back(window):
    pages.go(window, "proposal", case="words")
    typed = field(window, "proposal", "arguments")
    typed.fill('{"order_id":["LK-439563","LK-615204"]}')
    submit(window, "proposal")
    pages.is_at(window, "proposal", case="list")
    pages.back(window)
    pages.is_at(window, "proposal", case="words")
    expect(typed).to_have_value("the neighbour's order, please")


def test_of_two_results_side_by_side_only_the_digits_of_the_ids_are_marked_as_differing(window):
    one, other = (json.loads(case.arguments)["order_id"] for case in (MISSING, ANOTHERS))
    differing = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    told = pages.go(window, "proposal").page.locator(".told-apart .cells > div")
    for side, outcome in enumerate(("refused: not_found", "refused: other_customer")):
        marked = told.nth(side).locator("mark.differs").all_text_contents()
        assert "".join(marked) == "".join(pair[side] for pair in differing)
        expect(told.nth(side)).to_contain_text(outcome)
