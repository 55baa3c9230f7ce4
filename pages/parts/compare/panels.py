"""The panels of the compare page, in the order of its tabs."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import pandas as pd
import streamlit as st

from pages.parts import charts
from pages.parts.caches import cached
from pages.parts.compare.charts import heatmap
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload, compare_formats
from pages.parts.tables import draw_table, proof_cell
from toon import tokenizers, wording
from toon.costs import prices
from toon.costs.choice import COMPACT
from toon.costs.compare import MeasuredRow, Row, cost, label, measured_rows, why_not
from toon.costs.delimiters import DelimiterRow, delimiter_rows
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.formats import AS_TYPED
from toon.formats.toon import TOON_BY_DELIMITER
from toon.tokenizers import TOKENIZERS
from toon.values.fractions import fraction
from toon.wording import plural

_AGAINST: Final = "vs compact JSON"
_WITH_SHARE: Final = ("Explanation", "Cost")


def draw_ranking(rows: list[Row], explaining: Explaining) -> None:
    """What may be recommended, lowest cost first, and where its tokens go; below it all others."""
    able = [row for row in measured_rows(rows) if why_not(row) is None]
    ranked = sorted(able, key=lambda row: cost(row, explaining))
    compact = next(row for row in ranked if row["format"] == COMPACT)["tokens"]
    is_whole = explaining.together in (None, 1)
    estimate = "" if ranked[0]["exact"] else " ≈ Tokens are estimates with this tokenizer."
    st.caption(f"Cost: tokens and the payload's share of the explanation.{estimate}")
    draw_table(
        [_ranking_line(row, cost(row, explaining), compact) for row in ranked],
        "ranking",
        counts=["Tokens", "Bytes", *(_WITH_SHARE if is_whole else ())],
        decimals=() if is_whole else _WITH_SHARE,
        percents=[_AGAINST],
        height="content",
    )
    if cautions := _caution(ranked):
        st.markdown(f"Other readers than ours would change this payload:\n\n{cautions}")
    st.caption("Where the tokens of each text go, without its explanation:")
    st.altair_chart(
        charts.kinds_chart(
            charts.kinds_frame(
                charts.KindsBar(label(row), row["tokens"], row["breakdown"]) for row in ranked
            ),
            share=False,
        ),
        key="ranking_kinds",
        alt="Tokens of each format, stacked by names, punctuation, whitespace and values.",
    )
    st.subheader("Not recommended", anchor=False)
    st.markdown("\n".join(_refusal(row) for row in rows if why_not(row)))


def _ranking_line(row: MeasuredRow, cost: float, compact: int) -> dict[str, object]:
    return {
        "Format": label(row),
        "Tokens": row["tokens"],
        "Explanation": cost - row["tokens"],
        "Cost": cost,
        _AGAINST: fraction(cost, compact),
        "Bytes": row["bytes"],
        "Round trip": _proof(row),
    }


def _proof(row: MeasuredRow) -> str:
    """Whether the value comes back; what other readers do is said below the table."""
    is_ours = row["caution"] and row["format"] != AS_TYPED
    return "✓ proven by our reader" if is_ours else proof_cell(row)


def _caution(rows: list[MeasuredRow]) -> str:
    """What readers other than ours would change or refuse, each sentence once."""
    formats: dict[str, list[str]] = {}
    for row in rows:
        if row["caution"]:
            formats.setdefault(row["caution"], []).append(label(row))
    return "\n".join(
        f"- **{' · '.join(names)}**: {escape_markdown(caution)}"
        for caution, names in formats.items()
    )


def _refusal(row: Row) -> str:
    """A format that is not recommended, its tokens, and why not."""
    about = "" if row["exact"] else "≈ "
    tokens = "" if row["tokens"] is None else f", {about}{plural(row['tokens'], 'token')}"
    return f"- **{label(row)}**{tokens}: {escape_markdown(why_not(row) or '')}"


find_unusable = cached(tokenizers.unusable)


def draw_tokenizers(data: Payload, explaining: Explaining) -> None:
    """What each format costs under every tokenizer, against compact JSON under the same one."""
    unusable = find_unusable()
    rows = compare_formats(data, tuple(name for name in TOKENIZERS if name not in unusable))
    st.caption(
        f"Cost against compact JSON under the same tokenizer; {explaining.assumption}. "
        "≈ marks estimates, grey with ✗ what is not recommended (Ranking says why). "
        "Where a cell is too narrow for its figure, point at it."
    )
    st.altair_chart(
        heatmap(rows, explaining), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    counts = [
        {"Format": label(row), "tokenizer": row["tokenizer"], "tokens": row["tokens"]}
        for row in measured_rows(rows)
    ]
    table = pd.DataFrame(counts).pivot_table(
        index="Format", columns="tokenizer", values="tokens", sort=False
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


@cached
def compare_delimiters(data: Payload, tokenizer: str) -> list[DelimiterRow]:
    """TOON with every delimiter and indent: see :func:`toon.costs.delimiters.delimiter_rows`."""
    return delimiter_rows(data.value, tokenizer, data.typed)


def draw_delimiters(data: Payload, rows: list[Row], tokenizer: str) -> None:
    """Tokens of TOON with comma, tab and pipe, at indents of 1, 2 and 4."""
    able = {row["format"] for row in rows if why_not(row) is None}
    measured = compare_delimiters(data, tokenizer)
    safe = [row for row in measured if TOON_BY_DELIMITER[row["delimiter"]] in able]
    fewest = min((row["tokens"] for row in safe), default=None)
    estimate = "" if TOKENIZERS[tokenizer].exact else ", an estimate"
    st.caption(
        f"{TOKENIZERS[tokenizer].label}{estimate}. Tokens of the texts alone: explaining a format "
        "is not included. A value that holds the delimiter is quoted."
    )
    lines = [
        {
            "Delimiter": row["delimiter"],
            "Indent": row["indent"],
            "Tokens": row["tokens"],
            "vs compact JSON": row["vs_json_compact"],
            "Values quoted": row["quoted"],
            "Bytes": row["bytes"],
            "": "fewest" if row in safe and row["tokens"] == fewest else "",
        }
        for row in measured
    ]
    draw_table(
        lines,
        "delimiters",
        counts=["Tokens", "Values quoted", "Bytes"],
        percents=["vs compact JSON"],
    )


def draw_money(rows: list[Row], choice: Choice, explaining: Explaining) -> None:
    """What each format costs per call, month and year; a price that is not known is "unknown"."""
    model = choice.model
    if model is None or (missing := prices.unpriced(model)):
        st.info("A tokenizer alone has no price: choose a model." if model is None else missing)
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        calls = st.number_input(
            "Calls a month", 0, 10**12, 100_000, 1000, key="calls", persist_state="session"
        )
        share = st.slider(
            "Read from cache, %", 0, 100, 0, 5, key="cached", persist_state="session", width=200
        )
        batch = st.toggle("Batch", key="batch", persist_state="session")
    bills = prices.bills(
        rows,
        model,
        calls_per_month=int(calls),
        explaining=explaining,
        cached_share=share / 100,
        batch=batch,
    )
    typed = next(bill["label"] for bill in bills if bill["format"] == AS_TYPED)
    st.caption(
        f"For {plural(int(calls), 'call')} a month, one payload each. "
        f"{_explanation_words(explaining.together)} Saved: + costs less, − costs more."
    )
    draw_table([_bill_line(bill, typed) for bill in bills], "bills", height="content")
    offer = prices.price_of(model)
    st.caption(
        f"US dollars for the input of a call, priced at its own size; {prices.price_source()}. "
        f"{escape_markdown(offer.comment if offer else '')}"
    )


def _explanation_words(together: int | None) -> str:
    if together is None:
        return "No explanation is counted: the model needs none."
    if together == 1:
        return "Every call pays for its explanation of the format."
    return f"A call pays its share of an explanation, one for {plural(together, 'payload')}."


def _bill_line(bill: prices.Bill, typed: str) -> dict[str, str]:
    window, about = bill["window"], "" if bill["exact"] else "≈ "
    return {
        "Format": bill["label"],
        "Tokens a call": f"{about}{wording.decimal(bill['cost'])}",
        "Per call": _price(bill, bill["per_call"]),
        "Per month": _price(bill, bill["per_month"]),
        "Per year": _price(bill, bill["per_year"]),
        f"Saved a month vs {typed}": _saved(bill, bill["saved"], bill["saved_within"]),
        "Saved a month vs compact JSON": _saved(
            bill, bill["saved_vs_compact"], bill["saved_vs_compact_within"]
        ),
        "Context window": "unknown" if window is None else wording.percent(window, 2),
    }


def _price(bill: prices.Bill, dollars: Decimal | None) -> str:
    words = wording.dollars(dollars, estimated=not bill["exact"])
    within = bill["band"].removeprefix("≈").lstrip()
    return f"{words} {within}" if dollars and not bill["exact"] else words


def _saved(bill: prices.Bill, saved: Decimal | None, within: Decimal | None) -> str:
    words = wording.dollars(saved, estimated=not bill["exact"])
    words = words.replace("$", "+$") if saved and saved > 0 else words
    return f"{words} ±{wording.dollars(within)}" if within else words
