"""What the dialects' documents claim, beside what is measured here."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import figures
from toon.costs.claims import claim_rows
from toon.dialects.cortex import DEVIATIONS


@st.cache_data(max_entries=16, show_spinner=False)
def _rows(tokenizer: str) -> list[dict[str, Any]]:
    return claim_rows(tokenizer)


def show(tokenizer: str) -> None:
    """One row a claim, with the reason of the difference below."""
    rows = _rows(tokenizer)
    approximately = "" if rows[0]["exact"] else "≈ "
    frame = pd.DataFrame(
        [
            {
                "System": row["system"],
                "Its document": row["says"],
                "Claimed": row["claimed"],
                f"{approximately}vs indented JSON": row["vs"]["json-pretty"],
                f"{approximately}vs compact JSON": row["vs"]["json-compact"],
                f"{approximately}Tokens": row["tokens"],
            }
            for row in rows
        ]
    )
    versus = [f"{approximately}vs indented JSON", f"{approximately}vs compact JSON"]
    styled = (
        frame.style.format(figures.signed_percent, subset=["Claimed", *versus])
        .format(figures.count, subset=[f"{approximately}Tokens"])
        .map(figures.loss, subset=versus)
    )
    st.caption(
        f"Each document's own example, or a sample of ours where it prints none, measured here "
        f"with {tokenizer}. Negative is fewer tokens."
    )
    st.dataframe(styled, hide_index=True, width="stretch", key="claims", placeholder="none")
    st.markdown("**Why they differ**")
    for row in rows:
        st.caption(f"{row['system']}, {row['says']}: {row['why']}.")
    with st.expander("Where Temporal Cortex's library departs from TOON 3.0, which it names"):
        frame = pd.DataFrame(
            [(row.library, row.specification) for row in DEVIATIONS],
            columns=["The library", "The specification"],
        )
        st.dataframe(frame, hide_index=True, width="stretch", height="content", key="deviations")
