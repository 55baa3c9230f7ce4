"""The controls that say how TOON is read and written; ``pages.parts.payload`` reads by them."""

from __future__ import annotations

import streamlit as st


def choose_indent() -> int:
    """The spaces a level of TOON is indented by."""
    return st.segmented_control(
        "Indent",
        [1, 2, 4, 8],
        default=2,
        required=True,
        key="indent",
        persist_state="session",
        help="Spaces a level. Only widths that can be decoded again are offered; 0 cannot.",
    )


def choose_strict() -> bool:
    """Whether TOON is read without recoveries."""
    return st.toggle(
        "Strict",
        value=True,
        key="strict",
        persist_state="session",
        help="Off: TOON is read with the five recoveries of the specification (wrong counts, "
        "duplicate keys, uneven indentation, blank lines, blocks that start too deep).",
    )
