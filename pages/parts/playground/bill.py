"""Below the playground's editors: where a payload's tokens go, and code that writes the format."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import charts, controls, payload
from pages.parts.code import draw_code
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_open
from toon import wording
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.drawing.bars import PARTS
from toon.errors import EncodeError
from toon.formats import label
from toon.layout.spans import KINDS
from toon.playground.editors import IN_EDITOR, BillRow, bill
from toon.playground.panes import Pane

#: Names of the kinds, in the order of their colours in the theme; their patterns are drawn beside
#: the app.
_KINDS: Final = [wording.KINDS[kind] for kind in KINDS]
_PATTERNS: Final = [f"url(#kind-{place})" for place in range(len(_KINDS))]


def measure_bill(
    pane: Pane, delimiter: str, tokenizer: str, explaining: Explaining
) -> list[BillRow]:
    """Return rows for a typed text, minified JSON and the other editor's text: tokens by kind."""
    options = pane.options._replace(delimiter=delimiter)
    return payload.ask(pane, bill, options, tokenizer, explaining)


def _label(row: BillRow) -> str:
    if row["format"] == IN_EDITOR:
        return "JSON in the editor"
    return label(row["format"], row["written_in"])


@st.fragment(key="bill")
def draw_bill(tokenizer: str, explaining: Explaining) -> None:
    """Draw where the payload's tokens go, and code that writes it in the recommended format.

    A large payload waits for a button. While the text cannot be read, the figures of the last good
    one stay, marked so; below no text there is nothing.
    """
    text = st.session_state.source["text"]
    if not payload.is_waiting() and not text.strip():
        st.session_state.pop("last_good", None)
        return
    if not payload.is_asked(text):
        st.info(f"Large payload: {len(text):,} characters. Press Measure above to count it.")
        return
    try:
        with st.spinner("Counting tokens…", show_time=True):
            pair = _measure_last_good(tokenizer, explaining)
            nothing = pair and payload.ask(pair[0], Document.explain_nothing)
    except RuntimeError as error:  # a limit was passed, or the tokenizer cannot be loaded
        st.error(escape_markdown(str(error)))
        return
    if pair is None:
        st.info("Figures appear when the text above can be read.")
        return
    if nothing:  # the answer above says why
        return
    data, rows = pair
    draw_open(
        "bill_tab",
        {
            "Where the tokens go": lambda: _draw_breakdown(rows),
            "In your code": lambda: draw_code(
                data, payload.answer(data, tokenizer, explaining), explaining
            ),
        },
    )


def _measure_last_good(tokenizer: str, explaining: Explaining) -> tuple[Pane, list[BillRow]] | None:
    """Return the payload and its token bill; if unreadable, those of the last good one or None."""
    data, delimiter = payload.read(), controls.read_delimiter()
    if data is not None:
        with suppress(EncodeError):  # nested too deep for TOON
            measured = measure_bill(data, delimiter, tokenizer, explaining)
            st.session_state.last_good = data, delimiter
            return data, measured
    if "last_good" not in st.session_state or not st.session_state.source["text"].strip():
        return None
    st.warning("Below: your last valid text", icon="⏸️")
    data, delimiter = st.session_state.last_good
    return data, measure_bill(data, delimiter, tokenizer, explaining)


def _draw_breakdown(rows: list[BillRow]) -> None:
    st.caption(
        "A token that spans kinds is split by its bytes, so the kinds add up to all tokens. "
        "Quotes, brackets, lengths, delimiters, colons and hyphens are punctuation. A note to the "
        "model is in the table alone."
    )
    st.altair_chart(
        _kinds_chart(rows),
        key="kinds",
        alt=f"Stacked bars of {wording.join_all(_KINDS)}; numbers in the table.",
    )
    columns = {}
    for row in rows:
        parts, total = row["breakdown"], row["cost"]
        kinds = (*(parts[kind] for kind in KINDS), row["note"])
        cells = [f"{tokens:,.1f} ({_share(tokens, total)})" for tokens in kinds]
        mixed = f"{parts['mixed_tokens']:,} ({_share(parts['mixed_tokens'], total)})"
        columns[_label(row)] = [*cells, wording.count(total), mixed]
    names = [*(wording.KINDS[part] for part in PARTS), "all tokens", "tokens of several kinds"]
    lines = [
        {"Kind": name, **dict(zip(columns, cells, strict=True))}
        for name, *cells in zip(names, *columns.values(), strict=True)
    ]
    draw_table(lines, right=list(columns), box="All figures")


def _kinds_chart(rows: Sequence[BillRow]) -> alt.Chart:
    """Draw a bar chart of texts, split into name, punctuation, whitespace and value tokens."""
    frame = pd.DataFrame(
        {
            "label": _label(row),
            "kind": wording.KINDS[kind],
            "order": KINDS.index(kind),
            "tokens": row["breakdown"][kind],
            "share": row["breakdown"][kind] / row["cost"] if row["cost"] else 0.0,
        }
        for row in rows
        for kind in KINDS
    )
    labels = list(dict.fromkeys(frame["label"]))
    above = charts.legend(4, 2, labelLimit=120, symbolSize=200)
    patterns = alt.Scale(domain=_KINDS, range=_PATTERNS)
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.62})
        .encode(
            x=alt.X("tokens:Q", title="tokens", axis=charts.number_axis("x", tickMinStep=1)),
            y=charts.label_axis(labels),
            color=alt.Color("kind:N", sort=_KINDS, scale=patterns, legend=above),
            order=alt.Order("order:Q"),
            tooltip=[
                alt.Tooltip("label:N", title="text"),
                alt.Tooltip("kind:N"),
                alt.Tooltip("tokens:Q", format=",.1f"),
                alt.Tooltip("share:Q", format=".1%", title="share"),
            ],
        )
        .properties(height=(52 if len(labels) <= 5 else 28) * len(labels) + 100)
    )
    return chart


def _share(part: float, total: float) -> str:
    return wording.percent(part / total, 1) if total else wording.UNKNOWN
