"""The tab Formats: a table of the payload's cost in each format, whose rows open.

Session state:
    format_open: The format whose row was pressed last, or None.
"""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from pages.parts import controls, payload
from pages.parts.compare.format import draw_format
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_details
from pages.parts.tables import draw_table
from toon.costs import prices
from toon.costs.compare import MeasuredRow, Row, cost, label, measured_rows, proof_words, why_not
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.costs.verdict import Verdict, offer
from toon.costs.worth import COMPACT, SENDABLE, UNTESTED
from toon.formats import AS_TYPED, NOT_TAKEN
from toon.formats import label as format_label
from toon.formats.toon import TOON_BY_DELIMITER
from toon.values.fractions import fraction
from toon.wording import BADGES, capitalised, dollars, round_trip

_TOKENS, _MONTH, _BACK = "Tokens", "A month", "Comes back"


def draw_formats(choice: Choice) -> None:
    """Draw the ranking, the details of the pressed row, and a switch for all other formats."""
    explaining = controls.explaining()
    data = payload.current()
    with counting():
        verdict = payload.answer(data, choice.tokenizer, explaining)
        rows = payload.compare_formats(data, (choice.tokenizer,))
    if verdict["nothing"]:
        st.info(verdict["sentence"])
        return
    ranked, others = rank(rows, explaining)
    typed = label(rows[0])
    base = st.segmented_control(
        "Against",
        [AS_TYPED, COMPACT],
        format_func=lambda name: typed if name == AS_TYPED else format_label(name),
        default=AS_TYPED,
        required=True,
        key="formats_against",
        persist_state="session",
    )
    place = st.container()
    is_more = st.toggle(f"Show {len(others)} more", key="formats_more", persist_state="session")
    shown = [*ranked, *others] if is_more else ranked
    with place:
        pressed = _draw_table(shown, base, choice, verdict, explaining)
    if is_more:
        draw_details(
            f"Looked at and not taken: {len(NOT_TAKEN)}",
            (f"{name}: {words}" for name, words in NOT_TAKEN.items()),
        )
    st.session_state.format_open = None if pressed is None else shown[pressed]["format"]
    if pressed is None:
        st.caption("Press a row to see what the format is, its text, its note and its code.")
    else:
        draw_format(data, shown[pressed], verdict, explaining)


def rank(rows: Sequence[Row], explaining: Explaining) -> tuple[list[Row], list[Row]]:
    """Sort rows of a comparison: those of today and what may be sent, cheapest first; all others.

    TOON has one row, with its cheapest delimiter.
    """
    able = {
        row["format"]: row
        for row in measured_rows(rows)
        if row["format"] == AS_TYPED or (row["format"] in SENDABLE and why_not(row) is None)
    }

    def paid(row: MeasuredRow) -> float:
        return cost(row, explaining)

    delimited = [able.pop(name) for name in TOON_BY_DELIMITER.values() if name in able]
    taken = {*able, *(row["format"] for row in delimited)}
    ranked = sorted([*able.values(), *sorted(delimited, key=paid)[:1]], key=paid)
    others = [row for row in rows if row["format"] not in taken]
    unfit = [row for row in others if row["tokens"] is None]
    return [*ranked], [*sorted(measured_rows(others), key=paid), *unfit]


def _draw_table(
    rows: Sequence[Row], base: str, choice: Choice, verdict: Verdict, explaining: Explaining
) -> int | None:
    """Draw rows of a comparison as a table; return the place of the pressed row, or None."""
    months: dict[str, Decimal | None] = {}
    if choice.model is not None and not prices.unpriced(choice.model):
        bills = prices.bills(rows, choice.model, controls.traffic(), explaining)
        months = {bill["format"]: bill["per_month"] for bill in bills}
    against = next(cost(row, explaining) for row in measured_rows(rows) if row["format"] == base)
    versus = f"vs {'yours' if base == AS_TYPED else format_label(base)}"
    lines = []
    for row in rows:
        paid = None if row["tokens"] is None else cost(row, explaining)
        line: dict[str, object] = {
            "Format": label(row),
            _TOKENS: paid,
            versus: None if paid is None else fraction(paid, against),
        }
        if months:
            is_paid = row["format"] in months
            line[_MONTH] = dollars(months[row["format"]]) if is_paid else None
        lines.append({**line, _BACK: _status(row, verdict)})
    is_whole = explaining.is_whole
    names = [row["format"] for row in rows]
    is_open = st.session_state.get("format_open")
    pressed = draw_table(
        lines,
        f"formats_{'_'.join(names)}",
        counts=[_TOKENS] if is_whole else (),
        decimals=() if is_whole else [_TOKENS],
        percents=[versus],
        right=[_MONTH] if months else (),
        height="content",
        alt="Tokens of the payload in each format.",
        opens=True,
        opened=names.index(is_open) if is_open in names else None,
    )
    if untested := offer(verdict):
        st.caption(escape_markdown(f"{untested}."))
    st.caption(_basis(choice, explaining))
    return pressed


def _basis(choice: Choice, explaining: Explaining) -> str:
    """Return Markdown that says what the table's figures include, and the source of their prices.

    Without a price it says that there is none.
    """
    words = f"{capitalised(explaining.assumption)}."
    if choice.model is None:
        return f"{words} A tokenizer alone has no price."
    if missing := prices.unpriced(choice.model):
        return escape_markdown(f"{words} {missing}")
    return escape_markdown(f"{words} {controls.traffic()} a month; {prices.price_source()}.")


def _status(row: Row, verdict: Verdict) -> str:
    """Say whether the payload comes back, and why its format is or is not recommended."""
    if row["tokens"] is None:
        return f"not applicable: {row['reason']}"
    if row["format"] == AS_TYPED:
        return proof_words(row)
    words = round_trip(proof_words(row), ok=bool(row["round_trips"]))
    if row["format"] == verdict["format"] and verdict["switch"]:
        return f"{words}, recommended"
    if row["format"] in UNTESTED:
        return f"{words}, not tested with a model"
    is_fine = why_not(row) is None or not row["round_trips"]
    return words if is_fine else f"{words}, {BADGES['not-recommended']}"
