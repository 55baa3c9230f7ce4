"""What the self-contained steps save together, and the ladder that leads there."""

from __future__ import annotations

import streamlit as st

from pages.parts.answer import draw_ladder, minifying
from toon.advisor import STEPS
from toon.advisor.rows import BestRow, StepRow
from toon.costs.choice import is_worth
from toon.formats import label
from toon.wording import count, plural, signed_percent


def draw_headline(best: BestRow, rows: list[StepRow]) -> None:
    """The saving that a reader of the payload can undo, its rungs, and what is not counted."""
    today, last = best["ladder"][0], best["ladder"][-1]
    about = "" if best["exact"] else "about "
    unit = f"{best['tokenizer']} tokens"
    if is_worth(last["cost"], today["cost"]):
        share = signed_percent(last["vs_today"])
        is_explained = last["explanation"] or today["explanation"]
        included = ", explanation included" if is_explained else ""
        words = f"{about}{count(last['cost'])} of {about}{count(today['cost'])} {unit} are enough"
        words = f"{words} ({share}{included})"
    else:
        words = f"nothing self-contained saves enough here: {about}{count(today['cost'])} {unit}"
    st.subheader(words[0].upper() + words[1:], anchor=False)
    rungs = zip(best["ladder"], _credits(best), strict=True)
    draw_ladder(rungs, best["exact"], best["together"])
    _draw_others(rows, about)


def _credits(best: BestRow) -> list[str]:
    """What each rung is owed to; "" for the first."""
    steps = [STEPS[name].label for name in best["steps"] if name != "format"]
    if "format" in best["steps"] or best["format"] != best["baseline"]:
        steps.append(label(best["format"]))
    owed = f"by {', '.join(steps) or 'no step'}"
    ladder = best["ladder"]
    return ["", minifying(ladder[0]), owed] if len(ladder) == 3 else ["", owed]


def _draw_others(rows: list[StepRow], about: str) -> None:
    """The greatest saving of the steps that the headline does not count."""
    others = [row for row in rows if row["kind"] != "self-contained"]
    saving = [row for row in others if row["saved"] is not None and row["saved"] > 0]
    if saving:
        row, more = saving[0], len(saving) - 1
        st.caption(
            f"Not counted, because a model knows less then: “{row['label']}” saves "
            f"{about}{count(row['saved'])} tokens, and a model can no longer say "
            f"{row['unanswerable']}."
            + (f" {plural(more, 'more step')} of this kind: see Steps together." if more else "")
        )
