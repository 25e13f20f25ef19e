"""Measures a press: here, on a bare Streamlit page, and on the same stepper in NiceGUI, in turns in one Chromium."""

import json
import sys
import tempfile
from pathlib import Path

from tests.browser.server import Server, copy_project

from .browsing import bare_page, browser, nicegui_page, pressed, serving
from .measuring import ms, p50

STEPS = 7
REST_MS = 250


def card(step: int) -> str:
    """That this step's card is there."""
    return f"document.querySelector('.card[data-step=\"{step}\"]') !== null"


def main(here: str, bare: str, nicegui: str, rounds: int) -> dict[str, object]:
    """The figures, by their words."""
    by_step: dict[int, list[float]] = {step: [] for step in range(1, STEPS + 1)}
    counted, stepped, every, count = [], [], [], 0
    with browser() as chromium:
        # A context each: a page in the background of another would be slowed down.
        pages = [chromium.new_context(locale="en-CA").new_page() for _ in range(3)]
        ours, plain, other = pages
        ours.goto(f"{here}?ticket=T-80001")
        plain.goto(bare)
        other.goto(nicegui)
        for page, there in ((ours, ".st-key-Right button"), (plain, ".stButton button"), (other, "#Next")):
            page.wait_for_selector(there)
            page.wait_for_timeout(1000)
        for _ in range(rounds):
            for step in range(1, STEPS + 1):
                by_step[step].append(pressed(ours, ".st-key-Right button", card(step)))
                ours.wait_for_timeout(REST_MS)
                count += 1
                is_there = f"document.querySelector('.stMarkdown').textContent.includes('Count {count}')"
                counted.append(pressed(plain, ".stButton button", is_there))
                plain.wait_for_timeout(REST_MS)
                stepped.append(pressed(other, "#Next", card(step)))
                other.wait_for_timeout(REST_MS)
            pressed(ours, ".st-key-Home button", f"!({card(1)})")
            ours.wait_for_timeout(REST_MS)
            every.append(pressed(ours, ".st-key-End button", card(STEPS)))
            ours.wait_for_timeout(REST_MS)
            pressed(ours, ".st-key-Home button", f"!({card(1)})")
            pressed(other, "#Over", f"!({card(1)})")
            ours.wait_for_timeout(REST_MS)
    next_s = p50([one for values in by_step.values() for one in values])
    return {
        "presses of each kind": len(counted),
        "Next, p50, ms": ms(next_s),
        "a bare Streamlit button, p50, ms": ms(p50(counted)),
        "the stepper in NiceGUI, p50, ms": ms(p50(stepped)),
        "Show all, p50, ms": ms(p50(every)),
        "Next to a bare Streamlit button": round(next_s / p50(counted), 2),
        "Next to the stepper in NiceGUI": round(next_s / p50(stepped), 2),
        "Show all to Next": round(p50(every) / next_s, 2),
        "the seventh step to the first": round(p50(by_step[STEPS]) / p50(by_step[1]), 2),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        server = Server(copy_project(Path(name) / "page"))
        (plain_command, plain_url), (other_command, other_url) = bare_page(), nicegui_page()
        for part in ("plain", "other"):
            (Path(name) / part).mkdir()
        try:
            with (
                serving(plain_command, plain_url, Path(name) / "plain"),
                serving(other_command, other_url, Path(name) / "other"),
            ):
                print(json.dumps(main(server.url, plain_url, other_url, int(sys.argv[1]))))
        finally:
            server.stop()
