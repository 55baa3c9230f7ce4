"""Rows in, charts out, for the advisor page; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import altair as alt
import pandas as pd

from pages.parts.charts import both_sides, by_label, figures, fills, row_height
from toon.advisor.rows import FieldRow
from toon.advisor.steps.base import STEP_KINDS
from toon.colours import COSTS, GREY
from toon.wording import signed_count

_FEWER: Final = dict(
    zip(
        STEP_KINDS,
        ("fewer, lossless", "fewer, lossless with a map", "fewer, lossy"),
        strict=True,
    )
)
#: Only what a reader of the payload can undo has the colour of a gain.
_FILLS: Final = {
    **dict(zip(_FEWER.values(), fills("fewer", len(_FEWER)), strict=True)),
    "more": COSTS,
}


def step_bars(rows: Iterable[Mapping[str, object]], title: Sequence[str]) -> alt.LayerChart:
    """Bars to both sides of zero, in the order given: ``label``, signed ``tokens``, ``kind``."""
    frame = pd.DataFrame(rows)
    frame["text"] = [signed_count(tokens) for tokens in frame["tokens"]]
    frame["meaning"] = frame.apply(_meaning, axis="columns")
    axis = figures("x", signed=True, tickMinStep=1)
    base = alt.Chart().encode(y=by_label(frame["label"], limit=260))
    meanings = [meaning for meaning in _FILLS if meaning in set(frame["meaning"])]
    bars = base.mark_bar(height={"band": 0.66}).encode(
        x=alt.X("tokens:Q", title=list(title), axis=axis, scale=both_sides(frame["tokens"])),
        color=alt.Color(
            "meaning:N",
            scale=alt.Scale(domain=meanings, range=[_FILLS[name] for name in meanings]),
            legend=alt.Legend(
                orient="top",
                title=None,
                labelLimit=240,
                columns=alt.expr("width < 320 ? 1 : 4"),
            ),
        ),
        tooltip=[
            alt.Tooltip("label:N"),
            alt.Tooltip("tokens:Q", format="+,.0f"),
            alt.Tooltip("kind:N"),
        ],
    )
    side = {"expr": "datum.tokens < 0 ? 'right' : 'left'"}
    offset = {"expr": "datum.tokens < 0 ? -4 : 4"}
    written = base.mark_text(align=side, dx=offset, color=GREY).encode(
        x=alt.X("tokens:Q"), text=alt.Text("text:N")
    )
    height = row_height(30, frame["label"])
    chart: alt.LayerChart = alt.LayerChart(layer=[bars, written], data=frame).properties(**height)
    return chart


def _meaning(row: Mapping[str, Any]) -> str:
    return "more" if row["tokens"] > 0 else _FEWER[row["kind"]]


def field_bars(rows: Sequence[FieldRow]) -> alt.Chart:
    """Tokens by field, in the order given; at least one."""
    frame = pd.DataFrame(rows, columns=["field", "tokens", "share"])
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.7}, color=GREY)
        .encode(
            x=alt.X("tokens:Q", title="tokens", axis=figures("x")),
            y=by_label(frame["field"], "field", limit=260),
            tooltip=[
                alt.Tooltip("field:N"),
                alt.Tooltip("tokens:Q", format=",.1f"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
        .properties(**row_height(24, frame["field"]))
    )
    return chart
