"""The panels of Send less: what was measured, its headline, every step alone, every field."""

from __future__ import annotations

from typing import Final, NamedTuple

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts.answer import draw_ladder
from pages.parts.charts import bars, by_label, fills, legend, row_height
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask, ask_value
from pages.parts.static import draw_details
from pages.parts.tables import draw_table
from toon import advisor
from toon.advisor import STEPS
from toon.advisor.rows import BestRow, CombinedRow, FieldRow, Overview, StepRow
from toon.advisor.steps.base import STEP_KINDS, StepKind
from toon.colours import COSTS, GREY
from toon.costs.choice import is_worth
from toon.costs.explanation import Explaining
from toon.costs.why import Step
from toon.formats import label
from toon.playground.panes import Pane
from toon.values.fractions import fraction
from toon.wording import ROUND_TRIPS, count, plural, round_trip, signed_count, signed_percent

#: What the classes of steps are called, and what they mean, in the order of their harm.
CLASSES: Final[dict[StepKind, tuple[str, str]]] = {
    "self-contained": ("Self-contained", "Any reader of the payload can undo it."),
    "with-a-map": ("With a map you keep", "Only your program can undo it; the model sees less."),
    "lossy": ("Lossy", "Nobody can undo it."),
}


class Setting(NamedTuple):
    """How the payload is counted; ``format`` None: it is sent as typed."""

    tokenizer: str
    format: str | None
    explaining: Explaining


def measure_steps(pane: Pane, setting: Setting) -> Overview:
    """The best self-contained steps together, and every step alone."""
    return ask(pane, advisor.overview, **setting._asdict())


def measure_together(
    pane: Pane, setting: Setting, steps: tuple[str, ...], fields: tuple[str, ...]
) -> CombinedRow:
    """The chosen steps together; ``fields`` are those to keep."""
    return ask(pane, advisor.combined, steps, keep_fields=fields or None, **setting._asdict())


def measure_fields(pane: Pane, tokenizer: str) -> list[FieldRow]:
    """What each field costs."""
    return ask_value(pane, advisor.field_costs, tokenizer)


# -- the headline ----------------------------------------------------------------------------


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


# -- every step alone ------------------------------------------------------------------------

#: What a bar of each class says. Only what a reader of the payload can undo looks like a gain.
_FEWER: Final = dict(
    zip(STEP_KINDS, ("fewer, lossless", "fewer, lossless with a map", "fewer, lossy"), strict=True)
)
_FILLS: Final = {
    **dict(zip(_FEWER.values(), fills("fewer", len(_FEWER)), strict=True)),
    "more": COSTS,
}


def step_bars(rows: list[StepRow], title: list[str]) -> alt.LayerChart:
    """Bars to both sides of zero, of what each step adds or takes away, in the order given."""
    frame = pd.DataFrame(
        [
            {
                "label": _label(row),
                "tokens": -row["saved"],
                "text": signed_count(-row["saved"]),
                "kind": row["kind"],
                "meaning": "more" if row["saved"] < 0 else _FEWER[row["kind"]],
            }
            for row in rows
        ]
    )
    meanings = [meaning for meaning in _FILLS if meaning in set(frame["meaning"])]
    scale = alt.Scale(domain=meanings, range=[_FILLS[name] for name in meanings])
    tips = [alt.Tooltip("label:N"), alt.Tooltip("tokens:Q", format="+,.0f"), alt.Tooltip("kind:N")]
    color = alt.Color("meaning:N", scale=scale, legend=legend(4))
    chart = bars(frame, title, by_label(frame["label"], 260), color, tips)
    return chart.properties(**row_height(30, frame["label"]))


def draw_steps(rows: list[StepRow], idle: dict[str, str]) -> None:
    """Every step applied alone to the payload, by class, the greatest saving of each first."""
    applied = [row for kind in CLASSES for row in rows if row["kind"] == kind]
    if applied:
        _draw_applied(applied)
    else:
        st.info("No step finds anything to do in this payload.")
    if idle:
        draw_details(
            f"Nothing to do here: {plural(len(idle), 'step')}",
            (f"{STEPS[name].label}: {reason}." for name, reason in idle.items()),
        )


def _draw_applied(rows: list[StepRow]) -> None:
    """The chart and what each step does; the table of all figures behind a click."""
    start = label(rows[0]["start"])
    st.altair_chart(
        step_bars(rows, [f"tokens vs {start},", "note included; − is fewer"]),
        key="steps_chart",
        alt="Signed difference in tokens by step; the numbers are in the table.",
    )
    st.caption(
        f"Differences include the note to the model{_shared(rows[0])}. Savings do not add up: "
        "try steps together in the next tab.",
        help="A legend is sent with the payload and counted. A map is kept by the caller; it is "
        "neither sent nor counted.",
    )
    st.markdown("\n".join(f"- **{_label(row)}**: {escape_markdown(_about(row))}" for row in rows))
    draw_table(
        [_line(row, start) for row in rows],
        counts=["Tokens", "Note"],
        differences=[f"vs {start}"],
        percents=[f"% vs {start}"],
        box="All figures of every step",
    )


def _label(row: StepRow) -> str:
    return STEPS[row["step"]].label


def _shared(row: StepRow) -> str:
    """How many payloads bear an explanation together."""
    if row["together"] is None:
        return ", which the model does not need"
    return f", shared by {row['together']:,} payloads" if row["together"] > 1 else ""


def _line(row: StepRow, start: str) -> dict[str, object]:
    return {
        "Step": _label(row),
        f"vs {start}": -row["saved"],
        f"% vs {start}": fraction(row["cost"], row["start_cost"]),
        "Class": CLASSES[row["kind"]][0],
        "Tokens": row["tokens"],
        "Note": row["explanation"],
        "Round trip": _proof(row),
    }


def _proof(row: StepRow) -> str:
    come_back = "with-a-map" if row["kind"] == "with-a-map" else "proven"
    return round_trip(ROUND_TRIPS[come_back if row["proven"] else "lossy"], ok=row["proven"])


def _about(row: StepRow) -> str:
    """What was done, what is lost, what is sent or kept besides, and how it is explained."""
    legend, kept = (plural(row[name], "token") for name in ("legend_tokens", "kept_tokens"))
    unanswerable = STEPS[row["step"]].unanswerable
    lost = "except for" if row["proven"] else "loses"
    parts = (
        row["note"],
        row["lost"] and f"{lost} {row['lost']}",
        unanswerable and f"a model can no longer say {unanswerable}",
        row["legend"] and f"a legend of {legend}, counted",
        row["kept"] and f"a map of {kept}, kept by you",
    )
    explained = f" The note: “{row['explanation_text']}”" if row["explanation"] else ""
    return f"{'; '.join(part for part in parts if part)}.{explained}"


# -- what each field costs -------------------------------------------------------------------

#: Fields in the chart; the table has them all.
_CHARTED: Final = 25


def draw_fields(costs: list[FieldRow]) -> None:
    """Bars of the fields that cost most, and all of them in a table."""
    baseline = label(costs[0]["baseline"])
    whole = f"{costs[0]['baseline_tokens']:,}"
    st.caption(
        f"Tokens of {baseline} by field, {whole} in all: names, colons and values.",
        help="A token that several fields share is split by its bytes, so the rows add up to all "
        "tokens.",
    )
    frame = pd.DataFrame(
        [(row["field"], row["tokens"], f"{row['tokens']:,.1f}", row["share"]) for row in costs],
        columns=["label", "tokens", "text", "share"],
    ).head(_CHARTED)
    tips = [
        alt.Tooltip("label:N", title="field"),
        alt.Tooltip("tokens:Q", format=",.1f"),
        alt.Tooltip("share:Q", format=".1%"),
    ]
    chart = bars(frame, "tokens", by_label(frame["label"], 260), alt.ColorValue(GREY), tips)
    st.altair_chart(
        chart.properties(**row_height(24, frame["label"])),
        key="fields_chart",
        alt="Tokens by field; numbers are in the table.",
    )
    lines = [
        {
            "Field": row["field"],
            "Written": row["count"],
            "Tokens": row["tokens"],
            "Share": row["share"],
            "Removing it": None if row["removed_saves"] is None else -row["removed_saves"],
            f"vs {baseline}": row["removed_vs"],
        }
        for row in costs
    ]
    draw_table(
        lines,
        "fields_table",
        counts=["Written"],
        differences=["Removing it"],
        percents=[f"vs {baseline}"],
        decimals=["Tokens"],
        shares=["Share"],
        marked=[],
        alt="Tokens and share of each field.",
    )
    st.caption(
        "Removing is measured for the ten dearest fields, each with all below it.",
        help="The rest is counted again. Of brackets and commas, Written is how many there are.",
    )
