"""Compare: the payload of the playground in every format, for one model and for all."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls, given
from pages.parts.compare import money, rankings
from toon.tokenizers import TOKENIZERS

st.title("Which encoding should we send to this model?", anchor=False)
given.caption(
    "The same data written in every format there is here, ranked by the tokens each takes."
)
tokenizer = controls.choose_tokenizer()
payload = given.readable()

try:
    with st.spinner("Counting tokens…", show_time=True):
        rows = cached.compare(*payload, (tokenizer,))
        verdict = cached.verdict(*payload, tokenizer)
except RuntimeError as error:  # it cannot be loaded: the message says what is missing
    st.error(str(error))
    st.stop()
st.subheader(verdict["sentence"], anchor=False)

ranking, tokenizers, delimiters, primer, price = st.tabs(
    ["Ranking", "All tokenizers", "Delimiters and indents", "Explaining the format", "Money"]
)
with ranking:
    rankings.show_ranking(rows)
with tokenizers:
    unusable = cached.unusable_tokenizers()
    names = tuple(name for name in TOKENIZERS if name not in unusable)
    rankings.show_heatmap(cached.compare(*payload, names))
    for name, reason in unusable.items():
        st.caption(f"{TOKENIZERS[name].label}: {reason}")
with delimiters:
    rankings.show_delimiters(cached.delimiter_rows(*payload, tokenizer), tokenizer)
with primer:
    rankings.show_primer(rows, verdict, tokenizer)
with price:
    money.show(rows, tokenizer)
