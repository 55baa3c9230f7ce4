"""The panels of the advisor page: steps alone, steps together, fields."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import cached, charts, figures
from pages.parts.given import Given
from pages.parts.markdown import plain
from pages.parts.payload import open_document
from toon.advisor import STEPS, STRUCTURE
from toon.formats import FORMATS
from toon.playground.panes import Side
from toon.values.equality import differences

#: Characters above which nothing is measured unasked: trying every step with every other takes
#: about a second for each 50,000.
LIVE_LIMIT = 300_000

_SHOWN = 20_000  # characters of a result that are shown
_FIELDS_CHARTED = 25


def show_headline(best: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """What the reversible steps save together, and what the best lossy one would."""
    about = "" if best["exact"] else "about "
    unit = f"{best['tokenizer']} tokens"
    today = f"{about}{best['before']:,} {unit} today"
    if best["steps"]:
        share = figures.signed_percent(-best["saved"] / best["before"])
        words = f"{about}{best['saved']:,} fewer of {today} ({share}), and all of it comes back"
        st.subheader(words[0].upper() + words[1:], anchor=False)
    else:
        st.subheader(
            f"Nothing that can be undone saves anything here: {today}",
            anchor=False,
        )
    if extra := best["saved"] - sum(one["saved"] for one in best["rounds"]):
        label = FORMATS[best["format"]].label
        st.caption(
            f"Explaining {label} to a model takes {about}{extra:+,} tokens more than what is sent "
            "today: they are not in this figure."
        )
    for row in rows:
        if row["step"] == "format" and row["saved"] and "format" not in best["steps"]:
            st.caption(
                f"{row['note']} alone is {about}{figures.signed_count(-row['saved'])} tokens, but "
                f"explaining the format takes {row['primer']:+,}: it is not in this figure."
            )
    lossy = [row for row in rows if row["kind"] == "lossy" and (row["saved"] or 0) > 0]
    if lossy:
        share = figures.signed_percent(-lossy[0]["saved"] / lossy[0]["before"])
        label = lossy[0]["label"][0].lower() + lossy[0]["label"][1:]
        st.caption(
            f"The best step that loses something: {label}, {share} alone, at the price of "
            f"{plain(lossy[0]['lost'])}. Choosing fields usually saves more than both: see the "
            "last tab."
        )


def show_steps(rows: list[dict[str, Any]]) -> None:
    """Every step applied alone to the payload, the most saved first."""
    done = [row for row in rows if row["saved"] is not None]
    if not done:
        st.info("No step finds anything to do in this payload.")
    else:
        st.altair_chart(
            charts.signed_bars(
                [
                    {"label": row["label"], "tokens": -row["saved"], "kind": row["kind"]}
                    for row in done
                ],
                "tokens, − is fewer than today",
            ),
            key="steps_chart",
            alt="Signed difference in tokens by step; the numbers are in the table.",
        )
        st.dataframe(_steps_table(done), hide_index=True, width="stretch", key="steps")
        estimate = "" if done[0]["exact"] else "≈ All tokens here are estimates. "
        st.caption(
            f"{estimate}Savings do not add: try steps together in the next tab. A legend travels "
            "with the payload and is counted; a map is kept by the caller, is not sent and not "
            "counted."
        )
    idle = [row for row in rows if row["saved"] is None]
    if idle:
        with st.expander(f"Nothing to do here: {len(idle)} steps"):
            for row in idle:
                st.caption(f"{row['label']}: {plain(row['reason'])}.")


def _steps_table(rows: list[dict[str, Any]]) -> Any:
    frame = pd.DataFrame(
        [
            {
                "Step": row["label"],
                "Tokens": row["tokens"],
                "vs today": -row["saved"],
                "vs compact JSON": row["vs"],
                "Comes back": _proof(row),
                "What was done": row["note"],
                "Beside it": _beside(row),
            }
            for row in rows
        ]
    )
    return (
        frame.style.format(figures.count, subset=["Tokens"])
        .format(figures.signed_count, subset=["vs today"])
        .format(figures.signed_percent, subset=["vs compact JSON"])
        .map(figures.loss, subset=["vs today", "vs compact JSON"])
    )


def _beside(row: dict[str, Any]) -> str:
    """What else belongs to the result: a legend, which is sent, or a map, which is not."""
    legend = f"a legend of {row['legend_tokens']:,} tokens, counted" if row["legend"] else ""
    kept = f"a map of {row['kept_tokens']:,} tokens, kept by you" if row["kept"] else ""
    return "; ".join(part for part in (legend, kept) if part)


def _proof(row: dict[str, Any]) -> str:
    if not row["proven"]:
        return f"✗ loses {row['lost']}"
    how = "✓ proven with its map" if row["kept"] else "✓ proven"
    return f"{how} ({row['lost']})" if row["lost"] else how


def show_together(
    payload: Given,
    tokenizer: str,
    format: str,
    best: dict[str, Any],
    costs: list[dict[str, Any]],
) -> None:
    """Chosen steps in one go: what they come to, how they get on, and the text itself."""
    names = [name for name in STEPS if name != "keep-fields"]
    chosen = st.multiselect(
        "Steps, applied in this order whatever the order of choosing",
        names,
        default=best["steps"],
        format_func=lambda name: STEPS[name].label,
        key=f"steps_chosen_{hash((payload.text, tokenizer, format))}",
        persist_state="session",
        placeholder="Choose steps",
    )
    patterns = [row["field"] for row in costs if row["field"] not in (STRUCTURE, "$")]
    kept = st.multiselect(
        "Only these fields (none chosen: all of them)",
        patterns,
        key=f"fields_chosen_{hash(payload.text)}",
        persist_state="session",
        placeholder="All fields",
    )
    steps = (*chosen, "keep-fields") if kept else tuple(chosen)
    if not steps:
        st.info("Choose at least one step or field.")
        return
    try:
        row = cached.combined(*payload, tokenizer, format, steps, tuple(kept) or None)
    except ValueError as error:
        st.error(plain(str(error)))
        return
    _show_result(row)
    _apply(row, payload)


def _show_result(row: dict[str, Any]) -> None:
    about = "" if row["exact"] else "≈ "
    one, two, three, four = st.columns(4)
    one.metric("Tokens sent", f"{about}{row['tokens']:,}", border=True)
    two.metric("vs today", about + figures.signed_count(-row["saved"]), border=True)
    three.metric("vs compact JSON", about + figures.signed_percent(row["vs"]), border=True)
    four.metric(
        "Steps alone would add up to",
        about + figures.signed_count(-row["saved_alone"]),
        border=True,
        help="What the steps save one by one, summed. Together they save what stands before.",
    )
    if row["proven"]:
        st.badge("Proven: all of it comes back", color="green")
        if row["lost"]:
            st.caption(f"But for the {row['lost']}, to which JSON gives no meaning.")
    else:
        st.badge("Not all of it comes back", color="orange")
        st.caption(f"Lost: {plain(row['lost'])}.")
    if row["primer"]:
        label = FORMATS[row["format"]].label
        st.caption(f"Explaining {label} to a model takes {about}{row['primer']:+,} tokens on top.")
    for name, reason in row["skipped"].items():
        st.caption(f"{STEPS[name].label}: {plain(reason)}.")
    st.code(row["text"][:_SHOWN] or " ", language=None, height=320, wrap_lines=True)
    if len(row["text"]) > _SHOWN:
        st.caption(f"The first {_SHOWN:,} of {len(row['text']):,} characters.")


def _apply(row: dict[str, Any], payload: Given) -> None:
    left, right = st.columns([1, 3])
    if left.button("Open in the playground", type="primary", key="apply"):
        side, text = _document(row, payload)
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


def _document(row: dict[str, Any], payload: Given) -> tuple[Side, str]:
    """The side of the editors that takes the result, and its text there.

    TOON goes to its own side if it is the same there: the playground may read another indent.
    """
    text = row["text"]
    if row["format"].startswith("json"):
        return "json", text
    value = FORMATS[row["format"]].loads(text)
    if row["format"].startswith("toon"):
        how = (payload.indent, payload.strict)
        read = cached.readable("toon", text, "comma", *how)
        if read and differences(value, cached.value_of("toon", text, *how)).same:
            return "toon", text
    return "json", FORMATS["json-compact"].dumps(value)


def show_fields(costs: list[dict[str, Any]]) -> None:
    """What every field costs in compact JSON: bars of the dearest, all of them in a table."""
    shown = costs[:_FIELDS_CHARTED]
    frame = pd.DataFrame(
        [{"field": row["field"], "tokens": row["tokens"], "share": row["share"]} for row in shown]
    )
    estimate = "" if costs[0]["exact"] else " ≈ An estimate."
    st.caption(
        f"Tokens of compact JSON by field, {costs[0]['baseline_tokens']:,} in all: names, colons "
        "and values. A token that several fields share is split by its bytes, so the rows add up "
        f"exactly.{estimate}"
    )
    chart = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.7})
        .encode(
            x=alt.X("tokens:Q", title="tokens", axis=alt.Axis(format=",~s")),
            y=charts.by_label(frame["field"], "field", limit=260),
            tooltip=[
                alt.Tooltip("field:N"),
                alt.Tooltip("tokens:Q", format=",.1f"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
        .properties(height=alt.Step(24))
    )
    st.altair_chart(chart, key="fields_chart", alt="Tokens by field; numbers are in the table.")
    table = pd.DataFrame(
        {
            "Field": [row["field"] for row in costs],
            "Written": [row["count"] for row in costs],
            "Tokens": [row["tokens"] for row in costs],
            "Share": [row["share"] for row in costs],
            "Removing it": [_negative(row["removed_saves"]) for row in costs],
            "vs compact JSON": [row["removed_vs"] for row in costs],
        }
    )
    styled = (
        table.style.format("{:,.1f}", subset=["Tokens"])
        .format("{:.1%}", subset=["Share"])
        .format(figures.count, subset=["Written"])
        .format(figures.signed_count, subset=["Removing it"])
        .format(figures.signed_percent, subset=["vs compact JSON"])
    )
    st.dataframe(styled, hide_index=True, width="stretch", key="fields_table", placeholder="")
    st.caption(
        "Removing is measured for the ten dearest fields: the field and all below it are taken "
        "out, and the rest is counted again. Structure counts its characters as written."
    )


def _negative(saved: int | None) -> int | None:
    return None if saved is None else -saved
