"""Dialects: one payload in every dialect in use, and what their documents claim."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, payload
from pages.parts.dialects import panels
from pages.parts.faults import counting
from pages.parts.tabs import draw_open_alone

st.title("Dialects", anchor=False)
payload.draw_caption(
    "A dialect here is a format that goes by the name of TOON or stands in for it. Each is set "
    "beside JSON and beside what its own document claims."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    choice = controls.choose_model()
    tokenizer = choice.tokenizer
    explaining = controls.choose_explaining_on_click()
data = payload.current()

with counting():
    rows = payload.compare_formats(data, (tokenizer,))


draw_open_alone(
    "dialects_tab",
    {
        "Side by side": lambda: panels.draw_side_by_side(data, rows, explaining),
        "What they are": panels.draw_what_they_are,
        "Claims and measurements": lambda: panels.draw_claims(choice),
        "Drop fields first": lambda: panels.draw_slimmed(data, tokenizer),
    },
)
