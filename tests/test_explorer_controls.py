"""The controls: what a person operates, in both languages, none of them ever dead."""

import pytest

from tests.books import write_book
from tests.test_explorer_navigation import press
from tests.test_explorer_page import bar, html, notices, open_page, own_environment, page_modules  # noqa: F401

KEYS = ["Left", "Right", "End", "Home"]


def labels(page, keys):
    return [page.button(key=key).label for key in keys]


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-CA", ["Back", "Next step", "Show all steps", "Start over"]),
        ("fr-CA", ["Retour", "Étape suivante", "Tout afficher", "Recommencer"]),
    ],
)
def test_the_bars_four_buttons_are_named_in_the_pages_language(locale, words):
    assert labels(open_page(locale), KEYS) == words


def test_each_button_of_the_bar_has_its_key_on_the_keyboard():
    page = open_page()
    assert [page.button(key=key).proto.shortcut.lower() for key in KEYS] == ["left", "right", "end", "home"]


@pytest.mark.parametrize("step", [0, 3, 7])
def test_no_button_is_ever_dead(step):
    assert not [button.key for button in open_page(step=step).button if button.disabled]


def test_the_same_buttons_stand_there_at_every_step():
    page = open_page(ticket="T-80001", step=0)
    keys = [button.key for button in page.button]
    for _ in range(7):
        assert [button.key for button in press(page, "Right").button] == keys


def test_no_button_changes_its_kind_when_another_ticket_is_chosen():
    page = open_page(ticket="T-80001")
    before = [button.proto.type for button in page.button]
    assert [button.proto.type for button in press(page, "ticket T-80009").button] == before


def test_the_bar_names_the_newest_step():
    said = [bar(open_page(lang="fr", ticket="T-80001", step=step)) for step in (0, 2, 3)]
    assert said == [
        "Étape 0 sur 7 ",
        "Étape 2 sur 7 Propose un appel",
        "Étape 3 sur 7 Vérifie la proposition\u00a0: refused: other_customer",
    ]


@pytest.mark.parametrize(("lang", "other", "name"), [("en", "fr", "Français"), ("fr", "en", "English")])
def test_the_switch_names_the_other_language_in_itself_and_keeps_the_place(lang, other, name):
    page = open_page(ticket="T-80001", step=5, lang=lang)
    assert page.button(key="language").label == name
    assert press(page, "language").query_params == {"ticket": "T-80001", "step": "5", "lang": other}


def test_a_replay_that_leaves_its_recording_is_led_to(tmp_path, monkeypatch):
    book = write_book(
        tmp_path / "orders.db", [("LK-581106", "C-00000", "shipped"), ("LK-615204", "C-20417", "shipped")]
    )
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    page = open_page("fr-CA", ticket="T-80009")
    assert notices(page) == ["Le code actuel s’écarte de l’enregistrement pour ces billets\u00a0:"]
    assert labels(page, ["divergence T-80008", "divergence T-80001"]) == ["`T-80008` étape 4", "`T-80001` étape 4"]
    assert press(page, "divergence T-80001").query_params == {"ticket": "T-80001", "step": "4"}
    assert html(page).texts("h2")[-1] == "La relecture s’écarte de l’enregistrement"
    assert bar(page) == "Étape 4 sur 4 La relecture s’écarte de l’enregistrement"


def test_without_a_divergence_nothing_leads_to_one():
    assert not [button.key for button in open_page().button if "divergence" in button.key]
