"""Below the editors: where the tokens go, and the recommended format in code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

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
from toon.playground.figures import IN_EDITOR, BillRow, bill
from toon.playground.panes import Pane

#: The tab that the answer's button opens.
IN_YOUR_CODE: Final = "In your code"


def measure_bill(
    pane: Pane, delimiter: str, tokenizer: str, explaining: Explaining
) -> list[BillRow]:
    """The bill of a payload and of its other side: see :func:`toon.playground.figures.bill`."""
    options = pane.options._replace(delimiter=delimiter)
    return payload.ask(pane, bill, options, tokenizer, explaining)


def _label(row: BillRow) -> str:
    """What a text of the bill is called."""
    if row["format"] == IN_EDITOR:
        return "JSON in the editor"
    return label(row["format"], row["written_in"])


@st.fragment(key="bill")
def draw_bill(tokenizer: str, explaining: Explaining) -> None:
    """Draws the payload's bill; a large payload waits for a button.

    While the text cannot be read, the last good bill stays, marked as such; below no text there is
    none.
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
            found = _measure_last_good(tokenizer, explaining)
            nothing = found and payload.ask(found[0], Document.nothing)
    except RuntimeError as error:  # a limit was passed, or the tokenizer cannot be loaded
        st.error(escape_markdown(str(error)))
        return
    if found is None:
        st.info("Figures appear when the text above can be read.")
        return
    if nothing:  # the answer above says why
        return
    data, rows = found
    draw_open(
        "bill_tab",
        {
            "Where the tokens go": lambda: _draw_breakdown(rows),
            IN_YOUR_CODE: lambda: draw_code(
                data, payload.answer(data, tokenizer, explaining), explaining
            ),
        },
    )


def _measure_last_good(tokenizer: str, explaining: Explaining) -> tuple[Pane, list[BillRow]] | None:
    """The payload with its bill, or the last good one with a warning; None if there is none."""
    data, delimiter = payload.read(), controls.chosen_delimiter()
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
    frame = charts.kinds_frame(
        charts.KindsBar(_label(row), row["cost"], row["breakdown"]) for row in rows
    )
    st.caption(
        "A token that spans kinds is split by its bytes, so the kinds add up to all tokens. "
        "Quotes, brackets, lengths, delimiters, colons and hyphens are punctuation. A note to the "
        "model is in the table alone."
    )
    st.altair_chart(
        charts.kinds_chart(frame),
        key="kinds",
        alt=f"Stacked bars of {charts.KINDS_TOLD}; numbers in the table.",
    )
    draw_table(_kinds_lines(rows), right=list(map(_label, rows)), box="All figures")


def _kinds_lines(rows: list[BillRow]) -> Iterator[dict[str, object]]:
    """A line for each kind of text, with a column for each text."""
    columns = {}
    for row in rows:
        parts, whole = row["breakdown"], row["cost"]
        kinds = (*(parts[kind] for kind in KINDS), row["note"])
        cells = [f"{tokens:,.1f} ({_share(tokens, whole)})" for tokens in kinds]
        mixed = f"{parts['mixed_tokens']:,} ({_share(parts['mixed_tokens'], whole)})"
        columns[_label(row)] = [*cells, wording.count(whole), mixed]
    names = [*(wording.KINDS[part] for part in PARTS), "all tokens", "tokens of several kinds"]
    for name, *cells in zip(names, *columns.values(), strict=True):
        yield {"Kind": name, **dict(zip(columns, cells, strict=True))}


def _share(part: float, whole: float) -> str:
    return wording.percent(part / whole, 1) if whole else wording.UNKNOWN
