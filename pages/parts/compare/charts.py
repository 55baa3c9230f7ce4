"""Rows in, charts out, for the compare page; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import pandas as pd

from pages.parts.charts import GREY, SAVES_TO_COSTS
from toon.costs.compare import Row
from toon.wording import signed_percent


def heatmap(rows: Iterable[Row], labels: dict[str, str]) -> alt.LayerChart:
    """Tokens against compact JSON by format and tokenizer: signed text on a diverging colour.

    ``rows`` are those of :func:`toon.costs.compare.compare`; ``labels`` name formats and
    tokenizers.
    """
    frame = pd.DataFrame(
        [
            {
                "format": labels[row["format"]],
                "tokenizer": labels[row["tokenizer"]],
                "fraction": row["vs"]["json-compact"],
                "text": "n/a"
                if row["tokens"] is None
                else signed_percent(row["vs"]["json-compact"]),
                "tokens": row["tokens"],
            }
            for row in rows
        ]
    )
    formats, names = (list(dict.fromkeys(frame[column])) for column in ("format", "tokenizer"))
    along = alt.Axis(labelAngle=-40, labelLimit=170, labelOverlap=False)
    base = alt.Chart(frame).encode(
        x=alt.X("tokenizer:N", sort=names, title=None, axis=along),
        y=alt.Y("format:N", sort=formats, title=None, axis=alt.Axis(labelLimit=200)),
        tooltip=[
            alt.Tooltip("format:N"),
            alt.Tooltip("tokenizer:N"),
            alt.Tooltip("tokens:Q", format=","),
            alt.Tooltip("text:N", title="against compact JSON"),
        ],
    )
    # The sign stands in the cell as well.
    color = alt.Color(
        "fraction:Q",
        scale=alt.Scale(domain=[-0.6, 0, 0.6], range=list(SAVES_TO_COSTS), clamp=True),
        legend=None,
    )
    cells = base.mark_rect().encode(color=color)
    ink = alt.condition("datum.fraction === null", alt.value(GREY), alt.value("#1b2430"))
    # In a narrow cell the text would overlap its neighbours: there the tooltip has the figure.
    size = {"expr": "bandwidth('x') < 44 ? 0 : 11"}
    text = base.mark_text(fontSize=size).encode(text="text:N", color=ink)
    chart: alt.LayerChart = (cells + text).properties(height=alt.Step(26))
    return chart
