"""The panel "Side by side": the payload in every dialect it fits, its tokens, losses and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from pages.parts.caches import cached
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload
from pages.parts.tables import draw_table
from toon.costs.compare import MeasuredRow, Row, describe_loss, measured_rows
from toon.formats import FORMATS

#: The formats compared here, in the order of the page: the baselines, TOON, and its dialects.
_SHOWN: Final = (
    "json-pretty",
    "json-compact",
    "toon",
    *(name for name, format in FORMATS.items() if format.dialect),
)
#: Characters of each text that are drawn, and texts beside each other.
_CHARACTERS: Final = 6_000
_COLUMNS: Final = 3


@cached
def write_as(data: Payload, format: str) -> str:
    """The payload as one format writes it; ValueError where it does not apply."""
    return FORMATS[format].dumps(data.value)


def draw_side_by_side(data: Payload, rows: Sequence[Row], tokenizer: str) -> None:
    """The table, what does not fit, and the chosen texts beside each other."""
    shown = {row["format"]: row for row in rows if row["format"] in _SHOWN}
    fitting = measured_rows(shown[name] for name in _SHOWN)
    if not fitting[0]["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    draw_table(
        map(_line, fitting),
        "dialects",
        counts=["Tokens", "Bytes"],
        percents=["vs compact JSON", "vs indented JSON"],
    )
    st.caption(
        "A format that drops information saves nothing by itself: JSON without the same fields is "
        "smaller, too. Compact JSON and indented JSON are of the whole payload."
    )
    for name in _SHOWN:
        row = shown[name]
        if row["tokens"] is None:
            reason = escape_markdown(row["reason"])
            st.caption(f"{FORMATS[name].label}: does not apply, {reason}.")
    names = [row["format"] for row in fitting]
    chosen = st.pills(
        "Texts",
        names,
        selection_mode="multi",
        default=[name for name in names if name != "json-pretty"][:_COLUMNS],
        format_func=lambda name: FORMATS[name].label,
        key=f"dialects_shown_{'_'.join(names)}",
    )
    _draw_texts(data, chosen, shown, tokenizer)


def _line(row: MeasuredRow) -> dict[str, object]:
    return {
        "Dialect": FORMATS[row["format"]].label,
        "Tokens": row["tokens"],
        "vs compact JSON": row["vs"]["json-compact"],
        "vs indented JSON": row["vs"]["json-pretty"],
        "Bytes": row["bytes"],
        "Comes back": "✓ proven" if row["round_trips"] else f"✗ loses {describe_loss(row)}",
    }


def _draw_texts(
    data: Payload, chosen: Sequence[str], rows: Mapping[str, Row], tokenizer: str
) -> None:
    for start in range(0, len(chosen), _COLUMNS):
        names = chosen[start : start + _COLUMNS]
        for name, column in zip(names, st.columns(len(names)), strict=True):
            text = write_as(data, name)
            about = "" if rows[name]["exact"] else "≈ "
            with column:
                tokens = f"{about}{rows[name]['tokens']:,} {tokenizer} tokens"
                st.markdown(f"**{FORMATS[name].label}** · {tokens}")
                wrap = "\n" not in text
                st.code(text[:_CHARACTERS] or " ", language=None, height=420, wrap_lines=wrap)
                if len(text) > _CHARACTERS:
                    st.caption(f"The first {_CHARACTERS:,} of {len(text):,} characters.")
