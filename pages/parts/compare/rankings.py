"""The panels of the compare page: ranking, all tokenizers, delimiters, explaining the format."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import charts, figures
from pages.parts.markdown import plain
from toon.costs.choice import primer_tokens
from toon.costs.compare import loss_of
from toon.costs.explanation import primer
from toon.formats import BASELINES, FORMATS
from toon.tokenizers import TOKENIZERS

_AGAINST = {name: f"vs {FORMATS[name].label}" for name in BASELINES}


def show_ranking(rows: list[dict[str, Any]]) -> None:
    """Formats by tokens, fewest first, with what each proves; and where their tokens go."""
    ranked = sorted((row for row in rows if row["tokens"] is not None), key=_tokens)
    if not ranked[0]["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    frame = pd.DataFrame([_ranked(row) for row in ranked])
    styled = (
        frame.style.format(figures.count, subset=["Tokens", "Bytes"])
        .format(figures.signed_percent, subset=list(_AGAINST.values()))
        .map(figures.loss, subset=list(_AGAINST.values()))
    )
    st.dataframe(styled, hide_index=True, width="stretch", height="content", key="ranking")
    for row in rows:
        if row["tokens"] is None:
            st.caption(f"{FORMATS[row['format']].label}: not applicable, {plain(row['reason'])}.")
    labelled = [{"label": FORMATS[row["format"]].label, **row} for row in ranked]
    st.altair_chart(
        charts.kinds_chart(charts.kinds_frame(labelled), share=False),
        key="ranking_kinds",
        alt="Tokens of each format, stacked by names, punctuation, whitespace and values.",
    )


def _tokens(row: dict[str, Any]) -> int:
    return int(row["tokens"])


def _ranked(row: dict[str, Any]) -> dict[str, Any]:
    if row["round_trips"]:
        proof = "✓ proven" if row["lossless"] else "✓ on this payload, not promised"
        proof += f" ({row['lost']})" if row["lost"] else ""
    else:
        proof = f"✗ loses {loss_of(row)}"
    against = {label: row["vs"][name] for name, label in _AGAINST.items()}
    return {
        "Format": FORMATS[row["format"]].label,
        "Tokens": row["tokens"],
        **against,
        "Bytes": row["bytes"],
        "Round trip": proof,
    }


def show_heatmap(rows: list[dict[str, Any]]) -> None:
    """Every format under every tokenizer, against compact JSON under the same one."""
    labels = {name: format.label for name, format in FORMATS.items()}
    labels |= {name: tokenizer.label for name, tokenizer in TOKENIZERS.items()}
    st.caption(
        "Tokens against compact JSON under the same tokenizer; ≈ marks estimates. Where the cells "
        "are too narrow for figures, point at one."
    )
    st.altair_chart(
        charts.heatmap(rows, labels), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    table = pd.DataFrame(rows).pivot_table(
        index="format", columns="tokenizer", values="tokens", sort=False
    )
    with st.expander("The token counts behind it"):
        st.dataframe(
            table.style.format(figures.count),
            width="stretch",
            height="content",
            key="heatmap_counts",
            placeholder="",
        )


def show_delimiters(rows: list[dict[str, Any]], tokenizer: str) -> None:
    """Comma, tab and pipe, with indents of 1, 2 and 4."""
    fewest = min(map(_tokens, rows))
    frame = pd.DataFrame(
        {
            "Delimiter": [row["delimiter"] for row in rows],
            "Indent": [row["indent"] for row in rows],
            "Tokens": [row["tokens"] for row in rows],
            "vs compact JSON": [row["vs_json_compact"] for row in rows],
            "Values quoted": [row["quoted"] for row in rows],
            "Bytes": [row["bytes"] for row in rows],
            "": ["fewest" if row["tokens"] == fewest else "" for row in rows],
        }
    )
    styled = (
        frame.style.format(figures.count, subset=["Tokens", "Values quoted", "Bytes"])
        .format(figures.signed_percent, subset=["vs compact JSON"])
        .map(figures.loss, subset=["vs compact JSON"])
    )
    estimate = "" if TOKENIZERS[tokenizer].exact else ", an estimate"
    st.caption(
        f"{TOKENIZERS[tokenizer].label}{estimate}. A delimiter inside a value makes it quoted."
    )
    st.dataframe(styled, hide_index=True, width="stretch", key="delimiters")


def show_primer(rows: list[dict[str, Any]], verdict: dict[str, Any], tokenizer: str) -> None:
    """What explaining each format costs beyond explaining compact JSON, and what is left."""
    compact = next(row for row in rows if row["format"] == "json-compact")["tokens"]
    lines = []
    for row in rows:
        if row["tokens"] is None:
            continue
        extra = primer_tokens(row["format"], tokenizer)
        lines.append(
            {
                "Format": FORMATS[row["format"]].label,
                "Explanation": primer(row["format"]),
                "Tokens beyond JSON's": extra,
                "Left of the difference": row["tokens"] + extra - compact,
            }
        )
    frame = pd.DataFrame(lines)
    subset = ["Tokens beyond JSON's", "Left of the difference"]
    styled = frame.style.format(figures.signed_count, subset=subset)
    st.caption(
        "Against compact JSON, for one call whose prompt explains the format. "
        "Models know JSON; TOON may need a few sentences, paid with every prompt."
        + ("" if rows[0]["exact"] else " ≈ Tokens are estimates with this tokenizer.")
    )
    styled = styled.map(figures.loss, subset=subset[1:])
    st.dataframe(styled, hide_index=True, height="content", key="primers")
    if verdict["saved"] > 0 and verdict["pays_back_rows"] is not None:
        label = FORMATS[verdict["cheapest"]].label
        st.write(
            f"{label} covers its explanation from about {verdict['pays_back_rows']:,} rows of "
            "this kind on: an estimate, which lets the saving grow in proportion to the rows."
        )
