"""Reading the project's own text files."""

import pytest

from assistant.files import FileError, read_text


def test_a_text_is_read_as_it_stands_without_its_byte_order_mark(tmp_path):
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf\xc3\xa9t\xc3\xa9\r\n")
    assert read_text(tmp_path / "a.md") == "été\r\n"


def test_a_file_that_is_not_utf_8_is_named_with_its_line(tmp_path):
    (tmp_path / "a.md").write_bytes(b"one\ntwo\n\xe9t\xe9\n")
    with pytest.raises(FileError) as error:
        read_text(tmp_path / "a.md")
    assert (error.value.file, error.value.line) == ("a.md", 3)
    assert str(error.value) == "a.md, line 3: This is not text in UTF-8."


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"^a\.md: This cannot be read: No such file") as error:
        read_text(tmp_path / "a.md")
    assert error.value.line is None
