"""Tables of figures, in one notation and with losses marked."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, Literal

import pandas as pd
import streamlit as st

from pages.parts.static import wrap_in_box
from toon import wording
from toon.colours import COSTS_TEXT

#: Functions that write the figures of each column.
Writers = Mapping[str, Callable[..., str]]


def draw_table(
    rows: Iterable[Mapping[str, object]] | pd.DataFrame,
    key: str = "",
    *,
    counts: Sequence[str] = (),
    decimals: Sequence[str] = (),
    shares: Sequence[str] = (),
    percents: Sequence[str] = (),
    differences: Sequence[str] = (),
    right: Collection[str] = (),
    height: Literal["auto", "content"] = "auto",
    alt: str = "",
    box: str = "",
    opens: bool = False,
    opened: int | None = None,
) -> int | None:
    """Draw rows as a table with a column for each of their keys.

    Return the place of the pressed row, where a press ``opens`` one.

    Args:
        rows: The cells by column. Columns named below hold figures or None.
        key: The widget's key; with it the table can be sorted and scrolls. Without it the table is
            a piece of HTML: its cells wrap, and a browser draws it sooner.
        counts: Columns of whole numbers.
        decimals: Columns of numbers shown with one decimal.
        shares: Columns of fractions from 0 to 1.
        percents: Columns of signed fractions, whose losses are marked.
        differences: Columns of signed whole numbers, whose losses are marked.
        right: Columns of texts that are figures, aligned right.
        height: "content" shows all rows at once.
        alt: A description of a table with a key, for those who cannot see it.
        box: The title of a closed box around a table without a key.
        opens: Whether a press on a cell of a table with a key opens its row.
        opened: The place of the row that is open at first.
    """
    kinds: dict[Callable[..., str], Sequence[str]] = {
        wording.count: counts,
        "{:,.1f}".format: decimals,
        partial(wording.percent, digits=1): shares,
        wording.signed_percent: percents,
        wording.signed_count: differences,
    }
    write = {name: writer for writer, names in kinds.items() for name in names}
    marked = [*percents, *differences]
    if key:
        frame = pd.DataFrame(rows)
        return _draw_sortable(frame, key, write, right, marked, height, alt, opens, opened)
    table = _as_html([dict(row) for row in rows], write, right, marked)
    st.html(wrap_in_box(box, table) if box else table)
    return None


def _draw_sortable(
    frame: pd.DataFrame,
    key: str,
    write: Writers,
    right: Collection[str],
    marked: Sequence[str],
    height: Literal["auto", "content"],
    alt: str,
    opens: bool,
    opened: int | None,
) -> int | None:
    shown: object = frame
    if write:  # a table without figures stays as it is, because styles are slow
        shown = styler = frame.style.format(dict(write), subset=list(write))
        if marked:
            shown = styler.map(style_losses(), subset=list(marked))
    aligned = dict.fromkeys(right, st.column_config.TextColumn(alignment="right"))
    # The names stay in view where the table scrolls.
    width = 150 if opens else None
    pinned = {name: st.column_config.Column(pinned=True, width=width) for name in frame.columns[:1]}
    looks: dict[str, Any] = {
        "hide_index": True,
        "width": "stretch",
        "height": height,
        "key": key,
        "placeholder": wording.UNKNOWN,
        "column_config": aligned | pinned,
    }
    if not opens:
        st.dataframe(shown, alt=alt, **looks)
        return None
    cells = [] if opened is None else [(opened, str(frame.columns[0]))]
    table = st.dataframe(
        shown,
        alt=alt,
        on_select="rerun",
        selection_mode="single-cell",
        selection_default={"selection": {"cells": cells}},
        **looks,
    )
    return next((place for place, _ in table["selection"]["cells"]), None)


def style_losses() -> Callable[[float | None], str]:
    """Return a function that gives a change in tokens its CSS: bold and red if tokens are added."""
    color = COSTS_TEXT["dark" if st.context.theme.type == "dark" else "light"]

    def style(value: float | None) -> str:
        is_loss = value is not None and value > 0  # not where it is NaN
        return f"font-weight: 700; color: {color}" if is_loss else ""

    return style


def _as_html(
    rows: Sequence[Mapping[str, object]],
    write: Writers,
    right: Collection[str],
    marked: Sequence[str],
) -> str:
    """Return rows as an HTML table; ``write`` maps columns to formatters, added tokens are red."""
    kinds = {name: "figure" if name in write or name in right else "text" for name in rows[0]}

    def cell(name: str, value: object) -> str:
        text, kind = wording.UNKNOWN if value is None else str(value), kinds[name]
        if isinstance(value, int | float):
            text = write[name](value)
            kind += " loss" * (name in marked and value > 0)
        # A long path or name breaks at its parts before it breaks a word.
        shown = re.sub(r"([/_])", r"\1<wbr/>", escape(text)) if kind == "text" else escape(text)
        return f'<td class="{kind}">{shown}</td>'

    head = "".join(f'<th class="{kind}">{escape(name)}</th>' for name, kind in kinds.items())
    lines = ("".join(cell(name, row[name]) for name in kinds) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<table class="short"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
