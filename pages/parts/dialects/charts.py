"""Rows in, charts out, for the dialects page; no Streamlit here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypedDict

import altair as alt
import pandas as pd

from pages.parts.charts import by_label


class ShareRow(TypedDict):
    """The share (0 to 1) of one part of a ticket, claimed or measured."""

    part: str
    of: str
    share: float


def share_bars(rows: Sequence[ShareRow], columns: Sequence[str]) -> alt.Chart:
    """Stacked shares, one bar for each of ``columns``."""
    parts = list(dict.fromkeys(row["part"] for row in rows))
    chart: alt.Chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%")),
            y=by_label(columns, "of", limit=170),
            color=alt.Color(
                "part:N",
                sort=parts,
                legend=alt.Legend(orient="bottom", title=None, columns=2, labelLimit=200),
            ),
            order=alt.Order("place:Q"),
            tooltip=["of:N", "part:N", alt.Tooltip("share:Q", format=".1%")],
        )
        .transform_calculate(place=f"indexof({json.dumps(parts)}, datum.part)")
        .properties(height=230)
    )
    return chart
