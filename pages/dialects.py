"""Dialects: one payload in every dialect in use, and what their documents claim."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, payload
from pages.parts.dialects import panels
from pages.parts.dialects.ticket import draw_ticket_reference
from pages.parts.markdown import escape_markdown

st.title("Dialects", anchor=False)
payload.draw_caption(
    "A dialect here is a format that goes by the name of TOON or stands in for it. Each is set "
    "beside JSON and beside what its own document claims."
)
choice = controls.choose_model()
tokenizer = choice.tokenizer
controls.say_evidence(choice)
data = payload.current()

try:
    with st.spinner("Counting tokens…", show_time=True):
        rows = payload.compare_formats(data, (tokenizer,))
except (RuntimeError, ValueError) as error:  # the tokenizer cannot be loaded, or too deep nesting
    st.error(escape_markdown(str(error)))
    st.stop()

dialects, claims, fields, reference = st.tabs(
    ["Side by side", "Claims and measurements", "Drop fields first", "Ticket reference"]
)
with dialects:
    if not payload.refuses(data, tokenizer):
        panels.draw_side_by_side(data, rows)
with claims:
    panels.draw_claims(choice)
with fields:
    if not payload.refuses(data, tokenizer):
        panels.draw_slimmed(data, tokenizer)
with reference:
    draw_ticket_reference(choice)
