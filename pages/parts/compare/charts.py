"""Rows in, charts out, for the compare page; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import pandas as pd

from pages.parts.charts import GREY, SAVES_TO_COSTS
from toon.costs.choice import COMPACT
from toon.costs.compare import Row, label, why_not
from toon.tokenizers import TOKENIZERS
from toon.wording import signed_percent


def heatmap(rows: Iterable[Row]) -> alt.LayerChart:
    """Tokens against compact JSON by format and tokenizer, from :func:`toon.costs.compare.compare`.

    What may be recommended has its signed figure on a diverging colour; all else is grey with ✗.
    """
    frame = pd.DataFrame(map(_cell, rows))
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
            alt.Tooltip("note:N", title="recommended"),
        ],
    )
    # The sign stands in the cell as well.
    color = alt.Color(
        "fraction:Q",
        scale=alt.Scale(domain=[-0.6, 0, 0.6], range=list(SAVES_TO_COSTS), clamp=True),
        legend=None,
    )
    grey = base.mark_rect(color=GREY, opacity=0.12)
    cells = base.mark_rect().encode(color=color)  # none where there is no fraction
    ink = alt.condition("datum.fraction === null", alt.value(GREY), alt.value("#1b2430"))
    # In a narrow cell the text would overlap its neighbours: there the tooltip has the figure.
    size = {"expr": "bandwidth('x') < 44 ? 0 : 11"}
    text = base.mark_text(fontSize=size).encode(text="text:N", color=ink)
    chart: alt.LayerChart = (grey + cells + text).properties(height=alt.Step(26))
    return chart


def _cell(row: Row) -> dict[str, object]:
    """One cell; only what has a ``fraction`` gets a colour."""
    reason, vs = why_not(row), row["vs"][COMPACT]
    mark = " ✗" if reason else ""
    return {
        "format": label(row),
        "tokenizer": TOKENIZERS[row["tokenizer"]].label,
        "fraction": None if reason else vs,
        "text": "n/a" if row["tokens"] is None else f"{signed_percent(vs)}{mark}",
        "tokens": row["tokens"],
        "note": f"no: {reason}" if reason else "yes",
    }
