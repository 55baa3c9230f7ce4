"""What a month of calls costs in each format with the model chosen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Final

import streamlit as st

from pages.parts.controls import choose_traffic
from pages.parts.markdown import escape_markdown
from pages.parts.payload import answer
from pages.parts.tables import draw_table
from toon import wording
from toon.costs import prices
from toon.costs.choice import COMPACT
from toon.costs.compare import Row, cost, label
from toon.costs.explanation import Explaining
from toon.costs.models import Choice, Model
from toon.costs.verdict import Verdict
from toon.formats import AS_TYPED, versus
from toon.playground.panes import Pane
from toon.values.fractions import fraction

_TOKENS: Final = "Tokens a call"


def draw_money(
    data: Pane, rows: list[Row], verdict: Verdict, choice: Choice, explaining: Explaining
) -> None:
    """What each format costs per call and month; a price that is not known is "unknown".

    A model without a price and a tokenizer alone have their tokens instead.
    """
    model = choice.model
    if model is None:
        st.info("A tokenizer alone has no price: choose a model. Tokens alone are shown.")
    elif missing := prices.unpriced(model):
        st.info(missing)
    else:
        _draw_bills(rows, model, explaining)
        _draw_if_cached(data, verdict, choice, explaining)
        return
    _draw_tokens(rows, choice, explaining)


def _draw_tokens(rows: list[Row], choice: Choice, explaining: Explaining) -> None:
    costs = {
        row["format"]: (label(row), cost(row, explaining))
        for row in prices.payable(rows, choice.tokenizer)
    }
    today, compact = costs[AS_TYPED], costs[COMPACT]
    is_whole = explaining.is_whole
    frame = choice.model.frame_words if choice.model else ""
    st.caption(f"{explaining.paid} {frame}".rstrip())
    against = [f"vs {today[0]}", versus(COMPACT)]
    draw_table(
        [
            {
                "Format": name,
                _TOKENS: tokens,
                against[0]: fraction(tokens, today[1]),
                against[1]: fraction(tokens, compact[1]),
            }
            for name, tokens in sorted(costs.values(), key=lambda named: named[1])
        ],
        "tokens_a_call",
        counts=[_TOKENS] if is_whole else (),
        decimals=() if is_whole else [_TOKENS],
        percents=against,
        height="content",
        alt="Tokens of one call by format.",
    )


def _draw_bills(rows: list[Row], model: Model, explaining: Explaining) -> None:
    traffic = choose_traffic()
    bills = prices.bills(rows, model, traffic, explaining)
    typed = next(bill["label"] for bill in bills if bill["format"] == AS_TYPED)
    st.caption(
        f"For {traffic} a month, one payload each. "
        f"{explaining.paid} Saved a month: + costs less, − costs more."
    )
    ranked = sorted(bills, key=lambda bill: (bill["per_month"] or 0, bill["cost"]))
    lines = [_bill_line(bill, typed) for bill in ranked]
    draw_table(
        lines,
        "bills",
        right=list(lines[0])[1:],
        height="content",
        alt="Dollars by format, with what each saves.",
    )
    if model.frame:
        per_call = traffic.price(model, model.frame)
        _draw_frame(model, per_call and per_call * traffic.calls)
    offer = prices.price_of(model)
    sold = f": {offer.name} by {offer.provider}." if offer else "."
    st.caption(
        "US dollars for the input of a call, priced at its own size; "
        f"{prices.price_source()}{escape_markdown(sold)}",
        help=escape_markdown(offer.comment) if offer and offer.comment else None,
    )


def _draw_if_cached(data: Pane, verdict: Verdict, choice: Choice, explaining: Explaining) -> None:
    """That the answer would be another one if the explanation were always read from the cache."""
    always = prices.at_prices_of(choice.model, replace(explaining, cached=1.0))
    found = answer(data, choice.tokenizer, always)
    if found["format"] != verdict["format"]:
        st.caption(f"With the note {always.cached_words}: {found['lead']}.")


def _draw_frame(model: Model, per_month: Decimal | None) -> None:
    """What the frame of a call costs, on top of every line."""
    price = wording.dollars(per_month)
    about = f"{model.frame_words} It is the same for every format and not included above: {price}"
    st.caption(escape_markdown(f"{about} a month."))


def _bill_line(bill: prices.Bill, typed: str) -> dict[str, str]:
    window = wording.UNKNOWN if bill["window"] is None else wording.percent(bill["window"], 2)
    return {
        "Format": bill["label"],
        "Per month": prices.price_words(bill["per_month"]),
        f"Saved vs {typed}": prices.price_words(bill["saved"], signed=True),
        f"Saved {versus(COMPACT)}": prices.price_words(bill["saved_vs_compact"], signed=True),
        _TOKENS: wording.decimal(bill["cost"]),
        "Per call": prices.price_words(bill["per_call"]),
        "Context window": window,
    }
