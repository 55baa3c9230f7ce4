"""The page Compare: what the playground's payload costs in every format and by every model."""

import streamlit as st

from pages.parts import compare, controls, payload
from pages.parts.compare.formats import draw_formats
from pages.parts.compare.less import draw_less
from pages.parts.compare.lines import draw_lines
from pages.parts.compare.models import draw_models
from pages.parts.tabs import draw_open_alone

st.title("Compare", anchor=False)
payload.draw_caption("What this payload costs in every format, and what it could do without.")
with st.container(horizontal=True, vertical_alignment="bottom"):
    choice = controls.choose_model()
    controls.choose_assumptions()

draw_open_alone(
    "compare_tab",
    {
        compare.FORMATS: lambda: draw_formats(choice),
        compare.LINES: lambda: draw_lines(choice.tokenizer),
        compare.LESS: lambda: draw_less(choice),
        compare.MODELS: lambda: draw_models(choice),
    },
)
