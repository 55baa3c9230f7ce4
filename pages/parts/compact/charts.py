"""Rows in, charts out, for the compact page; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import altair as alt
import pandas as pd

from pages.parts.charts import by_label, figures, filled, row_height
from toon.colours import GREY, SERIES
from toon.records.forms import Kind

Rows = Iterable[Mapping[str, object]]

#: What a form of a response may hold, in words.
HOLDS: Final[dict[Kind, str]] = {
    "all": "all fields",
    "lines": "fields of the lines",
    "chosen": "fields chosen",
    "changes": "changes",
}
_COLOURS: Final = dict(zip(HOLDS.values(), SERIES, strict=False))


def form_bars(rows: Rows) -> alt.LayerChart:
    """Bars of tokens by form, coloured by the fields they hold: ``label``, ``kind``, ``tokens``."""
    frame = pd.DataFrame(rows)
    frame["kind"] = frame["kind"].map(HOLDS)
    shown = {kind: colour for kind, colour in _COLOURS.items() if kind in set(frame["kind"])}
    scale = alt.Scale(domain=list(shown), range=list(shown.values()))
    colour = alt.Color("kind:N", sort=list(shown), scale=scale, legend=_legend(4))
    tips = [alt.Tooltip("label:N"), alt.Tooltip("kind:N", title="holds"), _tokens()]
    return _bars(frame, by_label(frame["label"]), colour, tips, pixels=32)


def agent_bars(rows: Rows) -> alt.LayerChart:
    """Bars of tokens by agent, stacked by step: ``agent``, ``step``, ``order``, ``tokens``."""
    frame = pd.DataFrame(rows).rename(columns={"agent": "label"})
    steps = filled("series", list(dict.fromkeys(frame["step"])))
    colour = alt.Color("step:N", sort=None, scale=steps, legend=_legend(3))
    tips = [alt.Tooltip("label:N", title="agent"), alt.Tooltip("step:N"), _tokens()]
    names = by_label(dict.fromkeys(frame["label"]), limit=240)
    return _bars(frame, names, colour, tips, pixels=36)


def _bars(
    frame: pd.DataFrame,
    names: alt.Y,
    colour: alt.Color,
    tips: list[alt.Tooltip],
    *,
    pixels: int,
) -> alt.LayerChart:
    """Bars by ``label``, stacked in their ``order`` if they have parts, each with its sum."""
    sums = frame.groupby("label", as_index=False, sort=False)["tokens"].sum()
    sums["text"] = [f"{tokens:,}" for tokens in sums["tokens"]]
    # From 0 to a little more than the longest: room for the number behind its bar.
    room = alt.Scale(domain=[0, max(1, sums["tokens"].max()) * 1.22], nice=False)
    tokens = alt.X("tokens:Q", title="tokens", axis=figures("x"), scale=room)
    bars = alt.Chart(frame).mark_bar(height={"band": 0.62})
    bars = bars.encode(x=tokens, y=names, color=colour, tooltip=tips)
    if "order" in frame:
        bars = bars.encode(order=alt.Order("order:Q"))
    texts = alt.Chart(sums).mark_text(align="left", dx=4, color=GREY)
    texts = texts.encode(x=alt.X("tokens:Q"), y=names, text=alt.Text("text:N"))
    chart: alt.LayerChart = (bars + texts).properties(**row_height(pixels, sums["label"]))
    return chart


def _legend(columns: int) -> alt.Legend:
    fitting = alt.expr(f"width < 420 ? {min(columns, 2)} : {columns}")
    return alt.Legend(orient="top", title=None, columns=fitting, labelLimit=240)


def _tokens() -> alt.Tooltip:
    return alt.Tooltip("tokens:Q", format=",")
