"""Every step alone."""

from __future__ import annotations

import streamlit as st

from pages.parts.advisor.charts import step_bars
from pages.parts.advisor.measured import CLASSES, is_rung
from pages.parts.charts import tokens_title
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon.advisor.rows import AppliedRow, StepRow
from toon.formats import label
from toon.values.fractions import fraction
from toon.wording import marked, plural


def draw_steps(rows: list[StepRow]) -> None:
    """Every step applied alone to the payload, by class, the greatest saving of each first."""
    applied = [
        row for kind in CLASSES for row in rows if row["saved"] is not None and row["kind"] == kind
    ]
    if applied:
        _draw_applied(applied)
    else:
        st.info("No step finds anything to do in this payload.")
    idle = [row for row in rows if row["saved"] is None and not is_rung(row)]
    if idle:
        with st.expander(f"Nothing to do here: {plural(len(idle), 'step')}"):
            for row in idle:
                st.caption(f"{row['label']}: {escape_markdown(row['reason'])}.")


def _draw_applied(rows: list[AppliedRow]) -> None:
    start, exact = label(rows[0]["start"]), rows[0]["exact"]
    st.altair_chart(
        step_bars(
            [{"label": row["label"], "tokens": -row["saved"], "kind": row["kind"]} for row in rows],
            [f"{tokens_title(exact=exact)} vs {start},", "explanation included; − is fewer"],
        ),
        key="steps_chart",
        alt="Signed difference in tokens by step; the numbers are in the table.",
    )
    counts = ["Tokens", "Explanation"]
    draw_table(
        _without_empty_columns([_line(row, start) for row in rows]),
        "steps",
        counts=counts,
        differences=[f"vs {start}"],
        percents=[f"% vs {start}"],
        estimated=() if exact else [*counts, f"vs {start}", f"% vs {start}"],
        alt="Every step with its class, its tokens, what it saves and what it takes from a model.",
    )
    st.caption(
        f"Differences include the explanation{_shared(rows[0])}. Savings do not add up: try steps "
        "together in the next tab. A legend is sent with the payload and counted. A map is kept by "
        "the caller; it is neither sent nor counted."
    )


def _shared(row: AppliedRow) -> str:
    """How many payloads bear an explanation together."""
    if row["together"] is None:
        return ", which the model does not need"
    return f", shared by {row['together']:,} payloads" if row["together"] > 1 else ""


def _without_empty_columns(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    """The lines without the columns that hold no text in any of them."""
    used = [name for name in lines[0] if any(line[name] != "" for line in lines)]
    return [{name: line[name] for name in used} for line in lines]


def _line(row: AppliedRow, start: str) -> dict[str, object]:
    return {
        "Step": row["label"],
        f"vs {start}": -row["saved"],
        f"% vs {start}": fraction(row["cost"], row["start_cost"]),
        "Class": CLASSES[row["kind"]][0],
        "Tokens": row["tokens"],
        "Explanation": row["explanation"],
        "A model can no longer say": row["unanswerable"] or "",
        "Comes back": _proof(row),
        "What was done": row["note"],
        "Explained by": row["explanation_text"] if row["explanation"] else "",
        "Legend or map": _legend_or_map(row),
    }


def _legend_or_map(row: AppliedRow) -> str:
    """The size of the legend, which is sent, and of the map, which the caller keeps."""
    legend, kept = (
        marked(f"{row[name]:,}", exact=row["exact"]) for name in ("legend_tokens", "kept_tokens")
    )
    legend = f"a legend of {legend} tokens, counted" if row["legend"] else ""
    kept = f"a map of {kept} tokens, kept by you" if row["kept"] else ""
    return "; ".join(part for part in (legend, kept) if part)


def _proof(row: AppliedRow) -> str:
    if not row["proven"]:
        return f"✗ loses {row['lost']}"
    how = "✓ proven with its map" if row["kind"] == "with-a-map" else "✓ proven"
    return f"{how} ({row['lost']})" if row["lost"] else how
