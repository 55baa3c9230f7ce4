"""Compact: list responses as lines for a reader, measured beside JSON and TOON."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls
from pages.parts.compact import growing, header, lines, poll, source, writing
from toon import tokenizers

st.title("What if a list were lines to read?", anchor=False)
st.caption(
    "Models mostly need the gist of a list, and one record in full now and then. Compact lines "
    "are one short line a record, as a person would note it, instead of JSON. They drop the "
    "rest: they are lossy, and say what they leave out. Counts are exact except where marked ≈; "
    "negative is fewer tokens."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    tokenizer = controls.choose_tokenizer()
    now, zone = source.clock()

try:
    tokenizers.get(tokenizer).count("")
except RuntimeError as error:  # it cannot be loaded: the message says what is missing
    st.error(str(error))
    st.stop()

panels = st.tabs(
    ["Lines", "Poll", "Your own template", "Ten records of each domain", "X-Token-Count"]
)
with panels[0]:
    lines.show(tokenizer, now, zone)
with panels[1]:
    poll.show(tokenizer)
with panels[2]:
    writing.show(tokenizer, now, zone)
with panels[3]:
    growing.show(tokenizer)
with panels[4]:
    header.show(tokenizer)
