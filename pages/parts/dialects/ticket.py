"""The panel "Ticket reference" of TOON/1: lifecycle, aliases, codes, envelopes, errors, cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts.caches import cached
from pages.parts.charts import KINDS_TOLD, by_label, filled, per_cent
from pages.parts.controls import with_caveat_of_kinds
from pages.parts.samples import sample_payloads
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_open_alone
from toon import tokenizers
from toon.colours import DIAGRAM
from toon.costs.models import Choice
from toon.dialects.ticket import reference
from toon.evidence.ticket_shares import ShareRow, average_ticket_shares


def share_bars(rows: Sequence[ShareRow]) -> alt.Chart:
    """Stacked shares, one bar for what is claimed and for each kind of JSON."""
    parts = list(dict.fromkeys(row["part"] for row in rows))
    columns = list(dict.fromkeys(row["of"] for row in rows))
    chart: alt.Chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title=None, axis=per_cent()),
            y=by_label(columns, "of", limit=170),
            color=alt.Color(
                "part:N",
                sort=parts,
                scale=filled("kind", parts),
                legend=alt.Legend(
                    orient="top",
                    title=None,
                    columns=alt.expr("width < 280 ? 1 : 2"),
                    labelLimit=200,
                    symbolSize=200,
                ),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("of:N"),
                alt.Tooltip("part:N"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
        .transform_calculate(place=f"indexof({json.dumps(parts)}, datum.part)")
        .properties(height=280)
    )
    return chart


@cached(16)
def measure_ticket_shares(tokenizer: str) -> list[ShareRow]:
    """The share of each part in the average sample ticket, as claimed and as measured."""
    return average_ticket_shares(json.loads(sample_payloads()["tickets"]), tokenizer)


def draw_ticket_reference(choice: Choice) -> None:
    """What a reader of TOON/1 looks up, and what an average ticket costs."""
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_lifecycle()
    with right:
        _draw_average(choice)
    _draw_shares(choice)
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


def _draw_average(choice: Choice) -> None:
    st.markdown("**Average ticket: where the tokens go**")
    caption = (
        f"The sample tickets as JSON, in tokens of {choice.name}, beside what TOON/1's document "
        "claims."
    )
    st.caption(with_caveat_of_kinds(caption, choice.tokenizer))
    rows = measure_ticket_shares(choice.tokenizer)
    st.altair_chart(
        share_bars(rows),
        key="average_ticket",
        alt=f"Shares of {KINDS_TOLD}.",
    )


def _draw_shares(choice: Choice) -> None:
    rows = measure_ticket_shares(choice.tokenizer)
    table = pd.DataFrame(rows).pivot_table(index="part", columns="of", values="share", sort=False)
    claimed, *measured = table.columns
    draw_table(
        table.reset_index(names="Part"),
        "average_ticket_table",
        shares=[claimed, *measured],
        estimated=() if tokenizers.get(choice.tokenizer).exact else measured,
        alt="Share of each part of a ticket, claimed and measured.",
    )
