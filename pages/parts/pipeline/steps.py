"""The steps of a run: charts, a table, the text of one step, and what the figures leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.pipeline.charts import KINDS, context_lines, step_name, step_tokens
from pages.parts.pipeline.totals import labels
from pages.parts.tables import draw_table
from toon.context import truncate
from toon.context.replay import ReplayRow, ReplayTotals
from toon.costs.explanation import explanation_tokens
from toon.limits import SHOWN_CHARACTERS
from toon.wording import signed_count

_CHARTS: Final = {
    "context": (
        "Context after each step",
        "What the next call has to read: all that was added so far.",
    ),
    "billed": (
        "Input billed so far",
        "The context is sent again with every call. This is the sum of the contexts so far, before "
        "any discount for a cached prompt.",
    ),
}


def draw_charts(rows: Sequence[ReplayRow], smaller: bool) -> None:
    """The context after each step, and the input billed up to it.

    With ``smaller``, a step whose TOON is not smaller was sent as JSON.
    """
    for column, (measure, (title, caption)) in zip(
        st.columns(2, gap="medium"), _CHARTS.items(), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            st.altair_chart(
                context_lines(rows, measure, labels(smaller)),
                key=f"run_{measure}",
                alt=f"{title}: a line of tokens for each format; numbers in the table below.",
            )
            st.caption(caption)


# -- all steps -------------------------------------------------------------------------------


def draw_steps(rows: Sequence[ReplayRow], smaller: bool) -> None:
    """Every step: what it adds in each format, the context after it, and what was sent."""
    st.subheader("Every step", anchor=False)
    added = {name: f"+ {label}" for name, label in labels(smaller).items()}
    draw_table(
        [_line(row, added) for row in rows],
        "steps",
        counts=[*added.values(), "Context, JSON", "Context, TOON"],
        differences=["vs compact"],
        height="content" if len(rows) <= 25 else "auto",
    )


def _line(row: ReplayRow, added: dict[str, str]) -> dict[str, object]:
    return {
        "Step": row["step"],
        "Kind": KINDS[row["kind"]],
        "Agent": row["agent"],
        "What": row["subject"],
        **{label: step_tokens(row, name, "added") for name, label in added.items()},
        "vs compact": row["toon_added"] - row["json_added"] if row["compared"] else None,
        "Context, JSON": row["json_context"],
        "Context, TOON": row["toon_context"],
        "Sent": _sent(row),
    }


def _sent(row: ReplayRow) -> str:
    if row["outcome"] == "converted":
        return "as TOON"
    return f"{'as JSON' if row['compared'] else 'unchanged'}: {row['reason']}"


# -- one step --------------------------------------------------------------------------------


def draw_step(name: str, rows: Sequence[ReplayRow]) -> None:
    """The text of one step of the run ``name`` in both formats; at first, of the largest step."""
    most = max(rows, key=lambda row: row["json_added"])["step"]
    with st.expander("The text of a step, in both formats", expanded=True):
        number = st.selectbox(
            "Step",
            [row["step"] for row in rows],
            index=most - 1,
            format_func=lambda number: f"{number} · {step_name(rows[number - 1])}",
            key=f"step_of_{name}",
            persist_state="session",
        )
        row = rows[number - 1]
        if row["arguments"] is not None:
            st.caption("Arguments of the call, as the model wrote them. Every format counts them:")
            st.code(truncate(row["arguments"], SHOWN_CHARACTERS), language="json", wrap_lines=True)
        if row["outcome"] != "converted":
            st.caption(f"Sent {escape_markdown(_sent(row))}.")
            _draw_text(row["toon_text"], None)
            return
        left, right = st.columns(2, gap="medium")
        with left:
            st.caption(f"Compact JSON, {len(row['json_text']):,} characters")
            _draw_text(row["json_text"], "json")
        with right:
            st.caption(f"TOON, {len(row['toon_text']):,} characters")
            _draw_text(row["toon_text"], None, wrap=False)


def _draw_text(text: str, language: str | None, *, wrap: bool = True) -> None:
    st.code(
        truncate(text, SHOWN_CHARACTERS),
        language=language,
        wrap_lines=wrap,
        height=380 if len(text) > 800 else "content",
    )


# -- notes -----------------------------------------------------------------------------------


def draw_notes(rows: Sequence[ReplayRow], totals: ReplayTotals, tokenizer: str) -> None:
    """What was passed through and why, and what the figures leave out."""
    passed: dict[str, list[str]] = {}
    for row in rows:
        if row["outcome"] != "converted":
            cause, _, _ = (row["reason"] or "").partition(":")  # the table shows the details
            passed.setdefault(cause, []).append(str(row["step"]))
    lines = [
        f"- {escape_markdown(cause)}: {'step' if len(steps) == 1 else 'steps'} {', '.join(steps)}"
        for cause, steps in passed.items()
    ]
    st.subheader("What was passed through", anchor=False)
    st.markdown(
        f"Of {totals['steps']:,} steps {totals['converted']:,} were converted, "
        f"{totals['passed']:,} passed through unchanged, {totals['failed']:,} failed. "
        "A step without structured data is the same text in every format.\n\n" + "\n".join(lines)
    )
    extra = explanation_tokens("toon", tokenizer)
    about = "" if totals["exact"] else "≈ "
    st.caption(
        "Not counted: system prompt, tool descriptions, the model's own thoughts, and explaining "
        f"TOON to it. Our explanation takes {about}{signed_count(extra)} tokens beyond JSON's in "
        f"every call: {about}{signed_count(extra * totals['steps'])} of billed input here."
    )
