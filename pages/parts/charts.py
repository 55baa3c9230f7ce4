"""Bars of tokens, and axes and legends of all charts; no Streamlit here.

A channel is written as ``alt.X("tokens:Q")``, never as ``"tokens:Q"``, ``alt.value`` or
``alt.condition``: Altair takes several milliseconds to find the class of each of those.
"""

from collections.abc import Iterable
from typing import Any, Literal

import altair as alt
import pandas as pd

from toon.colours import GREY


def number_axis(axis: Literal["x", "y"], **options: Any) -> alt.Axis:
    """Return a chart's "x" or "y" axis of numbers, with k or M if its scale reaches 100,000."""
    most = f"max(abs(domain('{axis}')[0]), abs(domain('{axis}')[1]))"
    short = "replace(format(datum.value, '~s'), 'G', 'B')"
    plain = "format(datum.value, ',~f')"
    label = f"datum.value == 0 ? '0' : {most} < 100000 ? {plain} : {short}"
    return alt.Axis(labelExpr=label, **{"tickCount": 5 if axis == "x" else 4, **options})


def label_axis(labels: Iterable[str], limit: int = 200, **options: Any) -> alt.Y:
    """Return a chart's vertical axis of the column ``label``: its names in the order of ``labels``,
    each at most ``limit`` pixels wide.
    """
    axis = alt.Axis(labelLimit=limit, labelOverlap=False, labelFlush=False, **options)
    return alt.Y("label:N", sort=list(labels), title=None, axis=axis)


def legend(columns: int, least: int = 1, **options: Any) -> alt.Legend:
    """Return a chart's legend in ``columns``; in a narrow chart fewer, but at least ``least``."""
    fitting = f"width < 320 ? {least} : width < 420 ? {min(2, columns)} : {columns}"
    chosen = {"orient": "top", "labelLimit": 240, **options}
    return alt.Legend(title=None, columns=alt.expr(fitting), **chosen)


def row_height(pixels: int, names: Iterable[object]) -> dict[str, int | alt.AutoSizeParams]:
    """Return a chart's height and size mode as a dict: ``pixels`` for each distinct name."""
    return {
        "height": pixels * len(set(names)),
        "autosize": alt.AutoSizeParams(type="fit-x", contains="padding"),
    }


def bars(
    frame: pd.DataFrame,
    title: str | list[str],
    names: alt.Y,
    color: alt.Color | alt.ColorValue,
    tips: list[alt.Tooltip],
    *,
    reach: float = 0,
) -> alt.LayerChart:
    """Draw a bar chart of a table's column ``tokens`` by ``label``, with ``text`` behind each bar.

    The scale reaches at least ``reach`` tokens.
    """
    high = max(frame["tokens"].max(), reach)
    x = alt.X(
        "tokens:Q",
        title=title,
        axis=number_axis("x", tickMinStep=1, labelBound=True),
        scale=alt.Scale(domain=[0, 1.3 * high or 1], nice=False),  # with room for the texts
    )
    boxes = alt.Chart(frame).mark_bar(height={"band": 0.66})
    boxes = boxes.encode(x=x, y=names, color=color, tooltip=tips)
    labels = alt.Chart(frame).mark_text(align="left", dx=4, fontSize=11, color=GREY)
    labels = labels.encode(x=alt.X("tokens:Q"), y=names, text=alt.Text("text:N"))
    return alt.LayerChart(layer=[boxes, labels])
