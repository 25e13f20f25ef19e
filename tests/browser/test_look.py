"""The look: controls that never move, the newest card in view, nothing to scroll sideways, data that can be copied."""

import pytest
from playwright.sync_api import expect

from .walk import boxes_at_rest
from .window import STEPS

SIZES = [(1280, 800), (1280, 720), (390, 844)]
ALLOWED_PX = 2


def placed_at_each_step(window, ticket, size):
    window.page.set_viewport_size({"width": size[0], "height": size[1]})
    window.at(ticket)
    boxes = [boxes_at_rest(window)]
    for step in range(1, STEPS + 1):
        window.press("Next").stands_at(step)
        boxes.append(boxes_at_rest(window))
    return boxes


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("ticket", ["T-80001", "T-80008"])
def test_over_a_run_the_controls_stay_and_the_newest_card_is_in_view(window, ticket, size):
    boxes = placed_at_each_step(window, ticket, size)
    for step, now in enumerate(boxes):
        bar = now["bar"]["top"]
        first = [box for box in boxes[0]["controls"] if box["top"] >= boxes[0]["bar"]["top"]]
        controls = [box for box in now["controls"] if box["top"] >= bar]
        assert len(controls) == 4
        moved = [abs(one[side] - other[side]) for one, other in zip(first, controls, strict=True) for side in one]
        assert max(moved) <= ALLOWED_PX, f"at step {step}"
        assert now["overflow"] <= 0, f"something to scroll sideways at step {step}"
        if step:
            card, top = now["card"], now["room"]["top"]
            is_tall = card["bottom"] - card["top"] > bar - top
            assert card["top"] >= top - 1, f"the card of step {step} begins above the view"
            assert card["bottom"] <= bar + 1 or (is_tall and card["top"] < bar), f"step {step} ends below the bar"
            assert card["top"] < bar


def test_the_left_column_stays_in_view_at_1280(window):
    boxes = placed_at_each_step(window, "T-80008", (1280, 800))
    tops = [now["panel"]["top"] for now in boxes]
    assert max(tops) - min(tops) <= ALLOWED_PX
    controls = [[box["top"] for box in now["controls"]] for now in boxes]
    assert all(abs(a - b) <= ALLOWED_PX for now in controls for a, b in zip(now, controls[0], strict=True))


def test_a_deep_link_shows_its_newest_card(windows, site):
    window = windows.new(site, size=(1280, 720)).open(ticket="T-80001", step=6).stands_at(6)
    now = boxes_at_rest(window)
    assert now["room"]["top"] - 1 <= now["card"]["top"]
    assert now["card"]["bottom"] <= now["bar"]["top"] + 1


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("width", [1280, 390, 320])
def test_nothing_is_to_be_scrolled_sideways_with_everything_unfolded(window, width, lang):
    window.page.set_viewport_size({"width": width, "height": 800})
    window.at("T-80008", STEPS, lang=lang)
    window.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert boxes_at_rest(window)["overflow"] <= 0


def test_on_a_narrow_page_the_ticket_is_folded_to_two_lines(window):
    window.page.set_viewport_size({"width": 390, "height": 844})
    text = window.at("T-80001").page.locator("blockquote")
    lines = text.evaluate("one => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)")
    assert 1.5 < lines < 2.5
    text.click()
    expect(text).to_have_css("display", "block")
    for button in ("Back", "Next"):
        expect(window.button(button)).to_be_in_viewport()


def test_a_block_is_copied_to_the_letter(window):
    card = window.at("T-80001", 6).cards.nth(5)
    block = card.locator(".block").first
    block.hover()
    button = block.locator("button")
    button.click()
    expect(button).to_have_text("Copied")
    text = block.locator("pre").evaluate("one => one.textContent")
    assert window.page.evaluate("navigator.clipboard.readText()") == text
    assert '"order_id": "LK-615204"' in text
    expect(button).to_have_text("Copy")


def test_what_was_unfolded_stays_so_when_one_goes_on(window):
    window.at("T-80001", 1).cards.first.locator("summary").click()
    expect(window.cards.first.locator("details")).to_have_attribute("open", "")
    window.press("Next").stands_at(2).press("Next").stands_at(3)
    expect(window.cards.first.locator("details")).to_have_attribute("open", "")


def test_the_reconstructed_legend_stays_unfolded_when_one_goes_on(window):
    window.at("T-80008", 1).page.locator(".source summary").click()
    window.press("Next").stands_at(2)
    expect(window.page.locator(".source details")).to_have_attribute("open", "")


def test_the_id_under_question_is_marked_wherever_it_stands(window):
    window.at("T-80009", STEPS)
    for place in (".ticket", '[data-step="2"]', '[data-step="3"]', '[data-step="6"]'):
        expect(window.page.locator(f"{place} mark.id").first).to_contain_text("LK-55190")
    expect(window.page.locator('[data-step="6"] mark.id .invented').first).to_have_text("2")
