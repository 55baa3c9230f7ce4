"""Send less: what each data-shaping step saves on the payload of the playground."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, payload
from pages.parts.advisor.panels import (
    Setting,
    draw_fields,
    draw_headline,
    draw_steps,
    measure_fields,
    measure_steps,
)
from pages.parts.advisor.together import draw_together
from pages.parts.faults import counting
from pages.parts.tabs import draw_open_alone
from toon.formats import AS_TYPED, FORMATS, RECOMMENDED
from toon.limits import LIVE_ADVICE_CHARACTERS
from toon.wording import YOUR_TEXT

st.title("Send less", anchor=False)
payload.draw_caption(
    "Steps that make a payload smaller, from leaving out whitespace and nulls to writing repeated "
    "values once, each counted alone and together."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    choice = controls.choose_model()
    sent = st.selectbox(
        "Sent today",
        [AS_TYPED, *RECOMMENDED],
        format_func=lambda name: YOUR_TEXT if name == AS_TYPED else f"as {FORMATS[name].label}",
        key="sent_as",
        persist_state="session",
        width=200,
    )
    explaining = controls.choose_explaining_on_click()
data = payload.current(LIVE_ADVICE_CHARACTERS)
setting = Setting(choice.tokenizer, None if sent == AS_TYPED else sent, explaining)

with counting("Applying and counting every step…"):
    found = measure_steps(data, setting)
if nothing := found["best"]["nothing"]:
    st.info(f"{nothing}.")
    st.stop()
draw_headline(found)

draw_open_alone(
    "advisor_tab",
    {
        "Each step alone": lambda: draw_steps(found["alone"], found["idle"]),
        "Steps together": lambda: draw_together(
            data, setting, found, measure_fields(data, choice.tokenizer)
        ),
        "What each field costs": lambda: draw_fields(measure_fields(data, choice.tokenizer)),
    },
)
