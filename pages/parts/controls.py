"""Controls that more than one page shows, each with one key and so one state."""

from __future__ import annotations

import streamlit as st

from toon.codec.text import NAMED_DELIMITERS
from toon.tokenizers import TOKENIZERS


def choose_tokenizer() -> str:
    """The tokenizer everything is counted by; the choice holds across pages."""
    return st.selectbox(
        "Tokenizer",
        list(TOKENIZERS),
        format_func=lambda name: TOKENIZERS[name].label,
        key="tokenizer",
        persist_state="session",
        width=260,
    )


def choose_delimiter() -> str:
    """The delimiter of the TOON that is shown; the choice holds across pages."""
    return st.segmented_control(
        "Delimiter",
        list(NAMED_DELIMITERS),
        default="comma",
        required=True,
        key="delimiter",
        persist_state="session",
    )
