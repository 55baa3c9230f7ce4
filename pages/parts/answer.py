"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.parts.static import Card, draw_falls
from toon.colours import sign_name
from toon.costs.headline import Picture
from toon.costs.verdict import Rung, Verdict
from toon.costs.why import Step
from toon.wording import capitalised, decimal, plural, signed_percent


def draw_answer(picture: Picture) -> None:
    """The recommendation with its reason; below it what the payload costs, from rung to rung."""
    verdict = picture.verdict
    if verdict["nothing"]:
        draw_nothing(verdict)
        return
    st.header(verdict["lead"], anchor=False)
    st.write(". ".join(verdict["reasons"]) + ".")
    draw_ladder(picture.steps, verdict["together"])


def draw_nothing(verdict: Verdict) -> None:
    """Why there is nothing to compare."""
    st.info(verdict["sentence"])


def draw_ladder(steps: Iterable[Step], together: int | None) -> None:
    """The rungs below each other on one scale, each against today, and what its step saves."""
    taken = list(steps)
    widest = max(step.rung["cost"] for step in taken) or 1
    ends = [step.rung["cost"] / widest for step in taken]
    draw_falls(
        _card(step, together, is_today=step is taken[0])._replace(fall=(end, before))
        for step, end, before in zip(taken, ends, [*ends[:1], *ends], strict=False)
    )


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
