"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from toon.costs.answer import Rung, Verdict
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED, label
from toon.values.fractions import fraction
from toon.wording import decimal, plural, signed_count, signed_percent


class Step(NamedTuple):
    """A figure of the ladder: its name, value, change, and what that is credited to; its parts."""

    label: str
    value: str
    change: float
    words: str
    note: str


def draw_answer(verdict: Verdict) -> None:
    """The recommendation with its reason; below it what the text costs as typed and shorter."""
    if verdict["nothing"]:
        st.info(verdict["sentence"])
        return
    lead, _, reason = verdict["sentence"].partition("; ")
    st.subheader(lead, anchor=False)
    st.write(reason[:1].upper() + reason[1:])
    with st.container(horizontal=True):
        for step in ladder_steps(verdict):
            with st.container(width=260, gap=None):
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
    """The rungs of the ladder, and the format that a longer prompt would be worth."""
    rungs = [*verdict["ladder"]]
    even = verdict["break_even"]
    if even and rungs[-1]["format"] != even["format"]:
        rungs.append(_next_rung(verdict, rungs[-1]))
    about = "" if verdict["exact"] else "≈ "
    is_json = rungs[0]["label"] == label(AS_TYPED)
    for number, rung in enumerate(rungs):
        change = f"{about}{signed_count(rung['change'])} ({signed_percent(rung['vs_before'])})"
        credit = "by the format"
        if rung["format"] == COMPACT:
            credit = "by minifying" if is_json else "by writing it as JSON"
        yield Step(
            rung["label"],
            f"{about}{decimal(rung['cost'])} tokens",
            rung["change"] if number else 0,
            f"{change} {credit}" if number else "what is sent today",
            _explained(rung, verdict["together"]),
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
        "vs_today": None,
    }


def _explained(rung: Rung, together: int | None) -> str:
    """How a rung's cost is made up, if explaining its format is part of it."""
    if not rung["explanation"]:
        return ""
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} for the explanation{shared}"
