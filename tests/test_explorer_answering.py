"""The ladder as a form, and what came of an answer: guess and truth side by side, with the reason."""

import pytest
from hypothesis import given
from streamlit.testing.v1 import AppTest

from assistant.decision import Group
from assistant.explorer.answering import outcome
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.predict import NONE, OTHER_ANSWERS, SKIPPED, UNSURE, Answer, Question, on_decision, on_verdict
from assistant.sentence import say
from assistant.tools import CHECKS, decide
from tests.examples import REFUSALS
from tests.scripted import BOOK
from tests.strategies import text, trying
from tests.test_explorer_markup import read
from tests.test_explorer_page import own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_run import TICKETS, events

HOSTILE = "<img src=x onerror=alert(1)> ![x](y) $x$ :smile: `c` [a](b) **b** </p>"
ASKED = on_decision(decide("get_order", '{"order_id":"LK-615204"}', "C-20417", BOOK))
LANGUAGE = pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)


def drawn(question, guess, language=ENGLISH):
    return read(outcome(question, guess, language))


# What came of it.


@LANGUAGE
@pytest.mark.parametrize("guess", ASKED.codes)
def test_guess_and_truth_stand_side_by_side_with_one_sentence_why(guess, language):
    page = drawn(ASKED, guess, language)
    assert page.texts("dt") == [language.tell(say("You said")), language.tell(say("It is"))]
    assert page.texts("dd") == [language.tell(ASKED.words_of(guess)), language.tell(ASKED.words_of("own_order"))]
    assert page.one("p", kind="why").text == f"{language.tell(say('Why:'))} {language.tell(ASKED.why)}"


@pytest.mark.parametrize(
    ("guess", "kind", "said"),
    [
        ("own_order", "right", "✓ You saw it."),
        ("order_exists", "wrong", "✗ Not what you thought."),
        (NONE, "wrong", "✗ Not what you thought."),
        (UNSURE, "open", "○ Now you know."),
        (SKIPPED, "open", "○ Now you know."),
    ],
)
def test_whether_it_was_right_is_told_in_a_sign_and_in_words(guess, kind, said):
    page = drawn(ASKED, guess)
    assert page.one("div", kind="guess").attributes["class"] == f"guess {kind}"
    assert page.one("p", kind="guess-verdict").text == said


def test_a_verdict_that_was_foreseen_is_right_too():
    question = on_verdict(events("T-80009")[-1].verdict)
    assert list(drawn(question, "barrier-2").all("div", kind="right"))
    assert list(drawn(question, "barrier-1").all("div", kind="wrong"))


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.title)
def test_no_evidence_takes_effect(refusal):
    question = on_decision(decide(refusal.name, refusal.arguments, refusal.customer_id, BOOK))
    for guess in (question.truth, SKIPPED):
        assert {each.tag for each in drawn(question, guess, FRENCH).all()} <= {
            "div",
            "p",
            "span",
            "dl",
            "dt",
            "dd",
            "bdi",
        }


@trying(100)
@given(text)
def test_no_text_in_a_reason_or_an_answer_takes_effect(written):
    said = say("{x}", x=HOSTILE + written)
    question = Question(said, (Answer("a", said), Answer("b", said)), "a", said)
    page = drawn(question, "b")
    assert {each.tag for each in page.all()} <= {"div", "p", "span", "dl", "dt", "dd", "bdi"}
    assert page.text.count(HOSTILE) == 3


# The form.


def script():
    """A page with nothing but a form, whose truth is at the end of it."""
    import streamlit as st

    from assistant.explorer import answering, predict
    from assistant.explorer.address import Place
    from assistant.explorer.language import LANGUAGES
    from assistant.orders import OrderBook
    from assistant.tools import decide

    question = predict.on_decision(decide("get_order", '{"order_id":"LK-615204"}', "C-20417", OrderBook()))
    language = LANGUAGES[st.query_params.get("lang", "en")]
    answering.form(question, language, "x", lambda code: Place("T-1", 3, guesses=(code,)))


def form(**address):
    page = AppTest.from_function(script)
    page.query_params = address
    page.run()
    assert not page.exception
    return page


def test_the_form_has_one_button_an_answer_in_the_order_of_the_ladder_and_two_others():
    page = form()
    assert [button.key for button in page.button] == [f"answer-x-{code}" for code in ASKED.codes]
    words = [*(str(check.question) for check in CHECKS), "None: the order is looked up", "Not sure", "Skip"]
    assert [plain(button.label) for button in page.button] == words


def test_the_form_speaks_french():
    labels = [plain(button.label) for button in form(lang="fr").button]
    assert labels[:5] == [FRENCH.tell(check.question) for check in CHECKS]


def test_the_form_stands_in_the_groups_of_the_ladder():
    heads = [read(each.value).text for each in form().get("html")]
    assert heads == ["Well formed?", "Allowed?", ""]
    assert len(heads) - 1 == len(Group)


@pytest.mark.parametrize("code", ASKED.codes)
def test_a_press_goes_where_the_answer_leads(code):
    page = form()
    page.button(key=f"answer-x-{code}").click().run()
    assert page.query_params == {"ticket": "T-1", "step": "3", "predict": "1", "guess": code}


def test_no_button_of_the_form_tells_which_one_is_right():
    """The same form for the same checks, whatever stops the proposal: but for its key nothing in a button differs."""
    kinds = {}
    for button in form().button:
        kinds.setdefault((button.proto.type, button.proto.icon, button.proto.help), []).append(button.key)
    together = [f"answer-x-{check.name}" for check in CHECKS]
    assert together in kinds.values()


def hostile_script():
    """A form whose words are as hostile as a learner's table could make them."""
    from assistant.explorer import answering, predict
    from assistant.explorer.address import Place
    from assistant.explorer.language import ENGLISH
    from assistant.sentence import say
    from tests.test_explorer_answering import HOSTILE

    said = say("{x}", x=HOSTILE)
    answers = (predict.Answer("a", said), predict.Answer("b", said))
    question = predict.Question(said, answers, "a", said)
    answering.form(question, ENGLISH, "x", lambda code: Place("T-1", 3, guesses=(code,)))


def test_nothing_in_a_buttons_words_is_markdown():
    page = AppTest.from_function(hostile_script).run()
    assert not page.exception
    labels = [button.label for button in page.button][:2]
    assert [plain(label) for label in labels] == [HOSTILE] * 2
    marks = set("`*[]<>#!$~\\")
    for label in labels:
        assert not [
            index for index, sign in enumerate(label) if sign in marks - {"\\"} and label[index - 1 : index] != "\\"
        ]


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_other_answers_are_offered_at_every_question(ticket_id):
    for question in (on_decision(events(ticket_id)[2].decision), on_verdict(events(ticket_id)[6].verdict)):
        assert question.codes[-2:] == tuple(answer.code for answer in OTHER_ANSWERS)
