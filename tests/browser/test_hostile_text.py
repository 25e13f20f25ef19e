"""Text from outside is shown as text: nothing in it takes effect, wherever it stands, and nothing of it is fetched."""

import json

import pytest
from playwright.sync_api import expect

from . import pages
from .server import ROOT, Server, copy_project
from .window import STEPS, TITLES, Window

TRAP = "http://127.0.0.1:9"
MARKUP = (
    f"<img src={TRAP}/a.png onerror=alert(1)> <script>alert(2)</script> <a href={TRAP}>here</a> "
    f"![x]({TRAP}/b.png) [link]({TRAP}) {TRAP}/c www.example.com $x^2$ $$y$$ :smile: :material/home: `code` "
    "**bold** *slanted* :red[red] # one"
)
HIDDEN = "a\u202eb\u0000c\ud800d"  # right-to-left override, NUL, half of a pair
HIDDEN_VISIBLE = r"a\u202eb\u0000c\ud800d"
EFFECTS = (
    *("img", "a:not([data-here])", f'a[href*="{TRAP}"]', "script", "iframe", "del", "[style]", "[onerror]", ".katex"),
    '[data-testid="stIconMaterial"]',
    *('strong:text-is("bold")', 'em:text-is("slanted")', 'code:text-is("code")', ':is(h1, h2):text-is("one")'),
)
IDS = ("__x__", "www.example.com", "T-1_000.000")


def hostile(ticket_id):
    """A recording whose every text is a trap, in a loop of seven steps."""
    recording = json.loads((ROOT / "recordings" / "T-80001.json").read_text(encoding="utf-8"))
    recording["ticket"] = {"id": ticket_id, "customer_id": MARKUP, "text": f"{MARKUP}\n{HIDDEN}"}
    recording["model"] = {"name": MARKUP, "model": MARKUP + HIDDEN, "provider": MARKUP}
    recording["recorded_at"] = MARKUP
    call, answer = recording["calls"]
    call["request"], answer["request"] = {}, {}
    del recording["decisions"], recording["verdict"], recording["usage"]
    tool_call = call["response"]["choices"][0]["message"]["tool_calls"][0]
    tool_call["id"] = MARKUP
    tool_call["function"] = {"name": MARKUP, "arguments": f"{MARKUP}{HIDDEN}"}
    call["response"]["choices"][0]["message"]["content"] = MARKUP
    call["response"]["choices"][0]["finish_reason"] = MARKUP
    answer["response"]["choices"][0]["message"] = {"content": MARKUP + HIDDEN, "refusal": MARKUP}
    answer["response"]["choices"][0]["finish_reason"] = MARKUP
    return json.dumps(recording)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of recordings with traps, and with files that are none."""
    folder = tmp_path_factory.mktemp("recordings")
    for ticket_id in IDS:
        (folder / f"{ticket_id}.json").write_text(hostile(ticket_id), encoding="utf-8")
    (folder / "T-80008.json").write_bytes((ROOT / "recordings" / "T-80008.json").read_bytes())
    for name in ("<img src=x>.json", "![x](y).json", "$x$ :smile: **b** www.example.com.json"):
        (folder / name).write_text("[]", encoding="utf-8")
    (folder / "notes.txt").write_text("notes", encoding="utf-8")
    (folder / "broken.json").write_text('{"format": 1,', encoding="utf-8")
    (folder / "not-utf8.json").write_bytes(b'{"\xff": 1}')
    (folder / "image-id.json").write_text(hostile(f"<img src={TRAP}/id.png>"), encoding="utf-8")
    (folder / "later.json").write_text(hostile("T-2").replace('"format": 1', '"format": 2'), encoding="utf-8")
    (folder / "inner.json").mkdir()
    return folder


@pytest.fixture(scope="module")
def trapped(folder, tmp_path_factory):
    """The page over those recordings."""
    server = Server(copy_project(tmp_path_factory.mktemp("trapped")), EXPLORER_RECORDINGS=str(folder))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def _opened(trapped, browser):
    window = Window(browser.new_page(), trapped.url).open()
    yield window
    window.page.close()


@pytest.fixture
def trap(_opened):
    return _opened


def effects(window):
    """What of our own blocks is an element that only markup from outside could have made."""
    blocks = ".stHtml:not(:has(script)), .st-key-tickets p, .st-key-divergences p"
    return {
        selector: window.page.locator(blocks).locator(selector).count()
        for selector in EFFECTS
        if window.page.locator(blocks).locator(selector).count()
    }


def asked_of_strangers(window):
    return [url for url in window.asked_for if not url.startswith((window.url, "data:", "blob:"))]


@pytest.mark.parametrize("ticket", IDS)
def test_traps_in_a_recording_are_shown_as_they_are_at_every_step(trap, ticket):
    trap.at(ticket)
    for step in range(STEPS + 1):
        if step:
            trap.press("Next").stands_at(step, ticket)
        trap.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert effects(trap) == {}, f"at step {step}"
        assert asked_of_strangers(trap) == []
    assert trap.page.title() == TITLES["en"]


def test_every_part_of_a_trap_is_readable(trap):
    trap.at("__x__", STEPS)
    trap.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    column = trap.page.locator(".panel").inner_text()
    assert f"Customer {MARKUP} writes:" in column
    assert f"{MARKUP}\n{HIDDEN_VISIBLE}" in column
    assert f"Recorded from {MARKUP}{HIDDEN_VISIBLE} ({MARKUP}) on {MARKUP}. Recorded at {MARKUP}." in column
    proposal, reply = (trap.cards.nth(step - 1).locator("pre").first for step in (2, 6))
    expect(proposal).to_have_text(f"{MARKUP}({MARKUP}{HIDDEN_VISIBLE})")
    expect(reply).to_have_text(f"{MARKUP}{HIDDEN_VISIBLE}")
    expect(trap.cards.nth(5)).to_contain_text(f"The model refused: {MARKUP}")
    expect(trap.cards.nth(1)).to_contain_text(f"Beside it the model wrote: {MARKUP}")
    expect(trap.cards.nth(0)).to_contain_text(MARKUP)


@pytest.mark.parametrize("ticket", IDS)
def test_an_id_that_looks_like_markup_or_an_address_is_a_plain_label(trap, ticket):
    expect(trap.ticket(ticket).locator("code")).to_have_text(ticket)
    assert trap.ticket(ticket).locator("a, strong, em, img").count() == 0


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("<img src=x>.json", ""),
        ("![x](y).json", ""),
        ("$x$ :smile: **b** www.example.com.json", ""),
        ("notes.txt", ""),
        ("broken.json", ""),
        ("not-utf8.json", ""),
        ("inner.json", ""),
        ("image-id.json", "/ticket/id"),
        ("later.json", "/format"),
    ],
)
def test_a_file_that_is_no_recording_is_named_and_the_rest_goes_on(trap, file, place):
    told = trap.at("T-80008").notice.locator("p", has_text=f"{file} is left out.")
    expect(told).to_have_count(1)
    expect(told).to_contain_text(place)
    assert told.locator("img, a, em, .katex").count() == 0
    trap.press("Next").stands_at(1, "T-80008")


def test_a_recording_whose_id_holds_an_image_is_refused_by_name(trap):
    trap.at("T-80008")
    expect(trap.page.locator(".st-key-tickets button")).to_have_count(len(IDS) + 1)
    expect(trap.notice.locator("p", has_text="image-id.json is left out.")).to_contain_text("At /ticket/id:")


def test_nothing_from_outside_made_the_browser_ask_for_anything(trap):
    trap.at("www.example.com", STEPS)
    assert asked_of_strangers(trap) == []
    assert [line for line in trap.logged if line.startswith(("error", "pageerror"))] == []


@pytest.mark.parametrize(
    ("page", "place", "control"),
    [
        ("", {"ticket": "T-80008", "step": 3, "predict": 1}, '[class*="st-key-rungs-"] button'),
        ("remove", {}, ".stCheckbox"),
    ],
    ids=["a button", "a switch"],
)
def test_a_question_of_a_tools_file_is_a_plain_label(workshop, windows, page, place, control):
    workshop.edit("assistant/tools.py", 'say("The tool is known")', f"say({MARKUP!r})")
    window = pages.load(windows.new(workshop.server), page, **place)
    words = window.page.locator(control).first.locator('[data-testid="stMarkdownContainer"]')
    expect(words).to_contain_text("*slanted*")
    # Joiners keep addresses from becoming links; they are not seen.
    assert words.inner_text().replace("\N{WORD JOINER}", "") in (MARKUP, f"1 · {MARKUP}")
    made = [one for one in EFFECTS if words.locator(one).count()]
    assert made == []
    assert asked_of_strangers(window) == []


def test_a_folder_without_recordings_says_so(served, windows, tmp_path):
    window = windows.new(served(EXPLORER_RECORDINGS=str(tmp_path / "<b>none<!--"))).open()
    expect(window.notice.first).to_contain_text("There is no recording in the folder <b>none<!--.")
    assert window.page.locator(".notice b").count() == 0
