"""Draws tables of figures: all in one notation, with losses marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from toon import wording
from toon.colours import COSTS_TEXT
from toon.costs.compare import MeasuredRow, proof_words
from toon.formats import AS_TYPED


def proof_cell(row: MeasuredRow) -> str:
    """What a table says of a row's round trip: its mark and its words."""
    if row["format"] == AS_TYPED:
        return proof_words(row)
    return wording.round_trip(proof_words(row), ok=bool(row["round_trips"]))


def is_loss(difference: float) -> bool:
    """Whether a signed difference means more tokens."""
    return difference > 0


def draw_table(
    rows: Iterable[Mapping[str, object]] | pd.DataFrame,
    key: str,
    *,
    counts: Sequence[str] = (),
    decimals: Sequence[str] = (),
    shares: Sequence[str] = (),
    percents: Sequence[str] = (),
    differences: Sequence[str] = (),
    right: Sequence[str] = (),
    marked: Sequence[str] | None = None,
    is_marked: Callable[[float], bool] = is_loss,
    height: Literal["auto", "content"] = "auto",
    alt: str,
) -> None:
    """Draws rows as a table with a column for each of their keys.

    Args:
        rows: The cells by column. Columns named below hold figures or None.
        key: The widget's key.
        counts: Columns of whole numbers.
        decimals: Columns of numbers shown with one decimal.
        shares: Columns of fractions from 0 to 1.
        percents: Columns of signed fractions.
        differences: Columns of signed whole numbers.
        right: Columns of texts that are figures, and so stand on the right.
        marked: Columns in which some figures are marked; by default the signed ones.
        is_marked: Whether a figure of these columns is marked; by default losses are.
        height: "content" shows all rows at once.
        alt: What the table shows, for those who cannot see it.
    """
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    formats = writers(
        {
            wording.count: counts,
            "{:,.1f}".format: decimals,
            partial(wording.percent, digits=1): shares,
            wording.signed_percent: percents,
            wording.signed_count: differences,
        },
    )
    shown: object = frame
    if formats:  # a table without figures stays as it is, because styles are slow
        shown = styler = frame.style.format(formats, subset=list(formats))
        marks = [*percents, *differences] if marked is None else list(marked)
        if marks:
            shown = styler.map(style_marked(is_marked), subset=marks)
    st.dataframe(
        shown,
        hide_index=True,
        width="stretch",
        height=height,
        key=key,
        placeholder=wording.UNKNOWN,
        column_config=_columns(frame, right),
        alt=alt,
    )


Writer = Callable[..., str]


def writers(kinds: Mapping[Writer, Sequence[str]]) -> dict[str, Writer]:
    """How the figures of each column are written."""
    return {name: write for write, names in kinds.items() for name in names}


def _columns(frame: pd.DataFrame, right: Sequence[str]) -> dict[str, ColumnConfig]:
    """Texts that are figures stand on the right; the names stay in view where a table scrolls."""
    aligned = dict.fromkeys(right, st.column_config.TextColumn(alignment="right"))
    return aligned | {name: st.column_config.Column(pinned=True) for name in frame.columns[:1]}


def style_marked(is_marked: Callable[[float], bool]) -> Callable[[float | None], str]:
    """The CSS of a figure: marked figures are bold too, so that colour is not the only sign."""

    color = COSTS_TEXT["dark" if st.context.theme.type == "dark" else "light"]

    def style(value: float | None) -> str:
        if value is None or pd.isna(value) or not is_marked(value):
            return ""
        return f"font-weight: 700; color: {color}"

    return style
