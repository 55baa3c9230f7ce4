"""What the pages beside the playground work on: its payload, if it can be read."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.parts import cached, payload
from pages.parts.markdown import literal
from toon.live import Side


class Given(NamedTuple):
    """A text and the options it is read by, as the functions of ``cached`` take them."""

    side: Side
    text: str
    indent: int
    strict: bool


def caption() -> None:
    """Says which payload the page is about."""
    payload.start()
    text = st.session_state.source["text"]
    st.caption(
        f"The payload of the playground: {literal(st.session_state.document['name'])}, "
        f"{len(text):,} characters. Counts are exact except where marked ≈; negative is "
        "fewer tokens."
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
    asked = (text, limit)
    large = len(text) > (payload.LIVE_LIMIT if limit is None else limit)
    if large and st.session_state.get("asked_for") != asked:
        # Remembered: a button is pressed for one run only, and every control starts another.
        if not st.button("Measure this large payload"):
            st.stop()
        st.session_state.asked_for = asked
    return given
