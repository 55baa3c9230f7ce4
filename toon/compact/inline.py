"""Values as parts of a line. Whatever the value, its text never breaks the line."""

import re
from decimal import Decimal
from typing import Any, Final

from toon.codec.numbers import is_finite
from toon.codec.text import write_int
from toon.values.walks import is_number

#: Whitespace of any script, and all control characters (C0 and C1).
_BLANKS: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")

#: Characters that are removed before the three dots of a preview.
_LOOSE_ENDS: Final = " ,.;:!?-"

#: Larger numbers are no sizes: no store is as large, and they could have a billion digits.
_SIZE_LIMIT: Final = 2**80

_UNITS: Final = ("KB", "MB", "GB", "TB")


def one_line(text: str) -> str:
    """Trim a text, and make each run of whitespace and control characters in it one space."""
    return _BLANKS.sub(" ", text).strip(" ")


def as_text(value: Any) -> str:
    """Return a JSON string or number on one line, or an object's ``name``; "" for other values."""
    if isinstance(value, dict):
        value = value.get("name")
    if isinstance(value, str):
        return one_line(value)
    number = number_of(value)
    if number is None:
        return ""
    return write_int(number) if isinstance(number, int) else str(number)


def number_of(value: Any) -> int | float | Decimal | None:
    """Return a JSON value if it is a finite number and not a boolean, otherwise None."""
    return value if is_number(value) and is_finite(value) else None


def preview(text: str, length: int) -> str:
    """Return the first ``length`` characters of a text, on one line, with ``...`` if it is cut.

    The start ends with a whole word if it has a space, and never with punctuation.
    """
    line = one_line(text)
    if len(line) <= length:
        return line
    cut = line[:length]
    if line[length] != " ":
        cut = cut.rpartition(" ")[0] or cut
    return (cut.rstrip(_LOOSE_ENDS) or cut) + "..."


def size(value: Any) -> str:
    """Write a number of bytes, in steps of 1024, as in ``812B`` or ``1.5KB``; "" for no number.

    >>> size(1_048_575)
    '1MB'
    """
    number = number_of(value)
    if number is None or not 0 <= number < _SIZE_LIMIT:
        return ""
    count = int(number)
    if count < 1024:
        return f"{count}B"
    units = ((1024**step, name) for step, name in enumerate(_UNITS, 1))
    steps = [((count * 10 + unit // 2) // unit, name) for unit, name in units]
    # A size that rounds to 1024 of a unit is 1 of the next unit.
    tenths, name = next((step for step in steps if step[0] < 10_240), steps[-1])
    whole, tenth = divmod(tenths, 10)
    return f"{write_int(whole)}{f'.{tenth}' if tenth else ''}{name}"
