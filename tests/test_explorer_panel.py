"""The column that stays: the ticket, four figures that grow with the steps, and where the recording comes from."""

from dataclasses import replace

import pytest

from assistant.decision import Decision
from assistant.events import Decided, Diverged, ModelCalled
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.panel import draw
from assistant.explorer.run import Run
from assistant.explorer.so_far import order_ids
from assistant.explorer.view import View
from assistant.sentence import say
from assistant.ticket import Ticket
from tests.test_explorer_cards import PROPOSAL
from tests.test_explorer_markup import read
from tests.test_explorer_run import TICKETS, events, recording

MATCHES = "Replayed by this project's code: it matches the recording so far."
HOSTILE = '<img src="https://example.org/x.png"> ![x](y) $x$ :smile: </blockquote>'


def panel(ticket_id, step, language=ENGLISH):
    """The column of one of the four tickets with so many steps revealed."""
    return panel_of(Run(recording(ticket_id), events(ticket_id)), step, language)


def panel_of(run, step, language=ENGLISH):
    revealed = run.events[:step]
    ids = order_ids(revealed, run.recording.ticket.text)
    return read(draw(run, revealed, View(language, run.recording, ids)))


def figures(page):
    """The four figures' values."""
    return [each.text for each in page.one(kind="figures").all("dd")]


NOTHING = "–not yet"
NO_TOKENS = "not recorded"

FIGURES = {
    "T-80008": ("ok", "valid"),
    "T-80001": ("refused: other_customer", "valid"),
    "T-65059": ("refused: not_found", "valid"),
    "T-80009": ("refused: invalid_argument", "rejected: order_not_in_ticket"),
}


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_a_figure_shows_only_what_a_revealed_step_tells(ticket_id):
    outcome, verdict = FIGURES[ticket_id]
    shown = [figures(panel(ticket_id, step)) for step in range(8)]
    assert [each[0] for each in shown] == ["0", "1", "1", "1", "1", "2", "2", "2"]
    assert [each[2] for each in shown] == [NOTHING] * 3 + [outcome] * 5
    assert [each[3] for each in shown] == [NOTHING] * 7 + [verdict]


TOKENS = {
    "T-80001": ["2,066 in, 21 out", "4,186 in, 114 out"],
    "T-65059": [NO_TOKENS, "4,184 in, 115 out"],
    "T-80009": [NO_TOKENS, "4,135 in, 131 out"],
}


@pytest.mark.parametrize("ticket_id", TOKENS)
def test_tokens_are_the_sum_so_far_or_not_recorded_until_the_total_is_theirs(ticket_id):
    first, both = TOKENS[ticket_id]
    shown = [figures(panel(ticket_id, step))[1] for step in range(8)]
    assert shown == ["0 in, 0 out"] + [first] * 4 + [both] * 3


def test_the_figures_are_told_in_french():
    page = panel("T-80001", 7, FRENCH)
    assert page.one(kind="figures").texts("dt") == [
        "Appels au modèle",
        "Jetons jusqu’ici",
        "Issue de l’outil",
        "Verdict",
    ]
    assert figures(page) == [
        "2",
        "4\u00a0186 en entrée, 114 en sortie",
        "refused: other_customer",
        "valid",
    ]


def test_tokens_of_which_one_kind_is_known_say_so_of_the_other():
    called = ModelCalled(1, {}, {}, replace(recording("T-80001").usage, completion_tokens=None), None, None)
    run = Run(replace(recording("T-80001"), usage=called.usage), (called,))
    assert figures(panel_of(run, 1))[1] == "4,186 in, not recorded out"


def decided(count):
    return tuple(Decided(PROPOSAL, Decision(f"outcome {number}", {}), 0) for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "outcome 1"),
        (4, "outcome 1outcome 2outcome 3outcome 4"),
        (5, "outcome 2outcome 3outcome 4outcome 5 +1"),
        (99, "outcome 96outcome 97outcome 98outcome 99 +95"),
    ],
)
def test_of_many_outcomes_the_last_four_are_shown_and_the_others_counted(count, told):
    run = Run(recording("T-80001"), decided(count))
    assert figures(panel_of(run, count))[2] == told


# The ticket.


@pytest.mark.parametrize("ticket_id", TICKETS)
@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=["en", "fr"])
def test_a_tickets_text_is_verbatim_and_in_its_own_language(ticket_id, language):
    quote = panel(ticket_id, 7, language).one("blockquote")
    assert quote.text == recording(ticket_id).ticket.text
    assert quote.attributes["lang"] == "en"


def test_a_tickets_customer_is_named():
    assert panel("T-80001", 0, FRENCH).one(kind="ticket").one("p").text == "Le client C-20417 écrit\u00a0:"


@pytest.mark.parametrize("customer_id", [None, ""])
def test_a_ticket_without_a_customer_says_so(customer_id):
    ticket = Ticket("T-1", customer_id, HOSTILE)
    page = panel_of(Run(replace(recording("T-80001"), ticket=ticket), ()), 0)
    assert page.one(kind="ticket").one("p").text == "No customer is known; the ticket says:"


def test_a_tickets_text_takes_no_effect():
    ticket = Ticket("T-1", HOSTILE, HOSTILE)
    model = {"model": HOSTILE, "name": HOSTILE, "provider": HOSTILE}
    one = replace(recording("T-80001"), ticket=ticket, model=model, recorded_at=HOSTILE)
    page = panel_of(Run(one, ()), 0)
    assert page.one("blockquote").text == HOSTILE
    assert page.text.count(HOSTILE) == 6
    assert not list(page.all("img"))


def test_the_id_under_question_is_marked_in_the_ticket_once_it_is_proposed():
    marked = [panel("T-80009", step).one("blockquote").texts("mark") for step in range(3)]
    assert marked == [[], [], ["LK-55190"]]


# The source.


def source(page):
    return page.one(kind="source")


def test_the_source_names_model_and_provider_and_says_that_no_date_is_recorded():
    first = source(panel("T-80001", 0)).texts("p")[0]
    model = "Recorded from gpt-6-luna-2026-09-22 (chat-small) on Azure, request v2, structured output."
    assert first == f"{model} The date is not recorded."


def test_a_recorded_date_is_told_and_a_missing_model_is_not_recorded():
    one = replace(recording("T-80001"), recorded_at="2026-09-30T10:00:00Z", model={"provider": None})
    told = source(panel_of(Run(one, ()), 0)).texts("p")[0]
    assert told == ("Recorded from not recorded (not recorded) on not recorded. Recorded at 2026-09-30T10:00:00Z.")


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_a_replay_that_matches_says_so_from_the_first_step(ticket_id):
    before = source(panel(ticket_id, 0)).one("p", kind="matches").text
    assert before.startswith("Each step will be computed now")
    assert {source(panel(ticket_id, step)).one("p", kind="matches").text for step in range(1, 8)} == {MATCHES}


def test_a_replay_that_leaves_the_recording_says_so_only_once_that_step_is_revealed():
    diverged = Diverged("/decisions/0", say("The code decides differently from the recording."), "a", "b")
    run = Run(recording("T-80001"), (*events("T-80001")[:3], diverged))
    assert [source(panel_of(run, step)).texts("p", kind="diverged") for step in (0, 2)] == [[], []]
    for step in (3, 4):  # the decision itself, and the step that tells of it
        said = source(panel_of(run, step)).one("p", kind="diverged").text
        assert said == "Replayed by this project's code: it leaves the recording at step 4."
    assert not list(source(panel_of(run, 4)).all(kind="matches"))


def test_a_reconstructed_place_is_listed_once_it_is_on_the_page():
    content = "/calls/1/response/choices/0/message/content#/"
    marked = list(recording("T-80009").reconstructed)
    for step in range(8):
        listed = panel("T-80009", step).texts("li")
        assert listed == (["/ticket/text"] if step < 6 else marked)
    assert sum(place.startswith(content) for place in marked) == 6


def test_a_recording_with_nothing_reconstructed_has_no_legend():
    page = panel("T-80001", 7)
    assert not list(page.all("details"))
    assert not list(page.all(kind="reconstructed"))


def test_a_reconstructed_ticket_is_underlined_and_explained():
    page = panel("T-80009", 0)
    legend = page.one("summary").text
    assert page.one("blockquote").one(kind="reconstructed").text == recording("T-80009").ticket.text
    assert legend.startswith("Dotted underline")
