"""The panel "X-Token-Count": two estimators for that header, and their error per response."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact.charts import error_marks
from pages.parts.compact.measures import COMPACT, LINES, PRETTY, SAME_FIELDS
from pages.parts.tables import draw_table
from toon import wording
from toon.records import growth
from toon.records.growth import ESTIMATORS, TOLERANCE, within_tolerance
from toon.tokenizers import TOKENIZERS

_FORMS: Final = {
    "json_pretty": PRETTY,
    "json_compact": COMPACT,
    "toon": "TOON",
    "lines": LINES,
    "same_fields_json": SAME_FIELDS,
    "same_fields_toon": "same-fields TOON",
    "step 2": "diff of a poll",
    "step 3": "one record",
}
#: The names of the estimators in the legend.
_LABELS: Final = {
    name: f"{name}: {TOKENIZERS[name].label.lower().removeprefix('≈ ').removeprefix('estimate ')}"
    for name in ESTIMATORS
}


measure_estimates = cached(growth.estimate_rows)


def draw_estimates(tokenizer: str) -> None:
    """Draws the error of both estimators against the tokenizer, for every response."""
    rows = measure_estimates(tokenizer)
    exact = rows[0]["exact"]
    within = within_tolerance(rows)
    words = [f"{name} in {count} of {len(rows)} responses" for name, count in within.items()]
    st.subheader(
        f"Within ±{wording.percent(TOLERANCE)} of {'' if exact else '≈ '}{tokenizer}: "
        f"{', '.join(words)}",
        anchor=False,
    )
    if not exact:
        st.warning("This tokenizer is an estimate itself, so no error below is exact.")
    st.caption(
        f"The format's document calls its header a heuristic, ±{wording.percent(TOLERANCE)}. Its "
        "formula is not public; a quarter of the characters (chars4) is the usual one. The API of "
        "this lab sends an estimate by character classes. With a negative error, the estimate is "
        "too low."
    )
    st.altair_chart(
        error_marks(_marks(rows), TOLERANCE),
        key="estimates_chart",
        alt="Signed error of both estimators for every response; the numbers are in the table.",
    )
    _draw_responses(rows)


def _marks(rows: list[growth.EstimateRow]) -> list[dict[str, object]]:
    return [
        {
            "domain": row["domain"],
            "form": _FORMS[row["form"]],
            "tokens": row["tokens"],
            "estimator": _LABELS[name],
            "error": row["errors"][name],
        }
        for row in rows
        for name in ESTIMATORS
    ]


def _draw_responses(rows: list[growth.EstimateRow]) -> None:
    draw_table(
        map(_line, rows),
        "estimates",
        counts=["Tokens", *(f"≈ {name}" for name in ESTIMATORS)],
        percents=[f"{name}, error" for name in ESTIMATORS],
        is_marked=lambda error: abs(error) > TOLERANCE,
    )
    st.caption(f"Bold: outside ±{wording.percent(TOLERANCE)}.")


def _line(row: growth.EstimateRow) -> dict[str, object]:
    line: dict[str, object] = {
        "Domain": row["domain"],
        "Response": _FORMS[row["form"]],
        "Tokens": row["tokens"],
    }
    for name in ESTIMATORS:
        line |= {f"≈ {name}": row["estimates"][name], f"{name}, error": row["errors"][name]}
    return line
