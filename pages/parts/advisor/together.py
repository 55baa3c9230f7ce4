"""Several steps together: the choice, its result, and ways to take it along."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import streamlit as st

from pages.parts.advisor.panels import CLASSES, Setting, measure_together
from pages.parts.markdown import escape_markdown
from pages.parts.payload import open_document, work
from pages.parts.static import Card, draw_cards
from pages.parts.texts import draw_text
from toon.advisor import STEPS, STRUCTURE
from toon.advisor.rows import CombinedRow, FieldRow, Overview
from toon.advisor.steps.base import StepKind
from toon.formats import label
from toon.playground import conversion
from toon.playground.panes import Pane
from toon.values.fractions import fraction
from toon.wording import count, signed_count, signed_percent


def draw_together(data: Pane, setting: Setting, found: Overview, costs: Sequence[FieldRow]) -> None:
    """The steps and fields to choose from, the result of the choice, and what it takes away."""
    version = hash((data.text, setting))
    st.caption("Ticked: the best self-contained steps. They are applied in a fixed order.")
    steps: list[str] = []
    for place, kind in zip(st.columns(len(CLASSES)), CLASSES, strict=True):
        with place:
            steps += _choose(kind, found, version)
    fields = st.multiselect(
        "Only these fields (none chosen: all of them)",
        [row["field"] for row in costs if row["field"] not in (STRUCTURE, "$")],
        key=f"fields_chosen_{hash(data.text)}",
        persist_state="session",
        placeholder="All fields",
    )
    steps += ["keep-fields"] if fields else []
    if not steps:
        st.info("Choose at least one step or field.")
        return
    try:
        row = measure_together(data, setting, tuple(steps), tuple(fields))
    except ValueError as error:
        st.error(escape_markdown(str(error)))
        return
    _draw_figures(row)
    _draw_losses(row)
    _draw_texts(row)
    _draw_buttons(row, data)


def _choose(kind: StepKind, found: Overview, version: int) -> Iterator[str]:
    """The ticked steps of a class; each box says what the step saves alone and what it takes."""
    best = found["best"]
    title, meaning = CLASSES[kind]
    st.markdown(f"**{title}**")
    st.caption(meaning)
    saved = {row["step"]: row["saved"] for row in found["alone"]}
    offered = (saved.keys() | found["idle"].keys()) - {"keep-fields"}
    for name, step in STEPS.items():
        if step.kind != kind or name not in offered:
            continue
        alone, idle = "nothing to do alone", None
        if name in saved:
            alone = f"{signed_count(-saved[name])} alone"
        else:
            idle = f"{escape_markdown(found['idle'][name])}."
        with st.container(gap="xxsmall"):
            ticked = st.checkbox(
                f"{step.label} ({alone})",
                name in best["steps"],
                key=f"step_{name}_{version}",
                help=idle,
                persist_state="session",
            )
            if step.unanswerable:
                st.caption(f"A model can no longer say {step.unanswerable}.")
        if ticked:
            yield name


def _draw_figures(row: CombinedRow) -> None:
    included = "note included" if row["cost"] != row["tokens"] else ""
    today = fraction(row["cost"], row["today_cost"])
    explanation = 0 if row["together"] is None else row["explanation"]
    figures = [
        ("Tokens sent", f"{row['tokens']:,}", ""),
        ("Note to the model, once", signed_count(explanation), ""),
        ("vs today", signed_percent(today), included),
        (f"vs {label(row['baseline'])}", signed_percent(row["vs"]), included),
    ]
    draw_cards(Card(name, figure, note) for name, figure, note in figures)
    if len(row["steps"]) > 1:
        st.caption(
            f"Together the steps save {count(row['saved'])} tokens; alone they would add up "
            f"to {count(row['saved_alone'])}."
        )


def _draw_losses(row: CombinedRow) -> None:
    if not row["proven"]:
        st.badge("Not all of it comes back", color="orange")
        st.caption(f"Lost: {escape_markdown(row['lost'] or '')}.")
    elif row["kind"] == "with-a-map":
        st.badge("Proven: all of it comes back, with the map you keep", color="green")
    else:
        st.badge("Proven: a reader of the payload has all of it", color="green")
    if row["proven"] and row["lost"]:
        st.caption(f"Except for the {row['lost']}, to which JSON gives no meaning.")
    for name in row["steps"]:
        if unanswerable := STEPS[name].unanswerable:
            st.caption(f"{STEPS[name].label}: a model can no longer say {unanswerable}.")
    for name, reason in row["skipped"].items():
        st.caption(f"{STEPS[name].label}: {escape_markdown(reason)}.")


def _draw_texts(row: CombinedRow) -> None:
    if row["explanation"] and row["together"] is not None:
        st.caption("What the prompt must say once, for a model to read the payload:")
        st.code(row["explanation_text"], language=None, wrap_lines=True)
    draw_text(row["text"], height=320)


def _draw_buttons(row: CombinedRow, data: Pane) -> None:
    left, right = st.columns([1, 3])
    if left.button("Open in the playground", type="primary", key="apply"):
        text = row["text"]
        side, text = work(text, conversion.document_of, text, row["format"], data.options)
        open_document(side, text, "shaped payload")
        st.switch_page("playground.py")
    if row["kept"]:
        tokens = f"{row['kept_tokens']:,}"
        right.download_button(
            f"Download the map that undoes it ({tokens} tokens, never sent)",
            json.dumps(row["kept"], ensure_ascii=False, indent=2),
            "map.json",
            "application/json",
            key="map",
        )
