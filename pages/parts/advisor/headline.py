"""What the self-contained steps save together, and the ladder that leads there."""

from __future__ import annotations

import streamlit as st

from pages.parts.answer import draw_ladder
from toon.advisor import STEPS
from toon.advisor.rows import BestRow, Overview, StepRow
from toon.costs.choice import is_worth
from toon.costs.why import Step
from toon.wording import count, plural, signed_percent


def draw_headline(found: Overview) -> None:
    """The saving that a reader of the payload can undo, its rungs, and what is not counted."""
    best = found["best"]
    st.header(enough_words(best), anchor=False)
    today = best["ladder"][0]
    steps = map(Step, best["ladder"], ["", *found["credits"]])
    # The text as typed may be minified already.
    taken = [step for step in steps if step.rung is today or step.rung["change"]]
    draw_ladder(taken, best["together"])
    if others := _others(found["alone"]):
        st.caption(others)


def enough_words(best: BestRow) -> str:
    """How many tokens are enough, and what that saves; or that no step saves enough."""
    today, last = best["ladder"][0], best["ladder"][-1]
    if is_worth(last["cost"], today["cost"]):
        share = signed_percent(last["vs_today"])
        is_explained = last["explanation"] or today["explanation"]
        included = ", note included" if is_explained else ""
        words = f"{count(last['cost'])} of {count(today['cost'])} tokens are enough"
        return f"{words} ({share}{included})"
    return f"No self-contained step saves enough here: {count(today['cost'])} tokens"


def _others(rows: list[StepRow]) -> str:
    """The greatest saving of the steps that the headline does not count; "" if none saves."""
    others = [row for row in rows if row["kind"] != "self-contained"]
    saving = [row for row in others if row["saved"] > 0]
    if not saving:
        return ""
    row, more = saving[0], len(saving) - 1
    step = STEPS[row["step"]]
    saved = count(row["saved"])
    return (
        f"Not counted above: “{step.label}” saves {saved} tokens, but "
        f"then a model can no longer say {step.unanswerable}."
        + (f" {plural(more, 'more step')} of this kind: see Steps together." if more else "")
    )
