"""The chart of differences in right answers, with intervals; no Streamlit here."""

from functools import lru_cache
from typing import Final, NamedTuple

import altair as alt
import pandas as pd

from pages.parts.charts import by_label
from toon.colours import COMPACT_JSON, GREY, SERIES, TODAY, TOON
from toon.formats import label
from toon.reading.statistics import Paired, Share
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import paired_words, points_words, share_words
from toon.wording import signed_points

#: Colours of formats; all others share one.
_COLOURS: Final = {"toon": TOON, BASELINE: COMPACT_JSON, "json-pretty": TODAY}
#: Room for the figure to the right of an interval, as a share of the scale.
_ROOM: Final = 0.32
#: Columns of tables: a share's interval, a difference, its interval and its p value.
COMPARED: Final = ("Interval", "Points", "Their interval", "p")


class Mark(NamedTuple):
    """A difference in right answers as a dot of the chart, with the ends of its interval.

    ``text`` is the figure, ``words`` the figure and the interval. A dot that is not ``seen`` is
    hollow.
    """

    label: str
    colour: str
    value: float
    low: float
    high: float
    text: str
    words: str
    seen: bool


def difference(row: str, format: str, paired: Paired) -> Mark:
    """Return the dot of a paired difference for a row of the chart with this label."""
    text = signed_points(paired.difference)
    words = f"{text} points ({points_words(paired.interval)})"
    colour = _COLOURS.get(format, SERIES[2])
    return Mark(row, colour, paired.difference, *paired.interval, text, words, paired.is_seen)


def compared(share: Share, paired: Paired | None) -> dict[str, object]:
    """Return the cells of a share of right answers and its difference, by the columns ``COMPARED``.

    ``paired`` is the difference; None if there is none.
    """
    return dict(zip(COMPARED, (share_words(share), *paired_words(paired)), strict=True))


@lru_cache(maxsize=16)  # known results are the same for everybody, and a chart takes 10 ms
def difference_chart(rows: tuple[Mark, ...]) -> alt.LayerChart:
    """Draw differences in right answers: a dot, interval and figure each, and a line at zero."""
    # The scale reaches around all intervals, their figures, and zero.
    least, most = min(0.0, *(row.low for row in rows)), max(0.0, *(row.high for row in rows))
    width = max(most - least, 0.02)
    domain = [least - 0.04 * width, most + _ROOM * width]
    color = alt.Color("colour:N", scale=None)
    base = alt.Chart().encode(
        y=by_label([row.label for row in rows], limit=150),
        color=color,
        tooltip=[alt.Tooltip("label:N"), alt.Tooltip("words:N", title="difference")],
    )
    words = "datum.value == 0 ? '0' : format(100 * datum.value, '+,.0~f')"
    axis = alt.Axis(labelExpr=f"replace({words}, '-', '\u2212')", tickCount=5)
    x = alt.X(
        "low:Q",
        title=f"points against {label(BASELINE)}",
        scale=alt.Scale(domain=domain, nice=False),
        axis=axis,
    )
    zero = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeDash=[4, 3])
    dots = base.mark_point(size=70, filled=True, strokeWidth=1.6, opacity=1).encode(
        x=alt.X("value:Q"),
        stroke=alt.Stroke("colour:N", scale=None),
        fillOpacity=alt.FillOpacityValue(0, condition={"test": "datum.seen", "value": 1}),
    )
    figures = base.mark_text(align="left", dx=7, fontSize=11).encode(
        x=alt.X("high:Q"), text=alt.Text("text:N"), color=alt.ColorValue(GREY)
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2("high:Q"))
    return alt.LayerChart(
        layer=[zero.encode(x=alt.X("zero:Q")), interval, dots, figures],
        data=pd.DataFrame(rows),
        height=34 * len(rows),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )
