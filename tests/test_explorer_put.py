"""What is put onto the page arrives as it is."""

import pytest
from streamlit.testing.v1 import AppTest

from assistant.explorer.put import HERE, READ_ONCE


def arrived(script: str) -> list[str]:
    """The HTML that a page of this one line sends."""
    page = AppTest.from_string(f"from assistant.explorer import put\n{script}").run()
    assert not page.exception
    return [each.value for each in page.get("html")]


@pytest.mark.parametrize(
    "content", ["<pre>one\n   \n  two</pre>", "  <p>in</p>\n  <p>depth</p>", "<p>end</p>\n\n", "explorer_app.py"]
)
def test_html_arrives_with_every_blank_and_is_never_taken_for_a_file(content):
    assert arrived(f"put.html({content!r})") == [content]


def test_a_script_of_this_folder_arrives_whole():
    (script,) = arrived("put.script_of('page.js')")
    assert script == f"<script>{(HERE / 'page.js').read_text(encoding='utf-8')}</script>"


def test_style_sheets_arrive_as_one_in_their_order():
    (style,) = arrived("put.style_of('style.css', 'presenting.css')")
    both = "".join((HERE / name).read_text(encoding="utf-8") for name in ("style.css", "presenting.css"))
    assert style == f"<style>{both}</style>"


def test_every_script_and_style_sheet_is_named_as_read_once():
    assert {path.name for path in READ_ONCE} == {path.name for path in HERE.iterdir() if path.suffix in (".css", ".js")}
