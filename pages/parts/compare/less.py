"""The tab Send less: what each data-shaping step saves on the payload."""

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
from toon.costs.models import Choice
from toon.limits import LIVE_ADVICE_CHARACTERS


def draw_less(choice: Choice) -> None:
    """What the fields cost, the steps to choose from, and what each does."""
    data = payload.current(LIVE_ADVICE_CHARACTERS)
    setting = Setting(choice.tokenizer, None, controls.explaining())
    found = measure_steps(data, setting)
    if nothing := found["best"]["nothing"]:
        st.info(f"{nothing}.")
        return
    draw_headline(found)
    costs = measure_fields(data, choice.tokenizer)
    draw_together(data, setting, found, costs)
    draw_fields(costs)
    draw_steps(found["alone"], found["idle"])
