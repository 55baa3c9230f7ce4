"""Compare: the payload of the playground in every format, counted by one tokenizer or by all."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, payload
from pages.parts.answer import draw_answer
from pages.parts.code import draw_code
from pages.parts.compare import panels
from pages.parts.compare.explaining import draw_explanations
from pages.parts.compare.money import draw_money
from pages.parts.faults import counting
from pages.parts.service import TITLE, draw_service
from pages.parts.tabs import draw_fold, draw_open

st.title("Compare", anchor=False)
payload.draw_caption("The same data in every format, ranked by what each costs.")
with st.container(horizontal=True, vertical_alignment="bottom"):
    choice = controls.choose_model()
    tokenizer = choice.tokenizer
    explaining = controls.choose_explaining_on_click()
data = payload.current()
above = st.container()
# Drawn first: it stays where nothing counts here.
draw_fold(TITLE, "service_fold", lambda: draw_service(data, choice, explaining))

with above:
    with counting():
        picture = payload.pictured(data, tokenizer, explaining)
        rows = payload.compare_formats(data, (tokenizer,))
    draw_answer(picture)
    verdict = picture.verdict
    if verdict["nothing"]:
        st.stop()
    draw_open(
        "compare_tab",
        {
            "Ranking": lambda: panels.draw_ranking(rows, explaining),
            "Where the tokens go": lambda: panels.draw_kinds(rows, explaining),
            "All tokenizers": lambda: panels.draw_tokenizers(data, explaining),
            "Delimiters and indents": lambda: panels.draw_delimiters(data, rows, tokenizer),
            "Note to the model": lambda: draw_explanations(data, rows, verdict, explaining),
            "Money": lambda: draw_money(data, rows, verdict, choice, explaining),
            "In your code": lambda: draw_code(data, verdict, explaining),
        },
    )
