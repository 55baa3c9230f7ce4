"""The headline of the advisor page, and the panel "Each step alone"."""

from __future__ import annotations

import streamlit as st

from pages.parts.advisor.charts import step_bars
from pages.parts.caches import cached_for_payload
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon import advisor
from toon.advisor.rows import AppliedRow, BestRow, StepRow
from toon.formats import FORMATS
from toon.wording import signed_count, signed_percent

measure_steps = cached_for_payload(advisor.advise)
find_best_steps = cached_for_payload(advisor.best_combination)


def draw_headline(best: BestRow, rows: list[StepRow]) -> None:
    """The saving of the best reversible steps together, and of the best lossy step alone."""
    about = "" if best["exact"] else "about "
    unit = f"{best['tokenizer']} tokens"
    today = f"{about}{best['before']:,} {unit} today"
    if best["steps"]:
        share = signed_percent(-best["saved"] / best["before"])
        words = f"{about}{best['saved']:,} fewer of {today} ({share}), and all of it comes back"
        st.subheader(words[0].upper() + words[1:], anchor=False)
    else:
        st.subheader(f"No reversible step saves anything here: {today}", anchor=False)
    if extra := best["saved"] - sum(one["saved"] for one in best["rounds"]):
        label = FORMATS[best["format"]].label
        than = "more than" if extra > 0 else "fewer than"
        st.caption(
            f"Explaining {label} to a model takes {about}{abs(extra):,} tokens {than} explaining "
            "today's format. The headline does not include them."
        )
    for row in rows:
        if row["step"] == "format" and row["saved"] and "format" not in best["steps"]:
            st.caption(
                f"{row['note']} alone is {about}{signed_count(-row['saved'])} tokens, but "
                f"explaining the format takes {signed_count(row['primer'])}. The headline includes "
                "neither."
            )
    _draw_best_lossy(rows)


def _draw_best_lossy(rows: list[StepRow]) -> None:
    applied = [row for row in rows if row["saved"] is not None]
    lossy = [row for row in applied if row["kind"] == "lossy" and row["saved"] > 0]
    if not lossy:
        return
    best = lossy[0]
    share = signed_percent(-best["saved"] / best["before"])
    label = best["label"][0].lower() + best["label"][1:]
    st.caption(
        f"The best step that loses something: {label}, {share} alone, at the price of "
        f"{escape_markdown(best['lost'] or '')}. Choosing fields usually saves more than these "
        "steps: see the last tab."
    )


def draw_steps(rows: list[StepRow]) -> None:
    """Every step applied alone to the payload, the greatest saving first."""
    applied = [row for row in rows if row["saved"] is not None]
    if applied:
        _draw_applied(applied)
    else:
        st.info("No step finds anything to do in this payload.")
    idle = [row for row in rows if row["saved"] is None]
    if idle:
        with st.expander(f"Nothing to do here: {len(idle)} steps"):
            for row in idle:
                st.caption(f"{row['label']}: {escape_markdown(row['reason'])}.")


def _draw_applied(rows: list[AppliedRow]) -> None:
    st.altair_chart(
        step_bars(
            [{"label": row["label"], "tokens": -row["saved"], "kind": row["kind"]} for row in rows],
            "tokens, − is fewer than today",
        ),
        key="steps_chart",
        alt="Signed difference in tokens by step; the numbers are in the table.",
    )
    draw_table(
        map(_line, rows),
        "steps",
        counts=["Tokens"],
        differences=["vs today"],
        percents=["vs compact JSON"],
    )
    estimate = "" if rows[0]["exact"] else "≈ All tokens here are estimates. "
    st.caption(
        f"{estimate}Savings do not add up: try steps together in the next tab. A legend is sent "
        "with the payload and counted. A map is kept by the caller; it is neither sent nor counted."
    )


def _line(row: AppliedRow) -> dict[str, object]:
    return {
        "Step": row["label"],
        "Tokens": row["tokens"],
        "vs today": -row["saved"],
        "vs compact JSON": row["vs"],
        "Comes back": _proof(row),
        "What was done": row["note"],
        "Legend or map": _legend_or_map(row),
    }


def _legend_or_map(row: AppliedRow) -> str:
    """The size of the legend, which is sent, and of the map, which the caller keeps."""
    legend = f"a legend of {row['legend_tokens']:,} tokens, counted" if row["legend"] else ""
    kept = f"a map of {row['kept_tokens']:,} tokens, kept by you" if row["kept"] else ""
    return "; ".join(part for part in (legend, kept) if part)


def _proof(row: AppliedRow) -> str:
    if not row["proven"]:
        return f"✗ loses {row['lost']}"
    how = "✓ proven with its map" if row["kept"] else "✓ proven"
    return f"{how} ({row['lost']})" if row["lost"] else how
