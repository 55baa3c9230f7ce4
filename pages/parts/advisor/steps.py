"""Every step alone."""

from __future__ import annotations

import streamlit as st

from pages.parts.advisor.charts import step_bars
from pages.parts.advisor.measured import CLASSES
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_details, draw_short_table
from toon.advisor import STEPS
from toon.advisor.rows import StepRow
from toon.formats import label
from toon.values.fractions import fraction
from toon.wording import ROUND_TRIPS, plural, round_trip


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
        step_bars(
            [{"label": _label(row), "tokens": -row["saved"], "kind": row["kind"]} for row in rows],
            [f"tokens vs {start},", "note included; − is fewer"],
        ),
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
    counts = ["Tokens", "Note"]
    draw_short_table(
        [_line(row, start) for row in rows],
        counts=counts,
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
