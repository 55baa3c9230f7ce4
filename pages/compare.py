"""Compare: the payload of the playground in every format, for one model and for all."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls, money, payload, rankings
from toon.tokenizers import TOKENIZERS

payload.start()
st.title("Which encoding should we send to this model?", anchor=False)
side, text = st.session_state.source["side"], st.session_state.source["text"]
st.caption(
    f"The payload of the playground: {st.session_state.document['name']}, {len(text):,} "
    "characters. Counts are exact except where marked ≈; negative is fewer tokens."
)
tokenizer = controls.choose_tokenizer()
given = side, text, int(st.session_state.get("indent") or 2), st.session_state.get("strict", True)
if not cached.readable(side, text, "comma", *given[2:]):
    st.info("The payload cannot be read as it is. Mend it in the playground first.")
    st.stop()
if len(text) > payload.LIVE_LIMIT and not st.button("Measure this large payload"):
    st.stop()

try:
    with st.spinner("Counting tokens…", show_time=True):
        rows = cached.compare(*given, (tokenizer,))
        verdict = cached.verdict(*given, tokenizer)
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
    rankings.show_heatmap(cached.compare(*given, names))
    for name, reason in unusable.items():
        st.caption(f"{TOKENIZERS[name].label}: {reason}")
with delimiters:
    rankings.show_delimiters(cached.delimiter_rows(*given, tokenizer), tokenizer)
with primer:
    rankings.show_primer(rows, verdict, tokenizer)
with price:
    money.show(rows, tokenizer)
