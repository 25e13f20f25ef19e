"""Whether the model can tell a missing order from somebody else's is told from the bytes that it reads."""

import json
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.explorer import told_apart
from assistant.explorer.cases import ANOTHERS, EXERCISE, MISSING
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.told_apart import answer, compare, drawn
from tests.strategies import trying
from tests.test_explorer_markup import read


def deciding(monkeypatch, run_tool):
    """Put another run_tool in the place of the running one."""
    monkeypatch.setattr(told_apart, "run_tool", run_tool)


def in_words(missing, anothers):
    """A run_tool that answers in these words, each with a gap for the order ID."""

    def run_tool(_name, arguments, _customer_id, book):
        order_id = json.loads(arguments)["order_id"]
        exists = book.owner(order_id) is not None
        words = (anothers if exists else missing).format(order_id=order_id)
        return {"ok": False, "error": words}, "refused: other_customer" if exists else "refused: not_found"

    return run_tool


def test_the_shipped_code_does_not_tell_them_apart():
    assert str(answer(compare())).startswith("No: ")


def test_the_bytes_that_differ_are_those_of_the_order_id_that_the_model_wrote():
    compared = compare()
    one, other = compared.one.result, compared.other.result
    assert json.loads(one) == {"ok": False, "error": "No order LK-000001 is available for this customer."}
    assert json.loads(other) == {"ok": False, "error": "No order LK-615204 is available for this customer."}
    start = one.index(b"LK-000001")
    differing = {start + index for index in range(9) if b"LK-000001"[index] != b"LK-615204"[index]}
    assert compared.differing == differing
    assert bytes(byte for index, byte in enumerate(one) if index not in differing) == bytes(
        byte for index, byte in enumerate(other) if index not in differing
    )


def test_the_log_does_tell_them_apart_and_the_answer_names_both_lines():
    compared = compare()
    assert (compared.one.outcome, compared.other.outcome) == ("refused: not_found", "refused: other_customer")
    same = len(compared.one.result) - len(compared.differing)
    assert str(answer(compared)) == (
        f"No: of {len(compared.one.result)} bytes {same} are the same, and the others are the order ID that the model"
        " itself wrote. Only the log tells refused: not_found from refused: other_customer."
    )


@pytest.mark.parametrize(
    ("missing", "anothers"),
    [
        ("There is no order {order_id}.", "The order {order_id} is somebody else's."),
        ("No order {order_id} is available.", "No order {order_id} is available!"),
        ("No order {order_id} is available.", "No order {order_id} is available. "),
        ("No order {order_id}.", "No order {order_id}, which is not yours."),
        ("No order {order_id}.", "No order {order_id}\u200b."),
        ("No order {order_id}.", "No order."),
        ("", "x"),
    ],
)
def test_other_words_give_it_away(monkeypatch, missing, anothers):
    deciding(monkeypatch, in_words(missing, anothers))
    assert str(answer(compare())).startswith("Yes: ")


@pytest.mark.parametrize(
    ("missing", "anothers"),
    [("{order_id}: no such order.", ": no such order.{order_id}"), ("No {order_id}.", "No {order_id}{order_id}.")],
)
def test_the_same_words_with_the_order_id_elsewhere_or_once_more_give_it_away(monkeypatch, missing, anothers):
    deciding(monkeypatch, in_words(missing, anothers))
    assert str(answer(compare())).startswith("Yes: ")


def test_a_further_key_gives_it_away(monkeypatch):
    def run_tool(name, arguments, customer_id, book):
        result, outcome = in_words("No.", "No.")(name, arguments, customer_id, book)
        return {**result, **({"code": 403} if "other" in outcome else {})}, outcome

    deciding(monkeypatch, run_tool)
    assert str(answer(compare())).startswith("Yes: ")


@pytest.mark.parametrize("other", ["", "N", "No.!", "No. Not yours.", "Yes"])
def test_every_byte_counts_to_the_end_of_the_longer_result(monkeypatch, other):
    deciding(monkeypatch, in_words("No.", other))
    one, another = (json.dumps({"ok": False, "error": words}) for words in ("No.", other))
    pairs = zip_longest(one, another)
    assert compare().differing == {index for index, (first, second) in enumerate(pairs) if first != second}


def test_the_same_words_without_the_order_id_do_not_give_it_away(monkeypatch):
    deciding(monkeypatch, in_words("Nothing for you.", "Nothing for you."))
    compared = compare()
    assert compared.differing == frozenset()
    assert str(answer(compared)).startswith("No: ")


@pytest.mark.parametrize("case", [MISSING, ANOTHERS], ids=lambda case: case.name)
def test_words_that_happen_to_hold_an_id_that_is_asked_for_do_not_give_it_away(monkeypatch, case):
    words = f"Unlike {json.loads(case.arguments)['order_id']}, {{order_id}} is unknown."
    deciding(monkeypatch, in_words(words, words))
    assert str(answer(compare())).startswith("No: ")


def test_an_order_that_got_through_gives_it_away(monkeypatch):
    deciding(
        monkeypatch,
        lambda _name, arguments, _customer, book: ({"order": book.find(json.loads(arguments)["order_id"])}, "ok"),
    )
    assert str(answer(compare())).startswith("Yes: ")


def test_other_cases_can_be_compared():
    compared = compare(EXERCISE[0], EXERCISE[1])
    assert (compared.one.outcome, compared.other.outcome) == ("ok", "refused: other_customer")
    assert str(answer(compared)).startswith("Yes: ")


@trying(100)
@given(st.text(st.characters(exclude_characters="{}")), st.text(st.characters(exclude_characters="{}")))
def test_the_answer_is_no_exactly_for_the_same_words(one, other):
    with pytest.MonkeyPatch.context() as patch:
        deciding(patch, in_words(f"{one}{{order_id}}", f"{other}{{order_id}}"))
        compared = compare()
        assert str(answer(compared)).startswith("No: ") == (one == other)
        length = max(len(compared.one.result), len(compared.other.result))
        assert compared.differing <= set(range(length))


# Drawn.


@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
def test_both_results_and_both_lines_of_the_log_are_drawn_with_the_bytes_marked_that_differ(language):
    compared = compare()
    page = read(drawn(compared, language))
    one, first_log, other, second_log = page.texts("pre")
    assert (one.encode(), other.encode()) == (compared.one.result, compared.other.result)
    assert (first_log, second_log) == (compared.one.outcome, compared.other.outcome)
    assert page.texts("h3") == [language.tell(case.title) for case in (MISSING, ANOTHERS)]
    assert page.one("strong").text == language.tell(answer(compared))
    marked = [byte.text for byte in page.all("mark")]
    assert len("".join(marked)) == 2 * len(compared.differing)


def test_bytes_that_differ_side_by_side_have_one_mark():
    assert read(drawn(compare(), ENGLISH)).texts("mark") == ["0000", "1", "6152", "4"]


@pytest.mark.parametrize("hostile", ["<img src=x onerror=alert(1)>", '\\"</pre><script>', "é\u202e\0", "{} {x}"])
def test_nothing_in_a_result_takes_effect(monkeypatch, hostile):
    deciding(monkeypatch, lambda *_: ({"error": hostile}, hostile))
    page = read(drawn(compare(), ENGLISH))
    assert not {"img", "script"} & {each.tag for each in page.all()}
    assert [json.loads(text) for text in page.texts("pre")[::2]] == [{"error": hostile}] * 2
