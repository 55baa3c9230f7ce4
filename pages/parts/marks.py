"""Cells and points: formats by tokenizers, and shares with how sure they are; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import cycle
from typing import Final, NamedTuple

import altair as alt
import pandas as pd

from pages.parts.charts import by_label, legend, per_cent, row_height
from toon.colours import COMPACT_JSON, GREY, INK_ON_CELLS, SAVES_TO_COSTS, SERIES, TODAY, TOON
from toon.costs.choice import COMPACT
from toon.costs.compare import Row, measured_rows, why_not
from toon.costs.compare import cost as row_cost
from toon.costs.compare import label as row_label
from toon.costs.explanation import Explaining
from toon.formats import label, versus
from toon.reading.statistics import Paired, Share
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import paired_words, points_words, share_words
from toon.tokenizers import TOKENIZERS
from toon.values.fractions import fraction
from toon.wording import (
    IS_LOST,
    UNKNOWN,
    decimal,
    percent,
    signed_count,
    signed_percent,
    signed_points,
)

# -- formats by tokenizers -------------------------------------------------------------------

#: Between the lines of a column's name.
_BREAK: Final = " | "


def heatmap(rows: Sequence[Row], explaining: Explaining) -> alt.LayerChart:
    """Costs against compact JSON by format and tokenizer, from :func:`toon.costs.compare.compare`.

    What may be recommended has its signed figure on a diverging colour; all else is grey with ✗.
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
    """One cell for each row; only what has a ``fraction`` gets a colour."""
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


# -- shares of right answers -----------------------------------------------------------------

#: Formats that have a colour of their own; all others share what is left.
_COLOURS: Final = {"toon": TOON, BASELINE: COMPACT_JSON, "json-pretty": TODAY}
_SHAPES: Final = {"toon": "circle", BASELINE: "square", "json-pretty": "triangle-up"}
#: Of the width of the scale: room for the figure to the right of an interval.
_ROOM: Final = 0.32


#: The columns of tables with the interval of a share, and a difference with its own.
COMPARED: Final = ("Interval", "Points", "Their interval", "p")


class Mark(NamedTuple):
    """A share of right answers, or a difference of two, with the ends of its interval.

    ``label`` is the row that it stands in, ``text`` the figure beside it, ``words`` the same with
    the interval. A difference that is not ``seen`` is hollow.
    """

    label: str
    format: str
    value: float
    low: float
    high: float
    text: str
    words: str
    seen: bool = True


def right_share(row: str, format: str, share: Share) -> Mark:
    """The share of right answers in a row of a chart."""
    text = percent(share.accuracy, 1)
    words = f"{text} ({share_words(share, 1)})"
    return Mark(row, format, share.accuracy, *share.interval, text, words)


def difference(row: str, format: str, paired: Paired) -> Mark:
    """A paired difference in a row of a chart."""
    text = signed_points(paired.difference)
    words = f"{text} points ({points_words(paired.interval)})"
    return Mark(row, format, paired.difference, *paired.interval, text, words, paired.is_seen)


def compared(share: Share, paired: Paired | None) -> dict[str, object]:
    """The cells of a table that say how sure a share and a difference are."""
    return dict(zip(COMPARED, (share_words(share), *paired_words(paired)), strict=True))


def told(marks: Iterable[Mark]) -> str:
    """What a chart shows, in words."""
    return "; ".join(f"{_row(mark)}: {mark.words}" for mark in marks)


def _row(mark: Mark) -> str:
    name = label(mark.format)
    return name if name == mark.label else f"{mark.label}, {name}"


@lru_cache(maxsize=16)  # what is known is the same for everybody, and a chart takes 10 ms
def share_chart(
    rows: tuple[Mark, ...], title: str, *, signed: bool = False, height: int | None = None
) -> alt.LayerChart:
    """A dot with its interval and figure for each share; several formats of one row are below
    each other, with a legend. ``signed`` shares have a line at zero. ``height`` in
    pixels is that of the rows, where the chart stands beside another.
    """
    formats = list(dict.fromkeys(row.format for row in rows))
    labels = list(dict.fromkeys(row.label for row in rows))
    is_split = len(rows) > len(labels)
    frame = pd.DataFrame(row._replace(format=label(row.format)) for row in rows)
    # One legend for all that has these colours: Vega warns where it is not the same.
    beside = legend(4, 2, orient="bottom", labelLimit=200) if is_split else None
    base = alt.Chart().encode(
        y=by_label(labels, limit=150),
        color=alt.Color("format:N", scale=_scale(formats), legend=beside),
        tooltip=[
            alt.Tooltip("label:N"),
            alt.Tooltip("format:N"),
            alt.Tooltip("words:N", title="share"),
        ],
    )
    if is_split:
        base = base.encode(yOffset=alt.YOffset("format:N", sort=[label(one) for one in formats]))
    scale = alt.Scale(domain=_domain(rows, signed), nice=False)
    axis = _points() if signed else per_cent(values=_ticks(rows))
    lines = [part + "," for part in title.split(", ")[:-1]] + title.split(", ")[-1:]
    x = alt.X("low:Q", title=lines, scale=scale, axis=axis)
    dots = base.mark_point(size=70, filled=True, strokeWidth=1.6, opacity=1).encode(
        x=alt.X("value:Q"),
        stroke=alt.Stroke("format:N", scale=_scale(formats), legend=beside),
        shape=alt.Shape("format:N", scale=_shapes(formats), legend=beside),
        fillOpacity=alt.FillOpacityValue(0, condition={"test": "datum.seen", "value": 1}),
    )
    words = base.mark_text(align="left", dx=7, fontSize=11)
    layers: list[alt.Chart] = [
        base.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2("high:Q")),
        dots,
        words.encode(x=alt.X("high:Q"), text=alt.Text("text:N"), color=alt.ColorValue(GREY)),
    ]
    if signed:
        zero = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeDash=[4, 3])
        layers.insert(0, zero.encode(x=alt.X("zero:Q")))
    return alt.LayerChart(
        layer=layers,
        data=frame,
        height=height or rows_height(rows),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )


def rows_height(rows: Sequence[Mark]) -> int:
    """Pixels that the rows of a chart need."""
    labels = len({row.label for row in rows})
    return 34 * len(rows) if len(rows) == labels else 19 * len(rows) + 10 * labels


def _points() -> alt.Axis:
    """An axis of differences in percentage points."""
    label = "datum.value == 0 ? '0' : format(100 * datum.value, '+,.0~f')"
    return alt.Axis(labelExpr=f"replace({label}, '-', '\u2212')", tickCount=5)


def _ticks(rows: Sequence[Mark]) -> list[float]:
    """Where an axis of shares has its figures: never above 100 %."""
    span = max(row.high for row in rows) - min(row.low for row in rows)
    step = 5 if span < 0.3 else 10 if span < 0.6 else 20
    return [hundredth / 100 for hundredth in range(0, 101, step)]


def _scale(formats: Iterable[str]) -> alt.Scale:
    """A colour for each format."""
    rest = cycle(SERIES[2:])
    colours = {label(name): _COLOURS.get(name) or next(rest) for name in formats}
    return alt.Scale(domain=list(colours), range=list(colours.values()))


def _shapes(formats: Iterable[str]) -> alt.Scale:
    """A shape for each format."""
    rest = cycle(["diamond", "cross", "triangle-down", "triangle-left"])
    shapes = {label(name): _SHAPES.get(name) or next(rest) for name in formats}
    return alt.Scale(domain=list(shapes), range=list(shapes.values()))


def _domain(rows: Sequence[Mark], signed: bool) -> list[float]:
    """The ends of the scale: all intervals, the figures beside them, and zero where signs count."""
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    if signed:
        low, high = min(low, 0.0), max(high, 0.0)
    width = max(high - low, 0.02)
    return [low - 0.04 * width, high + _ROOM * width]
