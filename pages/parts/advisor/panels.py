"""The headline of the advisor page, and its panels in the order of their tabs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.parts.advisor.charts import field_bars, step_bars
from pages.parts.caches import cached_for_payload
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload, open_document, parse
from pages.parts.tables import draw_table
from toon import advisor
from toon.advisor import STEPS, STRUCTURE
from toon.advisor.rows import AppliedRow, BestRow, CombinedRow, FieldRow, StepRow
from toon.formats import FORMATS
from toon.limits import SHOWN_CHARACTERS
from toon.playground.panes import Side
from toon.values.equality import differences
from toon.wording import plural, signed_count, signed_percent

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
        with st.expander(f"Nothing to do here: {plural(len(idle), 'step')}"):
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


measure_together = cached_for_payload(advisor.combined)


def draw_together(
    data: Payload, tokenizer: str, format: str, best: BestRow, costs: Sequence[FieldRow]
) -> None:
    """The choice of steps and fields, their result, and ways to take it along."""
    chosen = st.multiselect(
        "Steps, always applied in the order of this list",
        [name for name in STEPS if name != "keep-fields"],
        default=best["steps"],
        format_func=lambda name: STEPS[name].label,
        key=f"steps_chosen_{hash((data.text, tokenizer, format))}",
        persist_state="session",
        placeholder="Choose steps",
    )
    fields = st.multiselect(
        "Only these fields (none chosen: all of them)",
        [row["field"] for row in costs if row["field"] not in (STRUCTURE, "$")],
        key=f"fields_chosen_{hash(data.text)}",
        persist_state="session",
        placeholder="All fields",
    )
    steps = (*chosen, "keep-fields") if fields else tuple(chosen)
    if not steps:
        st.info("Choose at least one step or field.")
        return
    try:
        row = measure_together(
            data, steps, tokenizer=tokenizer, format=format, keep_fields=tuple(fields) or None
        )
    except ValueError as error:
        st.error(escape_markdown(str(error)))
        return
    _draw_figures(row)
    _draw_losses(row)
    text = row["text"]
    st.code(text[:SHOWN_CHARACTERS] or " ", language=None, height=320, wrap_lines=True)
    if len(text) > SHOWN_CHARACTERS:
        st.caption(f"The first {SHOWN_CHARACTERS:,} of {len(text):,} characters.")
    _draw_buttons(row, data)


def _draw_figures(row: CombinedRow) -> None:
    about = "" if row["exact"] else "≈ "
    one, two, three, four = st.columns(4)
    one.metric("Tokens sent", f"{about}{row['tokens']:,}", border=True)
    two.metric("vs today", about + signed_count(-row["saved"]), border=True)
    three.metric("vs compact JSON", about + signed_percent(row["vs"]), border=True)
    four.metric(
        "Steps alone would add up to",
        about + signed_count(-row["saved_alone"]),
        border=True,
        help="The sum of what each step saves alone. The figures on the left are what they save "
        "together.",
    )


def _draw_losses(row: CombinedRow) -> None:
    if row["proven"]:
        st.badge("Proven: all of it comes back", color="green")
        if row["lost"]:
            st.caption(f"Except for the {row['lost']}, to which JSON gives no meaning.")
    else:
        st.badge("Not all of it comes back", color="orange")
        st.caption(f"Lost: {escape_markdown(row['lost'] or '')}.")
    if row["primer"]:
        about, label = "" if row["exact"] else "≈ ", FORMATS[row["format"]].label
        extra = signed_count(row["primer"])
        st.caption(f"Explaining {label} to a model takes {about}{extra} tokens on top.")
    for name, reason in row["skipped"].items():
        st.caption(f"{STEPS[name].label}: {escape_markdown(reason)}.")


def _draw_buttons(row: CombinedRow, data: Payload) -> None:
    left, right = st.columns([1, 3])
    if left.button("Open in the playground", type="primary", key="apply"):
        side, text = _document(row, data)
        open_document(side, text, "shaped payload")
        st.switch_page("playground.py")
    if row["kept"]:
        right.download_button(
            f"Download the map that undoes it ({row['kept_tokens']:,} tokens, never sent)",
            json.dumps(row["kept"], ensure_ascii=False, indent=2),
            "map.json",
            "application/json",
            key="map",
        )


def _document(row: CombinedRow, data: Payload) -> tuple[Side, str]:
    """The side of the editors that takes the result, and its text there.

    TOON goes to the TOON side if it means the same there: the playground may use another indent.
    """
    text = row["text"]
    if row["format"].startswith("json"):
        return "json", text
    value = FORMATS[row["format"]].loads(text)
    if row["format"].startswith("toon"):
        shown = parse("toon", text, data.options)
        if shown is not None and differences(value, shown.value).same:
            return "toon", text
    return "json", FORMATS["json-compact"].dumps(value)


#: Fields in the chart; the table has them all.
_CHARTED: Final = 25


measure_fields = cached_for_payload(advisor.field_costs)


def draw_fields(costs: list[FieldRow]) -> None:
    """Bars of the fields that cost most, and all of them in a table."""
    estimate = "" if costs[0]["exact"] else " ≈ An estimate."
    st.caption(
        f"Tokens of compact JSON by field, {costs[0]['baseline_tokens']:,} in all: names, colons "
        "and values. A token that several fields share is split by its bytes, so the rows add up "
        f"exactly.{estimate}"
    )
    st.altair_chart(
        field_bars(costs[:_CHARTED]),
        key="fields_chart",
        alt="Tokens by field; numbers are in the table.",
    )
    lines = [
        {
            "Field": row["field"],
            "Written": row["count"],
            "Tokens": row["tokens"],
            "Share": row["share"],
            "Removing it": None if row["removed_saves"] is None else -row["removed_saves"],
            "vs compact JSON": row["removed_vs"],
        }
        for row in costs
    ]
    draw_table(
        lines,
        "fields_table",
        counts=["Written"],
        differences=["Removing it"],
        percents=["vs compact JSON"],
        decimals=["Tokens"],
        shares=["Share"],
        marked=[],
    )
    st.caption(
        "Removing is measured for the ten dearest fields: the field and all below it are taken "
        "out, and the rest is counted again. Structure counts its characters as written."
    )
