"""Owns the column that stays: the ticket, the four figures, and where the recording comes from."""

from assistant.events import Concluded, Decided, Event, ModelCalled, Proposed, Replied, Usage
from assistant.recording import Recording
from assistant.sentence import say

from .markup import fold, shown
from .run import Run
from .so_far import reply_language, usage_so_far
from .view import View, written_by

MAX_OUTCOMES = 4


def draw(run: Run, revealed: tuple[Event, ...], view: View) -> str:
    """The whole column, below the choice of ticket."""
    parts = (ticket(run.recording, view), figures(run, revealed, view), source(run, revealed, view))
    return f'<div class="panel">{"".join(parts)}</div>'


def ticket(recording: Recording, view: View) -> str:
    """What the customer wrote, in the language that the recorded reply says it is in."""
    return written_by(recording.ticket, view, reply_language(recording))


def figures(run: Run, revealed: tuple[Event, ...], view: View) -> str:
    """The four figures, as far as the revealed steps tell them."""
    calls = sum(isinstance(event, ModelCalled) for event in revealed)
    outcomes = [event.decision.outcome for event in revealed if isinstance(event, Decided)]
    verdicts = [shown(str(event.verdict)) for event in revealed if isinstance(event, Concluded)]
    rows = (
        (say("Model calls"), view.language.number(calls)),
        (say("Tokens so far"), _tokens(usage_so_far(run.recording, revealed), view)),
        (say("Tool outcome"), _outcomes(outcomes)),
        (say("Verdict"), verdicts[-1] if verdicts else ""),
    )
    not_yet = view.language.tell(say("not yet"))
    nothing = f'<span aria-hidden="true">–</span><span class="hidden-word">{not_yet}</span>'
    return (
        '<dl class="figures">'
        + "".join(f"<div><dt>{view.says(label)}</dt><dd>{value or nothing}</dd></div>" for label, value in rows)
        + "</dl>"
    )


def source(run: Run, revealed: tuple[Event, ...], view: View) -> str:
    """Where the recording comes from, whether the replay matches it so far, and what in it is reconstructed."""
    recording, language = run.recording, view.language
    unknown = language.tell(say("not recorded"))
    model, name, provider = (recording.model.get(key) or unknown for key in ("model", "name", "provider"))
    origin = say("Recorded from {model} ({name}) on {provider}.", model=model, name=name, provider=provider)
    if request := recording.model.get("request"):
        origin = say(
            "Recorded from {model} ({name}) on {provider}, request {request}.",
            model=model,
            name=name,
            provider=provider,
            request=request,
        )
    when = say("The date is not recorded.")
    if recording.recorded_at:
        when = say("Recorded at {when}.", when=recording.recorded_at)
    step = run.divergence_step
    if not revealed:
        match = say("Each step will be computed now by this project's code and compared with the recording.")
    elif not run.has_diverged(len(revealed)):
        match = say("Replayed by this project's code: it matches the recording so far.")
    else:
        match = say("Replayed by this project's code: it leaves the recording at step {step}.", step=step)
    kind = "diverged" if run.has_diverged(len(revealed)) else "matches"
    return (
        f'<div class="source"><p>{view.says(origin)} {view.says(when)}</p><p class="{kind}">{view.says(match)}</p>'
        f"{_reconstructed(recording, revealed, view)}</div>"
    )


def _tokens(usage: Usage, view: View) -> str:
    language = view.language
    unknown = language.tell(say("not recorded"))

    def told(count: int | None) -> str:
        return unknown if count is None else language.number(count)

    if usage.prompt_tokens is None and usage.completion_tokens is None:
        return view.says(say("not recorded"))
    return shown(
        language.tell(
            say(
                "{tokens_in} in, {tokens_out} out",
                tokens_in=told(usage.prompt_tokens),
                tokens_out=told(usage.completion_tokens),
            )
        )
    )


def _outcomes(outcomes: list[str]) -> str:
    more = f" +{len(outcomes) - MAX_OUTCOMES}" if len(outcomes) > MAX_OUTCOMES else ""
    return "<br>".join(shown(outcome) for outcome in outcomes[-MAX_OUTCOMES:]) + more


def _reconstructed(recording: Recording, revealed: tuple[Event, ...], view: View) -> str:
    """One legend for the dotted underline, and the places on the page that it stands for."""
    places = [mark for mark in recording.reconstructed if _is_revealed(mark, revealed)]
    if not places:
        return ""
    legend = say("Dotted underline: not in the source, written for this project, never compared.")
    items = "".join(f'<li class="data">{shown(place)}</li>' for place in places)
    title = f'<span class="reconstructed">{view.says(legend)}</span>'
    return fold(title, f'<ul class="places">{items}</ul>')


def _is_revealed(mark: str, revealed: tuple[Event, ...]) -> bool:
    """Whether the step that shows this place of the recording is revealed."""
    part, number, *rest = [*mark.split("/")[1:], "", ""]
    match part:
        case "calls" if rest[:2] == ["response", "choices"]:
            return any(isinstance(e, Proposed | Replied) and str(e.call_number - 1) == number for e in revealed)
        case "calls":
            return any(isinstance(event, ModelCalled) and str(event.number - 1) == number for event in revealed)
        case "decisions":
            return sum(isinstance(event, Decided) for event in revealed) > int(number or 0)
        case "verdict" | "usage":
            return any(isinstance(event, Concluded) for event in revealed)
    return True
