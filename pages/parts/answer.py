"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import streamlit as st

from toon.costs.answer import Rung, Verdict
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED, label
from toon.values.fractions import fraction
from toon.wording import decimal, plural, signed_percent


class Step(NamedTuple):
    """A rung as it is shown: ``note`` says what its change is owed to and how its cost adds up."""

    label: str
    value: str
    change: float
    words: str
    note: str


def draw_answer(verdict: Verdict) -> None:
    """The recommendation with its reason; below it what the payload costs, from rung to rung."""
    if verdict["nothing"]:
        st.info(verdict["sentence"])
        return
    lead, _, reason = verdict["sentence"].partition("; ")
    st.subheader(lead, anchor=False)
    st.write(reason[0].upper() + reason[1:])
    draw_ladder(ladder_steps(verdict))


def draw_ladder(steps: Iterable[Step]) -> None:
    """The rungs beside each other, each with its change and what that is owed to."""
    for place, step in zip(st.columns(3), steps, strict=False):
        with place.container(border=True, height="stretch", gap="xxsmall"):
            st.metric(
                step.label,
                step.value,
                step.words,
                delta_color="blue" if step.change < 0 else "orange" if step.change else "gray",
                delta_arrow="off",
            )
            if step.note:
                st.caption(step.note)


def ladder_steps(verdict: Verdict) -> Iterator[Step]:
    """The ladder, and a format that is not worth its explanation yet as one rung more."""
    rungs = [*verdict["ladder"]]
    even = verdict["break_even"]
    if even and rungs[-1]["format"] != even["format"]:
        rungs.append(_next_rung(verdict, rungs[-1]))
    for number, rung in enumerate(rungs):
        credit = minifying(rungs[0]) if rung["format"] == COMPACT else "by the format"
        yield step_of(rung, credit if number else "", verdict["exact"], verdict["together"])


def minifying(today: Rung) -> str:
    """What the rung of compact JSON is owed to, if ``today`` is the rung before it."""
    return "by minifying" if today["label"] == label(AS_TYPED) else "by writing it as JSON"


def step_of(rung: Rung, credit: str, exact: bool, together: int | None) -> Step:
    """A rung as it is shown; the first one is owed to nothing."""
    about = "" if exact else "≈ "
    change = rung["change"] if credit else 0
    sign = "+" if change > 0 else "" if change else "±"
    return Step(
        rung["label"],
        f"{about}{decimal(rung['cost'])} tokens",
        change,
        f"{about}{sign}{decimal(change)} ({signed_percent(rung['vs_before'])})"
        if credit
        else "what is sent today",
        "; ".join(filter(None, [credit, _parts(rung, together)])),
    )


def _next_rung(verdict: Verdict, before: Rung) -> Rung:
    """The format of the break-even as the rung after compact JSON, which it is not worth yet."""
    even, together = verdict["break_even"], verdict["together"]
    assert even
    tokens = before["tokens"] - even["saved"]
    share = even["explanation"] / together if together else 0.0
    cost = tokens + share
    return {
        "format": even["format"],
        "label": label(even["format"]),
        "tokens": tokens,
        "explanation": share,
        "cost": cost,
        "change": cost - before["cost"],
        "vs_before": fraction(cost, before["cost"]),
        "vs_today": fraction(cost, verdict["ladder"][0]["cost"]),
    }


def _parts(rung: Rung, together: int | None) -> str:
    """How a cost is made up that includes an explanation."""
    if not rung["explanation"]:
        return ""
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} for the explanation{shared}"
