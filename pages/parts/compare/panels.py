"""The panels of the compare page, in the order of its tabs."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from pages.parts import charts, controls
from pages.parts.caches import cached, cached_for_payload
from pages.parts.compare.charts import heatmap
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload, compare_formats
from pages.parts.tables import draw_table
from toon import tokenizers, wording
from toon.costs import prices
from toon.costs.answer import Verdict
from toon.costs.compare import MeasuredRow, Row, describe_loss, measured_rows
from toon.costs.delimiters import delimiter_rows
from toon.costs.explanation import ALONE
from toon.formats import AS_TYPED, BASELINES, FORMATS, label
from toon.tokenizers import TOKENIZERS

_AGAINST: Final = {name: f"vs {FORMATS[name].label}" for name in BASELINES}


def draw_ranking(rows: list[Row]) -> None:
    """Formats, fewest tokens first, each with its round trip; and where the tokens go."""
    ranked = sorted(measured_rows(rows), key=lambda row: row["tokens"])
    if not ranked[0]["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    draw_table(
        map(_ranking_line, ranked),
        "ranking",
        counts=["Tokens", "Bytes"],
        percents=list(_AGAINST.values()),
        height="content",
    )
    for row in rows:
        if row["tokens"] is None:
            name = label(row["format"])
            st.caption(f"{name}: not applicable, {escape_markdown(row['reason'])}.")
    bars = [
        charts.KindsBar(label(row["format"]), row["tokens"], row["breakdown"]) for row in ranked
    ]
    st.altair_chart(
        charts.kinds_chart(charts.kinds_frame(bars), share=False),
        key="ranking_kinds",
        alt="Tokens of each format, stacked by names, punctuation, whitespace and values.",
    )


def _ranking_line(row: MeasuredRow) -> dict[str, object]:
    if row["round_trips"]:
        proof = "✓ proven" if row["lossless"] else "✓ on this payload, not promised"
        proof += f" ({row['lost']})" if row["lost"] else ""
    else:
        proof = f"✗ loses {describe_loss(row)}"
    return {
        "Format": label(row["format"]),
        "Tokens": row["tokens"],
        **{label: row["vs"][name] for name, label in _AGAINST.items()},
        "Bytes": row["bytes"],
        "Round trip": proof,
    }


find_unusable = cached(tokenizers.unusable)


def draw_tokenizers(data: Payload) -> None:
    """Every format under every tokenizer, against compact JSON under the same one."""
    unusable = find_unusable()
    usable = tuple(name for name in TOKENIZERS if name not in unusable)
    rows = compare_formats(data, tokenizers=usable)
    labels = {name: label(name) for name in (AS_TYPED, *FORMATS)}
    labels |= {name: tokenizer.label for name, tokenizer in TOKENIZERS.items()}
    st.caption(
        "Tokens against compact JSON under the same tokenizer; ≈ marks estimates. Where a cell is "
        "too narrow for its figure, point at it."
    )
    st.altair_chart(
        heatmap(rows, labels), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    table = pd.DataFrame(rows).pivot_table(
        index="format", columns="tokenizer", values="tokens", sort=False
    )
    with st.expander("The token counts behind it"):
        st.dataframe(
            table.style.format(wording.count),
            width="stretch",
            height="content",
            key="heatmap_counts",
            placeholder=wording.UNKNOWN,
        )
    for name, reason in unusable.items():
        st.caption(f"{TOKENIZERS[name].label}: {reason}")


compare_delimiters = cached_for_payload(delimiter_rows)


def draw_delimiters(data: Payload, tokenizer: str) -> None:
    """Tokens of TOON with comma, tab and pipe, at indents of 1, 2 and 4."""
    rows = compare_delimiters(data, tokenizer)
    fewest = min(row["tokens"] for row in rows)
    estimate = "" if TOKENIZERS[tokenizer].exact else ", an estimate"
    st.caption(
        f"{TOKENIZERS[tokenizer].label}{estimate}. A value that holds the delimiter is quoted."
    )
    lines = [
        {
            "Delimiter": row["delimiter"],
            "Indent": row["indent"],
            "Tokens": row["tokens"],
            "vs compact JSON": row["vs_json_compact"],
            "Values quoted": row["quoted"],
            "Bytes": row["bytes"],
            "": "fewest" if row["tokens"] == fewest else "",
        }
        for row in rows
    ]
    draw_table(
        lines,
        "delimiters",
        counts=["Tokens", "Values quoted", "Bytes"],
        percents=["vs compact JSON"],
    )


def draw_explanations(rows: list[Row], verdict: Verdict, tokenizer: str) -> None:
    """What explaining each format costs beyond explaining compact JSON, and what is left."""
    measured = measured_rows(rows)
    compact = next(row for row in measured if row["format"] == "json-compact")["tokens"]
    lines = []
    for row in measured:
        uses = frozenset(row["uses"])
        extra = ALONE.tokens(row["written_in"], uses, tokenizer)
        lines.append(
            {
                "Format": label(row["format"]),
                "Explanation": ALONE.text(row["written_in"], uses),
                "Tokens beyond JSON's": extra,
                "Left of the difference": row["tokens"] + extra - compact,
            }
        )
    st.caption(
        "Against compact JSON, for one call whose prompt explains the format. "
        "Models know JSON; TOON may need a few sentences, paid with every prompt."
        + ("" if rows[0]["exact"] else " ≈ Tokens are estimates with this tokenizer.")
    )
    draw_table(
        lines,
        "primers",
        differences=["Tokens beyond JSON's", "Left of the difference"],
        marked=["Left of the difference"],
        height="content",
    )
    even = verdict["break_even"]
    if even and even["rows"] is not None:
        st.write(f"{FORMATS[even['format']].label} is worth it from {even['rows']:,} rows on.")


def draw_money(rows: list[Row], tokenizer: str) -> None:
    """What each format costs per call, month and year; a price that is not known is "unknown"."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = controls.choose_model("Model", 380)
        calls = st.number_input(
            "Calls a month", 0, 10**12, 100_000, 1000, key="calls", persist_state="session"
        )
        share = st.slider(
            "Read from cache, %", 0, 100, 0, 5, key="cached", persist_state="session", width=200
        )
        batch = st.toggle("Batch", key="batch", persist_state="session")
    bills = prices.bills(
        rows, key, calls_per_month=int(calls), cached_share=share / 100, batch=batch
    )
    lines = [_bill_line(bill) for bill in bills if bill["tokens"] is not None]
    draw_table(lines, "bills", height="content")
    model = prices.models()[key]
    estimate = "" if TOKENIZERS[tokenizer].exact else " (an estimate)"
    st.caption(
        f"US dollars for the input of a call, priced at its own size; {prices.price_source()}. "
        f"Tokens counted by {TOKENIZERS[tokenizer].label}{estimate}: choose the tokenizer that "
        f"belongs to the model. {escape_markdown(model.comment)}"
    )


def _bill_line(bill: prices.Bill) -> dict[str, str]:
    window = bill["window"]
    return {
        "Format": label(bill["format"]),
        "Tokens a call": wording.count(bill["tokens"]),
        "Per call": wording.dollars(bill["per_call"]),
        "Per month": wording.dollars(bill["per_month"]),
        "Per year": wording.dollars(bill["per_year"]),
        "Saved a month vs compact JSON": wording.dollars(bill["saved_per_month"]),
        "Context window": "unknown" if window is None else wording.percent(window, 2),
    }
