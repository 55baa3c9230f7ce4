"""What explaining each format takes, in whose words, and from when on it is worth that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.parts import controls
from pages.parts.tables import draw_table
from toon.costs.choice import COMPACT, worth_from
from toon.costs.compare import MeasuredRow, Row, cost, explained_once, label, measured_rows, why_not
from toon.costs.explanation import Explaining
from toon.costs.verdict import Verdict
from toon.formats import AS_TYPED, FORMATS, versus
from toon.formats import label as format_label
from toon.playground.panes import Pane
from toon.wording import count, decimal, plural

_ALONE: Final = versus(COMPACT)
_SHARED: Final = "with its share of the note"


def draw_explanations(
    data: Pane, rows: Sequence[Row], verdict: Verdict, explaining: Explaining
) -> None:
    """The explanations' costs, the break-even, and one explanation's text to edit."""
    able = {row["format"]: row for row in measured_rows(rows) if why_not(row) is None}
    compact = able[COMPACT]["tokens"]
    shown = [row for name, row in able.items() if name not in (AS_TYPED, COMPACT)]
    st.caption(
        "Another format than JSON needs a note in the prompt, which its payloads share.",
        help="Models know JSON. The note tells how to read what this payload uses. Its tokens are "
        f"those beyond “{FORMATS[COMPACT].explanation}”.",
    )
    draw_table(
        [_line(row, compact, explaining) for row in shown],
        "explanations",
        counts=["Note, once"],
        differences=[_ALONE, _SHARED],
        marked=[_SHARED],
        height="content",
        alt="Every format's note with its tokens and its break-even.",
    )
    st.write(break_even_words(verdict))
    _draw_wording(shown, verdict, explaining)


def _line(row: MeasuredRow, compact: int, explaining: Explaining) -> dict[str, object]:
    once = explained_once(row, explaining)
    payloads = worth_from(row["tokens"], compact, once)
    return {
        "Format": label(row),
        "Note, once": once,
        _ALONE: row["tokens"] - compact,
        _SHARED: cost(row, explaining) - compact,
        "Worth it from": "never" if payloads is None else plural(payloads, "payload"),
        "Wording": "yours" if row["format"] in dict(explaining.wordings) else "ours",
    }


def break_even_words(verdict: Verdict) -> str:
    """From how many payloads, and from how many rows on, the explanation is worth its tokens."""
    even = verdict["break_even"]
    if even is None:
        return "No format is worth its note here, however many payloads share it."
    name = format_label(even["format"])
    return (
        f"{name} saves {plural(even['saved'], 'token')} a payload; its note in this "
        f"wording takes {count(even['explanation'])} once: worth it from "
        f"{plural(even['payloads'], 'payload')} in a prompt."
    )


def _draw_wording(rows: Sequence[MeasuredRow], verdict: Verdict, explaining: Explaining) -> None:
    """The explanation of one format, which the user may rewrite for every figure of the session."""
    by_name = {row["format"]: row for row in rows}
    even = verdict["break_even"]
    names = list(by_name)
    name = st.selectbox(
        "Note about",
        names,
        index=names.index(even["format"] if even else "toon"),
        format_func=format_label,
        key="explanation_of",
        persist_state="session",
        width=260,
    )
    uses = frozenset(by_name[name]["uses"])
    once = explained_once(by_name[name], explaining)
    ours, key = FORMATS[name].explain(uses), f"wording_{name}"
    st.session_state[key] = explaining.text(name, uses)

    def keep() -> None:
        text = st.session_state[key].strip()
        controls.keep_wording(name, text if text not in ("", ours) else None)

    st.text_area("As the prompt says it", key=key, on_change=keep, height=140)
    st.button(
        "Back to ours",
        key="wording_back",
        on_click=controls.keep_wording,
        args=(name, None),
        disabled=name not in dict(explaining.wordings),
    )
    st.caption(
        f"The cost of this wording: {plural(once, 'token')} once, "
        f"{decimal(explaining.share(once))} a payload. Yours counts in every figure of this "
        "session; leave it empty for ours."
    )
