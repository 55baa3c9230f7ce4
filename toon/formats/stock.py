"""The changes that other readers make to the numbers in a text, found without running them.

Python's readers take an integer exactly and a number with a point or an exponent for a 64-bit
float. JavaScript's (``JSON.parse``, ``@toon-format/toon``, ``yaml``) take every number for one.
Strings need no rule: JSON, YAML and TOON as we write them are read alike by all, as
``tests/formats/test_stock_readers.py`` proves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final

import orjson

from toon.codec.numbers import SAFE_INTEGER
from toon.values.walks import scalar_values
from toon.wording import plural

#: Python reads no integer of more digits (``sys.int_info.default_max_str_digits``).
_MOST_DIGITS: Final = 4300


def find_odd_numbers(value: Any) -> Iterator[int | Decimal]:
    """Yield all numbers that any reader may change: Decimals, and integers beyond 2^53."""
    with suppress(TypeError):  # an odd number, or nesting too deep for orjson
        orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
        return
    for item in scalar_values(value):
        if isinstance(item, Decimal) or (isinstance(item, int) and abs(item) > SAFE_INTEGER):
            yield item


def describe_changes(
    reader: str,
    numbers: Iterable[str],
    *,
    refuses_infinity: bool = False,
    in_javascript: bool = False,
) -> str | None:
    """Describe what ``reader``, a Python library, and JavaScript change of the numbers in a text.

    ``numbers`` are as the text has them; all but the odd ones may be left out. A reader either
    takes a number beyond the largest float for infinity or ``refuses_infinity`` and the whole text.
    A reader ``in_javascript`` is no Python library. None where no number changes.
    """
    fates = Counter(fate for number in numbers for fate in _fates(number))
    infinite, rounded, long = fates["infinite"], fates["rounded"], fates["long"]
    changes = []
    unsafe = f"changes {plural(fates['unsafe'], 'integer')} beyond 2^53" if fates["unsafe"] else ""
    if in_javascript and unsafe:
        changes.append(unsafe)
    if long and not in_javascript:
        changes.append(
            f"refuses it: {plural(long, 'integer')} of more than {_MOST_DIGITS:,} digits"
        )
    elif infinite and refuses_infinity:
        changes.append(f"refuses it: {plural(infinite, 'number')} beyond 64-bit floats")
    else:
        if infinite:
            changes.append(f"turns {plural(infinite, 'number')} into infinity")
        if rounded:
            changes.append(f"rounds {plural(rounded, 'number')}")
    phrase = f"{reader} {' and '.join(changes) or 'reads it'}"
    if unsafe and not in_javascript:
        return f"{phrase}; JavaScript {unsafe}"
    return phrase if changes else None


def _fates(number: str) -> Iterator[str]:
    """Yield what readers do to a written number: Python's first, then JavaScript's."""
    nearest = float(number)
    if number.lstrip("-").isdigit():
        if len(number.lstrip("-")) > _MOST_DIGITS:
            yield "long"
        if math.isinf(nearest) or not _is_equal(nearest, number):
            yield "unsafe"
    elif math.isinf(nearest):
        yield "infinite"
    elif not _is_equal(nearest, number):
        yield "rounded"


def _is_equal(nearest: float, number: str) -> bool:
    """Return whether a float is the number, exactly or by its shortest text."""
    return Decimal(number) in (nearest, Decimal(repr(nearest)))
