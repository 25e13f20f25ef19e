"""A server looks for garbage less often, and not among what stays."""

import gc

import pytest

from assistant.explorer.collecting import MADE, spare_what_stays


@pytest.fixture
def as_python_starts():
    kept = gc.get_threshold()
    gc.unfreeze()
    gc.set_threshold(700, 10, 10)
    spare_what_stays.cache_clear()
    yield
    gc.set_threshold(*kept)


@pytest.mark.usefixtures("as_python_starts")
def test_what_is_there_by_now_is_spared_and_the_rest_is_looked_at_less_often():
    spare_what_stays()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold() == (MADE, 10, 10)


@pytest.mark.usefixtures("as_python_starts")
def test_it_is_done_once_a_process():
    spare_what_stays()
    gc.unfreeze()
    spare_what_stays()
    assert gc.get_freeze_count() == 0
