"""The panel "Ten records of each domain": the document's claims, measured; and how lists grow."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact.charts import claim_marks, growth_lines
from pages.parts.compact.measures import COMPACT, LINES, PRETTY, SAME_FIELDS
from pages.parts.tables import draw_table
from toon.compact.domains import DOMAINS
from toon.records import growth

#: The forms that the lines are compared with, in the order of the chart.
_AGAINST: Final = {
    "json_pretty": f"vs {PRETTY}",
    "json_compact": f"vs {COMPACT}",
    "toon": "vs TOON",
    "same_fields_json": f"vs {SAME_FIELDS}",
    "same_fields_toon": "vs same-fields TOON",
}
#: Those that the chart has room for.
_CHARTED: Final = {
    form: _AGAINST[form] for form in ("json_pretty", "json_compact", "same_fields_json")
}
_CLAIMED: Final = "claimed"
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
    pretty, compact, same = (
        sum(row["vs"][form] <= row["claim"] for row in rows) for form in _CHARTED
    )
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
                {"domain": row["domain"], "against": label, "fraction": value}
                for row in rows
                for label, value in _compared(row, _CHARTED).items()
            ],
            [_CLAIMED, *_CHARTED.values()],
        ),
        key="claims_chart",
        alt="Claimed and measured savings by domain; the numbers are in the table.",
    )
    draw_table(
        [
            {
                "Domain": row["domain"],
                **{label: row["tokens"][form] for form, label in _FORMS.items()},
                **_compared(row, _AGAINST),
            }
            for row in rows
        ],
        "claims",
        counts=list(_FORMS.values()),
        percents=[_CLAIMED, *_AGAINST.values()],
    )


def _compared(row: growth.GrowthRow, columns: dict[str, str]) -> dict[str, float]:
    """The claim, and the lines against each form of ``columns``, by label."""
    return {_CLAIMED: row["claim"], **{label: row["vs"][form] for form, label in columns.items()}}


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
                    {"count": row["count"], "form": label, "tokens": row["tokens"][name]}
                    for row in rows
                    for name, label in _FORMS.items()
                ],
                list(_FORMS.values()),
            ),
            key="growth_chart",
            alt="Tokens of each form over the number of records; the numbers are in the table.",
        )
    with right:
        lines = [
            {
                "Records": row["count"],
                "Lines, tokens": row["tokens"]["lines"],
                "a record": row["tokens"]["lines"] / row["count"],
                **{label: row["vs"][form] for form, label in _CHARTED.items()},
            }
            for row in rows
        ]
        draw_table(
            lines,
            "growth",
            counts=["Records", "Lines, tokens"],
            decimals=["a record"],
            percents=list(_CHARTED.values()),
        )
        st.caption(
            "The summary and the page's position are paid once, ids with every record: after a few "
            "records the share saved hardly changes."
        )
