"""What every field costs."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.parts.advisor.charts import field_bars
from pages.parts.tables import draw_table
from toon.advisor.rows import FieldRow
from toon.formats import label

#: Fields in the chart; the table has them all.
_CHARTED: Final = 25


def draw_fields(costs: list[FieldRow]) -> None:
    """Bars of the fields that cost most, and all of them in a table."""
    baseline = label(costs[0]["baseline"])
    whole = f"{costs[0]['baseline_tokens']:,}"
    caption = f"Tokens of {baseline} by field, {whole} in all: names, colons and values."
    st.caption(
        caption,
        help="A token that several fields share is split by its bytes, so the rows add up to all "
        "tokens.",
    )
    st.altair_chart(
        field_bars(costs[:_CHARTED]),
        key="fields_chart",
        alt="Tokens by field; numbers are in the table.",
    )
    lines = [
        {
            "Field": row["field"],
            "Written": row["count"],
            "Tokens": row["tokens"],
            "Share": row["share"],
            "Removing it": None if row["removed_saves"] is None else -row["removed_saves"],
            f"vs {baseline}": row["removed_vs"],
        }
        for row in costs
    ]
    draw_table(
        lines,
        "fields_table",
        counts=["Written"],
        differences=["Removing it"],
        percents=[f"vs {baseline}"],
        decimals=["Tokens"],
        shares=["Share"],
        marked=[],
        alt="Tokens and share of each field.",
    )
    st.caption(
        "Removing is measured for the ten dearest fields, each with all below it.",
        help="The rest is counted again. Of brackets and commas, Written is how many there are.",
    )
