"""Bars and lines of tokens, and axes and legends of all charts; no Streamlit here.

A channel is written as ``alt.X("tokens:Q")``, never as ``"tokens:Q"``, ``alt.value`` or
``alt.condition``: Altair takes several milliseconds to find the class of each of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple, cast

import altair as alt
import pandas as pd

from toon import wording
from toon.colours import GREY
from toon.layout.spans import KINDS

#: Names of the kinds, in the order of their colours in the theme.
_KINDS: Final = [wording.KINDS[kind] for kind in KINDS]
#: Patterns of the kinds, which are drawn beside the app.
_PATTERNS: Final = [f"url(#kind-{place})" for place in range(len(_KINDS))]
#: Names of the kinds in a sentence, for those who cannot see a chart.
KINDS_TOLD: Final = wording.together(_KINDS)

# -- axes, scales and legends ----------------------------------------------------------------


def figures(axis: Literal["x", "y"], **options: Any) -> alt.Axis:
    """Return an axis of numbers, with k or M where its scale reaches 100,000; with ``options``."""
    most = f"max(abs(domain('{axis}')[0]), abs(domain('{axis}')[1]))"
    short = "replace(format(datum.value, '~s'), 'G', 'B')"
    plain = "format(datum.value, ',~f')"
    label = f"datum.value == 0 ? '0' : {most} < 100000 ? {plain} : {short}"
    return alt.Axis(labelExpr=label, **{"tickCount": 5 if axis == "x" else 4, **options})


def by_label(labels: Iterable[str], limit: int = 200, **options: Any) -> alt.Y:
    """Return a vertical axis of names in order; each name takes at most ``limit`` pixels."""
    axis = alt.Axis(labelLimit=limit, labelOverlap=False, labelFlush=False, **options)
    return alt.Y("label:N", sort=list(labels), title=None, axis=axis)


def legend(columns: int, least: int = 1, **options: Any) -> alt.Legend:
    """Return a legend with ``columns``, or fewer in a narrow chart, but at least ``least``."""
    fitting = f"width < 320 ? {least} : width < 420 ? {min(2, columns)} : {columns}"
    chosen = {"orient": "top", "labelLimit": 240, **options}
    return alt.Legend(title=None, columns=alt.expr(fitting), **chosen)


def row_height(pixels: int, names: Iterable[object]) -> dict[str, int | alt.AutoSizeParams]:
    """Return properties of a chart that fits the width, with a row of ``pixels`` for each name."""
    return {
        "height": pixels * len(set(names)),
        "autosize": alt.AutoSizeParams(type="fit-x", contains="padding"),
    }


# -- bars ------------------------------------------------------------------------------------


def bars(
    frame: pd.DataFrame,
    title: str | list[str],
    names: alt.Y,
    color: alt.Color | alt.ColorValue,
    tips: list[alt.Tooltip],
    *,
    reach: float = 0,
) -> alt.LayerChart:
    """Draw bars of ``tokens`` by ``label``, each with its ``text`` behind its end.

    The scale reaches at least ``reach`` tokens.
    """
    high = max(frame["tokens"].max(), reach)
    x = alt.X(
        "tokens:Q",
        title=title,
        axis=figures("x", tickMinStep=1, labelBound=True),
        scale=alt.Scale(domain=[0, 1.3 * high or 1], nice=False),  # with room for the texts
    )
    drawn = alt.Chart(frame).mark_bar(height={"band": 0.66})
    drawn = drawn.encode(x=x, y=names, color=color, tooltip=tips)
    written = alt.Chart(frame).mark_text(align="left", dx=4, fontSize=11, color=GREY)
    written = written.encode(x=alt.X("tokens:Q"), y=names, text=alt.Text("text:N"))
    return alt.LayerChart(layer=[drawn, written])


class KindsBar(NamedTuple):
    """A bar: a text's name, its tokens, and its tokens by kind."""

    label: str
    tokens: float
    kinds: Mapping[str, object]


def kinds_frame(parts: Iterable[KindsBar]) -> pd.DataFrame:
    """Return a row per text and kind: label, kind, order, tokens, share (0 to 1) of the text's."""
    rows = []
    for bar in parts:
        kinds = cast("Mapping[str, float]", bar.kinds)  # mypy: a TypedDict's values are object
        for order, kind in enumerate(KINDS):
            share = kinds[kind] / bar.tokens if bar.tokens else 0.0
            rows.append((bar.label, wording.KINDS[kind], order, kinds[kind], share))
    return pd.DataFrame(rows, columns=["label", "kind", "order", "tokens", "share"])


def kinds_chart(frame: pd.DataFrame) -> alt.Chart:
    """Draw stacked bars of the tokens of the four kinds, a bar per text, on one scale."""
    labels = list(dict.fromkeys(frame["label"]))
    tokens = alt.X("tokens:Q", title="tokens", axis=figures("x", tickMinStep=1))
    above = legend(4, 2, labelLimit=120, symbolSize=200)
    patterns = alt.Scale(domain=_KINDS, range=_PATTERNS)
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.62})
        .encode(
            x=tokens,
            y=by_label(labels),
            color=alt.Color("kind:N", sort=_KINDS, scale=patterns, legend=above),
            order=alt.Order("order:Q"),
            tooltip=[
                alt.Tooltip("label:N", title="text"),
                alt.Tooltip("kind:N"),
                alt.Tooltip("tokens:Q", format=",.1f"),
                alt.Tooltip("share:Q", format=".1%", title="share"),
            ],
        )
        .properties(height=(52 if len(labels) <= 5 else 28) * len(labels) + 100)
    )
    return chart


# -- lines -----------------------------------------------------------------------------------


class Line(NamedTuple):
    """The looks of a line in a chart, which differ in more than colour."""

    colour: str
    dash: tuple[int, int]


SOLID: Final = (1, 0)
DOTTED: Final = (2, 3)
DASHED: Final = (7, 3)


def token_lines(
    frame: pd.DataFrame,
    x: alt.X,
    title: str,
    lines: Mapping[str, Line],
    tips: list[alt.Tooltip],
    **looks: Any,
) -> alt.Chart:
    """Draw a stepped line of ``tokens`` along ``x`` for each value of ``sent``, a key of ``lines``.

    ``looks`` go to the mark of the lines.
    """
    names = list(lines)
    colours = alt.Scale(domain=names, range=[line.colour for line in lines.values()])
    dashes = alt.Scale(domain=names, range=[list(line.dash) for line in lines.values()])
    above = legend(3, labelLimit=260, symbolType="stroke", symbolSize=400)
    y = alt.Y("tokens:Q", title=title, axis=figures("y", tickMinStep=1))
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", **looks)
        .encode(
            x=x,
            y=y,
            color=alt.Color("sent:N", scale=colours, legend=above),
            strokeDash=alt.StrokeDash("sent:N", scale=dashes, legend=above),
            tooltip=tips,
        )
    )
    return chart
