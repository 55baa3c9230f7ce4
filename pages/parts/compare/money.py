"""What the difference is worth: a model's price, calls, cache and batch."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import controls, figures
from pages.parts.markdown import plain
from toon.costs import prices
from toon.formats import FORMATS
from toon.tokenizers import TOKENIZERS


def show(rows: list[dict[str, Any]], tokenizer: str) -> None:
    """Per call, month and year for each format; what is not known is said to be unknown."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = controls.choose_model("Model", 380)
        calls = st.number_input(
            "Calls a month", 0, 10**12, 100_000, 1000, key="calls", persist_state="session"
        )
        cached = st.slider(
            "Read from cache, %", 0, 100, 0, 5, key="cached", persist_state="session", width=200
        )
        batch = st.toggle("Batch", key="batch", persist_state="session")
    bills = prices.bills(
        rows, key, calls_per_month=int(calls), cached_share=cached / 100, batch=batch
    )
    st.dataframe(
        pd.DataFrame([_line(bill) for bill in bills if bill["tokens"] is not None]),
        hide_index=True,
        width="stretch",
        height="content",
        key="bills",
    )
    model = prices.models()[key]
    estimate = "" if TOKENIZERS[tokenizer].exact else " (an estimate)"
    st.caption(
        f"US dollars for the input of a call, priced at its own size; {prices.price_source()}. "
        f"Tokens counted by {TOKENIZERS[tokenizer].label}{estimate}: choose the tokenizer that "
        f"belongs to the model. {plain(model.comment)}"
    )


def _line(bill: dict[str, Any]) -> dict[str, str]:
    window = bill["window"]
    return {
        "Format": FORMATS[bill["format"]].label,
        "Tokens a call": figures.count(bill["tokens"]),
        "Per call": figures.dollars(bill["per_call"]),
        "Per month": figures.dollars(bill["per_month"]),
        "Per year": figures.dollars(bill["per_year"]),
        "Saved a month vs compact JSON": figures.dollars(bill["saved_per_month"]),
        "Context window": "unknown" if window is None else f"{window:.2%}",
    }
