"""The panel "Delimiters and indents" of TOON."""

from __future__ import annotations

import streamlit as st

from pages.parts.caches import cached_for_payload
from pages.parts.payload import Payload
from pages.parts.tables import draw_table
from toon.costs.delimiters import delimiter_rows
from toon.tokenizers import TOKENIZERS

compare_delimiters = cached_for_payload(delimiter_rows)


def draw_delimiters(data: Payload, tokenizer: str) -> None:
    """Tokens of TOON with comma, tab and pipe, at indents of 1, 2 and 4."""
    rows = compare_delimiters(data, tokenizer)
    fewest = min(row["tokens"] for row in rows)
    estimate = "" if TOKENIZERS[tokenizer].exact else ", an estimate"
    st.caption(
        f"{TOKENIZERS[tokenizer].label}{estimate}. A value that holds the delimiter is quoted."
    )
    lines = [
        {
            "Delimiter": row["delimiter"],
            "Indent": row["indent"],
            "Tokens": row["tokens"],
            "vs compact JSON": row["vs_json_compact"],
            "Values quoted": row["quoted"],
            "Bytes": row["bytes"],
            "": "fewest" if row["tokens"] == fewest else "",
        }
        for row in rows
    ]
    draw_table(
        lines,
        "delimiters",
        counts=["Tokens", "Values quoted", "Bytes"],
        percents=["vs compact JSON"],
    )
