"""The lexical rules of Temporal Cortex's library: what it quotes, and how it writes numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from math import inf
from typing import Any, Final

from toon.codec.text import BARE_KEY, int_text
from toon.dialects.writing import quote

#: Unicode's White_Space: a string with one of these at either end is quoted.
_BLANK: Final = r" \t\n\x0b\x0c\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
#: Strings that the library takes for numbers, and therefore quotes.
_NUMBER: Final = (
    r"(?:0[^.]|(?=[0-9.])(?=\D?[0-9]|\.[eE][-+]*[0-9])[0-9]*\.?[0-9]*(?:[eE][0-9+-]*)?\Z)"
)


def _safe_pattern(special: str) -> re.Pattern[str]:
    odd = rf'"\\\[\]{{}}\n\r\t{special}'
    return re.compile(
        rf"(?!(?:true|false|null)\Z|{_NUMBER})[^\-{_BLANK}{odd}][^{odd}]*(?<![{_BLANK}])\Z",
        re.DOTALL,
    )


#: The strings that it leaves unquoted: as a field's value or an item, and between commas.
SAFE_FIELD: Final = _safe_pattern(":")
SAFE_CELL: Final = _safe_pattern(",")

#: The characters that it escapes.
SPECIAL: Final = re.compile(r'["\\\n\r\t]')

#: The library refuses JSON that is nested deeper.
MAX_DEPTH: Final = 127

_INT64_MIN, _UINT64_MAX = -(2**63), 2**64 - 1
_LARGEST_POWER: Final = 308


def key_text(key: str) -> str:
    """``key`` before a colon or a bracket, in quotes where needed; column names never get them."""
    return key if BARE_KEY.match(key) else quote(key, SPECIAL)


def number_text(value: Any) -> str:
    """A number as the library reads it (:func:`as_read`), written without an exponent.

    Raises:
        OverflowError: As for :func:`as_read`.
    """
    near = as_read(value)
    if isinstance(near, int):
        return int_text(near)
    text = format(Decimal(repr(near)), "f")
    return text.removesuffix(".0") if near else "0"


def as_read(value: Any) -> int | float:
    """The 64-bit number that the library reads from a number's digits.

    The library reads the digits as a 64-bit integer, drops those that do not fit, and scales the
    nearest float by a power of ten. Each step can round, so the result may differ from ``value`` in
    the last digits.

    Raises:
        OverflowError: The number is not finite, or beyond the largest 64-bit float, which the
            library refuses.
    """
    if isinstance(value, int) and _INT64_MIN <= value <= _UINT64_MAX:
        return value
    sign, figures, exponent = Decimal(repr(value) if type(value) is float else value).as_tuple()
    if not isinstance(exponent, int):
        raise OverflowError(f"{value} has no JSON form")
    digits = "".join(map(str, figures)).lstrip("0") or "0"
    kept = digits[:20] if int(digits[:20]) <= _UINT64_MAX else digits[:19]
    near = _scaled(float(int(kept)), exponent + len(digits) - len(kept))
    return -near if sign else near


def _scaled(near: float, exponent: int) -> float:
    """``near`` times ten to the ``exponent``, in as few steps as 64-bit floats allow."""
    while exponent and near not in (0, inf):
        power = min(abs(exponent), _LARGEST_POWER)
        scale = float(f"1e{power}")
        near = near / scale if exponent < 0 else near * scale
        exponent += power if exponent < 0 else -power
    if near == inf:
        raise OverflowError("number is beyond the largest 64-bit float, which the library refuses")
    return near
