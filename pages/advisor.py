"""Send less: what each data-shaping step saves on the payload of the playground."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls, given
from pages.parts.advisor import shaping
from pages.parts.markdown import plain
from toon.formats import FORMATS, RECOMMENDED

st.title("What could we leave out?", anchor=False)
given.caption(
    "Before any change of format: steps that make the data itself smaller, from dropping nulls "
    "to writing repeated values once, each counted alone and together."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    tokenizer = controls.choose_tokenizer()
    format = st.selectbox(
        "Sent today as",
        RECOMMENDED,
        index=RECOMMENDED.index("json-compact"),
        format_func=lambda name: FORMATS[name].label,
        key="sent_as",
        persist_state="session",
        width=200,
    )
payload = given.readable(shaping.LIVE_LIMIT)

try:
    with st.spinner("Applying and counting every step…", show_time=True):
        rows = cached.advise(*payload, tokenizer, format)
        best = cached.best_combination(*payload, tokenizer, format)
        costs = cached.field_costs(*payload, tokenizer)
except (RuntimeError, ValueError) as error:  # no such vocabulary here, or nested too deep
    st.error(plain(str(error)))
    st.stop()
shaping.show_headline(best, rows)

alone, together, fields = st.tabs(["Each step alone", "Steps together", "What each field costs"])
with alone:
    shaping.show_steps(rows)
with together:
    shaping.show_together(payload, tokenizer, format, best, costs)
with fields:
    shaping.show_fields(costs)
