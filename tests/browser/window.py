"""Owns one window of the browser, in the words of a person: open, press, stand at a step, read.

Everything waits for what it expects; nothing sleeps. What the window asked of the network, logged and received is
kept, for the tests that look behind the page.
"""

import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

STEPS = 7
PATIENCE_MS = 20_000
TITLES = {"en": "Step through – Tool-loop explorer", "fr": "Pas à pas – Explorateur de boucles d’outil"}
BUTTONS = {"Back": "Left", "Next": "Right", "Show all": "End", "Start over": "Home", "Language": "language"}
expect.set_options(timeout=PATIENCE_MS)

FROM_ELSEWHERE = """query => {
    history.pushState(null, "", query);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
KEY_OF_FOCUS = """() => {
    const key = document.activeElement.closest("[class*=st-key-]")?.className.match(/st-key-(\\S+)/);
    return key ? key[1] : document.activeElement.tagName;
}"""


class Window:
    """A page in the browser that shows the explorer of the server at `url`."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.asked_for: list[str] = []
        self.logged: list[str] = []
        self.received: list[bytes] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self.asked_for.append(request.url))
        page.on("pageerror", lambda error: self.logged.append(f"pageerror: {error}"))
        page.on("console", lambda line: self.logged.append(f"{line.type}: {line.text} {line.location.get('url')}"))
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _receive(self, payload: bytes | str) -> None:
        self.received.append(payload if isinstance(payload, bytes) else payload.encode())

    # Going somewhere

    def open(self, **parameters: object) -> "Window":
        """Load the page at this address, as from a link, and wait until it is drawn."""
        self.page.goto(f"{self.url}?{urlencode(parameters)}" if parameters else self.url)
        return self.is_drawn()

    def move(self, **parameters: object) -> "Window":
        """Go to an address of the same window as the browser's Back would: without the seconds of a whole load."""
        query = f"?{urlencode(parameters, quote_via=quote)}"
        self.page.evaluate(FROM_ELSEWHERE, query)
        return self

    def at(self, ticket: str, step: int = 0, **more: object) -> "Window":
        """Move to this step of this ticket and wait until it is drawn."""
        self.move(ticket=ticket, step=step, **more)
        return self.stands_at(step, ticket)

    def press(self, button: str) -> "Window":
        """Click one of the controls."""
        self.button(button).click()
        return self

    def choose(self, ticket: str) -> "Window":
        """Click a ticket."""
        self.ticket(ticket).click()
        return self

    def key(self, *keys: str) -> "Window":
        """Press keys, one after the other, without waiting for what they do."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    # What a person sees

    def button(self, name: str) -> Locator:
        return self.page.locator(f".st-key-{BUTTONS[name]} button")

    def ticket(self, ticket: str) -> Locator:
        return self.page.locator(".st-key-tickets button", has_text=ticket)

    @property
    def where(self) -> Locator:
        return self.page.locator(".st-key-bar .where")

    @property
    def cards(self) -> Locator:
        return self.page.locator(".st-key-steps article.card")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    @property
    def address(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.page.url).query))

    @property
    def focus(self) -> str:
        """The key of the control that has the focus, or the name of the element if it is none."""
        return str(self.page.evaluate(KEY_OF_FOCUS))

    @property
    def text(self) -> str:
        """All visible text, with the one thing masked that differs from run to run: how long a decision took."""
        return re.sub(r"\d+\sms", "N ms", self.page.locator(".stApp").inner_text())

    @property
    def main_text(self) -> str:
        """The visible text of both columns."""
        return self.page.locator('[data-testid="stMain"]').inner_text()

    # Waiting

    def is_drawn(self) -> "Window":
        """Wait until Streamlit has run the page to its end and taken away what is no longer on it."""
        app = self.page.locator(".stApp")
        expect(self.page.locator("h1").first).to_be_visible()
        expect(app).to_have_attribute("data-test-script-state", "notRunning")
        expect(self.page.locator('[data-stale="true"]')).to_have_count(0)
        return self

    def stands_at(self, step: int, ticket: str | None = None, steps: int = STEPS) -> "Window":
        """Wait until the page shows this step: in the bar, in the address, and as that many cards."""
        expect(self.where.locator("strong")).to_have_text(re.compile(rf"\b{step} (of|sur) {steps}$"))
        expect(self.cards).to_have_count(step)
        if ticket:
            expect(self.ticket(ticket)).to_have_attribute("aria-pressed", "true")
        return self.is_drawn()
