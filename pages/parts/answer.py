"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Iterable

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
    lead, *reasons = verdict["sentence"].split(". ")
    st.subheader(lead, anchor=False)
    st.write(". ".join(reasons))
    rungs = _rungs(verdict)
    draw_ladder(zip(rungs, _credits(rungs), strict=True), verdict["exact"], verdict["together"])


def draw_ladder(rungs: Iterable[tuple[Rung, str]], exact: bool, together: int | None) -> None:
    """The rungs beside each other, each with its change and what that is owed to.

    The first rung is owed to nothing: it is what is sent today.
    """
    about = "" if exact else "≈ "
    for place, (rung, credit) in zip(st.columns(3), rungs, strict=False):
        change, name = rung["change"], rung["label"][0].upper() + rung["label"][1:]
        sign = "+" if change > 0 else "" if change else "±"
        signed = f"{sign}{decimal(change)} ({signed_percent(rung['vs_before'])})"
        with place.container(border=True, height="stretch", gap="xxsmall"):
            st.metric(
                f"{name}, explanation included" if rung["explanation"] else name,
                about + plural(rung["cost"], "token"),
                f"{about}{signed}" if credit else "sent today",
                delta_color="gray" if not change else "blue" if change < 0 else "orange",
                delta_arrow="off",
                help=_parts(rung, together),
            )
            if credit:  # it may be long, and the metric would cut it
                st.caption(credit)


def minifying(today: Rung) -> str:
    """What the rung of compact JSON is owed to, if ``today`` is the rung before it."""
    return "by minifying" if today["label"] == label(AS_TYPED) else "by writing it as JSON"


def _credits(rungs: list[Rung]) -> list[str]:
    """What the change of each rung is owed to; "" for the first."""
    later = (minifying(rungs[0]) if r["format"] == COMPACT else "by the format" for r in rungs[1:])
    return ["", *later]


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


def _parts(rung: Rung, together: int | None) -> str | None:
    """How a cost is made up that includes an explanation."""
    if not rung["explanation"]:
        return None
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} for the explanation{shared}"
