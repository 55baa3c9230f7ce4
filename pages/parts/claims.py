"""Claims in the documents of formats, beside measurements made here."""

from __future__ import annotations

import streamlit as st

from pages.parts.caches import cached
from pages.parts.tables import draw_table
from toon.costs.models import Choice
from toon.costs.worth import COMPACT
from toon.evidence import claims
from toon.evidence.claims import CLAIMS
from toon.formats import versus
from toon.formats.json import JSON_PRETTY

measure_claims = cached(16)(claims.measure_claims)


def draw_claims(choice: Choice) -> None:
    """Draw a row for each claim, and below it the reason of the difference."""
    rows = measure_claims(choice.tokenizer)
    against = [versus(JSON_PRETTY.name), versus(COMPACT)]
    st.caption(
        f"Each document's own example, measured here in tokens of {choice.name}.",
        help="Where a document prints no example, a sample of ours stands in.",
    )
    lines = [
        {
            "System": claim.system,
            "Its document": claim.says,
            "Claimed": claim.claimed,
            **{versus(name): row["vs"][name] for name in (JSON_PRETTY.name, COMPACT)},
            "Tokens": row["tokens"],
        }
        for claim, row in zip(CLAIMS, rows, strict=True)
    ]
    draw_table(
        lines,
        "claims",
        counts=["Tokens"],
        percents=["Claimed", *against],
        marked=against,
        alt="Claimed savings beside measured ones.",
    )
    st.markdown("**Why they differ**")
    for claim in CLAIMS:
        st.caption(f"{claim.system}, {claim.says}: {claim.why}.")
