"""Reading: whether a model still answers right, in one format and in another."""

from __future__ import annotations

import streamlit as st

from pages.parts import payload
from pages.parts.reading.answers import TAB, current, draw_answers
from pages.parts.reading.known import draw_headline, draw_known
from pages.parts.reading.questions import draw_questions
from pages.parts.tabs import draw_open

st.title("Reading: does the model still read it?", anchor=False)
payload.draw_caption("The right answers of models to the same questions in several formats.")
if st.query_params.pop("asked", None):
    st.warning(
        "This link held the answers to a run that was asked here, which the page no longer does. "
        "The tab Questions has a folder that asks the same."
    )
draw_headline(current())
draw_open(TAB, {"Known": draw_known, "Questions": draw_questions, "Answers": draw_answers})
