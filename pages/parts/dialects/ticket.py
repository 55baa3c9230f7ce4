"""The panel "Ticket reference" of TOON/1: lifecycle, aliases, codes, envelopes, errors."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pages.parts.tables import draw_table
from pages.parts.tabs import draw_open_alone
from toon.colours import DIAGRAM
from toon.dialects.ticket import reference


def draw_ticket_reference() -> None:
    """Draw what a reader of TOON/1 looks up."""
    _draw_lifecycle()
    draw_open_alone("ticket_tab", {name: partial(_draw_table, name) for name in reference.TABLES})


def _draw_table(name: str) -> None:
    columns, rows = reference.TABLES[name]
    frame = pd.DataFrame(rows, columns=list(columns))
    draw_table(frame, f"ticket_{name.lower()}", alt=", ".join(columns))


def _draw_lifecycle() -> None:
    st.markdown("**A ticket's lifecycle**")
    state = st.pills(
        "Choose a state to see the tools that move a ticket out of it",
        reference.STATES,
        key="ticket_state",
        default="in_progress",
    )
    st.graphviz_chart(
        _themed(reference.lifecycle_dot(state)),
        width="stretch",
        alt="The states of a ticket and the moves between them.",
    )
    if state is None:
        return
    for move in reference.transitions_from(state):
        tools = " or ".join(f"`{tool}`" for tool in move.tools)
        st.caption(f"{state} → {move.target}: {tools}, when {move.occasion}.")
    if not reference.transitions_from(state):
        st.caption(f"{state} is the end: no tool moves a ticket out of it.")


def _themed(dot: str) -> str:
    """The diagram in the colours of the page's theme; Graphviz itself draws black on white."""
    ink, fill = DIAGRAM["dark" if st.context.theme.type == "dark" else "light"]
    style = (
        f'  bgcolor="transparent"\n  node [color="{ink}" fontcolor="{ink}" fillcolor="{fill}"]\n'
        f'  edge [color="{ink}" fontcolor="{ink}"]\n'
    )
    return dot.replace("{\n", "{\n" + style, 1)
