"""The page is of this machine alone: whole runs in every language and theme ask nothing of any other."""

import pytest

from .walk import TICKETS
from .window import STEPS

ENDURED = ()  # what Streamlit itself logs as an error, each with its reason; nothing so far


@pytest.mark.parametrize("locale", ["en-GB", "fr-CA"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_whole_run_asks_no_other_machine_and_logs_no_error(windows, site, locale, theme):
    window = windows.new(site, locale=locale, theme=theme).open()
    for ticket in TICKETS:
        window.choose(ticket).stands_at(0, ticket)
        window.key("End").stands_at(STEPS, ticket)
        window.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    window.press("Language").stands_at(STEPS).press("Back").stands_at(STEPS - 1)
    assert [url for url in window.asked_for if not url.startswith(window.url)] == []
    errors = [line for line in window.logged if line.startswith(("error", "pageerror"))]
    assert [line for line in errors if not any(endured in line for endured in ENDURED)] == []
