"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from pages.parts.payload import say_no_estimate
from pages.parts.static import Card, draw_cards
from toon.colours import sign_name
from toon.costs.headline import Picture, Step
from toon.costs.verdict import Rung, Verdict
from toon.wording import capitalised, decimal, marked, plural, signed_percent


def draw_answer(picture: Picture) -> None:
    """The recommendation with its reason; below it what the payload costs, from rung to rung."""
    verdict = picture.verdict
    if verdict["nothing"]:
        draw_nothing(verdict)
        return
    st.header(verdict["lead"], anchor=False)
    st.write(". ".join(verdict["reasons"]) + ".")
    draw_ladder(picture.steps, verdict["exact"], verdict["together"])


def draw_nothing(verdict: Verdict) -> None:
    """Why there is nothing to compare; of a refused estimate also what to do."""
    if verdict["nothing"] == verdict["no_estimate"]:
        say_no_estimate(verdict["nothing"] or "")
    else:
        st.info(verdict["sentence"])


def draw_ladder(steps: Iterable[Step], exact: bool, together: int | None) -> None:
    """The rungs beside each other, each with its change and what that comes from."""
    draw_cards(_card(step, partial(marked, exact=exact), together) for step in steps)


def _card(step: Step, about: Callable[[str], str], together: int | None) -> Card:
    """A rung as a card: the first is what is sent today, the others say what they come from.

    A rung that stands apart has no colour.
    """
    rung, credit, is_apart = step
    name = capitalised(rung["label"])
    change = rung["change"]
    sign = "+" if change > 0 else "" if change else "±"
    signed = about(f"{sign}{decimal(change)} ({signed_percent(rung['vs_before'])})")
    return Card(
        f"{name}, note included" if rung["explanation"] else name,
        about(plural(rung["cost"], "token")),
        signed if credit else "sent today",
        sign_name(None if is_apart else change),
        tuple(filter(None, (credit, _parts(rung, together)))),
    )


def _parts(rung: Rung, together: int | None) -> str:
    """The two parts of a cost that includes an explanation; "" if it includes none."""
    if not rung["explanation"]:
        return ""
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} note{shared}"
