"""The panel "Poll": an agent lists lines, asks what changed, and fetches one record in full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pandas as pd
import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact import forms
from pages.parts.compact.charts import agent_bars
from pages.parts.compact.measures import COMPACT, PRETTY, Count, count_body
from pages.parts.tables import draw_table
from toon.compact.domains import DOMAINS
from toon.records.story import story
from toon.tokenizers import get
from toon.wording import signed_percent

_NOTHING: Final = "nothing: it has every record in full"
_TITLES: Final = ("1 List as lines", "2 Poll with since", "3 Fetch one in full")


class Step(Count):
    """One step, and what an agent with JSON alone would ask for instead ("" for nothing)."""

    asked: str
    text: str
    json_asked: str
    json_compact: int
    json_pretty: int


@cached
def measure_story(domain: str, tokenizer: str, count: int) -> list[Step]:
    """The three steps over ``count`` records: see :func:`toon.records.story.story`."""
    counter = get(tokenizer)
    return [
        {
            **count_body(row["text"], counter),
            "asked": row["asked"],
            "text": row["text"],
            "json_asked": row["json_asked"],
            "json_compact": row["json_compact"],
            "json_pretty": row["json_pretty"],
        }
        for row in story(domain, tokenizer, count)
    ]


@st.fragment
def draw_poll(tokenizer: str) -> None:
    """The three steps of the agent and their cost."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        domain = st.selectbox(
            "Records", list(DOMAINS), key="poll_of", persist_state="session", width=200
        )
        count = st.slider(
            "Records in the list", 2, 100, 20, key="poll_count", persist_state="session", width=260
        )
    steps = measure_story(domain, tokenizer, count)
    _draw_headline(steps, tokenizer)
    st.caption(
        "An agent reads the list as lines. Half an hour later it asks what changed (one record was "
        "created, one updated, one deleted), and fetches the one it needs in full. With JSON "
        "alone it asks for the whole list twice and needs no third step. With JSON and since it "
        "lists in full and polls for the changes."
    )
    st.altair_chart(
        agent_bars(_bars(steps)),
        key="poll_chart",
        alt="Tokens of each agent by step; the numbers are in the table.",
    )
    _draw_steps(steps)
    for title, step in zip(_TITLES, steps, strict=True):
        with st.expander(f"{title}: {_about(step)}{step['tokens']:,} tokens"):
            answer = f"{step['asked']}\n200 · {forms.header_line(step)}"
            st.code(answer, language=None, wrap_lines=True)
            forms.draw_body(step["text"])


def _about(step: Step) -> str:
    return "" if step["exact"] else "≈ "


def _draw_headline(steps: list[Step], tokenizer: str) -> None:
    total = sum(step["tokens"] for step in steps)
    against = {
        PRETTY: sum(step["json_pretty"] for step in steps),
        COMPACT: sum(step["json_compact"] for step in steps),
        f"{COMPACT} with since": steps[0]["json_compact"] + steps[1]["tokens"],
    }
    words = [
        f"{signed_percent((total - tokens) / tokens)} vs {name}" for name, tokens in against.items()
    ]
    st.subheader(
        f"All three steps: {_about(steps[0])}{total:,} {tokenizer} tokens, {', '.join(words)}",
        anchor=False,
    )


def _bars(steps: list[Step]) -> list[dict[str, object]]:
    first, second, _ = steps
    agents = {
        "lines, then since, then one": [step["tokens"] for step in steps],
        f"{COMPACT}, then since": [first["json_compact"], second["tokens"]],
        f"{COMPACT}, twice": [first["json_compact"], second["json_compact"]],
        f"{PRETTY}, twice": [first["json_pretty"], second["json_pretty"]],
    }
    return [
        {"agent": agent, "step": f"step {number}", "order": number, "tokens": count}
        for agent, counts in agents.items()
        for number, count in enumerate(counts, 1)
    ]


def _draw_steps(steps: list[Step]) -> None:
    frame = pd.DataFrame(
        {
            "Step": [*_TITLES, "all three"],
            "Tokens": _with_sum(step["tokens"] for step in steps),
            "With JSON alone": [step["json_asked"] or _NOTHING for step in steps] + [""],
            COMPACT: _with_sum(step["json_compact"] for step in steps),
            PRETTY: _with_sum(step["json_pretty"] for step in steps),
        }
    )
    for name in (COMPACT, PRETTY):
        frame[f"vs {name}"] = frame["Tokens"] - frame[name]
    draw_table(
        frame,
        "poll_table",
        counts=["Tokens", COMPACT, PRETTY],
        differences=[f"vs {COMPACT}", f"vs {PRETTY}"],
    )


def _with_sum(figures: Iterable[int]) -> list[int]:
    every = list(figures)
    return [*every, sum(every)]
