"""The cards: one event, one card, which shows what the event holds, as text, and nothing else."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import Reply, judge_reply
from assistant.decision import Decision
from assistant.events import (
    Concluded,
    Decided,
    Diverged,
    Event,
    LimitReached,
    ModelCalled,
    Proposed,
    Replied,
    ResultSent,
    Usage,
)
from assistant.explorer.cards import CARDS, draw, drawn, title_of
from assistant.explorer.language import ENGLISH, FRENCH, LANGUAGES
from assistant.explorer.so_far import order_ids
from assistant.explorer.view import View
from assistant.sentence import say
from assistant.tools import CHECKS, LookupUnavailable, decide, run_tool
from tests.books import missing_book
from tests.examples import BAD_REPLIES, OWN_ORDER, REFUSALS, TICKET
from tests.scripted import BOOK, REPLY, asking_for, events_of, only, proposing
from tests.strategies import text
from tests.test_explorer_markup import read
from tests.test_explorer_run import TICKETS, events, recording

UNMARKED = replace(recording("T-80001"), reconstructed=())
PROPOSAL = Proposed(1, 1, 1, "call_A", False, *OWN_ORDER[:2])
BLOCK_TAGS = {"article", "header", "h2", "h3", "span", "bdi", "mark", "p", "div", "pre", "button", "dl", "dt", "dd"}
ALL_TAGS = BLOCK_TAGS | {"ol", "li", "details", "summary"}


def view(language=ENGLISH, marks=None, model_call_s=None, marked_as=UNMARKED, **how):
    return View(language, marked_as, marks or {}, model_call_s, **how)


def card(event, language=ENGLISH, **options):
    """The event's card, read."""
    return read(draw(event, 3, view(language, **options)))


def cards(ticket_id, language=ENGLISH):
    """Every card of one of the four replays, read."""
    one, all_events = recording(ticket_id), events(ticket_id)
    shown = View(language, one, order_ids(all_events, one.ticket.text))
    return [read(draw(event, number, shown)) for number, event in enumerate(all_events, start=1)]


def decided(name, arguments, customer_id, seconds=0.0004):
    return Decided(PROPOSAL, decide(name, arguments, customer_id, BOOK), seconds)


def facts(page):
    """The definition lists' terms with their values."""
    return {pair.one("dt").text: pair.one("dd").text for pair in page.one("dl").all("div")}


def order_facts(order, language=FRENCH):
    """How an order is told that a tool returned."""
    decision = Decision("ok", {"ok": True, "order": order})
    return facts(card(ResultSent(PROPOSAL, decision, {}, {}), language))


EXAMPLES = [
    *events("T-80008"),
    *events("T-80009"),
    LimitReached(6),
    Diverged("/decisions/0/outcome", say("The code decides differently from the recording."), '"ok"', None),
]


def test_every_kind_of_event_has_a_card():
    assert set(CARDS) == set(get_args(Event))


def test_the_examples_hold_every_kind_of_event():
    assert {type(event) for event in EXAMPLES} == set(get_args(Event))


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("event", EXAMPLES, ids=[type(event).__name__ for event in EXAMPLES])
def test_a_card_is_one_article_with_its_number_its_title_and_who_acts(event, language):
    page = card(event, language)
    (article,) = page.parts
    assert article.tag == "article"
    assert article.attributes["data-step"] == "3"
    assert article.attributes["aria-labelledby"] == article.one("h2").attributes["id"]
    assert article.one("h2").text == language.tell(title_of(event))
    assert article.one(kind="who").text == language.tell(CARDS[type(event)].who)
    assert {each.tag for each in page.all()} <= ALL_TAGS


TITLES = {
    "T-80008": ["Checks the proposal: ok", "Two barriers: valid"],
    "T-80001": ["Checks the proposal: refused: other_customer", "Two barriers: valid"],
    "T-65059": ["Checks the proposal: refused: not_found", "Two barriers: valid"],
    "T-80009": ["Checks the proposal: refused: invalid_argument", "Two barriers: rejected: order_not_in_ticket"],
}


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_each_recording_has_its_seven_cards(ticket_id):
    checked, concluded = TITLES[ticket_id]
    assert [page.one("h2").text for page in cards(ticket_id)] == [
        "Model call 1",
        "Proposes a call",
        checked,
        "Sends back the tool result",
        "Model call 2",
        "Writes the final reply",
        concluded,
    ]


def test_what_stands_above_a_cards_body_stands_between_its_head_and_that():
    header, above, *body = read(draw(EXAMPLES[0], 3, view(), '<div class="guess">You said</div>')).one("article").parts
    assert (header.tag, above.attributes["class"], above.text) == ("header", "guess", "You said")
    assert [each.text for each in body] == [each.text for each in card(EXAMPLES[0]).one("article").parts[1:]]


@pytest.mark.parametrize("event", EXAMPLES, ids=[type(event).__name__ for event in EXAMPLES])
def test_a_card_that_was_drawn_before_is_as_if_it_were_drawn_anew(event):
    for _ in range(2):
        for language in LANGUAGES.values():
            for how in ({}, {"brief": True}, {"tells": False}, {"marks": {"LK-581106": 9}}, {"model_call_s": 1.5}):
                for number, above in ((3, ""), (4, ""), (3, "<p>Above.</p>")):
                    wanted = draw(event, number, view(language, **how), above)
                    assert drawn(event, number, view(language, **how), above) == wanted


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0.0, -0.0), ([], {}), (None, "None"), ("1", 1)])
def test_cards_are_told_apart_as_a_reader_tells_them_apart(one, other):
    calls = [ModelCalled(1, {"messages": [], "seed": seed}, {}, Usage(), None, None) for seed in (one, other)]
    assert [drawn(call, 1, view()) for call in calls] == [draw(call, 1, view()) for call in calls]
    assert drawn(calls[0], 1, view()) != drawn(calls[1], 1, view())


def test_each_decision_tells_its_own_time():
    slow, fast = (decided(*OWN_ORDER, seconds=seconds) for seconds in (0.0123, 0.0004))
    assert [
        f"less than {ms}" in read(drawn(one, 3, view())).text for one, ms in ((slow, "13\xa0ms"), (fast, "1\xa0ms"))
    ] == [
        True,
        True,
    ]


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("event", EXAMPLES, ids=[type(event).__name__ for event in EXAMPLES])
def test_a_brief_card_says_the_same_on_fewer_lines(event, language):
    long, brief = card(event, language), card(event, language, brief=True)
    assert brief.text.count("\n") <= long.text.count("\n")
    whole = "".join(long.text.split())
    if isinstance(event, Decided) and "order" in event.decision.result:  # the next card shows the order
        order = "".join(json.dumps(event.decision.result["order"], ensure_ascii=False).split())
        assert order in whole
        whole = whole.replace(order, '"…"')
    assert "".join(brief.text.split()) == whole


def test_on_a_projector_what_the_model_reads_is_one_line():
    event = decided(*OWN_ORDER)
    reads, _ = cells(card(event, brief=True))
    assert reads == json.dumps({"ok": True, "order": "…"}, ensure_ascii=False)
    order = event.decision.result
    sent = ResultSent(event.proposal, event.decision, {}, {})
    assert card(sent, brief=True).first("pre").text == json.dumps(order, ensure_ascii=False)


# The model call.


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_what_is_recorded_of_a_model_call_is_shown_and_what_is_not_is_told_to_be_so(ticket_id):
    for page, call in zip(cards(ticket_id, FRENCH)[::4], recording(ticket_id).calls, strict=False):
        usage = call["response"].get("usage", {})
        recorded = {
            "Jetons en entrée": (usage.get("prompt_tokens"), FRENCH.number),
            "Jetons en sortie": (usage.get("completion_tokens"), FRENCH.number),
            "Durée": (call.get("latency_s"), FRENCH.seconds),
            "finish_reason": (call["response"]["choices"][0].get("finish_reason"), str),
        }
        told = {
            label: "absent de l’enregistrement" if value is None else say(value)
            for label, (value, say) in recorded.items()
        }
        assert facts(page) == told


def test_of_the_four_recordings_one_tells_times_and_two_tell_nothing_of_single_calls():
    told = {ticket_id: set(facts(cards(ticket_id)[0]).values()) for ticket_id in TICKETS}
    assert told["T-65059"] == told["T-80009"] == {"not recorded"}
    assert told["T-80001"] == {"2,066", "21", "1.32\u00a0s", "tool_calls"}


def test_a_zero_is_recorded():
    called = ModelCalled(1, {"messages": []}, {}, Usage(0, 0), 0, "")
    assert list(facts(card(called)).values()) == ["0", "0", "0.00\u00a0s", "not recorded"]


def test_the_whole_request_can_be_unfolded():
    event = events("T-80001")[0]
    assert json.loads(cards("T-80001")[0].one("details").one("pre").text) == event.request


# The proposal.


def test_a_proposal_is_shown_as_the_model_wrote_it():
    assert cards("T-80009")[1].one("pre").text == 'get_order({"order_id":"LK-55190"})'


NOWHERE = "LK-581106 appears nowhere in the ticket."


def test_of_several_proposals_each_says_which_it_is():
    run = events_of(
        proposing(asking_for("LK-581106", "a"), asking_for("LK-615204", "b"), content="Both, please."), REPLY
    )
    first, second = (card(event).texts(kind="note") for event in only(Proposed, run))
    assert first == ["Proposal 1 of 2 in this response.", "Beside it the model wrote: Both, please.", NOWHERE]
    assert second == ["Proposal 2 of 2 in this response."]


def test_while_the_page_asks_nothing_tells_that_an_id_appears_nowhere():
    (proposed,) = only(Proposed, events_of(proposing(asking_for("LK-581106", "a")), REPLY))
    assert card(proposed).texts(kind="note") == [NOWHERE]
    assert card(proposed, tells=False).texts(kind="note") == []


def test_a_proposal_that_no_ticket_belongs_to_is_shown_all_the_same():
    page = card(PROPOSAL, marked_as=None)
    assert page.one("pre").text == f"get_order({OWN_ORDER[1]})"
    assert page.texts(kind="note") == []


def test_a_call_that_came_without_an_id_says_which_one_it_was_given():
    (proposed,) = only(Proposed, events_of(proposing(asking_for("LK-581106", None)), REPLY))
    note, _ = card(proposed).texts(kind="note")
    assert note.endswith("the application gave it call_1_1.")


@pytest.mark.parametrize(
    ("odd", "shown"),
    [
        (None, "null(null)"),
        (7, "7(7)"),
        (b"get_order", "\"b'get_order'\"("),
        ({"name": "x"}, '{"name": "x"}({"name": "x"})'),
        (["x"] * 1000, '["x", "x", '),
        ("", "()"),
        ("\u202eredro_teg", "\\u202eredro_teg("),
        ("\ud800", "\\ud800("),
    ],
)
def test_a_proposal_of_any_kind_is_shown(odd, shown):
    page = card(replace(PROPOSAL, name=odd, arguments=odd))
    assert page.one("pre").text.startswith(shown)
    assert len(page.one("pre").text) < 500
    assert "\u202e" not in page.text


# The decision.


def cells(page):
    """What the model reads, and what the log reads."""
    reads, logs = page.one(kind="cells").parts
    return reads.one("pre").text, logs.one("pre").text


@pytest.mark.parametrize("refusal", REFUSALS, ids=[refusal.title for refusal in REFUSALS])
def test_a_decision_shows_what_the_model_and_what_the_log_reads(refusal):
    event = decided(refusal.name, refusal.arguments, refusal.customer_id)
    model_reads, log_reads = cells(card(event))
    read_back = json.loads(model_reads)
    assert read_back["ok"] is False
    assert read_back["error"].encode("utf-16", "surrogatepass") == refusal.message.encode("utf-16", "surrogatepass")
    assert log_reads == f"refused: {refusal.code}"


ONE_OF_EACH_CODE = {refusal.message: refusal for refusal in reversed(REFUSALS) if len(refusal.message) < 99}


def test_there_is_an_example_of_every_codes_words():
    assert {refusal.code for refusal in ONE_OF_EACH_CODE.values()} == {check.code for check in CHECKS}


@pytest.mark.parametrize("refusal", ONE_OF_EACH_CODE.values(), ids=[each.title for each in ONE_OF_EACH_CODE.values()])
def test_on_the_french_page_each_fixed_message_has_its_meaning_beside_it(refusal):
    event = decided(refusal.name, refusal.arguments, refusal.customer_id)
    for page in (card(event, FRENCH), card(ResultSent(PROPOSAL, event.decision, {}, {}), FRENCH)):
        meaning = page.texts(kind="note")[0]
        assert meaning.startswith("Ce qui veut dire\u00a0: ")
        assert read(view(FRENCH).says(event.decision.message)).text in meaning
        assert FRENCH.template(event.decision.message) != event.decision.message.template


def test_the_message_of_an_order_book_that_cannot_answer_has_its_meaning_too(tmp_path):
    with missing_book(tmp_path) as book:
        event = Decided(PROPOSAL, decide(*OWN_ORDER, book), 0.2)
    page = card(event, FRENCH)
    assert page.texts(kind="note")[0].endswith(FRENCH.tell(LookupUnavailable.message))
    assert cells(page)[1] == "error: order_book_unavailable"
    assert page.one("li", kind="unanswered").one(kind="state").text == "? sans réponse"


def test_on_the_english_page_a_fixed_message_stands_alone():
    assert len(card(decided("get_order", "{}", "C-81265")).texts(kind="note")) == 1


def test_what_the_model_reads_is_marked_as_english_also_on_the_french_page():
    page = card(decided("get_order", "{}", "C-81265"), FRENCH)
    assert next(page.one(kind="cells").all("pre")).attributes["lang"] == "en"


@pytest.mark.parametrize(
    ("seconds", "model_call_s", "told"),
    [
        (0.0004, 1.32, "La décision a pris moins de 1\u00a0ms, l’appel au modèle 1,32\u00a0s."),
        (0.2005, None, "La décision a pris moins de 201\u00a0ms; la durée de l’appel au modèle n’est pas enregistrée."),
    ],
)
def test_a_decision_says_how_long_it_took_beside_the_model_call(seconds, model_call_s, told):
    page = card(decided(*OWN_ORDER, seconds), FRENCH, model_call_s=model_call_s)
    assert page.texts(kind="note")[-1] == told


def test_a_decision_that_tells_no_checks_says_so_and_shows_all_else():
    decision = Decision("refused: my_own_code", {"ok": False, "error": "Nothing for you here."})
    page = card(Decided(PROPOSAL, decision, 0.001), FRENCH)
    assert not list(page.all(kind="rung"))
    assert page.texts(kind="note")[0].startswith("Ce tools.py ne montre pas ses vérifications")
    assert cells(page) == ('{\n  "ok": false,\n  "error": "Nothing for you here."\n}', "refused: my_own_code")


def test_of_a_decision_that_tells_no_checks_the_code_of_run_tool_can_be_unfolded(monkeypatch):
    decision = Decision("refused: my_own_code", {"ok": False, "error": "Nothing for you here."})
    page = card(Decided(PROPOSAL, decision, 0.001), FRENCH)
    line = run_tool.__code__.co_firstlineno
    assert page.one("summary").text.endswith(f"assistant/tools.py, ligne {line}")
    assert page.one("details").one("pre").text.startswith("def run_tool(")
    monkeypatch.setattr("assistant.tools.run_tool", len)
    assert not list(card(Decided(PROPOSAL, decision, 0.001), FRENCH).all("details"))


# The tool result.


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_both_wire_messages_can_be_unfolded_and_their_matching_id_is_marked(ticket_id):
    event = events(ticket_id)[3]
    repeated, answer = cards(ticket_id)[3].one("details").all("pre")
    assert json.loads(repeated.text) == event.assistant_message
    assert json.loads(answer.text) == event.tool_message
    assert event.proposal.call_id in repeated.texts("mark")
    assert event.proposal.call_id in answer.texts("mark")


def test_an_order_is_told_in_french():
    page = cards("T-80008", FRENCH)[3]
    assert facts(page) == {
        "État": "shipped",
        "Commandée le": "1er octobre 2026",
        "Expédiée le": "5 octobre 2026",
        "Total": "899,00\u00a0$",
    }


def test_an_order_is_told_in_english():
    assert facts(cards("T-80008")[3]) == {
        "Status": "shipped",
        "Ordered on": "October 1, 2026",
        "Shipped on": "October 5, 2026",
        "Total": "$899.00",
    }


def test_a_refused_order_is_not_told():
    assert not list(cards("T-80001")[3].all("dl"))


ODD_VALUES = [None, True, 7, -1.5, 1e308, float("nan"), float("inf"), "", "x", "<b>", "2026-10-01", [], {}, "\ud800"]


@pytest.mark.parametrize("odd", ODD_VALUES, ids=repr)
@pytest.mark.parametrize("key", ["status", "ordered_on", "shipped_on", "delivered_on", "total", "currency"])
def test_an_order_with_an_odd_field_is_told_all_the_same(key, odd):
    good = {"status": "shipped", "ordered_on": "2026-10-01", "total": 899.0, "currency": "CAD"}
    told = order_facts({**good, key: odd})
    assert "État" in told
    if key not in ("ordered_on", "shipped_on", "delivered_on"):
        assert told["Commandée le"] == "1er octobre 2026"


def test_what_is_no_day_is_shown_as_it_is():
    assert order_facts({"ordered_on": "<b>soon</b>"})["Commandée le"] == "<b>soon</b>"


@pytest.mark.parametrize("odd", [None, [], "LK-581106", 7])
def test_an_order_that_is_no_object_is_not_told(odd):
    page = card(ResultSent(PROPOSAL, Decision("ok", {"ok": True, "order": odd}), {}, {}))
    assert not list(page.all("dl"))


# The reply.


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_a_reply_is_shown_as_the_same_json_and_keeps_its_language(ticket_id):
    block = cards(ticket_id, FRENCH)[5].first("pre")
    assert json.loads(block.text) == json.loads(events(ticket_id)[5].reply.content)
    assert block.attributes["lang"] == "en"


def test_the_digit_that_nobody_wrote_is_marked_and_named():
    page = cards("T-80009", FRENCH)[5]
    assert page.first("pre").texts(kind="invented") == ["2"]
    assert page.texts(kind="note") == ["Personne n’a écrit la fin de LK-551902\u00a0: le modèle a ajouté 2."]


@pytest.mark.parametrize("ticket_id", [ticket for ticket in TICKETS if ticket != "T-80009"])
def test_no_other_reply_holds_an_invented_digit(ticket_id):
    page = cards(ticket_id)[5]
    assert not list(page.all(kind="invented"))
    assert not page.texts(kind="note")


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_the_reconstructed_parts_of_a_reply_are_underlined_and_no_others(ticket_id):
    content = "/calls/1/response/choices/0/message/content#/"
    marked = {place.removeprefix(content) for place in recording(ticket_id).reconstructed if place.startswith(content)}
    reply = json.loads(events(ticket_id)[5].reply.content)
    underlined = cards(ticket_id)[5].first("pre").texts(kind="reconstructed")
    assert underlined == [json.dumps(reply[key], ensure_ascii=False) for key in reply if key in marked]


def marked_at(*places):
    return replace(UNMARKED, reconstructed=places)


def test_a_reply_that_is_no_json_is_underlined_whole_when_it_is_reconstructed():
    place = "/calls/0/response/choices/0/message/content"
    replied = Replied(1, Reply("It has been shipped."))
    assert card(replied, marked_as=marked_at(place)).texts(kind="reconstructed") == ["It has been shipped."]
    assert not list(card(replied).all(kind="reconstructed"))


def test_a_reconstructed_proposal_and_time_are_underlined():
    proposal = marked_at("/calls/0/response/choices/0/message/tool_calls/0/function/arguments")
    assert card(PROPOSAL, marked_as=proposal).texts(kind="reconstructed") == [OWN_ORDER[1]]
    called = ModelCalled(1, {"messages": []}, {}, Usage(5, 6), 1.5, "stop")
    assert card(called, marked_as=marked_at("/calls/0/latency_s")).texts(kind="reconstructed") == ["1.50\u00a0s"]
    assert not list(card(called, marked_as=marked_at("/calls/1/latency_s")).all(kind="reconstructed"))


@pytest.mark.parametrize("bad", BAD_REPLIES, ids=[bad.title for bad in BAD_REPLIES])
def test_a_bad_reply_and_its_verdict_are_drawn(bad):
    assert card(Replied(2, bad.reply)).first("pre").attributes["aria-label"] == "The reply"
    verdict = judge_reply(bad.reply, TICKET, bad.looked_up)
    page = card(Concluded(verdict))
    assert page.one("h2").text == f"Two barriers: rejected: {bad.code}"
    assert len(page.texts("li", kind="failed")) == 1


def test_a_refusal_is_shown_in_the_models_words():
    page = card(Replied(1, Reply(None, "I <b>can't</b>.", "stop")))
    assert page.texts(kind="note") == ["The model refused: I <b>can't</b>."]
    assert page.one("pre").text == "null"


# The ends.


def test_a_loop_that_reached_its_limit_says_after_how_many_calls():
    (limit,) = only(LimitReached, events_of(proposing(asking_for("LK-581106", None)), max_model_calls=2))
    assert card(limit, FRENCH).one("p").text.startswith("Après 2 appels")


PLACES = (
    ("/calls/0/request/messages/1", "In the recording, the request of model call 1:"),
    ("/calls/11/request", "In the recording, the request of model call 12:"),
    ("/calls/1", "In the recording, model call 2:"),
    ("/decisions/0/failed_check", "In the recording, decision 1:"),
    ("/verdict/broken", "In the recording, the verdict:"),
    ("/usage/prompt_tokens", "In the recording, the total of tokens:"),
)


@pytest.mark.parametrize(("place", "words"), PLACES)
def test_a_divergence_says_where_in_words_and_as_a_pointer(place, words):
    page = card(Diverged(place, say("The verdict is not the recorded one."), '"a"', '"b"'))
    what, where, end = page.texts("p")
    assert (what, where) == ("The verdict is not the recorded one.", f"{words} {place}")
    assert end == "What the model would have said next is not known, so the replay stops here."


@pytest.mark.parametrize(
    ("recorded", "found", "shown"),
    [
        ('"ok"', '"refused: not_found"', ['"ok"', '"refused: not_found"']),
        (None, '"ok"', ["nothing", '"ok"']),
        ('"ok"', None, ['"ok"', "nothing"]),
        (None, None, ["nothing", "nothing"]),
        ('"<b>"', "null", ['"<b>"', "null"]),
        ('"nothing"', "", ['"nothing"', ""]),
    ],
)
def test_a_divergence_shows_both_values(recorded, found, shown):
    page = card(Diverged("/decisions/0", say("The verdict is not the recorded one."), recorded, found))
    values = [next(cell.all("pre"), None) or next(cell.all(kind="note")) for cell in page.one(kind="cells").parts]
    assert page.texts("h3") == ["Recorded", "Now"]
    assert [value.text for value in values] == shown


# Text from outside.


@given(text, st.sampled_from(list(LANGUAGES.values())))
def test_no_text_from_outside_makes_an_element_in_a_card(hostile, language):
    hostile = f"<img src=x>{hostile}</pre><script>"
    proposal = Proposed(1, 1, 2, hostile, True, hostile, hostile, hostile)
    decision = Decision(hostile, {hostile: hostile, "order": {"status": hostile, "ordered_on": hostile}})
    outside = [
        ModelCalled(1, {"messages": [{"role": hostile, "content": hostile}]}, {}, Usage(), None, hostile),
        proposal,
        Decided(proposal, decision, 0),
        ResultSent(proposal, replace(decision, outcome="ok"), {"content": hostile}, {hostile: hostile}),
        Replied(1, Reply(hostile, hostile, hostile)),
        Replied(1, Reply(json.dumps({"language": hostile, "reply": hostile}))),
        Diverged(f"/decisions/0/{hostile}", say("{what}", what=hostile), hostile, hostile),
    ]
    for event in outside:
        page = card(event, language, marks={"src": 3})
        assert "<img" in page.text
        assert {each.tag for each in page.all()} <= ALL_TAGS
