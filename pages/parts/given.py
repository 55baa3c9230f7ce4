"""What the pages beside the playground work on: its payload, if it can be read."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.parts import cached, payload
from pages.parts.markdown import plain
from toon.playground.panes import Side


class Given(NamedTuple):
    """A text and the options it is read by, as the functions of ``cached`` take them."""

    side: Side
    text: str
    indent: int
    strict: bool


def caption(about: str) -> None:
    """Says what the page is for, and which payload it is about."""
    payload.start()
    text = st.session_state.source["text"]
    st.caption(
        f"{about} The payload of the playground: {plain(payload.name())}, {len(text):,} "
        "characters. Counts are exact except where marked ≈; negative is fewer tokens."
    )


def readable(limit: int | None = None) -> Given:
    """The payload; the page stops here if it cannot be read, or is large and not asked for.

    Large is what has more than ``limit`` characters, the playground's own limit if None.
    """
    side, text = st.session_state.source["side"], st.session_state.source["text"]
    indent = int(st.session_state.get("indent") or 2)
    given = Given(side, text, indent, st.session_state.get("strict", True))
    if not cached.readable(side, text, "comma", given.indent, given.strict):
        st.info("The payload cannot be read as it is. Mend it in the playground first.")
        st.stop()
    limit = payload.LIVE_LIMIT if limit is None else limit
    if len(text) > limit and not _asked_for(text, limit):
        st.stop()
    return given


def _asked_for(text: str, limit: int) -> bool:
    """Whether the user has asked for this large payload where the limit is this; offers to.

    It is remembered: a button is pressed for one run only, and every control starts another.
    """
    key = f"large_payload_{limit}"
    if st.session_state.get(key) == text:
        return True
    place = st.empty()
    if not place.button("Measure this large payload"):
        return False
    st.session_state[key] = text
    place.empty()
    return True
