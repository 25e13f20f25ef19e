"""Owns going to any page of the site inside a window, and waiting until it is drawn for that very address."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Error, Locator, expect

from assistant.explorer.site import PAGES

from .window import FROM_ELSEWHERE, Window

# The script at the end of each run tells the browser which page it drew, and for which address.
IS_DRAWN_FOR = """path => {
    const sorted = search => JSON.stringify(
        [...new URLSearchParams(search)].filter(([name]) => !name.startsWith("embed")).sort());
    const drawn = window.toolLoop?.drawn;
    return drawn?.page === path && location.pathname === "/" + path && toolLoop.settled === toolLoop.place
        && (drawn.address === null || sorted(drawn.address) === sorted(location.search));
}"""
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true; })"
OVERFLOW = """() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth,
    ...[...document.querySelectorAll('[data-testid="stMain"], [data-testid="stBottom"]')].map(one => one.scrollWidth),
) - innerWidth"""


def go(window: Window, path: str = "", **query: object) -> Window:
    """Go to a page as the browser's Back would, without a whole load, and wait until it is drawn."""
    assert path in PAGES
    asked = f"?{urlencode(query)}" if query else ""
    window.page.evaluate(FROM_ELSEWHERE, f"/{path}{asked}")
    return arrived(window, path)


def load(window: Window, path: str = "", **query: object) -> Window:
    """Load a page as from a link, and wait until it is drawn."""
    window.page.goto(f"{window.url}{path}?{urlencode(query)}")
    return arrived(window, path)


def arrived(window: Window, path: str) -> Window:
    """Wait until the page at this path is drawn for the address as it is now, and has said so."""
    try:
        window.page.wait_for_function(IS_DRAWN_FOR, arg=path)
    except Error as error:
        drawn = window.page.evaluate("JSON.stringify(window.toolLoop?.drawn)")
        raise AssertionError(f"{window.page.url} is not drawn, but {drawn}; logged: {window.logged}") from error
    expect(window.page.get_by_test_id("stSkeleton")).to_have_count(0)
    return window.is_drawn()


def place(window: Window) -> tuple[str, dict[str, str]]:
    """The path and the query of the address."""
    parts = urlsplit(window.page.url)
    return parts.path.strip("/"), dict(parse_qsl(parts.query, keep_blank_values=True))


def is_at(window: Window, path: str, **query: object) -> Window:
    """Wait until the address is this place, and the page drawn for it."""
    wanted = {name: str(value) for name, value in query.items()}
    window.page.wait_for_url(lambda _: place(window) == (path, wanted))
    return arrived(window, path)


def keyed(window: Window, key: str, element: str = "button") -> Locator:
    """What a person operates, by the key of its widget."""
    return window.page.locator(f".st-key-{key} {element}")


def unfold(window: Window) -> None:
    """Open every fold."""
    window.page.evaluate(UNFOLD)


def overflow(window: Window) -> int:
    """By how many pixels the page can be scrolled sideways. A region that scrolls by itself may hold wider things."""
    return int(window.page.evaluate(OVERFLOW))


def back(window: Window, move: str = "back") -> None:
    """The browser's own Back, or Forward."""
    window.page.evaluate(f"history.{move}()")


def tab_to(window: Window, key: str, with_key: str = "Tab", most: int = 40) -> Window:
    """Press Tab until the focus is on the widget with this key."""
    for _ in range(most):
        window.key(with_key)
        if window.focus == key:
            return window
    raise AssertionError(f"{most} times {with_key} do not lead to {key}")


def focused(window: Window) -> str:
    """The name that the focused element or what surrounds it has for the page's script."""
    return str(window.page.evaluate("document.activeElement.closest('[data-key]')?.dataset.key ?? ''"))
