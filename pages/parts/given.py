"""What the pages beside the playground work on: its payload, if it can be read."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.parts import cached, payload
from pages.parts.plain import plain
from toon.live import Side


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


def readable() -> Given:
    """The payload; the page stops here if it cannot be read, or is large and not asked for."""
    side, text = st.session_state.source["side"], st.session_state.source["text"]
    indent = int(st.session_state.get("indent") or 2)
    given = Given(side, text, indent, st.session_state.get("strict", True))
    if not cached.readable(side, text, "comma", given.indent, given.strict):
        st.info("The payload cannot be read as it is. Mend it in the playground first.")
        st.stop()
    if len(text) > payload.LIVE_LIMIT and not st.button("Measure this large payload"):
        st.stop()
    return given
