"""The panels of the dialects page that measure: side by side, claims, fields to drop first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.parts.answer import cost_words, draw_costs
from pages.parts.caches import cached
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask, ask_value, open_document
from pages.parts.tables import draw_table
from toon.costs.choice import COMPACT
from toon.costs.compare import MeasuredRow, Row, cost, label, measured_rows, why_not
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.costs.slimmed import SLIMMED_FORMATS, Slimmed, slimmed
from toon.evidence import claims
from toon.evidence.claims import CLAIMS
from toon.formats import AS_TYPED, FORMATS, NOT_TAKEN, beginnings, versus
from toon.formats import label as format_label
from toon.formats.json import JSON_PRETTY
from toon.formats.toon import TOON_BY_DELIMITER
from toon.playground.panes import Pane
from toon.values import filters
from toon.values.fractions import fraction
from toon.wording import plural, signed_percent

#: The formats compared here, in the order of the page: the baselines, TOON, and its dialects.
_SHOWN: Final = (
    "json-pretty",
    "json-compact",
    *TOON_BY_DELIMITER.values(),
    *(name for name, format in FORMATS.items() if format.dialect),
)
#: Texts that are much like one beside them.
_AT_FIRST_HIDDEN: Final = ("json-pretty", "toon-tab", "toon-pipe")
#: Characters of each text that are drawn, and texts beside each other.
_CHARACTERS: Final = 6_000
_COLUMNS: Final = 3


def draw_side_by_side(data: Pane, rows: Sequence[Row], explaining: Explaining) -> None:
    """The table, what does not fit, and the chosen texts beside each other.

    TOON or a dialect that was typed is measured as typed, not as we would write it.
    """
    shown = {row["format"]: row for row in rows if row["format"] in _SHOWN}
    if data.side == "toon":
        (typed,) = (row for row in measured_rows(rows) if row["format"] == AS_TYPED)
        shown[typed["written_in"]] = typed
    fitting = measured_rows(shown[name] for name in _SHOWN)
    nothing = ask(data, Document.nothing)
    if nothing:
        st.info(f"{nothing}.")
    else:
        st.header(_cheapest_words(fitting, explaining), anchor=False)
    draw_costs(fitting, explaining, compares=not nothing)
    st.caption("Where a format drops fields, part of its saving is theirs: see Drop fields first.")
    for name in _SHOWN:
        row = shown[name]
        if row["tokens"] is None:
            reason = escape_markdown(row["reason"])
            st.caption(f"{FORMATS[name].label}: does not apply, {reason}.")
    measured = {row["written_in"]: row for row in fitting}
    names = list(measured)
    chosen = st.pills(
        "Texts",
        names,
        selection_mode="multi",
        default=[name for name in names if name not in _AT_FIRST_HIDDEN][:_COLUMNS],
        format_func=lambda name: label(measured[name]),
        key=f"dialects_shown_{'_'.join(names)}",
    )
    _draw_texts(data, [measured[name] for name in chosen])


def _cheapest_words(rows: Sequence[MeasuredRow], explaining: Explaining) -> str:
    """Which of the texts that may be sent costs least, and by how much."""
    able = [row for row in rows if why_not(row) is None]
    best = min(able, key=lambda row: cost(row, explaining))
    compact = next(row["tokens"] for row in rows if row["format"] == COMPACT)
    change = signed_percent(fraction(cost(best, explaining), compact))
    vs = f"{change} {versus(COMPACT)}"
    least = f"{label(best)} is the cheapest that can be recommended"
    return f"{least}: {cost_words(best, explaining)} ({vs})"


def draw_what_they_are() -> None:
    """What each dialect is, in one line, and what was looked at and not taken."""
    lines = {format.label: format.about for format in FORMATS.values() if format.dialect}
    lines |= {f"{name}, not taken": words for name, words in NOT_TAKEN.items()}
    for name, words in lines.items():
        st.markdown(f"**{escape_markdown(name)}**: {escape_markdown(words)}")


def _draw_texts(data: Pane, rows: Sequence[MeasuredRow]) -> None:
    written = tuple(row["format"] for row in rows if row["format"] != AS_TYPED)
    typed = data.text[:_CHARACTERS], len(data.text)
    texts = {AS_TYPED: typed, **ask_value(data, beginnings, written, _CHARACTERS)}
    for start in range(0, len(rows), _COLUMNS):
        beside = rows[start : start + _COLUMNS]
        for row, column in zip(beside, st.columns(len(beside)), strict=True):
            text, length = texts[row["format"]]
            tokens = plural(row["tokens"], "token")
            with column:
                st.markdown(f"**{label(row)}** · {tokens}")
                wrap = "\n" not in text
                st.code(text or " ", language=None, height=420, wrap_lines=wrap)
                if length > len(text):
                    st.caption(f"The first {_CHARACTERS:,} of {length:,} characters.")


measure_claims = cached(16)(claims.measure_claims)


def draw_claims(choice: Choice) -> None:
    """One row a claim, with the reason of the difference below."""
    rows = measure_claims(choice.tokenizer)
    against = [versus(JSON_PRETTY.name), versus(COMPACT)]
    st.caption(
        f"Each document's own example, measured here in tokens of {choice.name}.",
        help="Where a document prints no example, a sample of ours stands in.",
    )
    lines = [
        {
            "System": claim.system,
            "Its document": claim.says,
            "Claimed": claim.claimed,
            **{versus(name): row["vs"][name] for name in (JSON_PRETTY.name, COMPACT)},
            "Tokens": row["tokens"],
        }
        for claim, row in zip(CLAIMS, rows, strict=True)
    ]
    draw_table(
        lines,
        "claims",
        counts=["Tokens"],
        percents=["Claimed", *against],
        marked=against,
        alt="Claimed savings beside measured ones.",
    )
    st.markdown("**Why they differ**")
    for claim in CLAIMS:
        st.caption(f"{claim.system}, {claim.says}: {claim.why}.")


_VERSUS: Final = f"{versus(COMPACT)}, all fields"


def draw_slimmed(data: Pane, tokenizer: str) -> None:
    """A choice of fields to drop, and the tokens of three formats before and after."""
    patterns = _choose_patterns()
    if not patterns:
        st.info("Name fields to drop, or choose a preset: `*.etag` matches etag at any depth.")
        return
    found = ask_value(data, slimmed, tokenizer, patterns)
    _draw_slimmed_headline(found)
    draw_table(
        _slimmed_lines(found),
        "slimmed",
        counts=["Tokens"],
        percents=[_VERSUS],
        alt="Tokens before and after fields are dropped, by format.",
    )
    st.caption(
        f"Against all fields as {format_label(COMPACT)}: what dropping fields and the format save "
        "together."
    )
    idle = [pattern for pattern, count in found["removed"].items() if not count]
    if idle:
        st.caption(f"Without effect here: {escape_markdown(', '.join(idle))}.")
    if st.button("Open what is left in the playground", key="open_slimmed"):
        open_document("json", found["text"], "filtered payload")
        st.switch_page("playground.py")


def _draw_slimmed_headline(slimmed: Slimmed) -> None:
    dropped = sum(slimmed["removed"].values())
    compact = slimmed["before"]["json-compact"]
    share = signed_percent(fraction(slimmed["after"]["json-compact"], compact))
    st.header(
        f"{plural(dropped, 'field is', 'fields are')} dropped: {share} of "
        f"{format_label(COMPACT)}'s {f'{compact:,}'} tokens, before any format helps",
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
            help="Paths of keys joined by dots, separated by commas. A path passes through arrays. "
            "* stands for any number of levels. On the command line this is --filter.",
        )
    chosen = [pattern for name in presets for pattern in filters.preset(name)]
    return tuple(dict.fromkeys([*chosen, *filters.parse(text or "")]))


def _slimmed_lines(slimmed: Slimmed) -> list[dict[str, object]]:
    whole = slimmed["before"]["json-compact"]
    return [
        {
            "Format": FORMATS[name].label,
            "Fields": label,
            "Tokens": tokens[name],
            _VERSUS: fraction(tokens[name], whole),
        }
        for name in SLIMMED_FORMATS
        for label, tokens in (("all fields", slimmed["before"]), ("filtered", slimmed["after"]))
    ]
