"""What the self-contained steps save together, and the ladder that leads there."""

from __future__ import annotations

import streamlit as st

from toon.advisor import STEPS
from toon.advisor.rows import BestRow, StepRow
from toon.costs.answer import Rung
from toon.costs.choice import is_worth
from toon.formats import AS_TYPED, label
from toon.wording import count, plural, signed_percent


def draw_headline(best: BestRow, rows: list[StepRow]) -> None:
    """The saving that a reader of the payload can undo, its rungs, and what is not counted."""
    today, last = best["ladder"][0], best["ladder"][-1]
    about = "" if best["exact"] else "about "
    unit = f"{best['tokenizer']} tokens"
    if is_worth(last["cost"], today["cost"]):
        share = signed_percent(last["vs_today"])
        included = ", explanation included" if best["explanation"] else ""
        words = f"{about}{count(last['cost'])} of {about}{count(today['cost'])} {unit} are enough"
        words = f"{words} ({share}{included})"
    else:
        words = f"nothing self-contained saves enough here: {about}{count(today['cost'])} {unit}"
    st.subheader(words[0].upper() + words[1:], anchor=False)
    _draw_ladder(best)
    _draw_others(rows, about)


def _draw_ladder(best: BestRow) -> None:
    about = "" if best["exact"] else "≈ "
    ladder = best["ladder"]
    included = "explanation included" if ladder[0]["explanation"] else None
    for place, rung, before in zip(st.columns(len(ladder)), ladder, [None, *ladder], strict=False):
        place.metric(
            rung["label"][0].upper() + rung["label"][1:],
            about + count(rung["cost"]),
            signed_percent(rung["vs_before"]) if before else included,
            delta_color="off",
            delta_arrow="off",
            delta_description=_credit(rung, best) if before else None,
            border=True,
            height="stretch",
            help=f"The difference is against {before['label']}." if before else None,
        )


def _credit(rung: Rung, best: BestRow) -> str | None:
    """What the difference of a rung is owed to."""
    if rung is not best["ladder"][-1]:
        is_json = best["ladder"][0]["label"] == label(AS_TYPED)
        return "whitespace, number forms" if is_json else "compact JSON"
    steps = [label(best["format"]) if n == "format" else STEPS[n].label for n in best["steps"]]
    return "; ".join([*steps, *(["explanation included"] if best["explanation"] else [])]) or None


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
