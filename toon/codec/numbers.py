"""Lossless reading of numbers, and warnings about numbers that may not stay the same."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SAFE_INTEGER: Final = 2**53

#: A number of at most this many characters, without an exponent, survives a 64-bit float unchanged.
ALWAYS_FITS: Final = 15


class NumberRangeError(ValueError):
    """Raised for a number whose exponent is too large for Decimal."""

    def __init__(self, token: str) -> None:
        super().__init__(f"number {shorten(token)} is out of range")
        self.token = token


def exact_number(token: str) -> float | Decimal:
    """Read a JSON number with a fraction or an exponent, to a float or without loss to a Decimal.

    >>> exact_number("0.1"), exact_number("1e400")
    (0.1, Decimal('1E+400'))

    Raises:
        NumberRangeError: The exponent is too large for Decimal.
    """
    value = float(token) or 0.0  # never -0.0
    if len(token) <= ALWAYS_FITS and "e" not in token and "E" not in token:
        return value
    try:
        exact = Decimal(token)
        return value if math.isfinite(value) and Decimal(repr(value)) == exact else exact
    except InvalidOperation:  # the exponent is too large for Decimal
        raise NumberRangeError(token) from None


def is_finite(number: float | Decimal) -> bool:
    """Return whether a number, however large, is neither NaN nor an infinity."""
    if isinstance(number, Decimal):
        return number.is_finite()
    return isinstance(number, int) or math.isfinite(number)


def round_decimal(number: Decimal, places: int) -> Decimal:
    """Round a Decimal to ``places`` decimals, halves to even; return it if it has no more."""
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= -places:
        return number
    # Room for every digit before the point: quantize refuses more digits than the precision.
    room = Context(prec=max(0, number.adjusted()) + places + 3, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return number.quantize(Decimal(1).scaleb(-places), context=room)


class Exactly:
    """A callable that reads a number's text exactly; ``found_odd`` tells if others may change it.

    A number with at most :data:`ALWAYS_FITS` characters may be read as a float directly.
    """

    def __init__(self) -> None:
        self.found_odd = False

    def __call__(self, token: str) -> float | Decimal:
        value = exact_number(token)
        if type(value) is not float or (not value and token[0] == "-"):
            self.found_odd = True
        return value


def warning(token: str) -> str | None:
    """Return a warning about a JSON number that is -0, out of range, or no exact 64-bit float.

    Return None for any other number.
    """
    if not any(c in token for c in ".eE"):
        if token == "-0":
            return "-0 is written as 0"
        if len(token) > ALWAYS_FITS and Decimal(token).copy_abs() > SAFE_INTEGER:
            return (
                f"integer {shorten(token)} is beyond 2^53: kept exactly here, "
                "but readers with 64-bit floats (JavaScript) may change it"
            )
        return None
    value = float(token)
    try:
        exact = exact_number(token)
    except NumberRangeError as error:
        return str(error)
    if exact == 0 and token.startswith("-"):
        return f"{shorten(token)} is written as 0"
    if isinstance(exact, float):
        return None
    nearest = "infinity" if math.isinf(value) else repr(value)
    return (
        f"number {shorten(token)} does not fit a 64-bit float: kept exactly here, "
        f"but most readers will turn it into {nearest}"
    )


def shorten(token: str) -> str:
    """Return a number's text for a message, only its ends if it has more than 40 characters."""
    return token if len(token) <= 40 else f"{token[:20]}…{token[-10:]} ({len(token)} characters)"
