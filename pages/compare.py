"""Compare: the payload of the playground in every format, counted by one tokenizer or by all."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, payload
from pages.parts.compare.delimiters import draw_delimiters
from pages.parts.compare.explanation import draw_explanations
from pages.parts.compare.money import draw_money
from pages.parts.compare.ranking import choose_format, draw_ranking
from pages.parts.compare.tokenizers import draw_tokenizers
from pages.parts.comparison import compare_formats
from pages.parts.markdown import escape_markdown

st.title("Which encoding should we send to this model?", anchor=False)
payload.draw_caption("The same data in every format, ranked by the tokens that each takes.")
tokenizer = controls.choose_tokenizer()
data = payload.current()

try:
    with st.spinner("Counting tokens…", show_time=True):
        rows = compare_formats(data, tokenizers=(tokenizer,))
        verdict = choose_format(data, tokenizer)
except (RuntimeError, ValueError) as error:  # the tokenizer cannot be loaded, or too deep nesting
    st.error(escape_markdown(str(error)))
    st.stop()
st.subheader(verdict["sentence"], anchor=False)

ranking, tokenizers, delimiters, explanations, money = st.tabs(
    ["Ranking", "All tokenizers", "Delimiters and indents", "Explaining the format", "Money"]
)
with ranking:
    draw_ranking(rows)
with tokenizers:
    draw_tokenizers(data)
with delimiters:
    draw_delimiters(data, tokenizer)
with explanations:
    draw_explanations(rows, verdict, tokenizer)
with money:
    draw_money(rows, tokenizer)
