"""The payload in every dialect it fits: tokens, what is lost, and the texts themselves."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cached, figures
from pages.parts.given import Given
from pages.parts.markdown import plain
from toon.costs.compare import loss_of
from toon.formats import FORMATS

#: What is compared here, in the order of the page: the baselines, TOON, and what is met instead.
SHOWN = (
    "json-pretty",
    "json-compact",
    "toon",
    "ticket",
    "pipe",
    "temporal-cortex",
    "vibemcp",
    "vibemcp-lossless",
    "compact",
)
_CHARACTERS = 6_000
_COLUMNS = 3


def show(payload: Given, rows: list[dict[str, Any]], tokenizer: str) -> None:
    """The table, what does not fit, and the chosen texts beside each other."""
    mine = {row["format"]: row for row in rows if row["format"] in SHOWN}
    fitting = [mine[name] for name in SHOWN if mine[name]["tokens"] is not None]
    if not fitting[0]["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    st.dataframe(_table(fitting), hide_index=True, width="stretch", key="dialects")
    st.caption(
        "A form that drops information is no saving of its own: JSON without the same fields is "
        "smaller, too. Compact JSON and indented JSON are of the whole payload."
    )
    for name in SHOWN:
        if mine[name]["tokens"] is None:
            st.caption(f"{FORMATS[name].label}: does not apply, {plain(mine[name]['reason'])}.")
    names = [row["format"] for row in fitting]
    chosen = st.pills(
        "Texts",
        names,
        selection_mode="multi",
        default=[name for name in names if name != "json-pretty"][:_COLUMNS],
        format_func=lambda name: FORMATS[name].label,
        key=f"dialects_shown_{'_'.join(names)}",
    )
    _texts(payload, chosen, mine, tokenizer)


def _table(rows: list[dict[str, Any]]) -> Any:
    frame = pd.DataFrame(
        [
            {
                "Dialect": FORMATS[row["format"]].label,
                "Tokens": row["tokens"],
                "vs compact JSON": row["vs"]["json-compact"],
                "vs indented JSON": row["vs"]["json-pretty"],
                "Bytes": row["bytes"],
                "Comes back": "✓ proven" if row["round_trips"] else f"✗ loses {loss_of(row)}",
            }
            for row in rows
        ]
    )
    versus = ["vs compact JSON", "vs indented JSON"]
    return (
        frame.style.format(figures.count, subset=["Tokens", "Bytes"])
        .format(figures.signed_percent, subset=versus)
        .map(figures.loss, subset=versus)
    )


def _texts(
    payload: Given, chosen: list[str], rows: dict[str, dict[str, Any]], tokenizer: str
) -> None:
    for start in range(0, len(chosen), _COLUMNS):
        some = chosen[start : start + _COLUMNS]
        for name, column in zip(some, st.columns(len(some)), strict=True):
            text = cached.written(*payload, name)
            about = "" if rows[name]["exact"] else "≈ "
            with column:
                tokens = f"{about}{rows[name]['tokens']:,} {tokenizer} tokens"
                st.markdown(f"**{FORMATS[name].label}** · {tokens}")
                wrap = "\n" not in text
                st.code(text[:_CHARACTERS] or " ", language=None, height=420, wrap_lines=wrap)
                if len(text) > _CHARACTERS:
                    st.caption(f"The first {_CHARACTERS:,} of {len(text):,} characters.")
