"""How figures are written everywhere: signs kept, losses in sight, what is unknown left open."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd


def signed_percent(fraction: float | None) -> str:
    """A fraction as per cent with its sign, a real minus; "" where there is none."""
    if fraction is None or pd.isna(fraction):
        return ""
    text = f"{100 * fraction:+.1f} %".replace("-", "−")
    return "±0.0 %" if text[1:] == "0.0 %" else text


def signed_count(value: float | None) -> str:
    """A whole number with its sign; "" where there is none."""
    return "" if value is None or pd.isna(value) else f"{value:+,.0f}".replace("-", "−")


def count(value: float | None) -> str:
    """A whole number; "" where there is none."""
    return "" if value is None or pd.isna(value) else f"{value:,.0f}"


def loss(value: float | None) -> str:
    """The style of a signed figure: a loss stands out in weight too, not in colour alone."""
    known = value is not None and not pd.isna(value)
    return "font-weight: 700; color: #e5534b" if known and value > 0 else ""


def dollars(amount: Decimal | None) -> str:
    """US dollars with as many digits as tell amounts apart; "unknown" where no price is known."""
    if amount is None:
        return "unknown"
    if not amount:
        return "$0"
    digits = 2 if abs(amount) >= 1 else 4 if abs(amount) >= Decimal("0.01") else 6
    return f"{'−' if amount < 0 else ''}${abs(amount):,.{digits}f}"
