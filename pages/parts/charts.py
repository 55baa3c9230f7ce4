"""Rows in, charts out; no Streamlit here. The palette comes from the theme, kind by kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt
import pandas as pd

from pages.parts.figures import signed_percent
from toon.layout.spans import KINDS


def kinds_frame(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """One line per text and kind: label, kind, order, tokens, share (0 to 1)."""
    lines = []
    for row in rows:
        for order, kind in enumerate(KINDS):
            tokens = row["breakdown"][kind]
            share = tokens / row["tokens"] if row["tokens"] else 0.0
            lines.append(
                {
                    "label": row["label"],
                    "kind": kind,
                    "order": order,
                    "tokens": tokens,
                    "share": share,
                }
            )
    return pd.DataFrame(lines, columns=["label", "kind", "order", "tokens", "share"])


def kinds_chart(frame: pd.DataFrame, *, share: bool, color: alt.Color | None = None) -> alt.Chart:
    """Stacked bars of the four kinds, one bar a text, all on one scale.

    ``share`` draws per cent of each text's own tokens instead of tokens.
    """
    labels = list(dict.fromkeys(frame["label"]))
    value = (
        alt.X("share:Q", title="per cent of its tokens", axis=alt.Axis(format="%"))
        if share
        else alt.X("tokens:Q", title="tokens", axis=alt.Axis(format=",~s"))
    )
    return (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.62})
        .encode(
            x=value,
            y=by_label(labels),
            color=color or kinds_color(),
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


def by_label(labels: Iterable[str], field: str = "label", limit: int = 200) -> alt.Y:
    """An axis of names in the order given, each shown in ``limit`` pixels."""
    axis = alt.Axis(labelLimit=limit, labelOverlap=False)
    return alt.Y(f"{field}:N", sort=list(labels), title=None, axis=axis)


def kinds_color() -> alt.Color:
    """The colour of each kind: the theme's categorical colours in the order of the kinds."""
    return alt.Color(
        "kind:N",
        sort=list(KINDS),
        scale=alt.Scale(domain=list(KINDS)),
        legend=alt.Legend(orient="top", title=None, columns=2, labelLimit=120),
    )


def heatmap(rows: Iterable[dict[str, Any]], labels: dict[str, str]) -> alt.LayerChart:
    """Tokens against compact JSON by format and tokenizer: signed text on a diverging colour.

    ``rows`` are those of :func:`toon.costs.compare.compare`; ``labels`` name formats and
    tokenizers.
    """
    frame = pd.DataFrame(
        [
            {
                "format": labels[row["format"]],
                "tokenizer": labels[row["tokenizer"]],
                "fraction": row["vs"]["json-compact"],
                "text": signed_percent(row["vs"]["json-compact"]) or "n/a",
                "tokens": row["tokens"],
            }
            for row in rows
        ]
    )
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
        ],
    )
    # Blue saves, orange costs; the sign stands in the cell as well.
    color = alt.Color(
        "fraction:Q",
        scale=alt.Scale(domain=[-0.6, 0, 0.6], range=["#4393c3", "#f7f7f7", "#f4a582"], clamp=True),
        legend=None,
    )
    cells = base.mark_rect().encode(color=color)
    ink = alt.condition("datum.fraction === null", alt.value("#7d8896"), alt.value("#1b2430"))
    # In cells too narrow for it the text would overlap: there the tooltip has the figure.
    size = {"expr": "bandwidth('x') < 44 ? 0 : 11"}
    text = base.mark_text(fontSize=size).encode(text="text:N", color=ink)
    return (cells + text).properties(height=alt.Step(26))


def signed_bars(rows: Iterable[dict[str, Any]], title: str) -> alt.LayerChart:
    """Bars to both sides of nothing, in the order given: ``label``, signed ``tokens``, ``kind``.

    The sign stands as text behind each bar; colours tell kinds apart.
    """
    frame = pd.DataFrame(rows)
    frame["text"] = [f"{tokens:+,.0f}".replace("-", "−") for tokens in frame["tokens"]]
    base = alt.Chart(frame).encode(
        y=by_label(frame["label"], limit=240),
        x=alt.X("tokens:Q", title=title, axis=alt.Axis(format="+,~s"), scale=alt.Scale(padding=46)),
    )
    bars = base.mark_bar(height={"band": 0.62}).encode(
        color=alt.Color(
            "kind:N",
            # All of them, or a kind would change its colour with those that are there.
            scale=alt.Scale(domain=["lossless", "lossy", "reversible"]),
            legend=alt.Legend(orient="top", title=None),
        ),
        tooltip=[alt.Tooltip("label:N"), alt.Tooltip("tokens:Q", format="+,"), "kind:N"],
    )
    signed = {"expr": "datum.tokens < 0 ? 'right' : 'left'"}
    offset = {"expr": "datum.tokens < 0 ? -4 : 4"}
    # A grey that can be read on both themes' backgrounds.
    texts = base.mark_text(align=signed, dx=offset, color="#7d8896").encode(text="text:N")
    return (bars + texts).properties(height=alt.Step(30))
