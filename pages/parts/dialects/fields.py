"""The panel "Drop fields first": what patterns match, and what dropping that saves by itself."""

from __future__ import annotations

from typing import Final, TypedDict

import streamlit as st

from pages.parts.caches import cached
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload, open_document
from pages.parts.tables import draw_table
from toon.costs.compare import compare, measured_rows
from toon.formats import FORMATS
from toon.values import filters
from toon.values.fractions import fraction
from toon.wording import signed_percent

_FORMATS: Final = ("json-pretty", "json-compact", "toon")
_VERSUS: Final = "vs compact JSON, all fields"


class Slimmed(TypedDict):
    """Tokens by format before and after, fields dropped by pattern, and what is left as JSON."""

    exact: bool
    before: dict[str, int]
    after: dict[str, int]
    removed: dict[str, int]
    text: str


@cached
def measure_slimmed(data: Payload, tokenizer: str, patterns: tuple[str, ...]) -> Slimmed:
    """The payload with and without the fields that ``patterns`` match."""
    slim = filters.apply(data.value, patterns)
    before, after = (
        measured_rows(compare(value, formats=_FORMATS, tokenizers=(tokenizer,)))
        for value in (data.value, slim)
    )
    return {
        "exact": before[0]["exact"],
        "before": {row["format"]: row["tokens"] for row in before},
        "after": {row["format"]: row["tokens"] for row in after},
        "removed": filters.count_dropped(data.value, patterns),
        "text": FORMATS["json-compact"].dumps(slim),
    }


def draw_slimmed(data: Payload, tokenizer: str) -> None:
    """The choice of fields, what it drops, and the tokens of three formats before and after."""
    patterns = _choose_patterns()
    if not patterns:
        st.info("Name fields to drop, or choose a preset: `*.etag` is every etag at any depth.")
        return
    slimmed = measure_slimmed(data, tokenizer, patterns)
    if not slimmed["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    _draw_headline(slimmed, tokenizer)
    draw_table(_lines(slimmed), "slimmed", counts=["Tokens"], percents=[_VERSUS])
    idle = [pattern for pattern, count in slimmed["removed"].items() if not count]
    if idle:
        st.caption(f"Without effect here: {escape_markdown(', '.join(idle))}.")
    if st.button("Open what is left in the playground", key="open_slimmed"):
        open_document("json", slimmed["text"], "filtered payload")
        st.switch_page("playground.py")


def _draw_headline(slimmed: Slimmed, tokenizer: str) -> None:
    dropped = sum(slimmed["removed"].values())
    words = "field is" if dropped == 1 else "fields are"
    about = "" if slimmed["exact"] else "≈ "
    compact = slimmed["before"]["json-compact"]
    share = signed_percent(fraction(slimmed["after"]["json-compact"], compact))
    st.subheader(
        f"{dropped:,} {words} dropped: {about}{share} of compact JSON's {about}{compact:,} "
        f"{tokenizer} tokens, before any format helps",
        anchor=False,
    )


def _choose_patterns() -> tuple[str, ...]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        presets = st.multiselect(
            "Presets",
            list(filters.PRESETS),
            key="filter_presets",
            persist_state="session",
            placeholder="None",
            width=240,
        )
        text = st.text_input(
            "Fields to drop",
            key="filter_patterns",
            persist_state="session",
            placeholder="*.etag, items.at.*.rs",
            help="Paths of keys joined by dots, separated by commas. Arrays have no part in a "
            "path. * stands for any number of levels. The command line has the same as --filter.",
        )
    chosen = [pattern for name in presets for pattern in filters.preset(name)]
    return tuple(dict.fromkeys([*chosen, *filters.parse(text or "")]))


def _lines(slimmed: Slimmed) -> list[dict[str, object]]:
    whole = slimmed["before"]["json-compact"]
    return [
        {
            "Format": FORMATS[name].label,
            "Fields": label,
            "Tokens": tokens[name],
            _VERSUS: fraction(tokens[name], whole),
        }
        for name in _FORMATS
        for label, tokens in (("all fields", slimmed["before"]), ("filtered", slimmed["after"]))
    ]
