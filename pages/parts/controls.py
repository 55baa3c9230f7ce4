"""Controls whose choice holds across pages: each has one key, and so one state."""

from __future__ import annotations

from typing import Final

import streamlit as st

from toon.codec.text import NAMED_DELIMITERS
from toon.costs import prices
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import TOKENIZERS

#: The model that prices are shown for until another is chosen.
_MODEL: Final = "openai/gpt-5"


def choose_tokenizer() -> str:
    """The tokenizer that counts everything, a key of ``toon.tokenizers.TOKENIZERS``."""
    return st.selectbox(
        "Tokenizer",
        list(TOKENIZERS),
        index=list(TOKENIZERS).index(DEFAULT_TOKENIZER),
        format_func=lambda name: TOKENIZERS[name].label,
        key="tokenizer",
        persist_state="session",
        width=260,
    )


def choose_delimiter() -> str:
    """The delimiter of the TOON that is shown, a key of ``NAMED_DELIMITERS``."""
    return st.segmented_control(
        "Delimiter",
        list(NAMED_DELIMITERS),
        default="comma",
        required=True,
        key="delimiter",
        persist_state="session",
    )


def choose_model(label: str, width: int) -> str:
    """The model whose prices are used, a key of ``toon.costs.prices.models``."""
    models = prices.models()
    keys = list(models)
    return st.selectbox(
        label,
        keys,
        index=keys.index(_MODEL) if _MODEL in models else 0,
        format_func=lambda key: f"{models[key].name} · {models[key].provider}",
        key="model",
        persist_state="session",
        width=width,
    )
