"""The panel "Poll": list as lines, ask what changed, fetch one in full; and all of it in JSON."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import figures
from pages.parts.compact import drawn, forms, measured
from toon.compact.domains import DOMAINS

_TITLES = ("1 List as lines", "2 Poll with since", "3 Fetch one in full")


@st.fragment
def show(tokenizer: str) -> None:
    """The three steps of an agent and their cost."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        domain = st.selectbox(
            "Records", list(DOMAINS), key="poll_of", persist_state="session", width=200
        )
        count = st.slider(
            "Records in the list", 2, 100, 20, key="poll_count", persist_state="session", width=260
        )
    rows = measured.story_rows(domain, tokenizer, count)
    _headline(rows, tokenizer)
    st.caption(
        "An agent reads the list as lines, half an hour later asks what changed (one record was "
        "created, one updated, one deleted), and fetches the one it needs in full. With JSON "
        "alone it asks for the whole list twice and needs no third step; with JSON and since it "
        "lists in full and polls for the changes."
    )
    st.altair_chart(
        drawn.agents(_bars(rows)),
        key="poll_chart",
        alt="Tokens of each agent by step; the numbers are in the table.",
    )
    _table(rows)
    for title, row in zip(_TITLES, rows, strict=True):
        with st.expander(f"{title}: {_about(row)}{row['tokens']:,} tokens"):
            st.code(f"{row['asked']}\n200 · {forms.header(row)}", language=None, wrap_lines=True)
            forms.body(row["text"])


def _about(row: dict[str, Any]) -> str:
    return "" if row["exact"] else "≈ "


def _sum(rows: list[dict[str, Any]], name: str) -> int:
    return sum(row[name] for row in rows)


def _polled(rows: list[dict[str, Any]]) -> int:
    """What an agent pays that lists in compact JSON and polls for changes."""
    return int(rows[0]["json_compact"] + rows[1]["tokens"])


def _headline(rows: list[dict[str, Any]], tokenizer: str) -> None:
    total = _sum(rows, "tokens")
    against = {
        measured.PRETTY: _sum(rows, "json_pretty"),
        measured.COMPACT: _sum(rows, "json_compact"),
        f"{measured.COMPACT} with since": _polled(rows),
    }
    words = [
        f"{figures.signed_percent((total - tokens) / tokens)} vs {name}"
        for name, tokens in against.items()
    ]
    st.subheader(
        f"All three steps: {_about(rows[0])}{total:,} {tokenizer} tokens, {', '.join(words)}",
        anchor=False,
    )


def _bars(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    steps = dict(zip(_TITLES, rows, strict=True))
    parts = [("lines, then since, then one", title, row["tokens"]) for title, row in steps.items()]
    first, second, _ = _TITLES
    parts += [
        (f"{measured.COMPACT}, then since", first, rows[0]["json_compact"]),
        (f"{measured.COMPACT}, then since", second, rows[1]["tokens"]),
    ]
    for label, name in ((measured.COMPACT, "json_compact"), (measured.PRETTY, "json_pretty")):
        parts += [(f"{label}, twice", title, steps[title][name]) for title in (first, second)]
    return [
        {"agent": agent, "step": f"step {title[0]}", "order": int(title[0]), "tokens": tokens}
        for agent, title, tokens in parts
    ]


def _table(rows: list[dict[str, Any]]) -> None:
    lines = [
        {
            "Step": title,
            "Tokens": row["tokens"],
            "With JSON alone": row["json_asked"] or "nothing: it has every record in full",
            measured.COMPACT: row["json_compact"],
            measured.PRETTY: row["json_pretty"],
        }
        for title, row in zip(_TITLES, rows, strict=True)
    ]
    lines.append(
        {
            "Step": "all three",
            "Tokens": _sum(rows, "tokens"),
            "With JSON alone": "",
            measured.COMPACT: _sum(rows, "json_compact"),
            measured.PRETTY: _sum(rows, "json_pretty"),
        }
    )
    frame = pd.DataFrame(lines)
    signed = {measured.COMPACT: f"vs {measured.COMPACT}", measured.PRETTY: f"vs {measured.PRETTY}"}
    for name, label in signed.items():
        frame[label] = frame["Tokens"] - frame[name]
    styled = (
        frame.style.format(figures.count, subset=["Tokens", *signed])
        .format(figures.signed_count, subset=list(signed.values()))
        .map(figures.loss, subset=list(signed.values()))
    )
    st.dataframe(styled, hide_index=True, width="stretch", key="poll_table", placeholder="")
