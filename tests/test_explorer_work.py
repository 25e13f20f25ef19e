"""Long work: done in pieces, stopped and gone on with, and kept once it is done."""

import pytest
from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st

    from assistant.explorer.language import ENGLISH
    from assistant.explorer.work import Job, forget, outcome
    from assistant.sentence import say

    made = st.session_state.setdefault("made", [])

    def start():
        for number in range(4):
            made.append(number)
            yield (number + 1) / 4, number

    job = Job("adding", st.session_state.get("key", 1), start, sum, say("Copied"))
    if st.session_state.get("forget"):
        forget(job)
        return
    came = outcome(job, ENGLISH, st.session_state.get("itself", True))
    st.session_state["came"] = came and (came.result, came.done, came.is_whole)


@pytest.fixture
def visit():
    app = AppTest.from_function(page)
    app.session_state["forget"] = True
    app.run()
    app.session_state["forget"] = False
    yield app
    app.session_state["forget"] = True
    app.run()


def run(app, **state):
    for name, value in state.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app.session_state["came"]


def test_it_waits_to_be_asked_where_it_does_not_start_itself(visit):
    assert run(visit, itself=False) is None
    assert [button.label for button in visit.button] == ["Copied"]
    visit.button[0].click()
    assert run(visit) == (6, 1, True)


def test_what_is_done_is_kept_and_not_done_again(visit):
    assert run(visit, itself=True) == (6, 1, True)
    assert run(visit) == (6, 1, True)
    assert visit.session_state["made"] == [0, 1, 2, 3]
    assert not visit.button


def test_with_another_key_it_is_another_job(visit):
    run(visit, itself=True)
    run(visit, key=2)
    assert visit.session_state["made"] == [0, 1, 2, 3] * 2


def test_forgotten_it_is_done_anew(visit):
    run(visit, itself=True)
    run(visit, forget=True)
    run(visit, forget=False)
    assert visit.session_state["made"] == [0, 1, 2, 3] * 2


def test_stopped_it_keeps_its_pieces_and_goes_on_from_there(visit):
    run(visit, itself=False)
    state = visit.session_state["job adding"]
    state["steps"] = iter([(0.25, 10), (0.5, 20)])
    state["pieces"].append(1)
    state["done"] = 0.2
    assert run(visit) == (1, 0.2, False)
    assert [button.label for button in visit.button] == ["Go on: Copied"]
    visit.button[0].click()
    assert run(visit) == (31, 1, True)
    assert visit.session_state["made"] == []
