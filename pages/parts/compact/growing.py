"""The panel "Ten records of each domain": the document's claims, measured; and how lists grow."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import figures
from pages.parts.compact import drawn, measured
from toon.compact.domains import DOMAINS

#: What the lines are set against, in the order of the chart.
_AGAINST = {
    "claim": "claimed",
    "vs_json_pretty": f"vs {measured.PRETTY}",
    "vs_json_compact": f"vs {measured.COMPACT}",
    "vs_toon": "vs TOON",
    "vs_same_fields_json": f"vs {measured.SAME_FIELDS}",
    "vs_same_fields_toon": "vs same-fields TOON",
}
#: Those that the chart has room for.
_CHARTED = ("claim", "vs_json_pretty", "vs_json_compact", "vs_same_fields_json")
_FORMS = {
    "json_pretty": measured.PRETTY,
    "json_compact": measured.COMPACT,
    "toon": "TOON",
    "same_fields_json": measured.SAME_FIELDS,
    "lines": measured.LINES,
}


def show(tokenizer: str) -> None:
    """The table of the document beside what is measured, and the growth of one domain."""
    _claims(measured.domain_rows(tokenizer), tokenizer)
    _growth(tokenizer)


def _claims(rows: list[dict[str, Any]], tokenizer: str) -> None:
    pretty, compact, same = (
        sum(row[name] <= row["claim"] for row in rows)
        for name in ("vs_json_pretty", "vs_json_compact", "vs_same_fields_json")
    )
    st.subheader(
        f"The claimed saving is reached in {pretty} of {len(rows)} domains against "
        f"{measured.PRETTY}, in {compact} against {measured.COMPACT}, in {same} against "
        f"{measured.COMPACT} of the same fields",
        anchor=False,
    )
    estimate = "" if rows[0]["exact"] else " ≈ Tokens are estimates with this tokenizer."
    st.caption(
        f"Ten bundled records of each domain, {tokenizer}.{estimate} The document of the format "
        "claims its figures against its own API's JSON and names neither tokenizer nor layout. "
        f"Against {measured.SAME_FIELDS} and TOON, which hold nothing but what the lines are made "
        "of, only what the writing saves is left."
    )
    marks = [
        {"domain": row["domain"], "against": _AGAINST[name], "fraction": row[name]}
        for row in rows
        for name in _CHARTED
    ]
    st.altair_chart(
        drawn.claims(marks, [_AGAINST[name] for name in _CHARTED]),
        key="claims_chart",
        alt="Claimed and measured savings by domain; the numbers are in the table.",
    )
    frame = pd.DataFrame(
        {
            "Domain": [row["domain"] for row in rows],
            **{label: [row[name] for row in rows] for name, label in _FORMS.items()},
            **{label: [row[name] for row in rows] for name, label in _AGAINST.items()},
        }
    )
    signed = list(_AGAINST.values())
    styled = (
        frame.style.format(figures.count, subset=list(_FORMS.values()))
        .format(figures.signed_percent, subset=signed)
        .map(figures.loss, subset=signed)
    )
    st.dataframe(styled, hide_index=True, width="stretch", key="claims", placeholder="")


@st.fragment
def _growth(tokenizer: str) -> None:
    st.subheader("From 1 record to 100", anchor=False)
    domain = st.selectbox(
        "Records", list(DOMAINS), key="growth_of", persist_state="session", width=200
    )
    rows = measured.growth_rows(domain, tokenizer)
    points = [
        {"count": row["count"], "form": label, "tokens": row[name]}
        for row in rows
        for name, label in _FORMS.items()
    ]
    left, right = st.columns([4, 5], gap="medium")
    with left:
        st.altair_chart(
            drawn.growth(points, list(_FORMS.values())),
            key="growth_chart",
            alt="Tokens of each form over the number of records; the numbers are in the table.",
        )
    with right:
        signed = {name: _AGAINST[name] for name in _CHARTED if name != "claim"}
        frame = pd.DataFrame(
            {
                "Records": [row["count"] for row in rows],
                "Lines, tokens": [row["lines"] for row in rows],
                "a record": [row["lines"] / row["count"] for row in rows],
                **{label: [row[name] for row in rows] for name, label in signed.items()},
            }
        )
        styled = (
            frame.style.format(figures.count, subset=["Records", "Lines, tokens"])
            .format("{:,.1f}", subset=["a record"])
            .format(figures.signed_percent, subset=list(signed.values()))
            .map(figures.loss, subset=list(signed.values()))
        )
        st.dataframe(styled, hide_index=True, width="stretch", key="growth", placeholder="")
        st.caption(
            "The summary and the page's place are paid once, ids with every record: after a few "
            "records the share saved hardly changes."
        )
