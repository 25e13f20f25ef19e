"""The page speaks French or English, whole, from its first line; the place is kept when one switches."""

import re
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import expect

from .server import ROOT
from .walk import TICKETS
from .window import STEPS, TITLES

ENGLISH = (
    "Next step",
    "Step through a tool loop",
    "Model calls",
    "Tokens so far",
    "names no order",
    "A support assist",
)
FRENCH = ("Étape suivante", "Parcourir une boucle", "Appels au modèle", "Jetons jusqu", "ne nomme aucune commande")
WATCH = """sentences => {
    window.seen = [];
    const look = () => {
        const text = document.documentElement.textContent;
        for (const one of sentences) if (text.includes(one) && !window.seen.includes(one)) window.seen.push(one);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}"""
OURS_IN_FRENCH = """() => {
    const copy = document.querySelector(".stApp").cloneNode(true);
    copy.querySelectorAll('[lang^="en"], script, style, pre').forEach(element => element.remove());
    const named = [...copy.querySelectorAll("[aria-label], [title], [alt]")].map(
        element => ["aria-label", "title", "alt"].map(name => element.getAttribute(name) ?? "").join(" "));
    return copy.textContent + " " + named.join(" ");
}"""


def english_sentences():
    """The literal parts, long enough to be told apart, of every English sentence that French says otherwise."""
    with (ROOT / "assistant" / "explorer" / "locale" / "fr_CA.po").open("rb") as file:
        for message in read_po(file, locale="fr_CA"):
            if message.id and message.id != message.string and " " in message.id:
                for literal, *_ in Formatter().parse(message.id):
                    if len(literal.strip(" .:,()")) > 8:
                        yield literal.strip(" .:,()")


@pytest.mark.parametrize(
    ("locale", "query", "expected", "never"),
    [
        ("fr-CA", {}, FRENCH, ENGLISH),
        ("fr-FR", {}, FRENCH, ENGLISH),
        ("en-GB", {}, ENGLISH, FRENCH),
        ("de-DE", {}, ENGLISH, FRENCH),
        ("fr-CA", {"lang": "en"}, ENGLISH, FRENCH),
        ("en-GB", {"lang": "fr"}, FRENCH, ENGLISH),
    ],
    ids=str,
)
def test_the_page_is_in_one_language_from_the_first_paint_on(windows, site, locale, query, expected, never):
    window = windows.new(site, locale=locale)
    window.page.add_init_script(f"({WATCH})({[*expected, *never]!r})")
    window.open(ticket="T-80009", **query).stands_at(0)
    seen = window.page.evaluate("window.seen")
    assert set(seen) & set(never) == set()
    assert {"Model calls", "Appels au modèle"} & set(seen), "the watch sees nothing"
    french = expected is FRENCH
    expect(window.page.locator("html")).to_have_attribute("lang", "fr-CA" if french else "en-CA")
    expect(window.page).to_have_title(TITLES["fr" if french else "en"])


def test_the_switch_changes_all_and_keeps_the_place(window):
    window.at("T-80009", 4).press("Language")
    expect(window.page.locator("h1")).to_have_text("Parcourir une boucle d’outil")
    window.stands_at(4, "T-80009")
    expect(window.page.locator("html")).to_have_attribute("lang", "fr-CA")
    expect(window.page).to_have_title(TITLES["fr"])
    assert window.address == {"ticket": "T-80009", "step": "4", "lang": "fr"}
    window.press("Language")
    expect(window.page.locator("h1")).to_have_text("Step through a tool loop")
    window.stands_at(4, "T-80009")
    expect(window.page.locator("html")).to_have_attribute("lang", "en-CA")
    assert window.address == {"ticket": "T-80009", "step": "4", "lang": "en"}


def test_numbers_seconds_and_money_are_written_the_english_way(window):
    text = window.at("T-80001", STEPS).main_text
    assert "4,186 in, 114 out" in text
    assert "1.32\N{NO-BREAK SPACE}s" in text
    assert "$899.00" in window.at("T-80008", STEPS).main_text


def test_numbers_seconds_and_money_are_written_the_french_way(french):
    text = french.at("T-80001", STEPS).main_text
    assert re.search(r"4[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]186 en entrée, 114 en sortie", text)
    assert "1,32\N{NO-BREAK SPACE}s" in text
    assert "899,00\N{NO-BREAK SPACE}$" in french.at("T-80008", STEPS).main_text


@pytest.mark.parametrize("ticket", TICKETS)
def test_no_french_page_shows_an_english_sentence_of_ours(french, ticket):
    french.at(ticket, 0)
    start = french.page.evaluate(OURS_IN_FRENCH)
    text = start + french.at(ticket, STEPS).page.evaluate(OURS_IN_FRENCH)
    sentences = set(english_sentences())
    assert len(sentences) > 60
    assert {sentence for sentence in sentences if sentence in text} == set()


def test_the_search_for_english_sentences_finds_them_on_the_english_page(window):
    text = window.at("T-80009", STEPS).page.evaluate(OURS_IN_FRENCH)
    assert len({sentence for sentence in english_sentences() if sentence in text}) > 20


def test_the_tools_fixed_messages_have_their_meaning_beside_them_in_french(french):
    card = french.at("T-80001", 3).cards.nth(2)
    expect(card.locator('.cells pre[lang="en"]')).to_contain_text("No order LK-615204 is available for this customer.")
    expect(card).to_contain_text("Aucune commande LK-615204 n’est disponible pour ce client.")


def test_recorded_text_stays_as_it_was_and_tells_its_own_language(french):
    french.at("T-80001", STEPS)
    expect(french.page.locator("blockquote")).to_contain_text("my neighbour Mrs Okafor")
    expect(french.page.locator("blockquote")).to_have_attribute("lang", "en")
    expect(french.cards.nth(5).locator("pre").first).to_have_attribute("lang", "en")
