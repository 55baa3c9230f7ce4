"""Pipeline: a recorded run of agents, step by step, with its context in JSON and in TOON."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls
from pages.parts.markdown import plain
from pages.parts.payload import LIVE_LIMIT
from pages.parts.pipeline import replay
from toon.errors import EncodeError

st.title("What does an agent's context cost, step by step?", anchor=False)
st.caption(
    "A recorded run is replayed: the tasks, tool results and hand-offs that enter the context, "
    "as JSON and as TOON. All agents share one context, and a model is called after every step "
    "with all that came before it. Counts are exact, or marked ≈; negative is fewer tokens."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    name, text = replay.choose_run()
    tokenizer = controls.choose_tokenizer()
    delimiter = controls.choose_delimiter()
    smaller = st.toggle(
        "Keep JSON where TOON is not smaller",
        key="smaller",
        persist_state="session",
        help="Step by step: whichever of the two has fewer tokens is sent.",
    )
replay.show_upload_error()
if len(text) > LIVE_LIMIT and not replay.asked_for(name):
    st.stop()

try:
    with st.spinner("Counting tokens…", show_time=True):
        rows, totals = replay.cached_replay(text, tokenizer, delimiter, smaller)
except RuntimeError as error:  # the tokenizer cannot be loaded: the message says what is missing
    st.error(str(error))
    st.stop()
except EncodeError as error:
    st.error(f"{plain(name)} cannot be replayed. {plain(str(error))}")
    st.stop()

replay.show_headline(totals, tokenizer, smaller)
replay.show_totals(totals, smaller)
replay.show_charts(rows, smaller)
replay.show_steps(rows, smaller)
replay.show_step(name, rows)
replay.show_notes(rows, totals, tokenizer)
