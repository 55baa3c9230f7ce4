"""The panel "Money": a model's price, calls, cache and batch."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon import wording
from toon.costs import prices
from toon.costs.compare import Row
from toon.formats import FORMATS
from toon.tokenizers import TOKENIZERS


def draw_money(rows: list[Row], tokenizer: str) -> None:
    """What each format costs per call, month and year; a price that is not known is "unknown"."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = controls.choose_model("Model", 380)
        calls = st.number_input(
            "Calls a month", 0, 10**12, 100_000, 1000, key="calls", persist_state="session"
        )
        share = st.slider(
            "Read from cache, %", 0, 100, 0, 5, key="cached", persist_state="session", width=200
        )
        batch = st.toggle("Batch", key="batch", persist_state="session")
    bills = prices.bills(
        rows, key, calls_per_month=int(calls), cached_share=share / 100, batch=batch
    )
    lines = [_line(bill) for bill in bills if bill["tokens"] is not None]
    draw_table(lines, "bills", height="content")
    model = prices.models()[key]
    estimate = "" if TOKENIZERS[tokenizer].exact else " (an estimate)"
    st.caption(
        f"US dollars for the input of a call, priced at its own size; {prices.price_source()}. "
        f"Tokens counted by {TOKENIZERS[tokenizer].label}{estimate}: choose the tokenizer that "
        f"belongs to the model. {escape_markdown(model.comment)}"
    )


def _line(bill: prices.Bill) -> dict[str, str]:
    window = bill["window"]
    return {
        "Format": FORMATS[bill["format"]].label,
        "Tokens a call": wording.count(bill["tokens"]),
        "Per call": wording.dollars(bill["per_call"]),
        "Per month": wording.dollars(bill["per_month"]),
        "Per year": wording.dollars(bill["per_year"]),
        "Saved a month vs compact JSON": wording.dollars(bill["saved_per_month"]),
        "Context window": "unknown" if window is None else wording.percent(window, 2),
    }
