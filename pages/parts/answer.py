"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.parts.colours import COSTS_NAME, SAVES_NAME, SignName
from pages.parts.payload import say_no_estimate
from toon.costs.answer import Rung, Verdict
from toon.costs.headline import Picture, Step
from toon.wording import decimal, marked, plural, signed_percent


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


def draw_ladder(
    steps: Iterable[Step],
    exact: bool,
    together: int | None,
) -> None:
    """The rungs beside each other, each with its change and what that is owed to.

    The first rung is owed to nothing: it is what is sent today. One apart has no colour.
    """
    about = partial(marked, exact=exact)
    for place, (rung, credit, is_apart) in zip(st.columns(3), steps, strict=False):
        change, name = rung["change"], rung["label"][0].upper() + rung["label"][1:]
        color: SignName = SAVES_NAME if change < 0 else COSTS_NAME
        sign = "+" if change > 0 else "" if change else "±"
        signed = about(f"{sign}{decimal(change)} ({signed_percent(rung['vs_before'])})")
        with place.container(border=True, height="stretch", gap="xxsmall"):
            st.metric(
                f"{name}, explanation included" if rung["explanation"] else name,
                about(plural(rung["cost"], "token")),
                signed if credit else "sent today",
                delta_color=color if change and not is_apart else "gray",
                delta_arrow="off",
                help=_parts(rung, together),
            )
            if credit:  # it may be long, and the metric would cut it
                st.caption(credit)


def _parts(rung: Rung, together: int | None) -> str | None:
    """How a cost is made up that includes an explanation."""
    if not rung["explanation"]:
        return None
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} for the explanation{shared}"
