"""The validator's name: it changes when its source does, and only then."""

import re

import pytest

from assistant.explorer.fresh import SOURCE, load
from assistant.explorer.validator import MODULES, validator


def test_it_is_the_same_as_long_as_nothing_changes():
    assert validator() == validator()
    assert re.fullmatch("[0-9a-f]{64}", validator())


@pytest.mark.parametrize("name", MODULES)
def test_it_changes_with_each_module_that_decides_or_judges(name, monkeypatch):
    before = validator()
    module = load(f"assistant.{name}")
    monkeypatch.setitem(module.__dict__, SOURCE, "# changed\n" + (module.__dict__.get(SOURCE) or ""))
    assert validator() != before


def test_a_module_that_keeps_no_source_is_read_from_its_file(monkeypatch):
    before = validator()
    module = load("assistant.tools")
    monkeypatch.setitem(module.__dict__, SOURCE, None)
    assert validator() == before
