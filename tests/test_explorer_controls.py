"""The controls: what a person operates, in both languages, none of them ever dead."""

import pytest

from assistant.explorer.controls import MAX_BUTTONS
from assistant.explorer.run import RECORDINGS_VARIABLE
from tests.books import write_book
from tests.synthetic import write_recordings
from tests.test_explorer_navigation import press, steps_asked_about
from tests.test_explorer_page import (  # noqa: F401
    bar,
    html,
    notices,
    open_page,
    own_environment,
    page_modules,
    plain,
    ticket_labels,
)
from tests.test_explorer_run import TICKETS

KEYS = ["Left", "Right", "End", "Home"]


def labels(page, keys):
    return [plain(page.button(key=key).label) for key in keys]


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


@pytest.mark.parametrize("predict", [{}, {"predict": 1}])
@pytest.mark.parametrize("step", [0, 3, 7])
def test_no_button_is_ever_dead(step, predict):
    page = open_page(step=step, **predict)
    assert not [control.key for control in (*page.button, *page.toggle) if control.disabled]


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


# The tickets' captions, and the switch for being asked first.


@pytest.mark.parametrize("address", [{"predict": 1}, {"present": 1}, {"predict": 1, "guess": "none,none", "step": 7}])
def test_a_ticket_is_only_named_where_its_caption_would_tell_too_much_or_take_room(address):
    assert ticket_labels(open_page("fr-CA", **address)) == [f"`{ticket_id}`" for ticket_id in TICKETS]


def asking(page):
    """The switch for being asked before one is told."""
    return page.toggle(key="asking")


def switch(page):
    """Press that switch."""
    return asking(page).set_value(not asking(page).value).run()


@pytest.mark.parametrize(
    ("locale", "label"), [("en-CA", "Ask me before you tell"), ("fr-CA", "Me demander avant de révéler")]
)
def test_the_switch_for_being_asked_is_off_and_named_in_the_pages_language(locale, label):
    page = open_page(locale)
    assert (asking(page).value, plain(asking(page).label)) == (False, label)


def test_the_switch_stands_as_the_address_says():
    page = open_page(predict=1)
    assert asking(page).value
    page.query_params = {}
    assert not asking(page.run()).value
    page.query_params = {"predict": "1"}
    assert asking(page.run()).value


def test_who_switches_it_on_before_the_first_question_stays_where_they_are():
    first, _ = steps_asked_about("T-80001")
    page = switch(open_page(ticket="T-80001", step=first - 1, lang="fr"))
    assert page.query_params == {"ticket": "T-80001", "step": str(first - 1), "predict": "1", "lang": "fr"}
    assert asking(page).value


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_who_switches_it_on_where_an_answer_is_already_told_is_asked_from_the_start(ticket_id):
    first, second = steps_asked_about(ticket_id)
    for step in (first, second):
        page = switch(open_page(ticket=ticket_id, step=step))
        assert page.query_params == {"ticket": ticket_id, "step": "0", "predict": "1"}
        assert not notices(page)


def test_who_switches_it_off_stays_where_they_are_and_their_guesses_are_gone():
    page = switch(open_page(ticket="T-80001", step=4, predict=1, guess="own_order", lang="en"))
    assert page.query_params == {"ticket": "T-80001", "step": "4", "lang": "en"}
    assert not asking(page).value
    assert ticket_labels(page)[1] == "`T-80001` asks about a neighbour's order"


def test_who_switches_it_on_and_off_again_and_on_is_asked_anew_each_time():
    page = switch(open_page(ticket="T-80001", step=1))
    for is_on in (False, True):
        assert asking(switch(page)).value is is_on
        assert ("predict" in page.query_params) is is_on


def test_in_front_of_a_class_the_switch_takes_no_room_but_the_page_asks_all_the_same():
    page = open_page(ticket="T-80001", step=3, present=1, predict=1)
    assert not list(page.toggle)
    assert [button.key for button in page.button if button.key.startswith("answer-")]


@pytest.mark.parametrize("address", [{"present": 1}, {"predict": 1, "guess": "own_order", "step": 4}])
def test_the_language_switch_keeps_all_else_of_the_address(address):
    page = open_page(ticket="T-80001", **{"step": 2, "lang": "en", **address})
    before = dict(page.query_params)
    assert press(page, "language").query_params == {**before, "lang": "fr"}


# The bar while a question is open.


def test_the_bar_asks_the_open_question_and_does_not_tell_how_many_steps_there_are():
    page = open_page(ticket="T-80001", step=2, predict=1)
    assert bar(page) == "Step 2 Proposes a call"
    assert bar(press(page, "Right")) == "Step 3 Which check stops this proposal?"


@pytest.mark.parametrize("key", ["Right", "End"])
def test_no_press_goes_past_an_open_question_and_the_bar_says_why(key):
    page = press(open_page(ticket="T-80001", step=3, predict=1), key)
    assert bar(page) == "Step 3 Answer first, or skip."
    assert page.query_params == {"ticket": "T-80001", "step": "3", "predict": "1"}


def test_no_divergence_is_told_while_a_question_is_open(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_ORDERS", str(write_book(tmp_path / "orders.db", [("LK-581106", "C-0", "shipped")])))
    led = [
        [button.key for button in open_page(ticket="T-80009", step=step, **asked).button if "divergence" in button.key]
        for step, asked in ((0, {}), (0, {"predict": 1}), (3, {"predict": 1}))
    ]
    assert led[0]
    assert led[1:] == [[], []]


@pytest.fixture
def many(tmp_path, monkeypatch):
    """A folder of more recordings than get a button each."""
    write_recordings(tmp_path, 1, MAX_BUTTONS + 1)
    monkeypatch.setenv(RECORDINGS_VARIABLE, str(tmp_path))


def test_many_tickets_stand_in_a_list_in_which_one_may_type(many):  # noqa: ARG001
    page = open_page()
    assert ticket_labels(page) == []
    (choice,) = page.selectbox
    assert (choice.label, choice.value) == ("Ticket", "S-000001")
    assert len(choice.options) == MAX_BUTTONS + 1
    page = choice.select("S-000007").run()
    assert not page.exception
    assert dict(page.query_params) == {"ticket": "S-000007", "step": "0"}
    assert page.selectbox[0].value == "S-000007"


def test_the_list_follows_the_address(many):  # noqa: ARG001
    assert open_page(ticket="S-000009", step=2).selectbox[0].value == "S-000009"
