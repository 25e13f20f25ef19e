"""The lesson's exercise: four decisions to predict and three questions, answered by the code and only when asked."""

import json

import pytest

from assistant.explorer.cases import EXERCISE, INJECTED, cases
from assistant.explorer.exercising import QUESTIONS, decision_on
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.predict import NONE, SKIPPED, UNSURE, on_decision
from assistant.explorer.told_apart import answer, compare
from assistant.sentence import say
from assistant.tools import CHECKS
from tests.books import write_book
from tests.examples import SHORT_TOOLS
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import HOSTILE, own_environment, page_modules  # noqa: F401
from tests.test_explorer_site import assert_sound, drawn, go_on, open_at, says, sent

# The lesson prints these four answers.
LESSON = ("ok", "refused: other_customer", "refused: invalid_argument", "refused: invalid_argument")
# Before a page loads the modules anew.
DECISIONS = [decision_on(case) for case in EXERCISE]
TRUTHS = [on_decision(decision).truth for decision in DECISIONS]
STOPPED = {case.name: decision_on(case) for case in cases().proposals if case.recording}
INJECTED_DECISION = decision_on(INJECTED)
TOLD_APART = compare()
CODES = on_decision(DECISIONS[0]).codes
LANGUAGE = pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)


def exercise(locale="en-CA", **address):
    page = open_at("exercise", locale, **address)
    assert_sound(page)
    return page


def articles(page):
    """The proposals and the questions, by their heading's ID."""
    return {each.one("h2").attributes["id"]: each for each in drawn(page).all("article")}


def proposals(page):
    return [each for name, each in articles(page).items() if name.startswith("proposal-")]


def answers_of(page):
    """The answer to each question, as far as it is on the page."""
    found = {name.removeprefix("asked-"): each for name, each in articles(page).items() if name.startswith("asked-")}
    return {
        name: each.one("div", kind="answer") for name, each in found.items() if list(each.all("div", kind="answer"))
    }


# The four decisions.


def test_the_codes_answers_are_the_lessons():
    assert tuple(decision.outcome for decision in DECISIONS) == LESSON
    assert TRUTHS == [NONE, "own_order", "order_id_form", "exact_arguments"]


def test_one_proposal_is_asked_about_at_a_time():
    page = exercise()
    (first,) = proposals(page)
    assert first.one("pre").text == f"get_order({EXERCISE[0].arguments})"
    assert "For the customer C-44702." in first.texts("p")
    assert "3 more after this one." in drawn(page).texts("p", kind="lead")
    assert [button.key for button in page.button if "answer-" in button.key] == [f"answer-1-{code}" for code in CODES]


def test_each_answer_reveals_the_decision_and_leads_to_the_next_proposal():
    page = exercise(lang="en")
    for number, (truth, outcome) in enumerate(zip(TRUTHS, LESSON, strict=True), start=1):
        page.button(key=f"answer-{number}-{truth}").click().run()
        assert_sound(page)
        assert page.query_params == {"guess": ",".join(TRUTHS[:number]), "lang": "en"}
        answered = proposals(page)[number - 1]
        assert outcome in answered.texts("pre")
        assert list(answered.all("div", kind="right"))
        assert len(proposals(page)) == min(number + 1, 4)
    assert not [button.key for button in page.button if "answer-" in button.key]


@pytest.mark.parametrize("code", CODES)
def test_every_answer_shows_guess_and_truth_with_the_codes_reason(code):
    page = exercise(guess=code)
    question = on_decision(DECISIONS[0])
    first = proposals(page)[0]
    assert first.one("div", kind="guess").texts("dd") == [str(question.words_of(code)), str(question.words_of(NONE))]
    page = exercise(guess=f"{code},{code}")
    why = proposals(page)[1].one("p", kind="why").text
    assert why == "Why: The ticket belongs to C-81265, the order to another customer."


def told_by(decision, language):
    """What a decision tells: each check's evidence, the words for the model and the order."""
    said = [*(check.evidence for check in decision.checks), decision.message]
    return {*(language.tell(one) for one in said if one), *(["hedge trimmer"] if decision.outcome == "ok" else [])}


@LANGUAGE
@pytest.mark.parametrize("answered", range(4))
def test_no_decision_is_on_the_page_before_it_was_predicted(answered, language):
    page = exercise(language.tag, **({"guess": ",".join([SKIPPED] * answered)} if answered else {}))
    assert len(proposals(page)) == answered + 1
    before = set().union(*(told_by(decision, language) for decision in DECISIONS[:answered]))
    after = set().union(*(told_by(decision, language) for decision in DECISIONS[answered:]))
    text = drawn(page).text
    assert before <= {one for one in before if one in text}
    assert {one for one in after - before if one in sent(page)} == set()
    seen = {case.arguments for case in EXERCISE[: answered + 1]}
    assert not [case for case in EXERCISE[answered + 1 :] if case.arguments not in seen and case.arguments in text]


def test_once_all_are_predicted_every_decision_is_there():
    page = exercise(guess=",".join([UNSURE] * 4))
    for decision, shown in zip(DECISIONS, proposals(page), strict=True):
        assert decision.outcome in shown.texts("pre")
        evidence = [str(check.evidence) for check in decision.checks if check.evidence]
        assert shown.texts("p", kind="evidence") == evidence
        assert shown.one("ol", kind="ladder").texts(kind="question") == [str(check.question) for check in CHECKS]
    assert "hedge trimmer" in proposals(page)[0].text
    assert "more after this one." not in drawn(page).text


@pytest.mark.parametrize(
    ("guess", "notice", "shown"),
    [
        ("nonsense", "nonsense is no answer to question 1.", 1),
        ("none,nonsense,none", "nonsense is no answer to question 2.", 2),
        ("none,,none", " is no answer to question 2.", 2),
        ("barrier-1", "barrier-1 is no answer to question 1.", 1),
        ("NONE", "NONE is no answer to question 1.", 1),
        ("x" * 100, f"{'x' * 40}… is no answer to question 1.", 1),
    ],
)
def test_what_is_no_answer_is_told_and_nothing_from_it_on_counts(guess, notice, shown):
    page = exercise(guess=guess)
    assert says(page) == [notice]
    assert len(proposals(page)) == shown
    assert len(list(drawn(page).all("div", kind="guess"))) == shown - 1


def test_more_answers_than_questions_are_let_go():
    page = exercise(guess=",".join([NONE] * 60))
    assert len(list(drawn(page).all("div", kind="guess"))) == 4
    assert not says(page)


def test_a_hostile_guess_takes_no_effect():
    page = exercise(guess=HOSTILE, answer=HOSTILE)
    assert len(says(page)) >= 2
    assert len(proposals(page)) == 1


def test_the_browsers_back_takes_an_answer_back():
    page = exercise(guess="none,own_order")
    go_on(page, guess="none")
    assert len(proposals(page)) == 2
    assert len(list(drawn(page).all("div", kind="guess"))) == 1


# The three questions.


def test_three_questions_are_asked_and_none_is_answered_yet():
    page = exercise()
    asked = [each.one("h2").text for name, each in articles(page).items() if name.startswith("asked-")]
    assert asked == [str(words) for words in QUESTIONS.values()]
    assert len(QUESTIONS) == 3
    assert answers_of(page) == {}
    assert [button.key for button in page.button if button.key.startswith("show-")] == [
        f"show-{name}" for name in QUESTIONS
    ]


@LANGUAGE
def test_no_answer_is_on_the_page_before_it_was_asked_for(language):
    text = sent(exercise(language.tag))
    secrets = [
        language.tell(answer(TOLD_APART)),
        TOLD_APART.one.outcome,
        "LK-000001",
        "LK-615204",
        "LK-55190",
        *(
            language.tell(check.evidence)
            for check in INJECTED_DECISION.checks
            if check.evidence and "LK" in str(check.evidence)
        ),
        language.tell(INJECTED_DECISION.message),
        language.tell(say("Is it allowed? That needs the order book, and who wrote the ticket.")),
    ]
    assert [secret for secret in secrets if secret in text] == []


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_shown_and_hidden_by_its_button_and_stands_in_the_address(name):
    page = exercise(guess="none", lang="en")
    page.button(key=f"show-{name}").click().run()
    assert_sound(page)
    assert page.query_params == {"guess": "none", "answer": name, "lang": "en"}
    assert list(answers_of(page)) == [name]
    assert page.button(key=f"show-{name}").label == "Hide the answer"
    page.button(key=f"show-{name}").click().run()
    assert page.query_params == {"guess": "none", "lang": "en"}
    assert answers_of(page) == {}


def test_several_answers_can_be_open_in_the_questions_order():
    page = exercise(answer="injected,two-questions")
    assert list(answers_of(page)) == ["two-questions", "injected"]
    page.button(key="show-same-words").click().run()
    assert page.query_params["answer"] == ",".join(QUESTIONS)


def test_a_question_that_there_is_not_is_told():
    page = exercise(answer="fourth,injected")
    assert says(page) == ["There is no fourth to choose for answer."]
    assert list(answers_of(page)) == ["injected"]


def test_form_and_permission_are_told_apart_by_a_recorded_proposal_for_each():
    found = answers_of(exercise(answer="two-questions"))["two-questions"]
    asked = [text for text in found.texts("p") if text.startswith("T-")]
    assert [text.partition(" ")[0] for text in asked] == ["T-80009", "T-80001"]
    ladders = list(found.all("ol", kind="ladder"))
    for name, ladder in zip(("T-80009", "T-80001"), ladders, strict=True):
        evidence = [str(check.evidence) for check in STOPPED[name].checks if check.evidence]
        assert ladder.texts("p", kind="evidence") == evidence
    assert [decision.outcome for name, decision in STOPPED.items() if name in ("T-80009", "T-80001")] == [
        "refused: other_customer",
        "refused: invalid_argument",
    ]


@LANGUAGE
def test_the_same_words_are_told_from_the_bytes_of_the_running_code(language):
    found = answers_of(exercise(language.tag, answer="same-words"))["same-words"]
    assert found.one("strong").text == language.tell(answer(TOLD_APART))
    results = [json.loads(text)["error"] for text in found.texts("pre") if text.startswith("{")]
    assert results == [f"No order {one} is available for this customer." for one in ("LK-000001", "LK-615204")]


@LANGUAGE
def test_the_injected_instruction_is_decided_by_the_running_code(language):
    found = answers_of(exercise(language.tag, answer="injected"))["injected"]
    evidence = [language.tell(check.evidence) for check in INJECTED_DECISION.checks if check.evidence]
    assert found.one("ol", kind="ladder").texts("p", kind="evidence") == evidence
    assert INJECTED_DECISION.outcome == "refused: other_customer"
    assert INJECTED_DECISION.outcome in found.texts("pre")
    assert "C-62190" not in found.text


def test_the_injected_question_quotes_its_ticket():
    assert INJECTED.ticket.text in str(QUESTIONS["injected"])


# Whatever the page is pointed at.


def test_the_exercise_runs_over_the_sample_orders_and_recordings_only(tmp_path, monkeypatch):
    address = {"guess": "none,none,none,none", "answer": ",".join(QUESTIONS)}
    before = [each.text for each in articles(exercise(**address)).values()]
    book = write_book(tmp_path / "book.db", [("LK-428830", "C-81265", "returned"), ("LK-830215", "C-51908", "shipped")])
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(tmp_path))
    page = exercise(**address)
    assert [each.text for each in articles(page).values()] == before
    assert not says(page)


def test_code_that_decides_otherwise_has_other_answers(tmp_path):
    with copied_project(tmp_path) as project:
        path = project / "assistant" / "tools.py"
        content = path.read_text(encoding="utf-8")
        save(path, content.replace("owner == customer", "owner").replace('r"LK-', 'r"(?i:LK)-'))
        page = open_at("exercise", root=project, guess="none,none,none,none", answer="same-words")
        assert_sound(page)
        truths = [each.one("div", kind="guess").texts("dd")[1] for each in proposals(page)]
        assert truths[1] == "None: the order is looked up"
        assert truths[2] == "The order exists"
        assert answers_of(page)["same-words"].one("strong").text.startswith("Yes: ")


def test_a_tools_file_without_a_table_is_said_to_list_no_checks(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", SHORT_TOOLS)
        page = open_at("exercise", root=project, guess="none", answer=",".join(QUESTIONS))
        assert_sound(page)
        assert "This tools.py does not list its checks, so there is no ladder to ask with." in says(page)
        assert set(answers_of(page)) == set(QUESTIONS)
