"""An agent's story: it reads a list as lines, asks for changes, and fetches one record."""

from typing import Any, Final

import streamlit as st

from pages.parts.static import draw_text
from pages.parts.tables import draw_table
from toon.records.story import story
from toon.records.templated import FORM_LABELS
from toon.values.fractions import fraction
from toon.wording import plural, signed_percent

measure_story = st.cache_data(max_entries=16, show_spinner=False)(story)

#: Records in the list.
_RECORDS: Final = 20
_COMPACT, _PRETTY = FORM_LABELS["json-compact"], FORM_LABELS["json-pretty"]
_NOTHING: Final = "nothing: it has every record in full"
_TITLES: Final = ("1 List as lines", "2 Poll for changes", "3 Fetch one in full")


def draw_poll(domain: str, tokenizer: str) -> None:
    """Draw the three steps of the agent, their cost and their texts."""
    steps = measure_story(domain, tokenizer, _RECORDS)
    total = sum(step["tokens"] for step in steps)
    against = {
        _PRETTY: sum(step["json_pretty"] for step in steps),
        _COMPACT: sum(step["json_compact"] for step in steps),
        f"{_COMPACT} with changes": steps[0]["json_compact"] + steps[1]["tokens"],
    }
    words = [
        f"{signed_percent(fraction(total, tokens))} vs {name}" for name, tokens in against.items()
    ]
    st.header(f"All three steps: {plural(total, 'token')}, {', '.join(words)}", anchor=False)
    st.caption(
        f"An agent reads {_RECORDS} {domain} as lines, later asks what changed, and fetches one.",
        help="In the half hour between, one record was created, one updated and one deleted. With "
        "JSON alone the agent asks for the whole list twice and needs no third step; with changes "
        "it asks for the list once and then for what changed.",
    )
    compact, pretty = f"vs {_COMPACT}", f"vs {_PRETTY}"
    lines: list[dict[str, Any]] = [
        {
            "Step": title,
            "Tokens": step["tokens"],
            "With JSON alone": step["json_asked"] or _NOTHING,
            _COMPACT: step["json_compact"],
            _PRETTY: step["json_pretty"],
            compact: step["tokens"] - step["json_compact"],
            pretty: step["tokens"] - step["json_pretty"],
        }
        for title, step in zip(_TITLES, steps, strict=True)
    ]
    counts, differences = ["Tokens", _COMPACT, _PRETTY], [compact, pretty]
    sums = {name: sum(line[name] for line in lines) for name in [*counts, *differences]}
    lines.append({**lines[0], "Step": "all three", "With JSON alone": "", **sums})
    draw_table(lines, counts=counts, differences=differences)
    for title, step in zip(_TITLES, steps, strict=True):
        with st.expander(f"{title}: {plural(step['tokens'], 'token')}"):
            st.code(step["asked"], language=None, wrap_lines=True)
            draw_text(step["text"], "json")
