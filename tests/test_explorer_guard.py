"""What a broken file leaves of the page: its name, its line, and the way back, in a copy of the project."""

import pytest

from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_navigation import press
from tests.test_explorer_page import bar, html, notices, open_page, own_environment, titles  # noqa: F401

SYNTAX = "TOOLS = []\ndef run_tool(:\n"


@pytest.fixture
def project(tmp_path):
    with copied_project(tmp_path) as folder:
        yield folder


def test_a_tools_file_that_cannot_be_loaded_is_named_and_the_rest_of_the_page_stays(project):
    save(project / "assistant" / "tools.py", SYNTAX)
    page = open_page("fr-CA", root=project, ticket="T-80001", step=3)
    assert not page.exception
    assert "assistant/tools.py, ligne 2, arrête la boucle." in html(page).text
    assert html(page).one("blockquote").text.startswith("Hi, my neighbour")
    assert bar(page) == "Étape 3 Le code a arrêté la boucle ici."
    assert page.query_params["step"] == "3"


def test_the_page_recovers_at_the_save_that_mends_the_file_and_keeps_the_place(project):
    path = project / "assistant" / "tools.py"
    good = path.read_text(encoding="utf-8")
    save(path, SYNTAX)
    page = open_page(root=project, ticket="T-80001", step=3)
    assert not titles(page)
    save(path, good)
    page.run()
    assert bar(page) == "Step 3 of 7 Checks the proposal: refused: other_customer"
    assert not notices(page)


def test_a_file_that_breaks_after_it_ran_is_named_and_mended_again(project):
    path = project / "assistant" / "tools.py"
    good = path.read_text(encoding="utf-8")
    page = open_page(root=project, ticket="T-80001", step=3)
    assert len(titles(page)) == 3
    save(path, SYNTAX)
    assert "assistant/tools.py, line 2 stops the loop." in html(page.run()).text
    save(path, good)
    assert len(titles(page.run())) == 3


def test_a_saved_tools_file_decides_at_once_and_the_page_leads_to_what_it_decides_otherwise(project):
    path = project / "assistant" / "tools.py"
    page = open_page(root=project, ticket="T-80001", step=3)
    save(path, path.read_text(encoding="utf-8").replace("owner == customer", "True"))
    page.run()
    assert bar(page) == "Step 3 of 4 Checks the proposal: ok"
    assert press(page, "divergence T-80001").query_params == {"ticket": "T-80001", "step": "4"}
    assert titles(page)[-1] == "The replay leaves the recording"


SHORT = """
TOOLS = [{"type": "function", "function": {"name": "get_order", "parameters": {"type": "object"}}}]


def run_tool(name, arguments, customer_id, book):
    return {"ok": False, "error": "No."}, "refused: <b>![x](y)</b>\\u202e"
"""


def test_a_learners_short_tools_file_is_run_and_says_that_it_tells_no_checks(project):
    save(project / "assistant" / "tools.py", SHORT)
    page = open_page(root=project, ticket="T-80001", step=3)
    assert "This tools.py does not list its checks" in html(page).text
    assert bar(page) == "Step 3 of 4 Checks the proposal: refused: <b>![x](y)</b>\\u202e"
    assert not list(html(page).all("b"))


def test_a_file_that_stops_the_program_stops_no_page(project):
    save(project / "assistant" / "tools.py", "import sys\nsys.exit('done')\n")
    assert "assistant/tools.py, line 2 stops the loop." in html(open_page(root=project)).text


def test_a_prompt_that_is_saved_shows_at_the_next_press(project):
    page = open_page(root=project, ticket="T-80001", step=0)
    save(project / "assistant" / "prompt.md", "Answer in verse.")
    assert "Answer in verse." in html(press(page, "Right")).text


def test_a_broken_order_script_is_named_with_its_line(project):
    page = open_page(root=project, ticket="T-80001", step=2)
    save(project / "assistant" / "orders.sql", "-- Nothing.\nCREATE TABEL orders;\n")
    page.run()
    assert any("orders.sql, line 2" in said.text for said in html(page).all("strong"))


@pytest.mark.parametrize(("locale", "said"), [("en-CA", "line 2 stops"), ("fr-CA", "ligne 2, arrête")])
@pytest.mark.parametrize(
    "file",
    [
        "assistant/explorer/cards.py",
        "assistant/explorer/pages/step.py",
        "assistant/explorer/site.py",
        "assistant/loop.py",
    ],
)
def test_whichever_file_is_broken_it_is_named_with_its_line(project, file, locale, said):
    save(project / file, "x = 1\nraise RuntimeError('<img src=x>')\n")
    page = open_page(locale, root=project)
    assert not page.exception
    strong = " ".join(html(page).texts("strong"))
    assert file in strong
    assert said in strong
    assert "RuntimeError: <img src=x>" in html(page).text
    assert not list(html(page).all("img"))


@pytest.mark.parametrize(
    "content",
    [
        "TOOLS = []\nTEXT = 'é'\n".encode("latin-1"),
        "TOOLS = []\n# é\n\n1 / 0\n".encode("latin-1"),
        b"# coding: nonsense\nTOOLS = []\n",
        b"TOOLS = []\n\0\n",
        "TOOLS = []\n".encode("utf-16"),
    ],
    ids=["another encoding", "another encoding in a comment", "unknown encoding", "NUL", "two bytes a character"],
)
def test_a_file_whose_bytes_are_no_text_is_named_itself_and_mended(project, content):
    path = project / "assistant" / "tools.py"
    good = path.read_bytes()
    page = open_page(root=project, ticket="T-80001", step=3)
    path.write_bytes(content)
    said = html(page.run()).texts("strong")[0]
    assert said.startswith("assistant/tools.py")
    assert said.endswith("stops the loop.")
    path.write_bytes(good)
    assert len(titles(page.run())) == 3


def test_the_last_resort_speaks_the_language_of_the_address(project):
    save(project / "assistant" / "explorer" / "cards.py", "x = 1\nraise RuntimeError\n")
    assert "arrête la boucle" in html(open_page(root=project, lang="fr")).text
    assert "stops the loop" in html(open_page("fr-CA", root=project, lang="en")).text


def test_a_broken_file_of_the_page_itself_is_followed_to_its_next_save(project):
    path = project / "assistant" / "explorer" / "cards.py"
    good = path.read_text(encoding="utf-8")
    page = open_page(root=project, ticket="T-80001", step=3)
    save(path, "def broken(:\n")
    assert "assistant/explorer/cards.py, line 1 stops the loop." in html(page.run()).text
    save(path, good)
    assert len(titles(page.run())) == 3


def test_a_broken_french_catalogue_leaves_the_english_page_as_it_is(project):
    save(project / "assistant" / "explorer" / "locale" / "fr_CA.po", 'msgid "a"\nfoo\n')
    assert bar(open_page(root=project, step=1)) == "Step 1 of 7 Model call 1"
