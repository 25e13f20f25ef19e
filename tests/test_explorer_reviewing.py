"""The Review page: its figures add up, and each leads to exactly the rows behind it.

This file also owns how the tests of that page open and read it.
"""

import json
import os
import re
from functools import cache

import pytest

from assistant.explorer.reviewed_place import read as read_place
from assistant.explorer.rows_shown import A_PAGE
from assistant.orders import OrderBook
from assistant.selection import Order
from tests.synthetic import write_log, write_recordings
from tests.test_explorer_page import own_environment, page_modules  # noqa: F401
from tests.test_explorer_site import assert_sound, drawn, go_on, link_to, open_at, says, sent
from tests.test_recording import FOLDER
from tests.test_register import LINE, line

SHAPE = {"days": 32, "surge": (30, "other_customer", 8), "gap": (10, 3), "undated": 7, "flipped": 3}
LINES = 3400


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Generated decisions: a log with a surge, a gap, undated and flipped ones, a bad line, and some recordings."""
    folder = tmp_path_factory.mktemp("decisions")
    log = write_log(folder / "log.jsonl", 11, LINES, **SHAPE)
    with log.open("a", encoding="utf-8") as file:
        file.write("not JSON\n")
    write_recordings(folder / "recordings", 12, 30, flipped=2)
    return folder


@pytest.fixture
def logs(made, monkeypatch):
    """The page is pointed at them."""
    point_at(monkeypatch, made / "log.jsonl", made / "recordings")
    return made


def point_at(monkeypatch, *paths):
    monkeypatch.setenv("EXPLORER_LOGS", os.pathsep.join(map(str, paths)))


def log_of(monkeypatch, folder, *lines):
    """Point the page at a log with these lines."""
    path = folder / "log.jsonl"
    path.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    point_at(monkeypatch, path)
    return path


def review(locale="en-CA", **address):
    page = open_at("review", locale, **address)
    assert_sound(page)
    return page


def at_a_glance(page):
    """The figures on top: their number or words, and where they lead."""
    found = {}
    for item in drawn(page).one("dl", kind="at-a-glance").all("div"):
        links = [each.attributes["href"] for each in item.one("dd").all("a")]
        found[item.one("dt").text] = (number(item.one("dd").text), links[0] if links else None)
    return found


def number(words):
    digits = re.sub(r"[\s,]", "", words)
    return int(digits) if digits.isdecimal() else words


def rows_found(page):
    """How many rows the register says that there are."""
    words = list(drawn(page).all("p", kind="paging"))[-1].text  # the days may have one of their own
    if "No decision is like this." in words:
        return 0
    return int(re.search(r"of ([\d,]+)", words)[1].replace(",", ""))


def days_of(page):
    """The table of days: its head, and each row's name with its cells."""
    table = drawn(page).one("div", kind="days").one("table")
    head = table.one("thead").texts("th")
    return head, {row.one("th").text: list(row.all("td")) for row in table.one("tbody").all("tr")}


def register(page):
    """The rows of the register that are shown, as the texts of their cells."""
    table = drawn(page).one("div", kind="register").one("tbody")
    return [[row.one("th").text, *row.texts("td")] for row in table.all("tr")]


@cache
def orders_words():
    """Words that only an order holds."""
    book = OrderBook()
    found = {"garden shed", "unit_price", "shipping_fee"}
    for order_id in ("LK-581106", "LK-615204"):
        order = book.find(order_id)
        found |= {item["product"] for item in order["items"]}
    return found


def rows_linked(page):
    """Where each row of the register leads."""
    table = drawn(page).one("div", kind="register").one("tbody")
    return [row.one("th").one("a").attributes["href"] for row in table.all("tr")]


# Figures.


def test_the_figures_add_up_and_each_leads_to_exactly_its_rows(logs):  # noqa: ARG001
    page = review()
    figures = at_a_glance(page)
    numbers = {name: count for name, (count, _) in figures.items()}
    kinds = ("Allowed", "Refusals", "Errors of ours", "Other or not recorded")
    assert numbers["Proposals"] == sum(numbers[kind] for kind in kinds) == rows_found(page)
    assert min(numbers[kind] for kind in kinds[:3]) > 0
    assert numbers["Undated"] == 7
    assert numbers["Decided differently today"] == 5
    assert numbers["Recordings that diverge"] == 2
    for name, (count, there) in figures.items():
        if count:
            path, asked = link_to(there)
            assert path == "review"
            found = rows_found(go_on(page, **asked))
            assert found == count if name != "Recordings that diverge" else found >= count, name


def test_each_figure_of_the_table_of_days_leads_to_exactly_its_rows(logs):  # noqa: ARG001
    page = review()
    head, days = days_of(page)
    assert head[:2] == ["Day", "Proposals"]
    assert set(head[2:-3]) == {"invalid_argument", "not_found", "other_customer", "unknown_tool"}
    total = [number(re.sub(r" .*", "", cell.text)) for cell in days["All days"]]
    sums = [0] * len(total)
    for name, cells in days.items():
        if name == "All days" or cells[0].text == "no data":
            continue
        figures = [int(re.match(r"[\d,]+", cell.text)[0]) for cell in cells]
        sums = [sum(pair) for pair in zip(sums, figures, strict=True)]
        assert figures[0] >= figures[-3] == sum(figures[1:-3])
    assert sums == total
    for name in ("All days", "undated", "2026-10-01"):
        for cell in days[name]:
            for anchor in cell.all("a"):
                _, asked = link_to(anchor.attributes["href"])
                assert rows_found(go_on(page, **asked)) == number(anchor.text), (name, asked)


def test_refusals_errors_and_divergences_are_three_things(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line(), line(outcome="error: order_book_unavailable"), line(outcome="?"))
    numbers = {name: count for name, (count, _) in at_a_glance(review()).items()}
    assert [numbers[name] for name in ("Refusals", "Errors of ours", "Other or not recorded")] == [1, 1, 1]
    assert numbers["Recordings that diverge"] == 0


def test_the_four_recordings_are_reviewed_where_nothing_else_is_named():
    page = review()
    assert {name: count for name, (count, _) in at_a_glance(page).items()} == {
        "Proposals": 4,
        "Allowed": 1,
        "Refusals": 3,
        "Errors of ours": 0,
        "Other or not recorded": 0,
        "Undated": 4,
        "Recordings that diverge": 0,
        "Decided differently today": 0,
        "Reviewed": 0,
    }
    assert "No decision here has a date, so there is no chart." in drawn(page).text
    assert "Decisions, decided again today: 4 the same + 0 different + 0 could not be decided = 4 in all" in (
        drawn(page).one("div", kind="today").texts("p")
    )
    customers = [json.loads(file.read_text(encoding="utf-8"))["ticket"] for file in sorted(FOLDER.iterdir())]
    assert [row[1] for row in register(page)] == [each["id"] + each["customer_id"] for each in customers]


# The register.


def test_pages_hold_each_row_once(logs):  # noqa: ARG001
    page = review(outcome="error")
    count = rows_found(page)
    page = review()
    total = rows_found(page)
    assert total > A_PAGE * 3 > count
    seen = []
    for at in (1, 2):
        seen += [link_to(each)[1]["open"] for each in rows_linked(review(page=at))]
    assert len(seen) == len(set(seen)) == 2 * A_PAGE
    last = -(-total // A_PAGE)
    assert len(register(review(page=last))) == total - (last - 1) * A_PAGE
    page = review(page=last + 1)
    assert says(page)[0] == f"There is no page {last + 1}; this is the last one, {last}."


@pytest.mark.parametrize("order", Order)
def test_every_order_shows_the_same_rows_in_its_own(order, logs):  # noqa: ARG001
    page = review(sort=str(order), outcome="refused: unknown_tool")
    rows = register(page)
    whens = [row[0] for row in rows]
    if order is Order.OLDEST:
        dated = [when for when in whens if not when.startswith("undated")]
        assert dated == sorted(dated)
    assert rows_found(page) == rows_found(review(outcome="refused: unknown_tool"))


def test_a_filter_that_nothing_fits_says_so(logs):  # noqa: ARG001
    page = review(ticket="nobody's")
    assert rows_found(page) == 0
    assert register(page) == []


def test_a_row_holds_all_that_an_issue_of_it_needs(monkeypatch, tmp_path):
    end = {
        **{key: LINE[key] for key in ("time", "run", "ticket", "customer")},
        "verdict": "rejected",
        "broken": ["a", "b"],
    }
    log_of(monkeypatch, tmp_path, line(), json.dumps(end))
    ((when, who, proposed, outcome, told, verdict, today, reviewed),) = register(review())
    assert when == "2026-10-09 12:00:00 S-1"
    assert who == "S-1C-1"
    assert proposed == 'get_order{"order_id": "LK-55190"}'
    assert outcome == "✗ refused: invalid_argumentorder_id_form"
    assert told == LINE["told"]
    assert (verdict, today, reviewed) == ("rejected · a,b", "the same", "–")


# What is read.


def test_what_cannot_be_read_is_listed_with_its_place_and_the_rest_is_there(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line(), "nonsense", line())
    page = review()
    assert rows_found(page) == 2
    listed = drawn(page).one("ul", kind="places").texts("li")
    assert listed == ["log.jsonl, line 2: Not JSON at line 1, column 1: Expecting value."]


def test_a_changed_file_is_told_and_read_again_when_somebody_wants_it(monkeypatch, tmp_path):
    from assistant.explorer import sources

    monkeypatch.setattr(sources, "LOOK_EVERY_S", -1)
    path = log_of(monkeypatch, tmp_path, line())
    page = review()
    assert rows_found(page) == 1
    with path.open("a", encoding="utf-8") as file:
        file.write(line() + "\n")
    page = page.run()
    assert "The files have changed since they were read." in says(page)
    assert rows_found(page) == 1
    page = page.button(key="read again").click().run()
    assert rows_found(page) == 2
    assert "The files have changed since they were read." not in says(page)


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
def test_nothing_at_all_is_a_page_too(monkeypatch, tmp_path, locale):
    log_of(monkeypatch, tmp_path)
    page = review(locale)
    assert register(page) == []
    point_at(monkeypatch, tmp_path / "nowhere")
    page = review(locale)
    assert len(drawn(page).one("ul", kind="places").texts("li")) == 1


# One decision.


def test_a_row_opens_its_ladder_beside_the_register_at_the_failed_check():
    page = review()
    (row,) = (row for row in drawn(page).one("div", kind="register").all("tr") if "T-80001" in row.text)
    path, asked = link_to(row.one("th").one("a").attributes["href"])
    assert path == "review"
    page = go_on(page, **asked)
    assert_sound(page)
    card = drawn(page).one("article")
    assert card.texts("li", kind="failed")[0].startswith("✗ failedThe order belongs to this ticket's customer")
    assert "The ticket belongs to C-20417, the order to another customer." in card.text
    assert "Today's code decides the same. This is how:" in card.texts("p")
    leads = [link_to(each.attributes["href"]) for each in card.one("ul", kind="leads").all("a")]
    assert leads[0][1] == {"ticket": "T-80001", "step": "3"}
    assert len(register(page)) == 4


def test_every_link_of_an_open_decision_leads_to_rows_with_it(logs):  # noqa: ARG001
    page = review(outcome="refused: other_customer", sort="oldest")
    row = next(iter(drawn(page).one("div", kind="register").one("tbody").all("tr")))
    _, asked = link_to(row.one("th").one("a").attributes["href"])
    page = go_on(page, **asked)
    for anchor in drawn(page).one("ul", kind="leads").all("a"):
        path, there = link_to(anchor.attributes["href"])
        if path == "review":
            assert rows_found(go_on(page, **there)) >= 1


def test_a_flip_opens_both_ladders_side_by_side_with_their_first_difference(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line(outcome="ok", failed_check=None, told=None))
    page = review(again="flipped", open="1:log.jsonl")
    card = drawn(page).one("article")
    then, now = card.one("div", kind="then-and-now").all("section")
    assert [next(iter(section.all("h3"))).text for section in (then, now)] == ["Then", "Today"]
    assert (len(list(then.all("li", kind="failed"))), len(list(now.all("li", kind="failed")))) == (0, 1)
    assert [len(list(section.all("p", kind="first-difference"))) for section in (then, now)] == [1, 1]
    assert "Today's code decides differently." in card.text


def test_what_cannot_be_compared_says_why_and_shows_both(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line(outcome="error: order_book_unavailable", failed_check="order_exists"))
    card = drawn(review(open="1:log.jsonl")).one("article")
    assert "This cannot be compared. The decision was an error of ours" in card.text
    assert len(list(card.one("div", kind="then-and-now").all("section"))) == 2


def test_a_check_that_there_is_no_more_is_named(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line(failed_check="gone"))
    assert "It failed at gone, which is none of today's checks." in drawn(review(open="1:log.jsonl")).text


def test_a_log_holds_no_loop_and_says_so(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line())
    assert "A log holds no loop to step through." in drawn(review(open="1:log.jsonl")).text


@pytest.mark.parametrize("asked", ["9:log.jsonl", "1:other.jsonl", "1:../../etc/passwd"])
def test_a_decision_that_is_not_there_is_told(monkeypatch, tmp_path, asked):
    log_of(monkeypatch, tmp_path, line())
    page = review(open=asked)
    assert says(page) == ["The decision that this link opens is not here."]
    assert rows_found(page) == 1


# What the reviewer never sees.


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
def test_no_order_reaches_the_page_whichever_decision_is_open(locale):
    for file in sorted(FOLDER.iterdir()):
        page = review(locale, open=f"1:{file.name}")
        assert not [word for word in orders_words() if word in sent(page)]
        assert drawn(page).one("article")


def test_not_even_when_todays_code_would_give_it_away(monkeypatch):
    page = review()  # the modules are loaded
    from assistant.explorer.fresh import load

    monkeypatch.setattr(load("assistant.tools"), "CHECKS", ())
    page = go_on(page, open="1:T-80001.json")
    assert not page.exception
    card = drawn(page).one("article")
    assert "ok" in card.text
    assert not [word for word in orders_words() if word in sent(page)]


HOSTILE = (
    '</script><img src=https://example.org/x.png onerror=alert(1)> ![x](https://example.org/x.png) $x$ \u202e\0"\n=1'
)


def test_hostile_text_in_every_field_takes_no_effect(monkeypatch, tmp_path):
    fields = ("ticket", "customer", "tool", "arguments", "outcome", "failed_check", "told", "run")
    log_of(monkeypatch, tmp_path, line(**dict.fromkeys(fields, HOSTILE)), line(outcome=f"refused: {HOSTILE}"))
    for address in ({}, {"open": "1:log.jsonl"}, {"open": "2:log.jsonl"}, {"ticket": HOSTILE}, {"text": "example.org"}):
        page = review(**address)
        for button in page.button:
            assert "example.org" not in button.label
    page = review(outcome=HOSTILE)
    assert rows_found(page) == 1


def test_the_addresses_filters_are_read_back_by_every_link(logs):  # noqa: ARG001
    page = review(outcome="refused", check="own_order", day="2026-10-01", lang="fr", sort="ticket")
    links = [
        each.attributes["href"] for each in drawn(page).all("a") if link_to(each.attributes["href"])[0] == "review"
    ]
    assert len(links) > 50
    for there in links:
        _, wrong = read_place(link_to(there)[1])
        assert wrong == []
