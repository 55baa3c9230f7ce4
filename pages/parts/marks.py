"""The heat map of formats by tokenizers; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import altair as alt
import pandas as pd

from pages.parts.charts import row_height
from toon.colours import GREY, INK_ON_CELLS, SAVES_TO_COSTS
from toon.costs.compare import Row, measured_rows, why_not
from toon.costs.compare import cost as row_cost
from toon.costs.compare import label as row_label
from toon.costs.explanation import Explaining
from toon.costs.worth import COMPACT
from toon.formats import versus
from toon.tokenizers import TOKENIZERS
from toon.values.fractions import fraction
from toon.wording import (
    IS_LOST,
    UNKNOWN,
    decimal,
    signed_count,
    signed_percent,
)

#: The separator of the lines of a column's name.
_BREAK: Final = " | "


def heatmap(rows: Sequence[Row], explaining: Explaining) -> alt.LayerChart:
    """Draw costs against compact JSON by format and tokenizer, from the rows of a comparison.

    Cells that may be recommended have a figure on a diverging colour; others are grey with ✗.
    """
    frame = pd.DataFrame(_cells(rows, explaining))
    formats, names = (list(dict.fromkeys(frame[column])) for column in ("format", "tokenizer"))
    lines = f"split(datum.label, '{_BREAK}')"
    along = alt.Axis(
        labelAngle=alt.expr("bandwidth('x') < 24 ? -90 : -40"),
        labelFontSize=alt.expr("bandwidth('x') < 24 ? 8 : 10"),
        labelLimit=320,
        labelOverlap=False,
        labelExpr=f"bandwidth('x') < 24 ? {lines}[0] : {lines}",  # one line where it is narrow
    )
    base = alt.Chart().encode(
        x=alt.X("tokenizer:N", sort=names, title=None, axis=along),
        y=alt.Y("format:N", sort=formats, title=None, axis=alt.Axis(labelLimit=200)),
        tooltip=[
            alt.Tooltip("format:N"),
            alt.Tooltip("tokenizer:N"),
            alt.Tooltip("tokens:Q", format=","),
            alt.Tooltip("cost:N", title="with its note"),
            alt.Tooltip("text:N", title=f"cost {versus(COMPACT)}"),
            alt.Tooltip("note:N", title="may be recommended"),
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
    no_cell = {"test": "datum.fraction === null", "value": GREY}
    ink = alt.ColorValue(INK_ON_CELLS, condition=no_cell)
    # In a narrow cell the figure stands upright, in whole per cents.
    narrow = "bandwidth('x') < 44"
    text = base.mark_text(
        text={"expr": f"{narrow} ? datum.short : datum.text"},
        angle={"expr": f"{narrow} ? 270 : 0"},
        fontSize={"expr": f"{narrow} ? 8 : bandwidth('x') < 60 ? 9 : 11"},
    ).encode(color=ink)
    height = row_height(26, formats)
    chart: alt.LayerChart = alt.LayerChart(layer=[grey, cells, text], data=frame).properties(
        **height
    )
    return chart


def _cells(rows: Sequence[Row], explaining: Explaining) -> Iterator[dict[str, object]]:
    """Yield a cell for each row; only cells with a ``fraction`` are coloured."""
    compact = {
        row["tokenizer"]: row["tokens"] for row in measured_rows(rows) if row["format"] == COMPACT
    }
    for row in rows:
        reason, cost, vs = why_not(row), None, None
        if row["tokens"] is not None:
            cost = row_cost(row, explaining)
            vs = fraction(cost, compact[row["tokenizer"]])
        mark = f" {IS_LOST}" if reason else ""
        yield {
            "format": row_label(row),
            "tokenizer": TOKENIZERS[row["tokenizer"]].label,
            "fraction": None if reason else vs,
            "text": f"{signed_percent(vs)}{mark}" if cost is not None else "n/a",
            "short": "n/a" if vs is None else signed_count(100 * vs),
            "tokens": None if cost is None else row["tokens"],
            "cost": UNKNOWN if cost is None else decimal(cost),
            "note": f"no: {reason}" if reason else "yes",
        }
