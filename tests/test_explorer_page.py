"""The page as a whole, run by Streamlit's AppTest: what stands on it at each address, and what does not.

This file also owns how the explorer's other tests open and read the page.
"""

import json
import re
import shutil
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from assistant.events import Decided, Proposed
from assistant.explorer.frame import MAX_ADDRESS
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.sentence import gaps
from assistant.tools import CHECKS
from tests.test_explorer_catalogue import FRENCH_WORDS
from tests.test_explorer_fresh import own_modules, save
from tests.test_explorer_markup import read
from tests.test_explorer_run import FOLDER, TICKETS, events, recording

ROOT = Path(__file__).parents[1]
OPERATED = ("button", "toggle", "download_button")
HOSTILE = '<img src="https://example.org/x.png"> ![x](https://example.org/x.png) $x$ :smile: `code` [a](b)'


@pytest.fixture(autouse=True)
def own_environment(monkeypatch):
    """A page without anybody's environment."""
    monkeypatch.delenv("EXPLORER_RECORDINGS", raising=False)
    monkeypatch.delenv("EXPLORER_ORDERS", raising=False)


@pytest.fixture(autouse=True, scope="module")
def page_modules():
    """The page may load its modules anew, and leaves none behind."""
    with own_modules():
        yield


def open_page(locale="en-CA", root=ROOT, **address):
    """Open the page at an address, in a browser of this language."""
    page = AppTest.from_file(str(root / "explorer_app.py"), default_timeout=30)
    page.context = {"locale": locale}
    page.query_params = {key: str(value) for key, value in address.items()}
    return page.run()


def bodies(page):
    """The HTML of the page, without its style and its script."""
    return [each.value for each in page.get("html") if not each.value.lstrip().startswith(("<style", "<script"))]


def html(page):
    """All of that HTML, read."""
    return read("".join(bodies(page)))


def everything(page):
    """Whatever of the page goes to the browser, as text."""
    return "".join([*(each.value for each in page.get("html")), *labels(page)])


def labels(page):
    """The words on all that a person operates, as Streamlit shows them."""
    return [plain(each.label) for kind in OPERATED for each in page.get(kind)]


def plain(label):
    """A label as Streamlit shows it: in Markdown, a backslash takes the effect from what follows it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", label.replace("\N{WORD JOINER}", ""))


def bar(page):
    """What the bar says."""
    return html(page).one(kind="where").text


def notices(page):
    """The sentences of the notices."""
    return [line.text for each in html(page).all(kind="notice") for line in each.all("p")]


def titles(page):
    return html(page).texts("h2")


# What is revealed.


@cache
def walk(ticket_id):
    """What the page sends at each of the ticket's eight places, and the same read."""
    page = open_page(ticket=ticket_id, step=0)
    places = []
    for step in range(8):
        page.query_params["step"] = str(step)
        assert not page.run().exception
        places.append((everything(page), html(page)))
    return places


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_each_step_reveals_one_card(ticket_id):
    for step, (_, page) in enumerate(walk(ticket_id)):
        assert page.texts(kind="number") == [str(number) for number in range(1, step + 1)]
        assert page.one(kind="where").text.startswith(f"Step {step} of 7 ")
        assert len(page.texts(kind="intro")) == (step == 0)


def secrets(ticket_id):
    """What a run lets out, each with the step at which it does."""
    run = events(ticket_id)
    (proposed,) = (event for event in run if isinstance(event, Proposed))
    (decided,) = (event for event in run if isinstance(event, Decided))
    return [
        (1, "Model call <bdi>1</bdi>"),
        (2, "Proposes a call"),
        (2, f'id">{json.loads(proposed.arguments)["order_id"]}</mark>'),
        (3, "Checks the proposal"),
        (3, f">{decided.decision.outcome}<"),
        (3, str(decided.decision.message)[-32:-6] if decided.decision.message else "899.0"),
        (4, "Sends back the tool result"),
        (4, "tool_call_id"),
        (5, "Model call <bdi>2</bdi>"),
        (5, ENGLISH.number(recording(ticket_id).usage.prompt_tokens)),
        (6, "Writes the final reply"),
        (6, json.loads(run[5].reply.content)["reply"][-20:]),
        (7, "Two barriers"),
        (7, f"<dd>{run[6].verdict}</dd>"),
    ]


SECRETS = {ticket_id: secrets(ticket_id) for ticket_id in TICKETS}


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_nothing_of_a_step_is_on_the_page_before_it_is_revealed(ticket_id):
    for step, (sent, _) in enumerate(walk(ticket_id)):
        early_or_late = [secret for at, secret in SECRETS[ticket_id] if (secret in sent) != (at <= step)]
        assert early_or_late == [], step


def test_an_invented_id_is_not_on_the_page_before_the_reply():
    assert "LK-551902" not in everything(open_page(ticket="T-80009", step=5))
    assert "LK-000000" not in everything(open_page(ticket="T-65059", step=1))


def test_the_last_card_is_the_newest():
    assert titles(open_page(ticket="T-80001", step=3))[-1] == "Checks the proposal: refused: other_customer"


def test_a_decision_stands_beside_the_time_of_its_model_call():
    notes = html(open_page(ticket="T-80001", step=3)).texts(kind="note")
    assert notes[-1].endswith("the model call 1.32\u00a0s.")


# The address.


def test_without_an_address_the_lessons_first_ticket_is_open_at_its_start():
    page = open_page()
    assert html(page).one("blockquote").text == recording("T-80008").ticket.text
    assert bar(page) == "Step 0 of 7 "
    assert not notices(page)


@pytest.mark.parametrize(
    ("address", "notice", "at"),
    [
        ({"step": 99}, "There is no step 99 here; this is the last one, 7.", "Step 7 of 7 Two barriers: valid"),
        ({"step": "x"}, "x is not the number of a step; this is the start.", "Step 0 of 7 "),
        ({"ticket": "T-9", "step": 3}, "There is no ticket T-9 here; this is T-80008.", "Step 0 of 7 "),
        ({"lang": "de", "step": 1}, "The language de is not one of en, fr.", "Step 1 of 7 Model call 1"),
    ],
)
def test_a_wrong_address_gets_a_notice_and_the_nearest_place(address, notice, at):
    page = open_page(**address)
    assert notices(page) == [notice]
    assert bar(page) == at


def test_each_wrong_part_of_an_address_gets_its_notice():
    assert len(notices(open_page(ticket="T-80001", step=99, lang="de"))) == 2


def test_a_wrong_address_takes_no_effect():
    page = open_page(ticket=HOSTILE[:40], step=HOSTILE[:40], lang=HOSTILE[:40])
    assert html(page).text.count(HOSTILE[:40]) == 3
    assert not list(html(page).all("img"))


# Languages.


@pytest.mark.parametrize(
    ("locale", "lang", "title"),
    [
        ("fr-CA", None, "Parcourir une boucle d’outil"),
        ("fr-FR", "en", "Step through a tool loop"),
        ("en-CA", "fr", "Parcourir une boucle d’outil"),
        ("de-DE", None, "Step through a tool loop"),
        (None, None, "Step through a tool loop"),
        ("fr-CA", "de", "Parcourir une boucle d’outil"),
    ],
)
def test_the_address_decides_on_the_language_and_the_browser_where_it_does_not(locale, lang, title):
    page = open_page(locale, **({"lang": lang} if lang else {}))
    assert html(page).one("h1").text == title


@pytest.mark.parametrize(("locale", "tag"), [("fr-CA", "fr-CA"), ("en-US", "en-CA")])
def test_the_documents_language_follows(locale, tag):
    assert told_to_the_browser(open_page(locale))["tag"] == tag


def scripts(page):
    """The page's scripts: the one that is always the same, and the call of it."""
    return [each.value for each in page.get("html") if each.proto.unsafe_allow_javascript]


CALL = re.compile(r"<script>window\.toolLoopDrawn = (.*?); window\.toolLoopPage\?\.\(window\.toolLoopDrawn\);</script>")


def told_to_the_browser(page):
    """What the page's own script is told of it."""
    _, call = scripts(page)
    return json.loads(CALL.fullmatch(call)[1])


def own_words(element):
    """The text of ours: without data, and without what says its own language."""
    if element.tag == "pre" or "lang" in element.attributes or "data" in element.attributes.get("class", "").split():
        return "\n"
    return "".join(part if isinstance(part, str) else own_words(part) for part in element.parts)


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_no_sentence_of_the_french_page_is_english(ticket_id):
    page = open_page("fr-CA", ticket=ticket_id, step=99)
    words = "\n".join([own_words(html(page)), *labels(page)])
    english = [each for each in FRENCH_WORDS if " " in each and not gaps(each)]
    assert [each for each in english if each in words] == []
    assert "Appels au modèle" in words


def test_the_french_pages_numbers_are_french():
    page = html(open_page("fr-CA", ticket="T-80001", step=7))
    assert "4\u00a0186 en entrée, 114 en sortie" in page.text
    assert "1,32\u00a0s" in page.text
    assert "899,00\u00a0$" in html(open_page("fr-CA", ticket="T-80008", step=4)).text


# Recordings.


def folder_of(tmp_path, monkeypatch, *names):
    """A folder of recordings of its own, with these of the project's."""
    folder = tmp_path / "other recordings"
    folder.mkdir()
    for name in names:
        shutil.copy(FOLDER / f"{name}.json", folder)
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(folder))
    return folder


def ticket_labels(page):
    return [plain(each.label) for each in page.button if each.key.startswith("ticket ")]


def test_the_four_tickets_stand_in_the_lessons_order():
    assert ticket_labels(open_page()) == [
        "`T-80008` asks about their own order",
        "`T-80001` asks about a neighbour's order",
        "`T-65059` names no order",
        "`T-80009` names an order with 5 digits",
    ]


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
def test_a_ticket_that_is_not_the_lessons_is_named_and_no_more(locale, tmp_path, monkeypatch):
    folder = folder_of(tmp_path, monkeypatch)
    content = (FOLDER / "T-80001.json").read_text(encoding="utf-8").replace("T-80001", "T-90000")
    (folder / "T-90000.json").write_text(content, encoding="utf-8")
    assert ticket_labels(open_page(locale)) == ["`T-90000`"]


def test_an_empty_folder_of_recordings_is_named(tmp_path, monkeypatch):
    folder_of(tmp_path, monkeypatch)
    page = open_page(ticket="T-80001", step=3)
    assert not page.exception
    assert notices(page) == ["There is no recording in the folder other recordings."]
    assert not ticket_labels(page)


def test_a_folder_of_recordings_that_is_missing_is_named_twice_once_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(tmp_path / "nowhere"))
    page = open_page("fr-CA")
    assert not page.exception
    no_recording, reason = notices(page)
    assert no_recording == "Il n’y a aucun enregistrement dans le dossier nowhere."
    assert reason.startswith("nowhere est laissé de côté.")


def test_broken_and_foreign_files_are_named_and_the_rest_goes_on(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, monkeypatch, "T-80001")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    (folder / "![x](y).json").write_bytes(b"\xff")
    (folder / ".hidden").write_text("x", encoding="utf-8")
    (folder / "folder.json").mkdir()
    page = open_page(step=7)
    assert titles(page)[-1] == "Two barriers: valid"
    left_out = [line.partition(" is left out.")[0] for line in notices(page)]
    assert left_out == ["![x](y).json", "broken.json", "folder.json", "notes.txt"]


def test_a_recording_that_is_saved_shows_at_the_next_press(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, monkeypatch, "T-80001")
    page = open_page()
    path = folder / "T-80001.json"
    save(path, path.read_text(encoding="utf-8").replace("Hi, my neighbour", "Good day, a friend"))
    page.button(key="Right").click().run()
    assert html(page).one("blockquote").text.startswith("Good day, a friend")


def test_a_recording_that_differs_from_the_run_is_shown_to_differ(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, monkeypatch, "T-80001", "T-80008")
    path = folder / "T-80001.json"
    path.write_text(path.read_text(encoding="utf-8").replace("other_customer", "not_found"), encoding="utf-8")
    page = open_page(ticket="T-80001", step=99)
    assert titles(page)[-1] == "The replay leaves the recording"
    assert html(page).one(kind="diverged").text.endswith("at step 4.")
    assert [each.key for each in page.button if "divergence" in each.key] == ["divergence T-80001"]


# Text from outside.


@pytest.fixture
def hostile_folder(tmp_path, monkeypatch):
    """A recording with hostile text wherever the format takes any text."""
    folder = folder_of(tmp_path, monkeypatch)
    document = json.loads((FOLDER / "T-80001.json").read_text(encoding="utf-8"))
    document["ticket"].update(customer_id=HOSTILE, text=HOSTILE, id="T-1._-x")
    document["model"] = {"name": HOSTILE, "model": HOSTILE, "provider": HOSTILE}
    document["recorded_at"] = HOSTILE
    document["usage"] = {}
    document["decisions"] = document["verdict"] = None
    choice = document["calls"][0]["response"]["choices"][0]
    choice["finish_reason"] = choice["message"]["content"] = HOSTILE
    choice["message"]["tool_calls"][0] = {"id": HOSTILE, "function": {"name": HOSTILE, "arguments": HOSTILE}}
    last = document["calls"][1]["response"]["choices"][0]
    last["finish_reason"] = HOSTILE
    last["message"] = {"content": HOSTILE, "refusal": HOSTILE}
    for call in document["calls"]:
        call["request"] = {}
    del document["decisions"], document["verdict"]
    (folder / "hostile.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "![x](https:..example.org).json").write_text(HOSTILE, encoding="utf-8")


TICKET = re.compile(r"`[A-Za-z0-9._-]{1,64}`")
OURS = {
    *("Français", "English", "Back", "Next step", "Show all steps", "Start over"),
    *("Ask me before you tell", "Hand-out of the whole loop", "Not sure", "Skip", "None: the order is looked up"),
    *(str(check.question) for check in CHECKS),
}


@pytest.mark.parametrize("predict", [{}, {"predict": 1}])
@pytest.mark.parametrize("step", [0, 1, 7])
def test_only_our_own_words_stand_where_streamlit_reads_markdown(step, predict, hostile_folder):  # noqa: ARG001
    page = open_page(step=step, **predict)
    assert not page.exception
    others = [node for node in page._tree if node.type not in ("html", *OPERATED)]
    assert not [node for node in others if isinstance(node, Element) or "example" in str(getattr(node, "proto", ""))]
    for control in (each for kind in OPERATED for each in page.get(kind)):
        words = TICKET.sub("", control.label).strip()
        assert plain(words) in {"", *OURS}
        assert not control.proto.help


def test_hostile_text_is_shown_as_text_everywhere(hostile_folder):  # noqa: ARG001
    page = html(open_page("fr-CA", step=7))
    assert page.text.count(HOSTILE) >= 15
    assert not {"img", "script", "iframe", "code"} & {each.tag for each in page.all()}
    assert all("data-here" in link.attributes for link in page.all("a"))


def test_hostile_text_leads_nowhere(hostile_folder):  # noqa: ARG001
    with_it, without_it = open_page(step=7), open_page(step=7)
    links = [[link.attributes["href"] for link in html(page).all("a")] for page in (with_it, without_it)]
    assert links[0] == links[1]
    assert not [link for link in links[0] if "example" in link]


def test_the_pages_script_is_the_same_everywhere_and_its_call_holds_nothing_from_outside(hostile_folder):  # noqa: ARG001
    page = open_page(step=7)
    script, _ = scripts(page)
    own = (ROOT / "assistant" / "explorer" / "page.js").read_text(encoding="utf-8")
    assert script == f"<script>{own}</script>"
    drawn = {"tag": "en-CA", "page": "", "chosen": 0, "step": 7, "answered": 0, "edge": 0}
    assert told_to_the_browser(page) == {**drawn, "opened": "", "rows": "", "address": "step=7"}


@pytest.mark.parametrize("hostile", [HOSTILE, "</script><img src=x>", "'\"\\`${x}\u2028\0", "<!--<script>"])
def test_the_scripts_call_tells_the_address_so_that_nothing_in_it_takes_effect(hostile):
    page = open_page(ticket=hostile, lang="fr", extra=hostile)
    _, call = scripts(page)
    assert re.fullmatch(r'[A-Za-z0-9 {}":,_.%+&=-]*', CALL.fullmatch(call)[1])
    told = parse_qs(told_to_the_browser(page)["address"])
    assert told == {"ticket": [hostile], "lang": ["fr"], "extra": [hostile]}


def test_an_address_that_is_too_long_is_not_told_to_the_script():
    for length, told in ((MAX_ADDRESS - len("extra="), True), (MAX_ADDRESS, False)):
        assert bool(told_to_the_browser(open_page(extra="x" * length))["address"]) is told


def test_numbers_of_any_size_in_a_recording_are_shown(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, monkeypatch)
    document = json.loads((FOLDER / "T-80001.json").read_text(encoding="utf-8"))
    del document["usage"]
    document["calls"][0]["latency_s"] = 1e300
    document["calls"][0]["response"]["usage"]["prompt_tokens"] = 10**400
    (folder / "large.json").write_text(json.dumps(document), encoding="utf-8")
    page = open_page(FRENCH.tag, step=3)
    assert not notices(page)
    assert bar(page).startswith("Étape 3 sur")
