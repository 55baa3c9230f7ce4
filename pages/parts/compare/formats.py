"""The tab Formats: a table of the payload's cost in each format, whose rows open to its details.

Session state:
    format_open: The format whose row was pressed last, or None.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import charts, controls, payload
from pages.parts.code import draw_programs
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask, ask_value
from pages.parts.static import draw_details, draw_text
from pages.parts.tables import draw_table
from toon import wording
from toon.colours import COMPACT_JSON, GREY, TOON
from toon.costs import prices
from toon.costs.compare import (
    MeasuredRow,
    Row,
    cost,
    delimiter_rows,
    label,
    measured_rows,
    note_tokens,
    objection,
    proof_words,
)
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.costs.verdict import Verdict, offer
from toon.costs.worth import COMPACT, SENDABLE, UNTESTED, break_even
from toon.formats import AS_TYPED, FORMATS, NOT_TAKEN, READ, beginning, vs_label
from toon.formats import label as format_label
from toon.formats.json import JsonFormat
from toon.formats.toon import TOON_BY_DELIMITER
from toon.layout.spans import KINDS
from toon.limits import SHOWN_CHARACTERS
from toon.playground.panes import Pane
from toon.values.fractions import fraction
from toon.wording import (
    BADGES,
    capitalised,
    decimal,
    dollars,
    percent,
    plural,
    round_trip,
    signed_percent,
)

_TOKENS, _MONTH, _BACK = "Tokens", "A month", "Comes back"
_AGAINST: Final = vs_label(COMPACT)


def draw_formats(choice: Choice) -> None:
    """Draw a table of what the payload costs in each format, and details of the pressed row."""
    explaining = controls.read_note()
    data = payload.require_pane()
    with counting():
        verdict = payload.answer(data, choice.tokenizer, explaining)
        rows = payload.compare_formats(data, (choice.tokenizer,))
    if verdict["nothing"]:
        st.info(verdict["sentence"])
        return
    ranked, others = rank(rows, explaining)
    typed = label(rows[0])
    base = st.segmented_control(
        "Against",
        [AS_TYPED, COMPACT],
        format_func=lambda name: typed if name == AS_TYPED else format_label(name),
        default=AS_TYPED,
        required=True,
        key="formats_against",
        persist_state="session",
    )
    place = st.container()
    is_more = st.toggle(f"Show {len(others)} more", key="formats_more", persist_state="session")
    shown = [*ranked, *others] if is_more else ranked
    with place:
        pressed = _draw_table(shown, base, choice, verdict, explaining)
    if is_more:
        draw_details(
            f"Looked at and not taken: {len(NOT_TAKEN)}",
            (f"{name}: {words}" for name, words in NOT_TAKEN.items()),
        )
    st.session_state.format_open = None if pressed is None else shown[pressed]["format"]
    if pressed is None:
        st.caption("Press a row to see what the format is, its text, its note and its code.")
    else:
        _draw_format(data, shown[pressed], verdict, explaining)


def rank(rows: Sequence[Row], explaining: Explaining) -> tuple[list[Row], list[Row]]:
    """Split rows, cheapest with their note first: the payload as typed and formats that may be
    recommended for it, TOON with its cheapest delimiter alone; then all others, unfit ones last.
    """
    able = {
        row["format"]: row
        for row in measured_rows(rows)
        if row["format"] == AS_TYPED or (row["format"] in SENDABLE and objection(row) is None)
    }

    def price(row: MeasuredRow) -> float:
        return cost(row, explaining)

    delimited = [able.pop(name) for name in TOON_BY_DELIMITER.values() if name in able]
    taken = {*able, *(row["format"] for row in delimited)}
    ranked = sorted([*able.values(), *sorted(delimited, key=price)[:1]], key=price)
    others = [row for row in rows if row["format"] not in taken]
    unfit = [row for row in others if row["tokens"] is None]
    return [*ranked], [*sorted(measured_rows(others), key=price), *unfit]


def _draw_table(
    rows: Sequence[Row], base: str, choice: Choice, verdict: Verdict, explaining: Explaining
) -> int | None:
    """Draw a table of formats with tokens and money; return the pressed row's index, or None."""
    months: dict[str, Decimal | None] = {}
    if choice.model is not None and not prices.price_notice(choice.model):
        bills = prices.bills(rows, choice.model, controls.read_traffic(), explaining)
        months = {bill["format"]: bill["per_month"] for bill in bills}
    against = next(cost(row, explaining) for row in measured_rows(rows) if row["format"] == base)
    change = f"vs {'yours' if base == AS_TYPED else format_label(base)}"
    lines = []
    for row in rows:
        paid = None if row["tokens"] is None else cost(row, explaining)
        line: dict[str, object] = {
            "Format": label(row),
            _TOKENS: paid,
            change: None if paid is None else fraction(paid, against),
        }
        if months:
            is_paid = row["format"] in months
            line[_MONTH] = dollars(months[row["format"]]) if is_paid else None
        lines.append({**line, _BACK: _status(row, verdict)})
    is_whole = explaining.is_whole
    names = [row["format"] for row in rows]
    is_open = st.session_state.get("format_open")
    pressed = draw_table(
        lines,
        f"formats_{'_'.join(names)}",
        counts=[_TOKENS] if is_whole else (),
        decimals=() if is_whole else [_TOKENS],
        percents=[change],
        right=[_MONTH] if months else (),
        height="content",
        alt="Tokens of the payload in each format.",
        opens=True,
        opened=names.index(is_open) if is_open in names else None,
    )
    if untested := offer(verdict):
        st.caption(escape_markdown(f"{untested}."))
    words = f"{capitalised(explaining.assumption)}."
    if choice.model is None:
        words += " A tokenizer alone has no price."
    else:
        priced = f"{controls.read_traffic()} a month; {prices.price_source()}."
        words = escape_markdown(f"{words} {prices.price_notice(choice.model) or priced}")
    st.caption(words)
    return pressed


def _status(row: Row, verdict: Verdict) -> str:
    """Return words on whether a format's text decodes to the payload, and is recommended."""
    if row["tokens"] is None:
        return f"not applicable: {row['reason']}"
    if row["format"] == AS_TYPED:
        return proof_words(row)
    words = round_trip(proof_words(row), ok=bool(row["round_trips"]))
    if row["format"] == verdict["format"] and verdict["switch"]:
        return f"{words}, recommended"
    if row["format"] in UNTESTED:
        return f"{words}, not tested with a model"
    is_fine = objection(row) is None or not row["round_trips"]
    return words if is_fine else f"{words}, {BADGES['not-recommended']}"


def _draw_format(data: Pane, row: Row, verdict: Verdict, explaining: Explaining) -> None:
    """Draw one format's details: what it is, the payload in it, its note to the model, programs."""
    name = row["format"]
    st.header(capitalised(label(row)), anchor=False)
    format = FORMATS[name] if row["tokens"] is None else READ[row["written_in"]]
    st.write(escape_markdown(format.about))
    if reason := objection(row):
        st.caption(escape_markdown(f"Not recommended: {reason}."))
    if row["tokens"] is None:
        return
    if row["caution"]:
        st.caption(escape_markdown(f"Other readers than ours: {row['caution']}."))
    parts = [
        f"{wording.KINDS[kind]} {percent(row['breakdown'][kind] / (row['tokens'] or 1))}"
        for kind in KINDS
    ]
    sizes = f"{plural(row['tokens'], 'token')} and {plural(row['bytes'], 'byte')}"
    st.caption(f"The text alone has {sizes}: {', '.join(parts)}.")
    if name in TOON_BY_DELIMITER.values():
        _draw_delimiters(data, verdict)
    if name == AS_TYPED:
        text, length = data.text, len(data.text)
    else:
        text, length = ask_value(data, beginning, name, SHOWN_CHARACTERS)
    left, right = st.columns(2, gap="medium")
    with left:
        draw_text(text, height=320, wrap="\n" not in text, length=length)
    with right:
        _draw_note(row, verdict, explaining)
    if name in SENDABLE:
        draw_programs(data, name, verdict["tokenizer"], explaining)


def _draw_note(row: MeasuredRow, verdict: Verdict, explaining: Explaining) -> None:
    """Draw the note that explains a format to the model, which users may edit, and when it pays."""
    name = row["written_in"]
    format, uses = READ[name], frozenset(row["uses"])
    if row["format"] == AS_TYPED or isinstance(format, JsonFormat):
        st.caption("It needs no note.")
        return
    ours, key = format.explain(uses), f"wording_{name}"
    st.session_state[key] = explaining.text(name, uses)

    def keep() -> None:
        text, wordings = st.session_state[key].strip(), dict(controls.read_note().wordings)
        wordings.pop(name, None)
        st.session_state.wordings = wordings | ({name: text} if text not in ("", ours) else {})

    st.text_area(
        "Note to the model, in the prompt once",
        key=key,
        on_change=keep,
        height=140,
        help="Yours counts in every figure of this session; leave it empty for ours.",
    )
    once = note_tokens(row, explaining)
    compact = next(rung for rung in verdict["ladder"] if rung["format"] == COMPACT)["tokens"]
    paid = 0.0 if explaining.together is None else explaining.note_cost(once)
    payloads = break_even(row["tokens"], compact, paid)
    worth = "worth it for no number of" if payloads is None else f"worth it from {payloads:,}"
    st.caption(
        f"{plural(once, 'token')} once, {decimal(explaining.share(once))} a payload: {worth} "
        f"{'payload' if payloads == 1 else 'payloads'} in a prompt, {_AGAINST}."
    )


def _draw_delimiters(data: Pane, verdict: Verdict) -> None:
    """Draw what the payload costs as TOON with comma, tab and pipe, at indents of 1, 2 and 4."""
    rows = ask(data, delimiter_rows, verdict["tokenizer"])
    safe = [row for row in rows if TOON_BY_DELIMITER[row["delimiter"]] in verdict["tried"]]
    fewest = min((row["tokens"] for row in safe), default=None)
    compact = next(rung for rung in verdict["ladder"] if rung["format"] == COMPACT)["tokens"]
    st.caption(
        "Its delimiters and indents, without the note. The dashed line is "
        f"{format_label(COMPACT)}; the fewest are in colour.",
        help="A value that holds the delimiter is quoted.",
    )
    frame = pd.DataFrame(
        {
            "label": f"{row['delimiter']}, indent {row['indent']}",
            "tokens": row["tokens"],
            "text": signed_percent(row["vs_json_compact"]),
        }
        for row in rows
    )
    is_fewest = {"test": f"datum.tokens === {fewest or 0}", "value": TOON}
    color = alt.ColorValue(GREY, condition=is_fewest)
    tips = [
        alt.Tooltip("label:N"),
        alt.Tooltip("tokens:Q", format=",d"),
        alt.Tooltip("text:N", title="change"),
    ]
    names = charts.label_axis(frame["label"])
    chart = charts.bars(frame, "tokens", names, color, tips, reach=compact)
    line = alt.Chart(pd.DataFrame({"tokens": [compact]}))
    rule = line.mark_rule(color=COMPACT_JSON, strokeDash=[4, 3], size=2).encode(x=alt.X("tokens:Q"))
    st.altair_chart(
        (chart + rule).properties(**charts.row_height(26, frame["label"])),
        key="delimiters_chart",
        alt="Bars of TOON's tokens by delimiter and indent; numbers in the table below.",
    )
    draw_table(
        [
            {
                "Delimiter": row["delimiter"],
                "Indent": row["indent"],
                "Tokens": row["tokens"],
                _AGAINST: row["vs_json_compact"],
                "Values quoted": row["quoted"],
                "Bytes": row["bytes"],
            }
            for row in rows
        ],
        counts=["Indent", "Tokens", "Values quoted", "Bytes"],
        percents=[_AGAINST],
        box="All figures",
    )
