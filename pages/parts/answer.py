"""Draws the one answer, the same on every page: what to send, and the ladder that leads there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.parts.colours import COSTS_NAME, SAVES_NAME, SignName
from pages.parts.payload import Payload, say_no_estimate
from toon.costs.answer import Rung, Verdict
from toon.costs.choice import COMPACT
from toon.costs.headline import credit_compact, rival
from toon.wording import decimal, marked, plural, signed_percent


def draw_answer(verdict: Verdict, data: Payload) -> None:
    """The recommendation with its reason; below it what ``data`` costs, from rung to rung."""
    if verdict["nothing"]:
        draw_nothing(verdict)
        return
    st.header(verdict["lead"], anchor=False)
    st.write(". ".join(verdict["reasons"]) + ".")
    more = rival(verdict)
    rungs = [*zip(verdict["ladder"], _credits(verdict, data), strict=True)]
    if more:
        rungs.append((more, "not recommended here"))
    draw_ladder(rungs, verdict["exact"], verdict["together"], more)


def draw_nothing(verdict: Verdict) -> None:
    """Why there is nothing to compare; of a refused estimate also what to do."""
    if verdict["nothing"] == verdict["no_estimate"]:
        say_no_estimate(verdict["nothing"] or "")
    else:
        st.info(verdict["sentence"])


def draw_ladder(
    rungs: Iterable[tuple[Rung, str]],
    exact: bool,
    together: int | None,
    grey: Rung | None = None,
) -> None:
    """The rungs beside each other, each with its change and what that is owed to.

    The first rung is owed to nothing: it is what is sent today. The rung ``grey`` is no step of
    the ladder and has no colour.
    """
    about = partial(marked, exact=exact)
    for place, (rung, credit) in zip(st.columns(3), rungs, strict=False):
        change, name = rung["change"], rung["label"][0].upper() + rung["label"][1:]
        color: SignName = SAVES_NAME if change < 0 else COSTS_NAME
        sign = "+" if change > 0 else "" if change else "±"
        signed = about(f"{sign}{decimal(change)} ({signed_percent(rung['vs_before'])})")
        with place.container(border=True, height="stretch", gap="xxsmall"):
            st.metric(
                f"{name}, explanation included" if rung["explanation"] else name,
                about(plural(rung["cost"], "token")),
                signed if credit else "sent today",
                delta_color=color if change and rung is not grey else "gray",
                delta_arrow="off",
                help=_parts(rung, together),
            )
            if credit:  # it may be long, and the metric would cut it
                st.caption(credit)


def _credits(verdict: Verdict, data: Payload) -> list[str]:
    """What the change of each rung is owed to; "" for the first."""
    owed = {COMPACT: credit_compact(data.value, data.typed, data.typed, verdict["tokenizer"])}
    return ["", *(owed.get(rung["format"], "by the format") for rung in verdict["ladder"][1:])]


def _parts(rung: Rung, together: int | None) -> str | None:
    """How a cost is made up that includes an explanation."""
    if not rung["explanation"]:
        return None
    shared = "" if together == 1 else f", shared by {plural(together or 1, 'payload')}"
    return f"{rung['tokens']:,} + {decimal(rung['explanation'])} for the explanation{shared}"
