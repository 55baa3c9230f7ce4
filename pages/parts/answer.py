"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

import streamlit as st

from toon.costs.answer import Rung, Verdict
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED, label
from toon.values.fractions import fraction
from toon.wording import decimal, plural, signed_percent


def draw_answer(verdict: Verdict) -> None:
    """The recommendation with its reason; below it what the payload costs, from rung to rung."""
    if verdict["nothing"]:
        st.info(verdict["sentence"])
        return
    lead, _, reason = verdict["sentence"].partition("; ")
    st.subheader(lead, anchor=False)
    st.write(reason[0].upper() + reason[1:])
    about = "" if verdict["exact"] else "≈ "
    rungs = _rungs(verdict)
    for place, rung in zip(st.columns(3), rungs, strict=False):
        change, name = rung["change"], rung["label"][0].upper() + rung["label"][1:]
        sign = "+" if change > 0 else ""
        place.metric(
            f"{name}, explanation included" if rung["explanation"] else name,
            f"{about}{decimal(rung['cost'])} tokens",
            f"{about}{sign}{decimal(change)} ({signed_percent(rung['vs_before'])})"
            if rung is not rungs[0]
            else "sent today",
            delta_color="gray" if not change else "blue" if change < 0 else "orange",
            delta_arrow="off",
            delta_description=_credit(rung, rungs[0]),
            help=_parts(rung, verdict["together"]),
            border=True,
            height="stretch",
        )


def _rungs(verdict: Verdict) -> list[Rung]:
    """The ladder, and a format that is not worth its explanation yet as one rung more."""
    ladder, even, together = verdict["ladder"], verdict["break_even"], verdict["together"]
    last = ladder[-1]
    if even is None or last["format"] == even["format"]:
        return ladder
    tokens = last["tokens"] - even["saved"]
    share = even["explanation"] / together if together else 0.0
    cost = tokens + share
    more: Rung = {
        "format": even["format"],
        "label": label(even["format"]),
        "tokens": tokens,
        "explanation": share,
        "cost": cost,
        "change": cost - last["cost"],
        "vs_before": fraction(cost, last["cost"]),
        "vs_today": fraction(cost, ladder[0]["cost"]),
    }
    return [*ladder, more]


def _credit(rung: Rung, first: Rung) -> str | None:
    """What the change of a rung is owed to."""
    if rung is first:
        return None
    if rung["format"] != COMPACT:
        return "by the format"
    return "by minifying" if first["label"] == label(AS_TYPED) else "by writing it as JSON"


def _parts(rung: Rung, together: int | None) -> str | None:
    """How a cost is made up that includes an explanation."""
    if not rung["explanation"]:
        return None
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} for the explanation{shared}"
