"""An analysis in, charts out, for the dashboard; no Streamlit here.

Green saves, vermilion costs, grey is a format that is not recommended; the sign stands as text too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from pages.parts.charts import both_sides, figures, per_cent
from toon.analysis import Analysis
from toon.analysis.columns import Floats
from toon.analysis.spread import Series, Spread
from toon.colours import COSTS, GREY, SAVES, TODAY, TOON
from toon.formats import label
from toon.reports.facts import Report
from toon.reports.figures import bar_range, group_changes
from toon.traffic.urls import short_names
from toon.wording import signed_percent

#: Characters in a line of a name beside a chart.
_LINE: Final = 28
#: Pixels of the two charts that stand beside each other.
_BESIDE: Final = 260
#: Groups that a chart draws.
DRAWN: Final = 20


def changes(report: Report) -> pd.DataFrame:
    """The chosen format against today's by group: columns group, label, change (tokens), text."""
    short = short_names(report.analysis.sums.groups)
    return pd.DataFrame(
        [
            (
                change.group,
                wrapped(short[change.group]),
                change.tokens,
                signed_percent(change.vs),
            )
            for change in group_changes(report.analysis, DRAWN)
        ],
        columns=["group", "label", "change", "text"],
    )


def switches(report: Report) -> pd.DataFrame:
    """As :func:`changes`, of the groups that are worth a switch, each to what is recommended."""
    short = short_names(report.analysis.sums.groups)
    return pd.DataFrame(
        [
            (
                row.group,
                wrapped(short[row.group]),
                row.change,
                signed_percent(row.vs_now),
            )
            for row in report.analysis.policy.switches[:DRAWN]
        ],
        columns=["group", "label", "change", "text"],
    )


def wrapped(name: str) -> str:
    """A name in lines that fit beside a chart, broken before a slash where there is one."""
    lines = []
    while len(name) > _LINE:
        at = name.rfind("/", 1, _LINE + 1)
        at = at if at > 0 else _LINE
        lines.append(name[:at])
        name = name[at:]
    return "\n".join([*lines, name])


def group_bars(frame: pd.DataFrame, *, apart: bool) -> alt.LayerChart:
    """Diverging bars: tokens saved to the left of zero, added to its right.

    They are grey where the format stands ``apart``.
    """
    base = alt.Chart(frame).encode(
        y=alt.Y(
            "label:N",
            sort=list(frame["label"]),
            title=None,
            axis=alt.Axis(
                labelExpr="split(datum.label, '\\n')", labelOverlap=False, labelLimit=200
            ),
        ),
        tooltip=[
            alt.Tooltip("group:N"),
            alt.Tooltip("change:Q", format="+,.0f", title="tokens against today"),
            alt.Tooltip("text:N", title="in per cent"),
        ],
    )
    bars = base.mark_bar(height={"band": 0.66}, cursor="pointer").encode(
        x=alt.X(
            "change:Q",
            title="tokens against today (negative: fewer)",
            scale=both_sides(frame["change"]),
            axis=figures("x", signed=True),
        ),
        color=_signed_color("datum.change > 0", apart),
    )
    written = {"x": alt.X("change:Q"), "text": alt.Text("text:N")}
    side = {"expr": "datum.change < 0 ? 'right' : 'left'"}
    offset = {"expr": "datum.change < 0 ? -4 : 4"}
    texts = base.mark_text(align=side, dx=offset, fontSize=11, color=GREY).encode(**written)
    chart: alt.LayerChart = (bars + texts).properties(height=_height(frame["label"]))
    return chart


def _height(labels: Sequence[str]) -> int:
    """Pixels for bars whose names have these lines."""
    lines = max(label.count("\n") + 1 for label in labels)
    return max(26, 14 * lines + 4) * len(labels) + 84


def _signed_color(is_loss: str, apart: bool) -> alt.ColorValue:
    """Costs where the condition holds, else savings; grey for a format that stands apart."""
    if apart:
        return alt.ColorValue(GREY)
    return alt.ColorValue(SAVES, condition={"test": is_loss, "value": COSTS})


def histogram(spread: Spread, *, apart: bool) -> alt.Chart:
    """How many payloads change by how much, in bars of five percentage points.

    They are grey where the format stands ``apart``.
    """
    frame = pd.DataFrame(spread.bars)
    frame["range"] = [bar_range(bar) for bar in spread.bars]
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_bar(binSpacing=1)
        .encode(
            x=alt.X(
                "low:Q",
                bin="binned",
                title="a payload's tokens against today (negative: fewer)",
                axis=per_cent(signed=True, tickCount=8),
            ),
            x2=alt.X2("high:Q"),
            y=alt.Y("payloads:Q", title="payloads", axis=figures("y", tickMinStep=1)),
            color=_signed_color("datum.low >= 0", apart),
            tooltip=[
                alt.Tooltip("range:N", title="against today"),
                alt.Tooltip("payloads:Q", format=","),
            ],
        )
        .properties(height=_BESIDE)
    )
    return chart


def moments(seconds: Floats) -> Any:
    """Seconds since 1970 as times without a zone; NaN becomes NaT.

    The times are in milliseconds: nanoseconds would end in the year 2262.
    """
    known = np.where(np.isnan(seconds), 0, seconds * 1_000).astype("datetime64[ms]")
    return np.where(np.isnan(seconds), np.datetime64("NaT", "ms"), known)


def volume(series: Series, analysis: Analysis) -> alt.Chart:
    """Tokens over time: as sent today, all in the chosen format, and as recommended."""
    choice = analysis.choice
    of_format = GREY if analysis.apart else TOON
    names = {"now": f"today: {label(choice.now)}", "mix": "recommended mix"}
    if analysis.sums.carries_all(choice.format):
        names["format"] = f"all {label(choice.format)}"
    frame = pd.concat(
        pd.DataFrame(
            {
                "time": moments(series.starts),
                "tokens": series.tokens[key],
                "sent": name,
            }
        )
        for key, name in names.items()
    )
    shown = list(names.values())
    colours = alt.Scale(domain=shown, range=[TODAY, SAVES, of_format])
    dashes = alt.Scale(domain=shown, range=[[2, 3], [1, 0], [7, 3]])
    legend = alt.Legend(
        orient="top",
        title=None,
        columns=alt.expr("width < 320 ? 1 : width < 480 ? 2 : 3"),
        labelLimit=260,
        symbolType="stroke",
        symbolSize=400,
    )
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", strokeWidth=1.8)
        .encode(
            x=alt.X("time:T", title=None),
            y=alt.Y(
                "tokens:Q",
                title=f"tokens a {series.unit}",
                axis=figures("y"),
            ),
            color=alt.Color("sent:N", scale=colours, legend=legend),
            strokeDash=alt.StrokeDash("sent:N", scale=dashes, legend=legend),
            tooltip=[
                alt.Tooltip("time:T", format="%Y-%m-%d %H:%M"),
                alt.Tooltip("sent:N"),
                alt.Tooltip("tokens:Q", format=",.0f"),
            ],
        )
        .properties(height=_BESIDE)
    )
    return chart
