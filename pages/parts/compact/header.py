"""The panel "X-Token-Count": what the header would say of every response, and how far off it is."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import figures
from pages.parts.compact import drawn, measured
from toon.records.growth import ESTIMATORS, TOLERANCE, within_tolerance
from toon.tokenizers import TOKENIZERS

_FORMS = {
    "json_pretty": measured.PRETTY,
    "json_compact": measured.COMPACT,
    "toon": "TOON",
    "lines": measured.LINES,
    "same_fields_json": measured.SAME_FIELDS,
    "same_fields_toon": "same-fields TOON",
    "step 2": "diff of a poll",
    "step 3": "one record",
}
#: Estimator -> what it is called in the legend.
_LABELS = {
    name: f"{name}: {TOKENIZERS[name].label.lower().removeprefix('≈ ').removeprefix('estimate ')}"
    for name in ESTIMATORS
}


def show(tokenizer: str) -> None:
    """Both estimators against the tokenizer, response by response."""
    rows = measured.estimate_rows(tokenizer)
    exact = rows[0]["exact"]
    within = within_tolerance(rows)
    words = [f"{name} in {count} of {len(rows)} responses" for name, count in within.items()]
    st.subheader(
        f"Within ±{100 * TOLERANCE:.0f} % of {'' if exact else '≈ '}{tokenizer}: "
        f"{', '.join(words)}",
        anchor=False,
    )
    if not exact:
        st.warning("This tokenizer is an estimate itself, so no error below is exact.")
    st.caption(
        "The document of the format says of its header: a heuristic, ±15 %. Its formula is not "
        "public; a quarter of the characters (chars4) is the usual one. The API of this lab sends "
        "an estimate by character classes. Negative: the header says too few."
    )
    st.altair_chart(
        drawn.errors(_points(rows), TOLERANCE),
        key="estimates_chart",
        alt="Signed error of both estimators for every response; the numbers are in the table.",
    )
    _table(rows)


def _points(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "domain": row["domain"],
            "form": _FORMS[row["form"]],
            "tokens": row["tokens"],
            "estimator": _LABELS[name],
            "error": row[f"{name}_error"],
        }
        for row in rows
        for name in ESTIMATORS
    ]


def _table(rows: list[dict[str, Any]]) -> None:
    columns: dict[str, list[Any]] = {
        "Domain": [row["domain"] for row in rows],
        "Response": [_FORMS[row["form"]] for row in rows],
        "Tokens": [row["tokens"] for row in rows],
    }
    for name in ESTIMATORS:
        columns[f"≈ {name}"] = [row[name] for row in rows]
        columns[f"{name}, error"] = [row[f"{name}_error"] for row in rows]
    frame = pd.DataFrame(columns)
    errors = [f"{name}, error" for name in ESTIMATORS]
    counts = ["Tokens", *(f"≈ {name}" for name in ESTIMATORS)]
    styled = (
        frame.style.format(figures.count, subset=counts)
        .format(figures.signed_percent, subset=errors)
        .map(_outside, subset=errors)
    )
    st.dataframe(styled, hide_index=True, width="stretch", key="estimates", placeholder="")
    st.caption("Bold: outside ±15 %.")


def _outside(error: float) -> str:
    return figures.loss(1) if abs(error) > TOLERANCE else ""
