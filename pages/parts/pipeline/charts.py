"""The chart of the pipeline page, and the names of its steps, from a replay's rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import altair as alt
import pandas as pd

from pages.parts.charts import figures
from toon.colours import COMPACT_JSON, TODAY, TOON
from toon.context.replay import Column, ReplayRow

#: The cells of a replay that a chart shows over the steps.
Measure = Literal["context", "billed"]

#: The kinds of steps, in words.
KINDS: Final = {"task": "task", "tool_call": "tool call", "hand_off": "hand-off"}


def step_name(row: ReplayRow) -> str:
    """The kind and the subject of a step, such as ``tool call: search``."""
    return f"{KINDS[row['kind']]}: {row['subject']}"


def context_lines(
    rows: Sequence[ReplayRow], measure: Measure, labels: Mapping[Column, str]
) -> alt.Chart:
    """Tokens by step: a stepped line for each format, with its own colour and dashes."""
    frame = pd.DataFrame(
        [
            {
                "step": row["step"],
                "what": step_name(row),
                "format": label,
                "tokens": row[measure][name],
                "added": row["added"][name],
            }
            for row in rows
            for name, label in labels.items()
        ]
    )
    shown = [labels["toon"], labels["pretty"], labels["json"]]
    scale = alt.Scale(domain=shown, range=[TOON, TODAY, COMPACT_JSON])
    legend = alt.Legend(
        orient="top",
        title=None,
        labelLimit=220,
        symbolType="stroke",
        symbolSize=400,
        columns=alt.expr("width < 320 ? 1 : 3"),
    )
    dash = alt.Scale(domain=shown, range=[[1, 0], [2, 3], [7, 3]])
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", strokeWidth=2.5, point=len(rows) <= 40)
        .encode(
            x=alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
            y=alt.Y(
                "tokens:Q",
                title="tokens",
                axis=figures("y", tickMinStep=1),
            ),
            color=alt.Color("format:N", scale=scale, legend=legend),
            strokeDash=alt.StrokeDash("format:N", scale=dash, legend=legend),
            tooltip=[
                alt.Tooltip("step:Q"),
                alt.Tooltip("what:N"),
                alt.Tooltip("format:N"),
                alt.Tooltip("tokens:Q", format=","),
                alt.Tooltip("added:Q", format=",", title="added by this step"),
            ],
        )
        .properties(height=340)
    )
    return chart
