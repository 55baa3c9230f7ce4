"""The charts that several pages draw, and what all charts share; no Streamlit here.

A channel is written as ``alt.X("tokens:Q")``, never as ``"tokens:Q"``, ``alt.value`` or
``alt.condition``: Altair takes several milliseconds to find the class of each of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

import altair as alt
import pandas as pd

from toon import wording
from toon.layout.spans import KINDS

#: What the kinds are called, in the order of their colours in the theme.
_KINDS: Final = [wording.KINDS[kind] for kind in KINDS]
#: The same in a sentence, for those who cannot see a chart.
KINDS_TOLD: Final = wording.together(_KINDS)


class KindsBar(NamedTuple):
    """One bar: the name of a text, its tokens, and ``kinds``, its tokens of each kind."""

    label: str
    tokens: float
    kinds: Mapping[str, object]


def kinds_frame(bars: Iterable[KindsBar]) -> pd.DataFrame:
    """One row per text and kind: label, kind, order, tokens, share (0 to 1)."""
    rows = []
    for bar in bars:
        kinds = cast("Mapping[str, float]", bar.kinds)  # mypy: a TypedDict's values are object
        for order, kind in enumerate(KINDS):
            share = kinds[kind] / bar.tokens if bar.tokens else 0.0
            rows.append((bar.label, wording.KINDS[kind], order, kinds[kind], share))
    return pd.DataFrame(rows, columns=["label", "kind", "order", "tokens", "share"])


def fills(family: str, many: int) -> list[str]:
    """The first patterns of a family of ``colours.FILLS``, drawn beside the app."""
    return [f"url(#{family}-{place})" for place in range(many)]


def filled(family: str, names: Sequence[str]) -> alt.Scale:
    """A pattern of a family for each of these names."""
    return alt.Scale(domain=names, range=fills(family, len(names)))


def both_sides(changes: pd.Series[float]) -> alt.Scale:
    """A scale of bars to both sides of zero, with room for the figures beside them."""
    low, high = min(changes.min(), 0), max(changes.max(), 0)
    room = 0.3 * (high - low) or 1
    domain = [low - room if low < 0 else 0, high + room if high > 0 else 0]
    return alt.Scale(domain=domain if low < high else [-1, 1], nice=False)


def figures(axis: Literal["x", "y"], *, signed: bool = False, **options: Any) -> alt.Axis:
    """An axis of numbers, plain up to 100,000 and with k or M where its scale reaches further.

    ``options`` are those of the axis; so here and in :func:`per_cent`, its twin for fractions.
    """
    sign = "+" if signed else ""
    most = f"max(abs(domain('{axis}')[0]), abs(domain('{axis}')[1]))"
    short = f"replace(format(datum.value, '{sign}~s'), 'G', 'B')"
    plain = f"format(datum.value, '{sign},~f')"
    label = f"datum.value == 0 ? '0' : {most} < 100000 ? {plain} : {short}"
    return alt.Axis(labelExpr=label, **{"tickCount": 5 if axis == "x" else 4, **options})


def per_cent(*, signed: bool = False, **options: Any) -> alt.Axis:
    """An axis of fractions as per cents, in the notation of :mod:`toon.wording`."""
    sign = "+" if signed else ""
    label = f"datum.value == 0 ? '0' : format(100 * datum.value, '{sign},.1~f')"
    return alt.Axis(labelExpr=f"({label}) + '\u202f%'", **{"tickCount": 5, **options})


def kinds_chart(frame: pd.DataFrame, *, share: bool) -> alt.Chart:
    """Stacked bars of the four kinds, one bar per text, all on one scale.

    The scale shows tokens, or with ``share`` the percentage of each text's own tokens.
    """
    labels = list(dict.fromkeys(frame["label"]))
    value = (
        alt.X(
            "share:Q",
            title="per cent of its tokens",
            axis=per_cent(),
        )
        if share
        else alt.X("tokens:Q", title="tokens", axis=figures("x", tickMinStep=1))
    )
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.62})
        .encode(
            x=value,
            y=by_label(labels),
            color=alt.Color(
                "kind:N",
                sort=_KINDS,
                scale=filled("kind", _KINDS),
                legend=alt.Legend(
                    orient="top",
                    title=None,
                    columns=alt.expr("width < 320 ? 2 : 4"),
                    labelLimit=120,
                    symbolSize=200,
                ),
            ),
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


def by_label(labels: Iterable[str], field: str = "label", limit: int = 200) -> alt.Y:
    """A vertical axis of names in the order given; each name takes at most ``limit`` pixels."""
    axis = alt.Axis(labelLimit=limit, labelOverlap=False, labelFlush=False)
    return alt.Y(f"{field}:N", sort=list(labels), title=None, axis=axis)


def row_height(pixels: int, names: Iterable[object]) -> dict[str, int | alt.AutoSizeParams]:
    """Properties of a chart with a row of so many pixels for each name: it fits the width alone."""
    return {
        "height": pixels * len(set(names)),
        "autosize": alt.AutoSizeParams(type="fit-x", contains="padding"),
    }
