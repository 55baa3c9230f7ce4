"""The panel "Poll", on bundled records."""

from __future__ import annotations

from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts.caches import cached
from pages.parts.charts import bars, by_label, filled, legend, row_height
from pages.parts.compact import forms
from pages.parts.tables import draw_table
from toon.compact.domains import DOMAINS
from toon.records.forms import FORM_LABELS
from toon.records.story import StoryRow, story
from toon.values.fractions import fraction
from toon.wording import plural, signed_percent

measure_story = cached(16)(story)

_COMPACT, _PRETTY = FORM_LABELS["json-compact"], FORM_LABELS["json-pretty"]


_NOTHING: Final = "nothing: it has every record in full"
_TITLES: Final = ("1 List as lines", "2 Poll for changes", "3 Fetch one in full")


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
    agents = _agents(steps)
    _draw_story_headline([sum(tokens) for tokens in agents.values()])
    st.caption(
        "An agent reads a list as lines, later asks what changed, and fetches one record.",
        help="In the half hour between, one record was created, one updated and one deleted. With "
        "JSON alone the agent asks for the whole list twice and needs no third step; with changes "
        "it asks for the list once and then for what changed.",
    )
    st.altair_chart(
        _agent_bars(agents),
        key="poll_chart",
        alt="Tokens of each agent by step; the numbers are in the table.",
    )
    _draw_steps(steps)
    for title, step in zip(_TITLES, steps, strict=True):
        with st.expander(f"{title}: {plural(step['tokens'], 'token')}"):
            answer = f"{step['asked']}\n200 · {forms.header_line(step['tokens'])}"
            st.code(answer, language=None, wrap_lines=True)
            forms.draw_body(step["text"])


def _agent_bars(agents: dict[str, list[int]]) -> alt.LayerChart:
    """Bars of tokens by agent, stacked by step."""
    frame = pd.DataFrame(
        {"label": agent, "step": f"step {number}", "order": number, "tokens": tokens}
        for agent, counts in agents.items()
        for number, tokens in enumerate(counts, 1)
    )
    sums = pd.DataFrame(
        {"label": agent, "tokens": sum(counts), "text": f"{sum(counts):,}"}
        for agent, counts in agents.items()
    )
    steps = filled("series", list(dict.fromkeys(frame["step"])))
    color = alt.Color("step:N", sort=None, scale=steps, legend=legend(3, 2))
    tips = [
        alt.Tooltip("label:N", title="agent"),
        alt.Tooltip("step:N"),
        alt.Tooltip("tokens:Q", format=","),
    ]
    chart = bars(frame, "tokens", by_label(agents, 240), color, tips, ends=sums)
    return chart.properties(**row_height(36, agents))


def _agents(steps: list[StoryRow]) -> dict[str, list[int]]:
    """The tokens of each answer that an agent reads; the first agent reads lines."""
    listed, polled, _ = steps
    return {
        "lines, then changes, then one": [step["tokens"] for step in steps],
        f"{_COMPACT}, then changes": [listed["json_compact"], polled["tokens"]],
        f"{_COMPACT}, twice": [listed["json_compact"], polled["json_compact"]],
        f"{_PRETTY}, twice": [listed["json_pretty"], polled["json_pretty"]],
    }


def _draw_story_headline(sums: list[int]) -> None:
    """``sums`` are the tokens of the agents in their order."""
    total, *others = sums
    names = (f"{_COMPACT} with changes", _COMPACT, _PRETTY)
    words = [
        f"{signed_percent(fraction(total, tokens))} vs {name}"
        for name, tokens in zip(names, others, strict=True)
    ]
    tokens = plural(total, "token")
    st.header(f"All three steps: {tokens}, {', '.join(reversed(words))}", anchor=False)


def _draw_steps(steps: list[StoryRow]) -> None:
    counts, differences = ["Tokens", _COMPACT, _PRETTY], [f"vs {_COMPACT}", f"vs {_PRETTY}"]
    rows = [
        {
            "Step": title,
            "Tokens": step["tokens"],
            "With JSON alone": step["json_asked"] or _NOTHING,
            _COMPACT: step["json_compact"],
            _PRETTY: step["json_pretty"],
        }
        for title, step in zip(_TITLES, steps, strict=True)
    ]
    frame = pd.DataFrame(rows)
    total = {"Step": "all three", "With JSON alone": "", **frame[counts].sum()}
    frame = pd.concat([frame, pd.DataFrame([total])], ignore_index=True)
    for name in (_COMPACT, _PRETTY):
        frame[f"vs {name}"] = frame["Tokens"] - frame[name]
    draw_table(
        frame,
        "poll_table",
        counts=counts,
        differences=differences,
        alt="Tokens of each step by agent.",
    )
