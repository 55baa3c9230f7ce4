"""The panel "Ranking": formats by tokens, their round trips, and where the tokens go."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.parts import charts
from pages.parts.caches import cached
from pages.parts.comparison import compare_formats
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload
from pages.parts.tables import draw_table
from toon.costs.choice import Verdict, verdict
from toon.costs.compare import MeasuredRow, Row, describe_loss, measured_rows
from toon.formats import BASELINES, FORMATS

_AGAINST: Final = {name: f"vs {FORMATS[name].label}" for name in BASELINES}


@cached
def choose_format(data: Payload, tokenizer: str) -> Verdict:
    """Which format to send: see :func:`toon.costs.choice.verdict`."""
    return verdict(data.value, compare_formats(data, tokenizers=(tokenizer,)), tokenizer)


def draw_ranking(rows: list[Row]) -> None:
    """Formats, fewest tokens first, each with its round trip; and where the tokens go."""
    ranked = sorted(measured_rows(rows), key=lambda row: row["tokens"])
    if not ranked[0]["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    draw_table(
        map(_line, ranked),
        "ranking",
        counts=["Tokens", "Bytes"],
        percents=list(_AGAINST.values()),
        height="content",
    )
    for row in rows:
        if row["tokens"] is None:
            label = FORMATS[row["format"]].label
            st.caption(f"{label}: not applicable, {escape_markdown(row['reason'])}.")
    bars = [
        charts.KindsBar(FORMATS[row["format"]].label, row["tokens"], row["breakdown"])
        for row in ranked
    ]
    st.altair_chart(
        charts.kinds_chart(charts.kinds_frame(bars), share=False),
        key="ranking_kinds",
        alt="Tokens of each format, stacked by names, punctuation, whitespace and values.",
    )


def _line(row: MeasuredRow) -> dict[str, object]:
    if row["round_trips"]:
        proof = "✓ proven" if row["lossless"] else "✓ on this payload, not promised"
        proof += f" ({row['lost']})" if row["lost"] else ""
    else:
        proof = f"✗ loses {describe_loss(row)}"
    return {
        "Format": FORMATS[row["format"]].label,
        "Tokens": row["tokens"],
        **{label: row["vs"][name] for name, label in _AGAINST.items()},
        "Bytes": row["bytes"],
        "Round trip": proof,
    }
