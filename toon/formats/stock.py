"""The changes that other readers make to the numbers in a text, found without running them.

Python's readers take an integer exactly and a number with a point or an exponent for a 64-bit
float. JavaScript's (``JSON.parse``, ``@toon-format/toon``, ``yaml``) take every number for one.
Strings need no rule: JSON, YAML and TOON as we write them are read alike by all, as
``tests/formats/test_stock_readers.py`` proves.
"""

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

#: Digits of the longest integer that Python reads (``sys.int_info.default_max_str_digits``).
_MOST_DIGITS: Final = 4300


def find_odd_numbers(value: Any) -> Iterator[int | Decimal]:
    """Yield the numbers in a JSON value that some reader changes: Decimals, integers over 2^53."""
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
    """Say in a phrase what a reader changes of the numbers in a text; None if it changes none.

    ``reader`` names a Python library, or a reader in JavaScript if ``in_javascript``. ``numbers``
    are spelled as in the text; ordinary ones may be left out. A number with a point or exponent
    beyond the largest float becomes infinity, unless the reader ``refuses_infinity`` and the whole
    text with it. Of a Python library the phrase also says that it refuses integers of more than
    ``_MOST_DIGITS`` digits, and which integers JavaScript would change.
    """
    fates: Counter[str] = Counter()
    for number in numbers:
        nearest, digits = float(number), number.lstrip("-")
        changes = Decimal(number) not in (nearest, Decimal(repr(nearest)))
        if digits.isdigit():
            fates["long"] += len(digits) > _MOST_DIGITS
            fates["unsafe"] += changes
        else:
            fates["infinite" if math.isinf(nearest) else "rounded"] += changes
    infinite, rounded, long = fates["infinite"], fates["rounded"], fates["long"]
    phrases = []
    unsafe = f"changes {plural(fates['unsafe'], 'integer')} beyond 2^53" if fates["unsafe"] else ""
    if in_javascript and unsafe:
        phrases.append(unsafe)
    if long and not in_javascript:
        phrases.append(
            f"refuses it: {plural(long, 'integer')} of more than {_MOST_DIGITS:,} digits"
        )
    elif infinite and refuses_infinity:
        phrases.append(f"refuses it: {plural(infinite, 'number')} beyond 64-bit floats")
    else:
        if infinite:
            phrases.append(f"turns {plural(infinite, 'number')} into infinity")
        if rounded:
            phrases.append(f"rounds {plural(rounded, 'number')}")
    phrase = f"{reader} {' and '.join(phrases) or 'reads it'}"
    if unsafe and not in_javascript:
        return f"{phrase}; JavaScript {unsafe}"
    return phrase if phrases else None
