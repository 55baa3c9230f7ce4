"""Dialects: one payload in every form met in the field, and what their documents claim."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls, given
from pages.parts.dialects import claims, side_by_side, slimmed, ticket

st.title("What do the dialects of TOON really save?", anchor=False)
given.caption(
    "A dialect here is a format that goes by the name of TOON or stands in for it. Each is set "
    "beside JSON and beside what its own document claims."
)
tokenizer = controls.choose_tokenizer()
payload = given.readable()

try:
    with st.spinner("Counting tokens…", show_time=True):
        rows = cached.compare(*payload, (tokenizer,))
except RuntimeError as error:  # the tokenizer cannot be loaded: the message says what is missing
    st.error(str(error))
    st.stop()

forms, measured, fields, reference = st.tabs(
    ["Side by side", "Claims and measurements", "Drop fields first", "Ticket reference"]
)
with forms:
    side_by_side.show(payload, rows, tokenizer)
with measured:
    claims.show(tokenizer)
with fields:
    slimmed.show(payload, tokenizer)
with reference:
    ticket.show(tokenizer)
