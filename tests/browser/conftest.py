"""Owns the browser, the windows and the servers of the browser tests. Without a Chromium all of them are skipped,
and under CI they fail."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from .server import Server, copy_project
from .walk import TICKETS, Walk, walk_through
from .window import Window
from .workshop import Workshop

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",  # containers run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE = (1280, 800)
FOLD = """() => {
    document.querySelectorAll("details").forEach(one => { one.open = false; });
    window.toolLoop?.unfolded.clear();
}"""


def chromium() -> str | None:
    """Where Chromium is: as the variable CHROMIUM says, or on the PATH."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. The scope is the package: Playwright keeps an event loop running, which other tests must not meet."""
    path = chromium()
    if path is None:
        reason = f"no Chromium: none of {', '.join(NAMES)} is on the PATH, and CHROMIUM names none"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page as it is now, for tests that only read."""
    server = Server(copy_project(tmp_path_factory.mktemp("site")))
    yield server
    server.stop()


class Windows:
    """Opens windows. Those of one language and theme share a profile, and with it the cache, unless `fresh`."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.shared: dict[tuple[str, str], BrowserContext] = {}
        self.opened: list[Window] = []
        self.fresh: list[BrowserContext] = []

    def new(
        self,
        server: Server,
        locale: str = "en-GB",
        theme: str = "light",
        size: tuple[int, int] = WIDE,
        fresh: bool = False,
    ) -> Window:
        """An empty window; nothing is loaded yet."""
        if fresh:
            context = self._context(locale, theme)
            self.fresh.append(context)
        else:
            if (locale, theme) not in self.shared:
                self.shared[locale, theme] = self._context(locale, theme)
            context = self.shared[locale, theme]
        page = context.new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        window = Window(page, server.url)
        self.opened.append(window)
        return window

    def close(self) -> None:
        """Close what a test has opened, and keep the shared profiles."""
        for window in self.opened:
            window.page.close()
        for context in self.fresh:
            context.close()
        self.opened, self.fresh = [], []

    def _context(self, locale: str, theme: str) -> BrowserContext:
        context = self.browser.new_context(locale=locale, color_scheme=theme)  # type: ignore[arg-type]
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        return context


@pytest.fixture(scope="package")
def _profiles(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def windows(_profiles: Windows) -> Iterator[Windows]:
    """New windows, closed after the test."""
    yield _profiles
    _profiles.close()


@pytest.fixture(scope="package")
def _english(browser: Browser, site: Server) -> Window:
    return Windows(browser).new(site).open()


@pytest.fixture(scope="package")
def _french(browser: Browser, site: Server) -> Window:
    return Windows(browser).new(site, locale="fr-CA").open()


@pytest.fixture
def window(_english: Window) -> Iterator[Window]:
    """A window of an English browser that many tests use in turn: go `at` a place first."""
    yield from _in_turn(_english)


@pytest.fixture
def french(_french: Window) -> Iterator[Window]:
    """The same of a French browser."""
    yield from _in_turn(_french)


def _in_turn(window: Window) -> Iterator[Window]:
    yield window
    window.page.evaluate(FOLD)
    window.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    window.page.emulate_media(color_scheme="light")
    window.page.mouse.move(0, 0)


@pytest.fixture(scope="package")
def walks(browser: Browser, site: Server) -> dict[str, Walk]:
    """A whole run through each of the four tickets with Next, and what was there at each step."""
    windows = Windows(browser)
    return {ticket: walk_through(windows.new(site, fresh=True), ticket) for ticket in TICKETS}


@pytest.fixture(scope="package")
def _bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    workshop = Workshop(copy_project(tmp_path_factory.mktemp("workshop")))
    yield workshop
    workshop.server.stop()


@pytest.fixture
def workshop(_bench: Workshop) -> Iterator[Workshop]:
    """A copy of the project whose files may be edited while it is served; put back after the test."""
    yield _bench
    _bench.put_back()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Serve the project with variables of the test's own."""
    servers: list[Server] = []

    def serve(**environment: str) -> Server:
        servers.append(Server(copy_project(tmp_path / f"project-{len(servers)}"), **environment))
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()
