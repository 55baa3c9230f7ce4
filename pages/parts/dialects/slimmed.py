"""Fields dropped before anything is written: what patterns find, and what that alone saves."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cached, figures
from pages.parts.given import Given
from pages.parts.markdown import plain
from pages.parts.payload import open_document
from toon.costs.compare import compare
from toon.formats import FORMATS
from toon.playground import panes
from toon.values import filters
from toon.values.fractions import fraction

_FORMATS = ("json-pretty", "json-compact", "toon")


@st.cache_data(max_entries=16, show_spinner=False)
def _measured(
    side: panes.Side,
    text: str,
    indent: int,
    strict: bool,
    tokenizer: str,
    patterns: tuple[str, ...],
) -> dict[str, Any]:
    """Tokens before and after, fields dropped by pattern, and the slimmed payload."""
    value = cached.value_of(side, text, indent, strict)
    slim = filters.apply(value, patterns)
    before, after = (
        {row["format"]: row for row in compare(one, formats=_FORMATS, tokenizers=(tokenizer,))}
        for one in (value, slim)
    )
    return {
        "exact": before["json-compact"]["exact"],
        "before": {name: before[name]["tokens"] for name in _FORMATS},
        "after": {name: after[name]["tokens"] for name in _FORMATS},
        "removed": filters.removed(value, patterns),
        "text": FORMATS["json-compact"].dumps(slim),
    }


def show(payload: Given, tokenizer: str) -> None:
    """The controls, what they drop, and the tokens of three formats before and after."""
    patterns = _patterns()
    if not patterns:
        st.info("Name fields to drop, or choose a preset: `*.etag` is every etag at any depth.")
        return
    found = _measured(*payload, tokenizer, patterns)
    if not found["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    dropped = sum(found["removed"].values())
    compact = found["before"]["json-compact"]
    share = fraction(found["after"]["json-compact"], compact)
    words = "field is" if dropped == 1 else "fields are"
    about = "" if found["exact"] else "≈ "
    st.subheader(
        f"{dropped:,} {words} dropped: {about}{figures.signed_percent(share)} of compact JSON's "
        f"{about}{compact:,} {tokenizer} tokens, before any format helps",
        anchor=False,
    )
    st.dataframe(_table(found), hide_index=True, width="stretch", key="slimmed")
    idle = [pattern for pattern, count in found["removed"].items() if not count]
    if idle:
        st.caption(f"Without effect here: {plain(', '.join(idle))}.")
    if st.button("Open what is left in the playground", key="open_slimmed"):
        open_document("json", found["text"], "filtered payload")
        st.switch_page("playground.py")


def _patterns() -> tuple[str, ...]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        presets = st.multiselect(
            "Presets",
            list(filters.PRESETS),
            key="filter_presets",
            persist_state="session",
            placeholder="None",
            width=240,
        )
        text = st.text_input(
            "Fields to drop",
            key="filter_patterns",
            persist_state="session",
            placeholder="*.etag, items.at.*.rs",
            help="Paths of keys with dots between, separated by commas. Arrays take no part; * is "
            "any number of levels. The same as --filter on the command line.",
        )
    chosen = [pattern for name in presets for pattern in filters.preset(name)]
    return tuple(dict.fromkeys([*chosen, *filters.parse(text or "")]))


def _table(found: dict[str, Any]) -> Any:
    whole = found["before"]["json-compact"]
    lines = []
    for name in _FORMATS:
        for label, tokens in (("all fields", found["before"]), ("filtered", found["after"])):
            lines.append(
                {
                    "Format": FORMATS[name].label,
                    "Fields": label,
                    "Tokens": tokens[name],
                    "vs compact JSON, all fields": fraction(tokens[name], whole),
                }
            )
    versus = ["vs compact JSON, all fields"]
    return (
        pd.DataFrame(lines)
        .style.format(figures.count, subset=["Tokens"])
        .format(figures.signed_percent, subset=versus)
        .map(figures.loss, subset=versus)
    )
