"""Send less: what each data-shaping step saves on the payload of the playground."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, payload
from pages.parts.advisor import panels
from pages.parts.markdown import escape_markdown
from toon.formats import FORMATS, RECOMMENDED
from toon.limits import LIVE_ADVICE_CHARACTERS

st.title("What could we leave out?", anchor=False)
payload.draw_caption(
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
data = payload.current(LIVE_ADVICE_CHARACTERS)

try:
    with st.spinner("Applying and counting every step…", show_time=True):
        rows = panels.measure_steps(data, tokenizer=tokenizer, format=format)
        best = panels.find_best_steps(data, tokenizer=tokenizer, format=format)
        costs = panels.measure_fields(data, tokenizer)
except (RuntimeError, ValueError) as error:  # the tokenizer cannot be loaded, or too deep nesting
    st.error(escape_markdown(str(error)))
    st.stop()
panels.draw_headline(best, rows)

alone, together, fields = st.tabs(["Each step alone", "Steps together", "What each field costs"])
with alone:
    panels.draw_steps(rows)
with together:
    panels.draw_together(data, tokenizer, format, best, costs)
with fields:
    panels.draw_fields(costs)
