"""Draws tables of figures: all in one notation, with losses marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import pandas as pd
import streamlit as st

from pages.parts.charts import COSTS_TEXT
from toon import wording


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
    marked: Sequence[str] | None = None,
    is_marked: Callable[[float], bool] = is_loss,
    height: Literal["auto", "content"] = "auto",
    alt: str | None = None,
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
        marked: Columns in which some figures are marked; by default the signed ones.
        is_marked: Whether a figure of these columns is marked; by default losses are.
        height: "content" shows all rows at once.
        alt: What the table shows, for those who cannot see it.
    """
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    formats = {
        **dict.fromkeys(counts, wording.count),
        **dict.fromkeys(decimals, "{:,.1f}"),
        **dict.fromkeys(shares, _share),
        **dict.fromkeys(percents, wording.signed_percent),
        **dict.fromkeys(differences, wording.signed_count),
    }
    st.dataframe(
        _styled(frame, formats, [*percents, *differences] if marked is None else marked, is_marked),
        hide_index=True,
        width="stretch",
        height=height,
        key=key,
        placeholder=wording.UNKNOWN,
        alt=alt,
    )


def _styled(
    frame: pd.DataFrame,
    formats: Mapping[str, object],
    marked: Sequence[str],
    is_marked: Callable[[float], bool],
) -> object:
    """The frame with its figures in words; without figures as given, because styles are slow."""
    if not formats:
        return frame
    styler = frame.style.format(formats, subset=list(formats))
    return styler.map(style_marked(is_marked), subset=list(marked)) if marked else styler


def style_marked(is_marked: Callable[[float], bool]) -> Callable[[float | None], str]:
    """The CSS of a figure: marked figures are bold too, so that colour is not the only sign."""

    def style(value: float | None) -> str:
        if value is None or pd.isna(value) or not is_marked(value):
            return ""
        return f"font-weight: 700; color: {COSTS_TEXT}"

    return style


def _share(fraction: float) -> str:
    return wording.percent(fraction, 1)
