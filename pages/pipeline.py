"""Pipeline: a recorded run of agents, step by step, with its context in JSON and in TOON."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask_once
from pages.parts.pipeline import panels
from pages.parts.tabs import draw_open_alone
from toon.errors import EncodeError
from toon.limits import PAGE_CHARACTERS

st.title("Pipeline", anchor=False)
st.caption(
    "A recorded run is replayed, with everything that enters its context as JSON and as TOON.",
    help="Tasks, tool results and hand-offs enter the context. All agents share one context, and "
    "a model is called after every step with all that came before it. Negative means fewer tokens.",
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    name, text = panels.choose_run()
    choice = controls.choose_model()
    delimiter = controls.choose_delimiter()
    with st.popover("Options"):
        smaller = st.toggle(
            "Keep JSON where TOON is not smaller",
            key="smaller",
            persist_state="session",
            help="Each step is sent in the format that takes fewer tokens.",
        )
        explaining = controls.choose_explaining(is_one_prompt=True)
panels.draw_upload_error()
label = escape_markdown(name)
if len(text) > PAGE_CHARACTERS and not ask_once(
    "replay_large", name, f"Replay {label}, a large run"
):
    st.stop()

with counting():
    try:
        rows, totals, explained = panels.replay_run(
            text, choice.tokenizer, delimiter, smaller, explaining
        )
    except EncodeError as error:
        raise ValueError(f"{name} cannot be replayed. {error}") from error

if not any(row["compared"] for row in rows):
    st.info("Nothing to compare: no step holds structured data.")
    st.stop()
panels.draw_headline(totals, explained, smaller)
panels.draw_totals(totals, smaller)


def draw_steps() -> None:
    """The steps: their figures, their texts, and what was passed through."""
    panels.draw_steps(rows, smaller)
    panels.draw_step(name, rows)
    panels.draw_notes(rows, totals)


draw_open_alone(
    "pipeline_tab",
    {
        "Context after each step": lambda: panels.draw_chart(rows, "context", smaller),
        "Input billed so far": lambda: panels.draw_chart(rows, "billed", smaller),
        "Every step": draw_steps,
    },
)
