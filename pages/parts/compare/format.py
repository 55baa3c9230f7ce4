"""A format's details for the payload: what it is, its text, its note and its code."""

from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import charts, controls
from pages.parts.code import draw_programs
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask, ask_value
from pages.parts.static import draw_text
from pages.parts.tables import draw_table
from toon import wording
from toon.colours import COMPACT_JSON, GREY, TOON
from toon.costs.compare import MeasuredRow, Row, explained_once, label, why_not
from toon.costs.delimiters import delimiter_rows
from toon.costs.explanation import Explaining
from toon.costs.verdict import Verdict
from toon.costs.worth import COMPACT, SENDABLE, worth_from
from toon.formats import AS_TYPED, FORMATS, READ, beginning, versus
from toon.formats import label as format_label
from toon.formats.json import JsonFormat
from toon.formats.toon import TOON_BY_DELIMITER
from toon.layout.spans import KINDS
from toon.limits import SHOWN_CHARACTERS
from toon.playground.panes import Pane
from toon.wording import decimal, plural

_AGAINST: Final = versus(COMPACT)


def draw_format(data: Pane, row: Row, verdict: Verdict, explaining: Explaining) -> None:
    """Draw a format of the ranking in full: what it is, its text, its note and its code."""
    name = row["format"]
    st.header(wording.capitalised(label(row)), anchor=False)
    format = FORMATS[name] if row["tokens"] is None else READ[row["written_in"]]
    st.write(escape_markdown(format.about))
    if reason := why_not(row):
        st.caption(escape_markdown(f"Not recommended: {reason}."))
    if row["tokens"] is None:
        return
    if row["caution"]:
        st.caption(escape_markdown(f"Other readers than ours: {row['caution']}."))
    parts = [
        f"{wording.KINDS[kind]} {wording.percent(row['breakdown'][kind] / (row['tokens'] or 1))}"
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
    """Draw the note to the model, which the user may edit, and from how many payloads it pays."""
    name = row["written_in"]
    format, uses = READ[name], frozenset(row["uses"])
    if row["format"] == AS_TYPED or isinstance(format, JsonFormat):
        st.caption("It needs no note.")
        return
    ours, key = format.explain(uses), f"wording_{name}"
    st.session_state[key] = explaining.text(name, uses)

    def keep() -> None:
        text, wordings = st.session_state[key].strip(), dict(controls.explaining().wordings)
        wordings.pop(name, None)
        st.session_state.wordings = wordings | ({name: text} if text not in ("", ours) else {})

    st.text_area(
        "Note to the model, in the prompt once",
        key=key,
        on_change=keep,
        height=140,
        help="Yours counts in every figure of this session; leave it empty for ours.",
    )
    once = explained_once(row, explaining)
    compact = next(rung for rung in verdict["ladder"] if rung["format"] == COMPACT)["tokens"]
    paid = 0.0 if explaining.together is None else explaining.priced(once)
    payloads = worth_from(row["tokens"], compact, paid)
    worth = "worth it for no number of" if payloads is None else f"worth it from {payloads:,}"
    st.caption(
        f"{plural(once, 'token')} once, {decimal(explaining.share(once))} a payload: {worth} "
        f"{'payload' if payloads == 1 else 'payloads'} in a prompt, {_AGAINST}."
    )


def _draw_delimiters(data: Pane, verdict: Verdict) -> None:
    """Draw the tokens of TOON with comma, tab and pipe, at indents of 1, 2 and 4."""
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
            "text": wording.signed_percent(row["vs_json_compact"]),
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
    names = charts.by_label(frame["label"])
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
