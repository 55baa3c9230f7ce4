"""The panel "Explaining the format": what the explanation costs, and what is left of the saving."""

from __future__ import annotations

import streamlit as st

from pages.parts.tables import draw_table
from toon.costs.choice import Verdict
from toon.costs.compare import Row, measured_rows
from toon.costs.explanation import explanation_tokens
from toon.formats import FORMATS


def draw_explanations(rows: list[Row], verdict: Verdict, tokenizer: str) -> None:
    """What explaining each format costs beyond explaining compact JSON, and what is left."""
    measured = measured_rows(rows)
    compact = next(row for row in measured if row["format"] == "json-compact")["tokens"]
    lines = []
    for row in measured:
        extra = explanation_tokens(row["format"], tokenizer)
        lines.append(
            {
                "Format": FORMATS[row["format"]].label,
                "Explanation": FORMATS[row["format"]].explanation,
                "Tokens beyond JSON's": extra,
                "Left of the difference": row["tokens"] + extra - compact,
            }
        )
    st.caption(
        "Against compact JSON, for one call whose prompt explains the format. "
        "Models know JSON; TOON may need a few sentences, paid with every prompt."
        + ("" if rows[0]["exact"] else " ≈ Tokens are estimates with this tokenizer.")
    )
    draw_table(
        lines,
        "primers",
        differences=["Tokens beyond JSON's", "Left of the difference"],
        marked=["Left of the difference"],
        height="content",
    )
    if verdict["saved"] > 0 and verdict["pays_back_rows"] is not None:
        label = FORMATS[verdict["cheapest"]].label
        st.write(
            f"{label} covers its explanation from about {verdict['pays_back_rows']:,} rows of "
            "this kind on. This is an estimate: it lets the saving grow in proportion to the rows."
        )
