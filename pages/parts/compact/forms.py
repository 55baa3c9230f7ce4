"""A response in several forms: headline, chart, table; and what its header says."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import figures
from pages.parts.compact import drawn
from pages.parts.compact.measured import COMPACT, LINES, PRETTY, SAME_FIELDS

_AGAINST = {
    "vs_pretty": f"vs {PRETTY}",
    "vs_compact": f"vs {COMPACT}",
    "vs_same": f"vs {SAME_FIELDS}",
}

#: Characters of a text that are drawn; a browser is slow with more.
SHOWN = 20_000


def headline(rows: list[dict[str, Any]], tokenizer: str, label: str = LINES) -> None:
    """What one form costs, against both JSONs with all fields and against JSON of its fields."""
    row = next(row for row in rows if row["label"] == label)
    about = "" if row["exact"] else "≈ "
    against = [
        f"{figures.signed_percent(row['vs_pretty'])} vs {PRETTY}",
        f"{figures.signed_percent(row['vs_compact'])} vs {COMPACT}",
    ]
    if row["vs_same"] is not None:
        against.append(f"{figures.signed_percent(row['vs_same'])} vs {COMPACT} of the same fields")
    name = label[0].upper() + label[1:]
    st.subheader(
        f"{name}: {about}{row['tokens']:,} {tokenizer} tokens, {', '.join(against)}", anchor=False
    )


def show(rows: list[dict[str, Any]], key: str) -> None:
    """Bars and a table of all forms."""
    left, right = st.columns([4, 6], gap="medium")
    with left:
        st.altair_chart(
            drawn.forms(rows),
            key=f"{key}_chart",
            alt="Tokens of the same response in each form; the numbers are in the table.",
        )
    with right:
        frame = pd.DataFrame(
            {
                "Form": [row["label"] for row in rows],
                "Tokens": [row["tokens"] for row in rows],
                **{label: [row[name] for row in rows] for name, label in _AGAINST.items()},
            }
        )
        subset = list(_AGAINST.values())
        styled = (
            frame.style.format(figures.count, subset=["Tokens"])
            .format(figures.signed_percent, subset=subset)
            .map(figures.loss, subset=subset)
        )
        st.dataframe(styled, hide_index=True, width="stretch", key=key, placeholder="")
        estimate = "" if rows[0]["exact"] else "≈ Tokens are estimates with this tokenizer. "
        st.caption(
            f"{estimate}Negative is fewer tokens. Most of what lines save is fields they leave "
            "out. The last column sets each form against compact JSON of nothing but its own "
            "fields, so it shows what the writing alone saves."
        )


def explain_unmeasured(error: ValueError) -> None:
    """Says that a payload fits no format: it is nested deeper than they go."""
    st.error("The response cannot be measured in every form:")
    st.code(str(error), language=None)


def header(row: dict[str, Any]) -> str:
    """``X-Token-Count`` of a body beside its tokens, as a line of text."""
    about = "exact" if row["exact"] else "≈ by the chosen tokenizer"
    error = figures.signed_percent(row["header_error"])
    return f"X-Token-Count: {row['header']} (≈; {about}: {row['tokens']}, so {error})"


def body(text: str, language: str | None = "json") -> None:
    """The body of a response as it is sent; the start alone of a long one."""
    st.code(text[:SHOWN], language=language, wrap_lines=True, height=_height(text))
    if len(text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(text):,} characters.")


def envelope(value: dict[str, Any], text: str, key: str) -> None:
    """Summary and lines; ids one to one beside the lines, and the body, behind a click."""
    lines = value["lines"]
    shown = "\n".join(lines)
    st.text(value["summary"])
    if lines:
        st.code(
            shown[:SHOWN],
            language=None,
            wrap_lines=True,
            line_numbers=True,
            height=_height(shown),
        )
    else:
        st.caption("No lines: there are no records.")
    with st.expander("Each line with its full id"):
        frame = pd.DataFrame({"Line": lines, "Id": value["ids"]})
        st.dataframe(frame, hide_index=True, width="stretch", key=f"{key}_ids")
    with st.expander("The body as it is sent"):
        body(text)


def _height(text: str) -> Any:
    return 380 if len(text) > 2_000 else "content"
