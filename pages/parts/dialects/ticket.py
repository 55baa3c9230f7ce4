"""The reference of TOON/1 tickets: lifecycle, aliases, codes, envelopes, errors; and their cost."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import cached, charts
from toon.costs.ticket_shares import average_ticket_shares
from toon.dialects.ticket import reference
from toon.tokenizers import TOKENIZERS

_COLUMNS = ("claimed", "measured, indented JSON", "measured, compact JSON")


@st.cache_data(max_entries=16, show_spinner=False)
def _shares(tokenizer: str) -> list[dict[str, Any]]:
    tickets = json.loads(cached.samples()["tickets"])
    rows = average_ticket_shares(tickets, tokenizer)
    return [
        {"part": row.part, "of": of, "share": share}
        for row in rows
        for of, share in zip(_COLUMNS, (row.claimed, row.pretty, row.compact), strict=True)
    ]


def show(tokenizer: str) -> None:
    """Everything a reader of TOON/1 looks up."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _lifecycle()
    with right:
        _average(tokenizer)
    aliases, codes, envelopes, errors = st.tabs(["Aliases", "Codes", "Envelopes", "Errors"])
    with aliases:
        _rows(reference.ALIASES, ("Envelope", "Alias", "Field", "Meaning"))
    with codes:
        _rows(reference.CODES, ("Field", "Code", "Word"))
    with envelopes:
        rows = [(*row[:3], ", ".join(row.tools)) for row in reference.ENVELOPES]
        _rows(rows, ("Envelope", "Written", "Is", "Answered by"))
    with errors:
        _rows(reference.ERRORS, ("Code", "When", "What to do"))


def _rows(rows: Any, columns: tuple[str, ...]) -> None:
    frame = pd.DataFrame([tuple(row) for row in rows], columns=list(columns))
    st.dataframe(frame, hide_index=True, width="stretch")


def _lifecycle() -> None:
    st.markdown("**A ticket's lifecycle**")
    state = st.pills(
        "Choose a state to see the tools that move a ticket out of it",
        reference.STATES,
        key="ticket_state",
        default="in_progress",
    )
    st.graphviz_chart(_themed(reference.lifecycle_dot(state)), width="stretch")
    if state is None:
        return
    for move in reference.transitions_from(state):
        tools = " or ".join(f"`{tool}`" for tool in move.tools)
        st.caption(f"{state} → {move.target}: {tools}, when {move.occasion}.")
    if not reference.transitions_from(state):
        st.caption(f"{state} is the end: no tool moves a ticket out of it.")


def _themed(dot: str) -> str:
    """The diagram in colours of the page's theme: Graphviz draws black on white by itself."""
    dark = st.context.theme.type == "dark"
    ink, fill = ("#e6e9ef", "#2f5d9e") if dark else ("#1b2430", "#cfe0f7")
    style = (
        f'  bgcolor="transparent"\n  node [color="{ink}" fontcolor="{ink}" fillcolor="{fill}"]\n'
        f'  edge [color="{ink}" fontcolor="{ink}"]\n'
    )
    return dot.replace("{\n", "{\n" + style, 1)


def _average(tokenizer: str) -> None:
    st.markdown("**Average ticket: where the tokens go**")
    counted = "counted" if TOKENIZERS[tokenizer].exact else "≈ estimated"
    st.caption(
        f"The sample tickets as JSON, {counted} with {tokenizer}, beside the shares that the "
        "document of TOON/1 claims without naming its tickets."
    )
    frame = pd.DataFrame(_shares(tokenizer))
    chart = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%")),
            y=charts.by_label(_COLUMNS, "of", limit=170),
            color=alt.Color(
                "part:N",
                sort=list(dict.fromkeys(frame["part"])),
                legend=alt.Legend(orient="bottom", title=None, columns=2, labelLimit=200),
            ),
            order=alt.Order("place:Q"),
            tooltip=["of:N", "part:N", alt.Tooltip("share:Q", format=".1%")],
        )
        .transform_calculate(
            place=f"indexof({json.dumps(list(dict.fromkeys(frame['part'])))}, datum.part)"
        )
        .properties(height=230)
    )
    st.altair_chart(
        chart, key="average_ticket", alt="Shares of names, punctuation, whitespace and values."
    )
    table = frame.pivot_table(index="part", columns="of", values="share", sort=False)
    st.dataframe(table.style.format("{:.0%}"), width="stretch", key="average_ticket_table")
