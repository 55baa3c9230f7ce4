"""The panel "Claims and measurements": what the dialects' documents claim, and what we measure."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.caches import cached
from pages.parts.tables import draw_table
from toon.costs.claims import claim_rows
from toon.dialects.cortex import DEVIATIONS

measure_claims = cached(claim_rows)


def draw_claims(tokenizer: str) -> None:
    """One row a claim, with the reason of the difference below."""
    rows = measure_claims(tokenizer)
    about = "" if rows[0]["exact"] else "≈ "
    pretty, compact = f"{about}vs indented JSON", f"{about}vs compact JSON"
    st.caption(
        f"Each document's own example, measured here with {tokenizer}. Where a document prints "
        "none, a sample of ours stands in. Negative is fewer tokens."
    )
    lines = [
        {
            "System": row["system"],
            "Its document": row["says"],
            "Claimed": row["claimed"],
            pretty: row["vs"]["json-pretty"],
            compact: row["vs"]["json-compact"],
            f"{about}Tokens": row["tokens"],
        }
        for row in rows
    ]
    draw_table(
        lines,
        "claims",
        counts=[f"{about}Tokens"],
        percents=["Claimed", pretty, compact],
        marked=[pretty, compact],
    )
    st.markdown("**Why they differ**")
    for row in rows:
        st.caption(f"{row['system']}, {row['says']}: {row['why']}.")
    with st.expander("Where Temporal Cortex's library departs from TOON 3.0, which it names"):
        frame = pd.DataFrame(
            [(row.library, row.specification) for row in DEVIATIONS],
            columns=["The library", "The specification"],
        )
        draw_table(frame, "deviations", height="content")
