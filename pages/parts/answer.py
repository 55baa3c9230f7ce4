"""Draws the one answer, the same on every page, and what each text costs with its note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import streamlit as st

from pages.parts.static import Card, draw_cards
from pages.parts.tables import draw_table, proof_cell
from toon.colours import sign_name
from toon.costs.choice import COMPACT
from toon.costs.compare import MeasuredRow, cost, explained_once, label
from toon.costs.explanation import Explaining
from toon.costs.headline import Picture
from toon.costs.verdict import Rung
from toon.costs.why import Step
from toon.formats import versus
from toon.values.fractions import fraction
from toon.wording import capitalised, decimal, plural, signed_percent


def draw_answer(picture: Picture) -> None:
    """The recommendation with its reason; below it what the payload costs, from rung to rung."""
    verdict = picture.verdict
    if verdict["nothing"]:
        st.info(verdict["sentence"])
        return
    st.header(verdict["lead"], anchor=False)
    st.write(". ".join(verdict["reasons"]) + ".")
    draw_ladder(picture.steps, verdict["together"])


def draw_ladder(steps: Iterable[Step], together: int | None) -> None:
    """The rungs below each other on one scale, each against today, and what its step saves."""
    taken = list(steps)
    widest = max(step.rung["cost"] for step in taken) or 1
    ends = [step.rung["cost"] / widest for step in taken]
    cards = (
        _card(step, together, is_today=step is taken[0])._replace(fall=(end, before))
        for step, end, before in zip(taken, ends, [*ends[:1], *ends], strict=False)
    )
    draw_cards(cards, "falls")


def _card(step: Step, together: int | None, is_today: bool) -> Card:
    """A rung as a card, which has no colour where it stands apart."""
    rung = step.rung
    return Card(
        capitalised(rung["label"]),
        plural(rung["cost"], "token"),
        "sent today" if is_today else signed_percent(rung["vs_today"]),
        sign_name(None if step.is_apart else rung["change"]),
        (step.credit,) if step.credit else (),
        _parts(rung, together),
    )


def _parts(rung: Rung, together: int | None) -> str:
    """The two parts of a cost that includes a note to the model; "" if it includes none."""
    if not rung["explanation"]:
        return ""
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} note{shared}"


# -- the costs of formats ---------------------------------------------------------------------


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
    draw_table(
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
