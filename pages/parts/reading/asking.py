"""Asking a model about the payload: off until switched on, and said in full before it starts.

Session state:
    reading_plan: What the plan was made of last, and the plan or why there is none.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import streamlit as st

from pages.parts import controls, payload
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload
from pages.parts.reading import runs
from pages.parts.reading.endpoint import choose_asked, choose_endpoint, host_of
from pages.parts.reading.questions import choose_questions, chosen_questions
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.costs.choice import COMPACT
from toon.formats import label
from toon.reading.plan import Plan, make_plan
from toon.wording import UNKNOWN, count, dollars, listed, marked, plural


def draw_asking() -> None:
    """The switch, and once it is on, whom to ask what, what that sends, and the start."""
    is_on = st.toggle("Ask a model about this payload", key="reading_on", persist_state="session")
    if not is_on:
        st.caption(
            "Off: nothing is sent. Once it is on, you say whom to ask, and see what would be "
            "sent before it is."
        )
    elif choose_endpoint():
        choose_questions()
        choose_asked()
        _draw_plan()
    runs.draw_upload()
