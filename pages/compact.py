"""Compact: list responses as lines for a reader, measured beside JSON and TOON."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls
from pages.parts.compact import bundled
from pages.parts.compact.lines import draw_lines
from pages.parts.compact.offer import choose_clock
from pages.parts.compact.template import draw_template
from pages.parts.faults import counting
from pages.parts.tabs import draw_open_alone
from toon import tokenizers

st.title("Compact", anchor=False)
st.caption(
    "Compact lines have one short line a record. They are lossy, and say what they leave out.",
    help="Models mostly need the gist of a list, and one record in full now and then. A line is "
    "what a person would note of a record, instead of JSON. "
    "Negative means fewer tokens.",
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    tokenizer = controls.choose_model().tokenizer
    now, zone = choose_clock()

with counting():
    tokenizers.get(tokenizer).count("")  # one that cannot be loaded says what is missing

draw_open_alone(
    "compact_tab",
    {
        "Lines": lambda: draw_lines(tokenizer, now, zone),
        "Poll": lambda: bundled.draw_poll(tokenizer),
        "Your own template": lambda: draw_template(tokenizer, now, zone),
    },
)
