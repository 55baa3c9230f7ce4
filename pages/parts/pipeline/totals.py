"""The headline and the totals of a whole run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import streamlit as st

from pages.parts.tables import draw_table
from toon import wording
from toon.context.replay import ReplayTotals


def labels(smaller: bool) -> dict[str, str]:
    """The names of the three contexts; ``smaller``: JSON is sent where TOON is not smaller."""
    toon = "TOON where smaller" if smaller else "TOON"
    return {"json": "compact JSON", "pretty": "indented JSON", "toon": toon}


def draw_headline(totals: ReplayTotals, tokenizer: str, smaller: bool) -> None:
    """How many tokens TOON saves or costs by the end of the run, in one sentence."""
    end = totals["context"]
    difference = end["toon"] - end["json"]
    about = "" if totals["exact"] else "≈ "
    if difference < 0:
        words = f"saves {about}{-difference:,} {tokenizer} tokens of context against compact JSON"
    elif difference > 0:
        words = f"costs {about}{difference:,} {tokenizer} tokens of context more than compact JSON"
    else:
        words = f"fills as many {tokenizer} tokens of context as compact JSON"
    share = f" ({wording.signed_percent(end['vs_json'])})" if difference else ""
    st.subheader(f"{labels(smaller)['toon']} {words}{share}", anchor=False)


def draw_totals(totals: ReplayTotals, smaller: bool) -> None:
    """Context at the end and billed input by format, and how TOON compares with each."""
    context = cast("Mapping[str, float | None]", totals["context"])
    billed = cast("Mapping[str, float | None]", totals["billed"])
    calls = f"Billed tokens, {totals['steps']:,} calls"
    lines = [
        {
            "Format": label,
            "Context, tokens": context[name],
            "TOON against it": context.get(f"vs_{name}"),
            calls: billed[name],
            "TOON against it, billed": billed.get(f"vs_{name}"),
        }
        for name, label in labels(smaller).items()
    ]
    if not totals["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    draw_table(
        lines,
        "run_totals",
        counts=["Context, tokens", calls],
        percents=["TOON against it", "TOON against it, billed"],
    )
