"""Draws what texts cost: their tokens, and their share of the note that a model needs to read them.

Every page that ranks formats says it so, and a format that is not recommended is no exception.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from pages.parts.static import draw_short_table
from pages.parts.tables import proof_cell
from toon.costs.choice import COMPACT
from toon.costs.compare import MeasuredRow, cost, explained_once, label
from toon.costs.explanation import Explaining
from toon.formats import versus
from toon.values.fractions import fraction
from toon.wording import decimal

_AGAINST: Final = versus(COMPACT)
_WITH_SHARE: Final = ("Note", "Cost")


def draw_costs(
    rows: Sequence[MeasuredRow],
    explaining: Explaining,
    *,
    compares: bool = True,
    proof: Callable[[MeasuredRow], str] = proof_cell,
) -> None:
    """The table of rows, compact JSON among them; where nothing ``compares`` it has no costs."""
    compact = next(row["tokens"] for row in rows if row["format"] == COMPACT)
    lines = [_line(row, cost(row, explaining), compact, proof(row)) for row in rows]
    if compares:
        cached = f", {explaining.cached_words}" if explaining.cached and explaining.together else ""
        st.caption(f"Cost: tokens and the payload's share of the note{cached}.")
    else:
        without = (*_WITH_SHARE, _AGAINST)
        lines = [{name: line[name] for name in line if name not in without} for line in lines]
    draw_short_table(
        lines,
        counts=["Tokens", "Bytes", *(_WITH_SHARE if explaining.is_whole else ())],
        decimals=() if explaining.is_whole else _WITH_SHARE,
        percents=[_AGAINST],
    )


def _line(row: MeasuredRow, cost: float, compact: int, proof: str) -> dict[str, object]:
    return {
        "Format": label(row),
        "Cost": cost,
        _AGAINST: fraction(cost, compact),
        "Tokens": row["tokens"],
        "Note": cost - row["tokens"],
        "Bytes": row["bytes"],
        "Round trip": proof,
    }


def cost_words(row: MeasuredRow, explaining: Explaining) -> str:
    """What a text costs, in a sentence: ``713 tokens``, ``764 tokens with its note``."""
    tokens = cost(row, explaining)
    noted = " with its note" if explaining.share(explained_once(row, explaining)) else ""
    unit = "token" if tokens == 1 else "tokens"
    return f"{decimal(tokens)} {unit}{noted}"
