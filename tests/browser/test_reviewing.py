"""Grace reviews a few thousand decisions: a figure leads to its rows, a row to its failing check, no review is lost.

All decisions are synthetic, but for the traps: a log whose every text is markup or a formula.
"""

import csv
import json
import os
import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from assistant.explorer.opinions import REVIEWS_VARIABLE
from assistant.explorer.rows_shown import A_PAGE
from assistant.explorer.sources import LOGS_VARIABLE
from assistant.reviews import Opinion, Reviews
from tests import synthetic

from . import pages
from .server import Server, copy_project
from .test_announcing import hears, listen
from .test_hostile_text import HIDDEN, HIDDEN_VISIBLE, MARKUP, asked_of_strangers, effects
from .window import Window

LINES, RECORDINGS = 4000, 250
FIRST_GAP, SURGE = "2026-09-21 to 2026-09-23", "2026-10-11"
UNDATED = {"log": 12, "recordings": 4}
FLIPPED = {"log": 9, "recordings": 5}
TRAPS = 3
FORMULA = '=HYPERLINK("http://127.0.0.1:9")'
WIDTHS = {"wide": (1280, 800), "narrow": (390, 844)}
GLANCE = (
    "Proposals",
    "Allowed",
    "Refusals",
    "Errors of ours",
    "Other or not recorded",
    "Undated",
    "Recordings that diverge",
    "Decided differently today",
)
HEADS = ("Day", "Proposals", "All refusals", "Errors of ours", "Other or not recorded")
# Loaded at the address of a page, Streamlit first looks for its server below that.
ENDURED = "404 .*/review/_stcore/"
ROW = ".register tbody th a"
FIGURES = """() => Object.fromEntries([...document.querySelectorAll(".at-a-glance > div")].map(
    one => [one.querySelector("dt").textContent, one.querySelector("dd").textContent]))"""
TABLE = """() => [...document.querySelectorAll(".days tr")].map(row => [...row.cells].map(
    cell => (cell.querySelector("a") ?? cell).firstChild?.textContent.trim() ?? ""))"""
PAINTED = """() => [...document.querySelectorAll('[data-testid="stVegaLiteChart"] :is(canvas, svg)')]
    .some(one => one.getBoundingClientRect().height > 100)"""


# What is reviewed, and by whom.


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A log and a folder of recordings with a gap, a surge, undated and flipped decisions, and a log of traps."""
    folder = tmp_path_factory.mktemp("decisions")
    shape = {"gap": (20, 3), "undated": UNDATED["log"], "flipped": FLIPPED["log"]}
    log = synthetic.write_log(folder / "decisions.jsonl.gz", 7, LINES, surge=(40, "other_customer", 10), **shape)
    shape |= {"undated": UNDATED["recordings"], "flipped": FLIPPED["recordings"]}
    recordings = synthetic.write_recordings(folder / "recordings", 8, RECORDINGS, **shape)
    (recordings / "<img src=x>.json").write_text('{"format": 1,', encoding="utf-8")
    texts = dict.fromkeys(("run", "ticket", "customer", "tool", "arguments", "failed_check", "told"), MARKUP)
    traps = [
        {**texts, "outcome": f"refused: {MARKUP}", "arguments": f"{MARKUP}{HIDDEN}"},
        {**texts, "outcome": MARKUP},
        {**texts, "ticket": FORMULA, "arguments": FORMULA, "outcome": "refused: trap"},
    ]
    lines = [json.dumps({"time": f"2026-10-11T0{hour}:00:00Z", **one}) for hour, one in enumerate(traps)]
    trap = folder / "<img src=x onerror=alert(1)>.jsonl"
    trap.write_text("\n".join([*lines, f'{{"ticket": {MARKUP}', ""]), encoding="utf-8")
    return [log, recordings, trap]


@pytest.fixture(scope="module")
def reviews_url(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('reviews') / 'reviews.db'}"


@pytest.fixture(scope="module")
def desk(sources, reviews_url, tmp_path_factory):
    """The page over these decisions, its reviews in a SQLite file."""
    environment = {
        LOGS_VARIABLE: os.pathsep.join(map(str, sources)),
        "EXPLORER_RECORDINGS": str(sources[1]),
        REVIEWS_VARIABLE: reviews_url,
    }
    server = Server(copy_project(tmp_path_factory.mktemp("desk")), **environment)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def _grace(desk, browser):
    """Grace's window, once she had all decisions decided again: more than the page does by itself."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB")
    window = pages.load(Window(page, desk.url), "review")
    expect(page.locator(".at-a-glance")).to_contain_text("not decided yet")
    pages.keyed(window, "start-deciding").click()
    expect(page.locator(".today")).to_be_visible()
    pages.arrived(window, "review")
    yield window
    page.close()


@pytest.fixture
def grace(_grace):
    """Grace's window, wide and at the page's beginning."""
    _grace.page.set_viewport_size({"width": 1280, "height": 800})
    yield pages.go(_grace, "review")
    assert asked_of_strangers(_grace) == []
    errors = [line for line in _grace.logged if line.startswith(("error", "pageerror"))]
    assert [line for line in errors if not re.search(ENDURED, line)] == []


@pytest.fixture(scope="module")
def outcomes():
    """The outcome of every decision, read without any of the page's code."""
    lines = [*synthetic.decisions(7, LINES, **_shape("log", surge=(40, "other_customer", 10)))]
    found = [json.loads(line).get("outcome") for line in lines]
    for _, text in synthetic.recordings(8, RECORDINGS, **_shape("recordings")):
        found += [one["outcome"] for one in json.loads(text)["decisions"]]
    return Counter(one for one in found if one)


def _shape(source, **more):
    return {"gap": (20, 3), "undated": UNDATED[source], "flipped": FLIPPED[source], **more}


def number(text):
    return int(re.sub(r"\D", "", text))


def figures(window):
    shown = window.page.evaluate(FIGURES)
    return {name: number(value) for name, value in shown.items() if value != "not decided yet"}


def days(window):
    """The table of days: its heads, and its rows by their names, each figure a number."""
    heads, *rows = window.page.evaluate(TABLE)
    return heads, {name: [number(one) for one in cells] for name, *cells in rows if len(cells) == len(heads) - 1}


def follow(window, link):
    link.click()
    return pages.arrived(window, "review")


def paging(window):
    return window.page.locator(".paging span[data-announce]")


def rows_behind(window):
    """How many rows the page says that there are, and how many stand on the last page, to which it goes."""
    first, last, found = map(number, re.split(" to | of ", paging(window).inner_text()))
    assert (first, last) == (1, min(A_PAGE, found))
    there = -(-found // A_PAGE)
    if there > 1:
        pages.go(window, "review", **pages.place(window)[1], page=there)
        expect(paging(window)).to_have_text(re.compile(rf" to {found:,} of {found:,}$"))
    return found, (there - 1) * A_PAGE + window.page.locator(ROW).count()


def open_row(window, **chosen):
    """Go to the rows that are chosen, and open the first."""
    pages.go(window, "review", **chosen)
    return follow(window, window.page.locator(ROW).first)


def card(window):
    return window.page.locator(".st-key-opened-decision article")


def failing_check(window):
    return card(window).locator(".rung.failed, .rung.unanswered")


def say_of_it(window, opinion, note="", name=""):
    """Fill the form, and leave it unsaved."""
    opinions = window.page.locator(".st-key-opinions")
    opinions.get_by_text(opinion, exact=True).last.click()
    opinions.locator("textarea").fill(note)
    opinions.locator(".st-key-reviewer input").fill(name)
    return window


def save(window):
    return window.page.locator(".st-key-opinions").get_by_role("button", name="Save the review")


def saved(window):
    expect(window.page.locator(".st-key-opinions .saved")).to_have_text("Saved.")
    return pages.arrived(window, "review")


def said(window):
    """The notes that are shown of the open decision, latest first."""
    return window.page.locator(".st-key-opinions .note-text").all_inner_texts()


# Figures, and what is behind them.


def test_the_figures_are_those_of_the_sources_and_add_up(grace, outcomes):
    of = {kind: sum(n for one, n in outcomes.items() if one.startswith(kind)) for kind in ("ok", "refused", "error")}
    shown = figures(grace)
    assert outcomes.total() > 2000
    assert shown["Proposals"] == outcomes.total() + TRAPS
    assert [shown[name] for name in GLANCE[1:5]] == [of["ok"], of["refused"] + 2, of["error"], 1]
    assert sum(shown[name] for name in GLANCE[1:5]) == shown["Proposals"]
    assert shown["Decided differently today"] >= sum(FLIPPED.values())
    assert shown["Recordings that diverge"] == FLIPPED["recordings"]
    tally = grace.page.locator(".today p").first.inner_text().partition(": ")[2]
    *parts, all_of_them = map(number, re.split(r"[+=]", tally))
    assert sum(parts) == all_of_them == shown["Proposals"]


def test_the_days_and_the_undated_add_up_to_all_days_in_every_column(grace):
    heads, rows = days(grace)
    total = rows.pop("All days")
    assert [sum(column) for column in zip(*rows.values(), strict=True)] == total
    assert set(HEADS) <= set(heads)
    codes = slice(1, heads.index("All refusals") - 1)
    for name, cells in {**rows, "All days": total}.items():
        assert sum(cells[codes]) == cells[heads.index("All refusals") - 1], name
    assert dict(zip(heads[1:], total, strict=True))["Proposals"] == figures(grace)["Proposals"]
    gap = grace.page.locator(".days .gap")
    expect(gap).to_have_text([f"{FIRST_GAP}no data"])


def test_the_planted_surge_is_the_unusual_day_and_leads_to_its_rows(grace):
    unusual = grace.page.locator(".surges li")
    expect(unusual).to_have_count(1)
    expect(unusual).to_contain_text(SURGE)
    told = number(unusual.locator("a").inner_text().removeprefix(f"▲ {SURGE}:").split(":")[1].split(" of ")[0])
    expect(grace.page.locator(".days .surge-mark")).to_have_count(1)
    follow(grace, unusual.locator("a"))
    assert rows_behind(grace) == (told, told)


@pytest.mark.parametrize("name", GLANCE)
def test_a_figure_leads_to_exactly_its_rows(grace, name):
    figure = grace.page.locator(".at-a-glance > div", has=grace.page.get_by_text(name, exact=True)).locator("a")
    told = number(figure.inner_text())
    follow(grace, figure)
    expect(paging(grace)).to_be_in_viewport()
    found, counted = rows_behind(grace)
    assert found == counted
    if name == "Recordings that diverge":  # of each, all its rows
        assert found >= told
    else:
        assert found == told


@pytest.mark.parametrize("day", ["All days", "undated", SURGE])
def test_a_figure_of_a_day_leads_to_exactly_its_rows(grace, day):
    cells = grace.page.locator(".days tr", has=grace.page.get_by_role("rowheader", name=day)).locator("a")
    told = [number(one) for one in cells.all_inner_texts()]
    assert len(told) > 2
    for index, figure in enumerate(told):
        follow(grace, cells.nth(index))
        assert rows_behind(grace) == (figure, figure)
        pages.go(grace, "review")


def test_the_chart_is_painted(grace):
    grace.page.wait_for_function(PAINTED)


def taken_away(window):
    """What the button for CSV gives, a mapping a line."""
    with window.page.expect_download() as download:
        pages.keyed(window, "take-csv").click()
    assert download.value.suggested_filename == "decisions.csv"
    with download.value.path().open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


# From the page's opening to a failing check, and back.


@pytest.mark.parametrize("size", WIDTHS.values(), ids=WIDTHS)
def test_a_failing_check_is_in_view_two_clicks_after_the_page_opens(grace, size):
    grace.page.set_viewport_size({"width": size[0], "height": size[1]})
    pages.load(grace, "review")
    opened = grace.page.url
    follow(grace, grace.page.locator(".at-a-glance a").nth(GLANCE.index("Refusals")))
    chosen = grace.page.url
    row = grace.page.locator(ROW).first
    expect(row).to_be_in_viewport()
    row.click()
    pages.arrived(grace, "review")
    expect(failing_check(grace).first).to_be_in_viewport(ratio=1)
    assert pages.overflow(grace) <= 0
    for before in (chosen, opened):
        pages.back(grace)
        grace.page.wait_for_url(before)
        pages.arrived(grace, "review")
        expect(card(grace)).to_have_count(0)


def test_the_focus_stays_at_the_link_of_the_row_and_the_decision_is_announced(grace):
    pages.go(grace, "review", outcome="refused")
    listen(grace, "Decisions 1 to")
    row = grace.page.locator(ROW).nth(3)
    row.focus()
    grace.key("Enter")
    pages.arrived(grace, "review")
    expect(row).to_be_focused()
    expect(row).to_have_attribute("aria-expanded", "true")
    assert card(grace).locator("[data-announce]").inner_text() in hears(grace, 1)[-1]
    grace.key("Enter")
    expect(card(grace)).to_have_count(0)
    expect(row).to_be_focused()


def test_a_decision_that_is_taken_differently_today_shows_both_ladders_side_by_side(grace):
    open_row(grace, again="flipped", text="S-0")
    then, now = card(grace).locator(".then-and-now section").all()
    assert abs(then.bounding_box()["y"] - now.bounding_box()["y"]) < 1
    expect(then.locator(".rung").first).to_be_visible()
    expect(now.locator(".rung").first).to_be_visible()


def test_a_recordings_decision_leads_to_its_step_of_the_loop(grace):
    pages.go(grace, "review", outcome="refused: not_found", text="S-0000", sort="ticket")
    grace.page.locator(f"{ROW}[data-key$='.json']").first.click()
    pages.arrived(grace, "review")
    ticket = card(grace).locator("h2 .data").first.inner_text()
    card(grace).get_by_role("link", name="Step through this loop").click()
    pages.arrived(grace, "")
    assert grace.address["ticket"] == ticket
    expect(grace.cards.last).to_contain_text("refused: not_found")


def test_nobody_elses_order_is_on_the_page(grace):
    open_row(grace, outcome="refused: other_customer")
    text = grace.main_text
    assert not re.search(r"shipped|delivered|carrier|C-\d+.*another customer's C-", text)
    open_row(grace, outcome="ok")
    expect(card(grace)).to_contain_text("…")


# Filters.


def test_filters_are_written_into_the_address_and_a_cross_takes_each_back(grace):
    outcome = pages.keyed(grace, "filter-outcome", "input")
    outcome.focus()
    grace.page.keyboard.type("refused: not_found")
    grace.key("Enter")
    pages.is_at(grace, "review", outcome="refused: not_found")
    both = number(paging(grace).inner_text().split(" of ")[1])
    pages.keyed(grace, "filter-text", "input").fill("S-0000")
    grace.key("Enter")
    pages.is_at(grace, "review", outcome="refused: not_found", text="S-0000")
    assert number(paging(grace).inner_text().split(" of ")[1]) < both
    grace.page.get_by_role("link", name="Show all again, not only Text S-0000").click()
    pages.is_at(grace, "review", outcome="refused: not_found")
    expect(pages.keyed(grace, "filter-text", "input")).to_have_value("")
    expect(paging(grace)).to_contain_text(f" of {both:,}")
    pages.back(grace)
    pages.is_at(grace, "review", outcome="refused: not_found", text="S-0000")
    expect(pages.keyed(grace, "filter-text", "input")).to_have_value("S-0000")


@pytest.mark.parametrize("link", ["a[data-key=rows-after]", "a[data-key=off-outcome]", "a[data-key=off]", "a.close"])
def test_the_focus_is_not_lost_with_the_link_that_had_it(grace, link):
    open_row(grace, outcome="refused")
    grace.page.locator(link).focus()
    grace.key("Enter")
    pages.arrived(grace, "review")
    grace.page.wait_for_function("document.activeElement.closest('.register, .paging, .chips')", timeout=3000)


def test_what_is_chosen_is_taken_away_as_csv_and_no_cell_of_it_is_a_formula(grace):
    pages.go(grace, "review", outcome="refused", day=SURGE)
    told, _ = rows_behind(grace)
    lines = taken_away(grace)
    assert len(lines) == told
    assert all(line["outcome"].startswith("refused: ") and line["day"] == SURGE for line in lines)
    assert f"'{FORMULA}" in {line["ticket"] for line in lines}
    assert not [cell for line in lines for cell in line.values() if cell.startswith(("=", "+", "-", "@"))]


# Reviews.


def test_a_decision_is_opened_and_reviewed_by_keyboard_alone(grace, reviews_url):
    pages.go(grace, "review", outcome="error")
    pages.keyed(grace, "filter-sort", "input").focus()
    for _ in range(10):
        grace.key("Tab")
        if pages.focused(grace).startswith("row-"):
            break
    grace.key("Enter")
    pages.arrived(grace, "review")
    expect(card(grace)).to_be_visible()
    for _ in range(A_PAGE + 20):
        grace.key("Tab")
        if grace.page.evaluate("document.activeElement.type") == "radio":
            break
    grace.key("Space", "Tab")
    grace.page.keyboard.type("By keyboard.")
    grace.key("Tab")
    grace.page.keyboard.type("Grace")
    pages.tab_to(grace, "reviewer", "Shift+Tab", 0) if grace.focus != "reviewer" else None
    for _ in range(5):
        grace.key("Tab")
        if grace.page.evaluate("document.activeElement.textContent").startswith("Save"):
            break
    grace.key("Enter")
    saved(grace)
    [review] = [one for one in Reviews(reviews_url).all() if one.note == "By keyboard."]
    assert (review.opinion, review.name, review.subject.outcome) == (
        Opinion.AGREE,
        "Grace",
        "error: order_book_unavailable",
    )
    pages.go(grace, "review", reviewed="yes")
    assert rows_behind(grace)[0] == figures(grace)["Reviewed"] >= 1


def test_without_an_opinion_nothing_is_saved_and_what_is_typed_stays(grace, reviews_url):
    before = len(Reviews(reviews_url).all())
    open_row(grace, outcome="refused", sort="oldest")
    grace.page.locator(".st-key-opinions textarea").fill("Only a note.")
    save(grace).click()
    expect(grace.page.locator(".st-key-opinions .notice")).to_contain_text("choose one of the three opinions")
    expect(grace.page.locator(".st-key-opinions textarea")).to_have_value("Only a note.")
    assert len(Reviews(reviews_url).all()) == before


def test_traps_in_decisions_and_reviews_are_shown_as_text(grace, reviews_url):
    dialogs = []
    grace.page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    pages.go(grace, "review", customer=MARKUP[:200], sort="outcome")
    pages.go(grace, "review", text="onerror", sort="outcome")
    expect(paging(grace)).to_have_text("Decisions 1 to 3 of 3")
    for index in range(TRAPS):
        pages.go(grace, "review", text="onerror", sort="outcome")
        follow(grace, grace.page.locator(ROW).nth(index))
        pages.unfold(grace)
        assert effects(grace) == {}
        expect(card(grace)).to_contain_text(MARKUP)
    pages.go(grace, "review", text="a\u202eb")
    follow(grace, grace.page.locator(ROW).first)
    expect(card(grace).locator("pre").first).to_contain_text(HIDDEN_VISIBLE.replace(r"\ud800", "?"))
    say_of_it(grace, "I disagree", f"{MARKUP}\n{FORMULA}", MARKUP[:100])
    save(grace).click()
    saved(grace)
    assert said(grace) == [f"{MARKUP}\n{FORMULA}"]
    assert effects(grace) == {}
    expect(grace.page.locator(".notice summary")).to_have_text(re.compile("left out: 2$"))
    assert dialogs == []
    note = Reviews(reviews_url).all()[-1].note
    assert note == f"{MARKUP}\n{FORMULA}"


def test_note_and_name_are_erased_on_request_and_the_opinion_stays(grace, reviews_url):
    open_row(grace, outcome="refused: invalid_argument", sort="oldest")
    say_of_it(grace, "The policy should change", "Mr X phoned.", "Grace")
    save(grace).click()
    saved(grace)
    grace.page.get_by_role("button", name="Erase note and name…").click()
    grace.page.get_by_role("button", name="Erase note and name", exact=True).click()
    expect(grace.page.locator(".saved")).to_have_text("Note and name are erased.")
    expect(grace.page.locator(".review strong")).to_have_text("The policy should change")
    assert "Mr X" not in grace.text
    assert (Reviews(reviews_url).all()[-1].note, Reviews(reviews_url).all()[-1].name) == ("", "")


def test_two_browsers_that_review_at_once_lose_nothing(desk, windows, reviews_url):
    review_at_once([windows.new(desk, fresh=True) for _ in range(2)], reviews_url)


def review_at_once(both, url):
    """Both review the same decision, then each another one. All of it is in the database, and shown to both."""
    expected = {}
    for window in both:
        pages.load(window, "review", outcome="refused: not_found", sort="ticket")
    for rows in ((0, 0), (1, 2)):
        for index, window in enumerate(both):
            pages.go(window, "review", outcome="refused: not_found", sort="ticket")
            follow(window, window.page.locator(ROW).nth(rows[index]))
            say_of_it(window, "I agree", f"At row {rows[index]} by {index}", f"Reviewer {index}")
            expected.setdefault(window.address["open"], []).append(f"At row {rows[index]} by {index}")
        for window in both:
            save(window).click(no_wait_after=True)
        for window in both:
            saved(window)
    assert sorted(map(len, expected.values())) == [1, 1, 2]
    for window in both:
        window.page.reload()
        for opened, notes in expected.items():
            pages.go(window, "review", open=opened)
            assert sorted(said(window)) == notes
    kept = [review.note for review in Reviews(url).all()]
    assert all(kept.count(note) == 1 for notes in expected.values() for note in notes)


@pytest.fixture
def few(tmp_path):
    """The variables for a page over few decisions, its reviews in a database."""
    log = synthetic.write_log(tmp_path / "few.jsonl", 3, 100)
    return lambda url: {LOGS_VARIABLE: str(log), REVIEWS_VARIABLE: url}


def test_two_servers_over_one_postgresql_lose_nothing_also_when_one_is_started_again(
    served, windows, few, postgres_url
):
    servers = [served(**few(postgres_url)) for _ in range(2)]
    both = [windows.new(server, fresh=True) for server in servers]
    review_at_once(both, postgres_url)
    servers[0].stop()
    again = windows.new(served(**few(postgres_url)), fresh=True)
    pages.load(again, "review", **both[1].address)
    assert said(again) == said(both[1]) != []


def test_a_database_that_is_down_is_told_and_all_else_goes_on(served, windows, few, postgres, postgres_url):
    window = windows.new(served(**few(postgres_url)), fresh=True)
    pages.load(window, "review")
    postgres.stop()
    try:
        open_row(window, outcome="refused")
        expect(window.page.locator(".st-key-notices")).to_contain_text("database cannot be reached")
        expect(failing_check(window)).to_be_visible()
        say_of_it(window, "I disagree", "Typed while it was down.", "Grace")
        save(window).click()
        expect(window.page.locator(".st-key-opinions .notice").last).to_contain_text("Not saved.")
        expect(window.page.locator(".st-key-opinions textarea")).to_have_value("Typed while it was down.")
        assert {line["reviews"] for line in taken_away(window)} == {""}
    finally:
        postgres.start()
    save(window).click()
    saved(window)
    assert said(window) == ["Typed while it was down."]
    expect(window.page.get_by_text("database cannot be reached")).to_have_count(0)
    assert {line["reviews"] for line in taken_away(window)} == {"0", "1"}


# Many.


def test_reading_is_stopped_shows_the_part_that_was_read_and_goes_on_to_the_end(served, windows, tmp_path, reviews_url):
    first = synthetic.write_log(tmp_path / "logs.jsonl.gz", 1, 150_000)
    folder = tmp_path / "many"
    folder.mkdir()
    for copy in range(8):
        os.link(first, folder / f"{copy}.jsonl.gz")
    window = windows.new(served(**{LOGS_VARIABLE: str(folder), REVIEWS_VARIABLE: reviews_url}))
    window.page.goto(f"{window.url}review")
    expect(window.page.locator(".st-key-working-reading")).to_contain_text(re.compile(r"\b[1-9]\d? %"))
    pages.keyed(window, "stop-reading").click()
    pages.arrived(window, "review")
    expect(window.notice.first).to_contain_text("was read so far. All figures are of that part.")
    part = figures(window)["Proposals"]
    follow(window, window.page.locator(".at-a-glance a").first)
    assert figures(window)["Proposals"] == part
    pages.keyed(window, "start-reading").click()
    expect(window.page.locator(".notice")).to_have_count(0)
    pages.arrived(window, "review")
    assert figures(window)["Proposals"] > part
    assert figures(window)["Proposals"] % 8 == 0


# On a narrow screen, and in French.


@pytest.mark.parametrize("size", WIDTHS.values(), ids=WIDTHS)
def test_the_page_is_french_and_nothing_scrolls_sideways(grace, size):
    grace.page.set_viewport_size({"width": size[0], "height": size[1]})
    for place in ({}, {"outcome": "refused"}, {"again": "flipped"}):
        pages.go(grace, "review", lang="fr", **place)
        if place:
            follow(grace, grace.page.locator(ROW).first)
        assert pages.overflow(grace) <= 0
        assert grace.page.evaluate("document.documentElement.lang") == "fr-CA"
        for words in ("Proposals", "Decisions 1", "Save the review", "Refusals", "The model reads", "Read from"):
            assert words not in grace.main_text
