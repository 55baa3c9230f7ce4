"""The panel "Ten records of each domain": the document's claims, measured; and how lists grow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact.charts import claim_marks, growth_lines
from pages.parts.compact.measures import COMPACT, LINES, PRETTY, SAME_FIELDS
from pages.parts.tables import draw_table
from toon.compact.domains import DOMAINS
from toon.records import growth

#: What the lines are compared with, in the order of the chart.
_AGAINST: Final = {
    "claim": "claimed",
    "vs_json_pretty": f"vs {PRETTY}",
    "vs_json_compact": f"vs {COMPACT}",
    "vs_toon": "vs TOON",
    "vs_same_fields_json": f"vs {SAME_FIELDS}",
    "vs_same_fields_toon": "vs same-fields TOON",
}
#: Those that the chart has room for.
_CHARTED: Final = {
    name: _AGAINST[name]
    for name in ("claim", "vs_json_pretty", "vs_json_compact", "vs_same_fields_json")
}
_FORMS: Final = {
    "json_pretty": PRETTY,
    "json_compact": COMPACT,
    "toon": "TOON",
    "same_fields_json": SAME_FIELDS,
    "lines": LINES,
}


measure_domains = cached(growth.domain_rows)
measure_growth = cached(growth.growth_rows)


def draw_claims(tokenizer: str) -> None:
    """The document's claims, and what is measured."""
    rows = measure_domains(tokenizer)
    pretty = sum(_reaches(row["vs_json_pretty"], row["claim"]) for row in rows)
    compact = sum(_reaches(row["vs_json_compact"], row["claim"]) for row in rows)
    same = sum(_reaches(row["vs_same_fields_json"], row["claim"]) for row in rows)
    st.subheader(
        f"The claimed saving is reached in {pretty} of {len(rows)} domains against "
        f"{PRETTY}, in {compact} against {COMPACT}, in {same} against "
        f"{COMPACT} of the same fields",
        anchor=False,
    )
    estimate = "" if rows[0]["exact"] else " ≈ Tokens are estimates with this tokenizer."
    st.caption(
        f"Ten bundled records of each domain, {tokenizer}.{estimate} The document of the format "
        "claims its figures against its own API's JSON and names neither tokenizer nor layout. "
        "The same-fields forms hold only what the lines are made of: against them, only what the "
        "writing saves is left."
    )
    st.altair_chart(
        claim_marks(
            [
                {"domain": row["domain"], "against": against, "fraction": fraction}
                for row in rows
                for against, fraction in _cells(row, _CHARTED).items()
            ],
            list(_CHARTED.values()),
        ),
        key="claims_chart",
        alt="Claimed and measured savings by domain; the numbers are in the table.",
    )
    draw_table(
        [{"Domain": row["domain"]} | _cells(row, _FORMS) | _cells(row, _AGAINST) for row in rows],
        "claims",
        counts=list(_FORMS.values()),
        percents=list(_AGAINST.values()),
    )


def _reaches(fraction: float | None, claim: float) -> bool:
    return fraction is not None and fraction <= claim


def _cells(row: Mapping[str, object], columns: Mapping[str, str]) -> dict[str, object]:
    return {label: row[name] for name, label in columns.items()}


@st.fragment
def draw_growth(tokenizer: str) -> None:
    """How a list of one domain grows with its records."""
    st.subheader("From 1 record to 100", anchor=False)
    domain = st.selectbox(
        "Records", list(DOMAINS), key="growth_of", persist_state="session", width=200
    )
    rows = measure_growth(domain, tokenizer)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        st.altair_chart(
            growth_lines(
                [
                    {"count": row["count"], "form": label, "tokens": tokens}
                    for row in rows
                    for label, tokens in _cells(row, _FORMS).items()
                ],
                list(_FORMS.values()),
            ),
            key="growth_chart",
            alt="Tokens of each form over the number of records; the numbers are in the table.",
        )
    with right:
        signed = {name: label for name, label in _CHARTED.items() if name != "claim"}
        lines = [
            {
                "Records": row["count"],
                "Lines, tokens": row["lines"],
                "a record": row["lines"] / row["count"],
                **_cells(row, signed),
            }
            for row in rows
        ]
        draw_table(
            lines,
            "growth",
            counts=["Records", "Lines, tokens"],
            decimals=["a record"],
            percents=list(signed.values()),
        )
        st.caption(
            "The summary and the page's position are paid once, ids with every record: after a few "
            "records the share saved hardly changes."
        )
