"""Owns showing the counts over time: a chart, a table of the same figures, and what is unusual. Each figure leads to
exactly the rows behind it."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from html import escape
from typing import Any

import altair as alt
import pyarrow as pa
import streamlit as st

from assistant import counts
from assistant.counts import OTHER_CODES, Counts, Day, Gap, Kind, Surge
from assistant.selection import UNDATED
from assistant.sentence import Sentence, say

from . import put
from .language import Language
from .markup import fold, sentence, shown
from .reviewed_place import Reviewed
from .site import link

PAGE = "review"
AT_ONCE = 62  # days and gaps that are shown at once
MAX_SURGES = 12  # named above the table; every one is marked in it
LEGEND_COLUMN = 180  # pixels for a code, its colour included
COLOURS = ("#3b7dc4", "#d2762b", "#8a5cc2", "#3f9a72", "#c2557f", "#8d8a3a")


def shown_days(counted: Counts, until: str) -> tuple[list[Day | Gap], str | None, str | None]:
    """The days and gaps that end at this day or the last, and where those before and after them end."""
    days = list(counted.days)
    end = len(days)
    if until:
        last = date.fromisoformat(until)
        end = max(sum(_first(day) <= last for day in days), min(1, len(days)))
    start = max(end - AT_ONCE, 0)
    earlier = _last(days[start - 1]).isoformat() if start else None
    later = None
    if end < len(days):
        after = min(end + AT_ONCE, len(days))
        later = "" if after == len(days) else _last(days[after - 1]).isoformat()
    return days[start:end], earlier, later


def _first(day: Day | Gap) -> date:
    return day.first if isinstance(day, Gap) else day.day or date.min


def _last(day: Day | Gap) -> date:
    return day.last if isinstance(day, Gap) else day.day or date.min


def draw(counted: Counts, place: Reviewed, language: Language) -> None:
    """The section of the page."""
    days, earlier, later = shown_days(counted, place.until)
    heading = f"<h2>{sentence(say('Refusals day by day'), language)}</h2>"
    put.html(heading + _surges(counted.surges, counted.judged, place, language))
    dated = [day for day in days if isinstance(day, Day)]
    if not dated:
        put.html(f'<p class="lead">{sentence(say("No decision here has a date, so there is no chart."), language)}</p>')
    else:
        _chart(counted, days, language)
    if counted.days or counted.undated:
        put.html(_table(counted, days, place, language) + _paging(earlier, later, place, language))


def _surges(surges: Sequence[Surge], judged: int, place: Reviewed, language: Language) -> str:
    how = fold(sentence(say("How an unusual day is told"), language), f"<p>{sentence(counts.method(), language)}</p>")
    if not surges:
        none = say("No day is unusual.") if judged else say("No day can be told to be unusual: there are too few data.")
        said = sentence(none, language)
        return f'<div class="surges"><p>{said}</p>{how}</div>'
    latest = sorted(surges, key=lambda one: one.day, reverse=True)
    items = "".join(f"<li>{_surge(one, place, language)}</li>" for one in latest[:MAX_SURGES])
    more = ""
    if len(latest) > MAX_SURGES:
        words = say("{count} more are marked in the table.", count=language.number(len(latest) - MAX_SURGES))
        more = f"<p>{sentence(words, language)}</p>"
    return f'<div class="surges"><ul>{items}</ul>{more}{how}</div>'


def _surge(surge: Surge, place: Reviewed, language: Language) -> str:
    """One unusual day, with its baseline and window."""
    words = say(
        "{day}: {refusals} of {proposals} proposals were refused as {code}",
        day=surge.day.isoformat(),
        refusals=language.number(surge.refusals),
        proposals=language.number(surge.proposals),
        code=surge.code,
    )
    baseline = say(
        "{share}, against {baseline} ({refusals} of {proposals}) from {first} to {last}",
        share=language.percent(surge.refusals / surge.proposals),
        baseline=language.percent(surge.baseline_refusals / surge.baseline_proposals),
        refusals=language.number(surge.baseline_refusals),
        proposals=language.number(surge.baseline_proposals),
        first=surge.first.isoformat(),
        last=surge.last.isoformat(),
    )
    there = place.only(day=surge.day.isoformat(), outcome=f"{Kind.REFUSED}: {surge.code}")
    anchor = f'<a href="{escape(link(PAGE, there))}" data-here>{sentence(words, language)}</a>'
    return f'<span aria-hidden="true">▲</span> {anchor} <span class="note">{sentence(baseline, language)}</span>'


def _chart(counted: Counts, days: Sequence[Day | Gap], language: Language) -> None:
    """Stacked bars, a day each; grey where there is no data."""
    tell = language.tell
    names = {code: code if code != OTHER_CODES else tell(say("other codes")) for code in counted.codes}
    bars: list[dict[str, Any]] = [
        {"day": day.day.isoformat(), "code": names[code], "count": day.refusals.get(code, 0), "all": day.proposals}
        for day in days
        if isinstance(day, Day) and day.day
        for code in counted.codes
    ]
    axis: Any = alt.Axis(format="%Y-%m-%d", labelAngle=0, labelOverlap=True, tickCount=8)
    scale = alt.Scale(domain=list(names.values()), range=[COLOURS[n % len(COLOURS)] for n in range(len(names))])
    columns = {"expr": f"max(1, floor(width / {LEGEND_COLUMN}))"}  # it would not wrap by itself
    legend: Any = alt.Legend(orient="top", labelLimit=LEGEND_COLUMN - 20, columns=columns)
    chart: Any = (
        alt.Chart(pa.Table.from_pylist(bars))
        .mark_bar(width={"band": 0.8})
        .encode(
            x=alt.X("day:T", timeUnit="yearmonthdate", title=None, axis=axis),
            y=alt.Y("count:Q", title=tell(say("refusals")), stack="zero", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("code:N", title=None, scale=scale, legend=legend),
            tooltip=[
                alt.Tooltip("day:T", title=tell(say("Day")), format="%Y-%m-%d"),
                alt.Tooltip("code:N", title=tell(say("Code"))),
                alt.Tooltip("count:Q", title=tell(say("refusals"))),
                alt.Tooltip("all:Q", title=tell(say("Proposals"))),
            ],
        )
    )
    gaps = [
        {"day": day.first.isoformat(), "end": (day.last + timedelta(1)).isoformat(), "what": tell(say("no data"))}
        for day in days
        if isinstance(day, Gap) and day.last < date.max
    ]
    if gaps:
        grey = (
            alt.Chart(pa.Table.from_pylist(gaps))
            .mark_rect(color="#8a919a", opacity=0.25)
            .encode(
                x="day:T",
                x2="end:T",
                y=alt.value(0),
                y2=alt.value("height"),
                tooltip=[alt.Tooltip("what:N", title=tell(say("Day")))],
            )
        )
        chart = grey + chart
    marks = [{"day": one.day.isoformat(), "mark": "▲"} for one in counted.surges if _is_among(one.day, days)]
    if marks:
        chart += (
            alt.Chart(pa.Table.from_pylist(marks))
            .mark_text(fontSize=13, color="#c2410c", baseline="bottom")
            .encode(x=alt.X("day:T", timeUnit="yearmonthdate", bandPosition=0.5), y=alt.value(-1), text="mark:N")
        )
    said = tell(say("A chart of the refusals a day by code; the table below holds the same figures."))
    st.altair_chart(chart.properties(height=230, description=said), width="stretch")


def _is_among(day: date, days: Sequence[Day | Gap]) -> bool:
    return any(isinstance(one, Day) and one.day == day for one in days)


def _table(counted: Counts, days: Sequence[Day | Gap], place: Reviewed, language: Language) -> str:
    """The same figures, newest first: the denominator, each code, errors apart, and what no such outcome has."""
    heads = [
        say("Day"),
        say("Proposals"),
        *(say("other codes") if code == OTHER_CODES else None for code in counted.codes),
        say("All refusals"),
        say("Errors of ours"),
        say("Other or not recorded"),
    ]
    codes = (None, None, *counted.codes)
    head = "".join(
        f'<th scope="col"{" class=code" if words is None else ""}>'
        f"{sentence(words, language) if words else shown(str(codes[number])).replace('_', '_<wbr>')}</th>"
        for number, words in enumerate(heads)
    )
    marked = {(one.day, one.code) for one in counted.surges}
    rows = "".join(_row(day, counted.codes, marked, place, language) for day in reversed(days))
    undated = _row(counted.undated, counted.codes, set(), place, language) if counted.undated else ""
    total = _row(counted.total, counted.codes, set(), place, language, is_total=True)
    name = escape(language.tell(say("Refusals day by day")))
    return (
        f'<div class="matrix days" tabindex="0" role="region" aria-label="{name}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{total}{undated}{rows}</tbody></table></div>"
    )


def _row(
    day: Day | Gap,
    codes: Sequence[str],
    marked: set[tuple[date, str]],
    place: Reviewed,
    language: Language,
    is_total: bool = False,
) -> str:
    if isinstance(day, Gap):
        first, last = day.first.isoformat(), day.last.isoformat()
        name = first if day.first == day.last else language.tell(say("{first} to {last}", first=first, last=last))
        none = language.tell(say("no data"))
        return f'<tr class="gap"><th scope="row">{shown(name)}</th><td colspan="{len(codes) + 4}">{none}</td></tr>'
    asked = {} if is_total else {"day": day.day.isoformat() if day.day else UNDATED}
    name = day.day.isoformat() if day.day else language.tell(say("All days") if is_total else say("undated"))
    cell = _figures(place, asked, day.proposals, language)
    cells = [cell(day.proposals, "")]
    for code in codes:
        mark = ' <span class="surge-mark">▲ ' + language.tell(say("unusual")) + "</span>"
        number = day.refusals.get(code, 0)
        cells.append(cell(number, f"{Kind.REFUSED}: {code}", mark if day.day and (day.day, code) in marked else ""))
    cells += [cell(day.refused, Kind.REFUSED), cell(day.errors, Kind.ERROR), cell(day.other, Kind.OTHER)]
    kind = ' class="total"' if is_total else ""
    return f'<tr{kind}><th scope="row">{shown(name)}</th>{"".join(cells)}</tr>'


def _figures(place: Reviewed, asked: dict[str, str], proposals: int, language: Language) -> Callable[..., str]:
    def cell(number: int, outcome: str, mark: str = "") -> str:
        if not number:
            return f'<td class="none">0{mark}</td>'
        there = place.only(**asked, outcome=str(outcome))
        share = f' <span class="note">{language.percent(number / proposals)}</span>' if outcome else ""
        return f'<td><a href="{escape(link(PAGE, there))}" data-here>{language.number(number)}</a>{share}{mark}</td>'

    return cell


def _paging(earlier: str | None, later: str | None, place: Reviewed, language: Language) -> str:
    links: list[tuple[str, str | None, Sentence]] = [
        ("earlier", earlier, say("Earlier days")),
        ("later", later, say("Later days")),
    ]
    anchors = [
        f'<a href="{escape(link(PAGE, place._replace(until=until)))}" data-here data-key="days-{key}">'
        f"{sentence(words, language)}</a>"
        for key, until, words in links
        if until is not None
    ]
    return f'<p class="paging">{" ".join(anchors)}</p>' if anchors else ""
