"""The token bill of the playground: figures, signed differences, and where the tokens go."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cached, charts, figures
from pages.parts.payload import LIVE_LIMIT
from toon.layout.spans import KINDS

#: The JSON texts in the charts; the last row's text, TOON as a rule, is beside them.
CHARTED = ("compact JSON", "JSON in the editor")


def show(
    source: dict[str, Any],
    tokenizer: str,
    delimiter: str,
    indent: int,
    strict: bool,
) -> None:
    """Works out and draws the bill of ``source``; of a large one only when asked to.

    Where the source cannot be read, the last good bill stays, marked as such.
    """
    side, text = source["side"], source["text"]
    if len(text) > LIVE_LIMIT and not _asked_for(text):
        return
    options = delimiter, indent, strict
    other = cached.convert(side, text, *options)
    if other["ok"]:
        json_text, toon_text = (text, other["text"]) if side == "json" else (other["text"], text)
        st.session_state.last_good = json_text, toon_text, options
    elif "last_good" in st.session_state:
        json_text, toon_text, options = st.session_state.last_good
        st.warning("The figures below are of the last good text.", icon="⏸️")
    else:
        st.info("Figures appear when the text above can be read.")
        return
    try:
        with st.spinner("Counting tokens…", show_time=True):
            result = cached.bill(json_text, toon_text, tokenizer, *options)
    except RuntimeError as error:  # the tokenizer cannot be loaded: it says what is missing
        st.error(str(error))
        return
    _headline(result, tokenizer)
    _figures(result["rows"])
    _breakdown(result["rows"], tokenizer)


def _asked_for(text: str) -> bool:
    st.info(f"Large payload: {len(text):,} characters. Its tokens are counted when you ask.")
    return st.button("Measure", key="measure_large")


def _headline(result: dict[str, Any], tokenizer: str) -> None:
    rows = {row["label"]: row for row in result["rows"]}
    compact, toon = rows["compact JSON"], result["rows"][-1]
    name = toon["label"]
    difference = toon["tokens"] - compact["tokens"]
    unit = f"{tokenizer} tokens" if toon["exact"] else f"tokens (≈ an estimate, {tokenizer})"
    if difference < 0:
        words = f"{name} saves {-difference:,} {unit} against compact JSON"
    elif difference > 0:
        words = f"{name} costs {difference:,} {unit} more than compact JSON"
    else:
        words = f"{name} costs as many {unit} as compact JSON"
    share = f" ({figures.signed_percent(compact['toon_vs'])})" if difference else ""
    st.subheader(f"{words}{share}", anchor=False)
    proof = result["round_trip"]
    mark = "✓ Round trip proven" if proof["ok"] else "✗ Round trip fails"
    st.badge(f"{mark}: {proof['message']}", color="green" if proof["ok"] else "red")


def _figures(rows: list[dict[str, Any]]) -> None:
    toon = rows[-1]
    against = f"{toon['label']} against it"
    frame = pd.DataFrame(
        {
            "Text": [row["label"] for row in rows],
            "Tokens": [row["tokens"] for row in rows],
            "Characters": [row["chars"] for row in rows],
            "Bytes": [row["bytes"] for row in rows],
            against: [row["toon_vs"] for row in rows],
            "in tokens": [None if row is toon else toon["tokens"] - row["tokens"] for row in rows],
        }
    )
    styled = (
        frame.style.format("{:,}", subset=["Tokens", "Characters", "Bytes"])
        .format(figures.signed_percent, subset=[against])
        .format(figures.signed_count, subset=["in tokens"])
        .map(figures.loss, subset=[against, "in tokens"])
    )
    if not toon["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    st.dataframe(styled, hide_index=True, width="stretch", key="figures", placeholder="")


def _breakdown(rows: list[dict[str, Any]], tokenizer: str) -> None:
    shown = [row for row in rows if row["label"] in CHARTED or row is rows[-1]]
    frame = charts.kinds_frame(shown)
    st.subheader("Where the tokens go", anchor=False)
    estimate = "" if shown[0]["exact"] else ", an estimate"
    st.caption(
        f"{tokenizer}{estimate}. A token that spans kinds is split by its bytes, so the four add "
        "up to the token count exactly. Quotes, brackets, lengths, delimiters, colons and "
        "hyphens are punctuation."
    )
    tokens, share, table = st.columns([3, 3, 4], gap="medium")
    alt_text = "Stacked bars of names, punctuation, whitespace and values; numbers in the table."
    with tokens:
        st.altair_chart(charts.kinds_chart(frame, share=False), key="kinds_tokens", alt=alt_text)
    with share:
        st.altair_chart(charts.kinds_chart(frame, share=True), key="kinds_share", alt=alt_text)
    with table:
        st.dataframe(_kinds_table(shown), key="kinds_table", width="stretch")


def _kinds_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = {}
    for row in rows:
        parts = row["breakdown"]
        cells = [f"{parts[kind]:,.1f}  ({_share(parts[kind], row['tokens'])})" for kind in KINDS]
        mixed = f"{parts['mixed_tokens']:,}  ({_share(parts['mixed_tokens'], row['tokens'])})"
        columns[row["label"]] = [*cells, f"{row['tokens']:,}", mixed]
    return pd.DataFrame(columns, index=[*KINDS, "all tokens", "tokens of several kinds"])


def _share(part: float, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"
