"""Reading: whether a model still answers right, in one format and in another."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.parts import payload
from pages.parts.reading.asking import draw_asking
from pages.parts.reading.headline import draw_headline
from pages.parts.reading.known import draw_known
from pages.parts.reading.questions import draw_questions
from pages.parts.reading.result import draw_result
from pages.parts.reading.runs import TAB, current_run, draw_asked
from pages.parts.tabs import draw_open

st.title("Reading: does the model still read it?", anchor=False)
payload.draw_caption("The right answers of models to the same questions in several formats.")
run = current_run()
with st.container():  # what comes and goes in it moves nothing below
    draw_asked("above")
draw_headline(run)

result = {"Result": partial(draw_result, run)} if run else {}
draw_open(TAB, {**result, "Known": draw_known, "Questions": draw_questions, "Ask": draw_asking})
