"""From how many rows of its table on a payload is worth a change of format, by measuring it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from toon.codec.rewriting import with_fewer_rows
from toon.costs.choice import is_worth
from toon.costs.explanation import Explaining
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON_BY_DELIMITER
from toon.tokenizers import Tokenizer
from toon.values.shape import is_table
from toon.values.walks import scalar_values

#: The least share of a payload's values that its longest table holds if the table is what grows.
_MOST: Final = 0.5
#: Rows below a crossing that are tried too: token counts do not grow evenly.
_UNEVEN: Final = 8
#: Rows that are written to cut shorter texts from, or four times as many, and so on.
_BLOCK: Final = 16

#: Keys and indices that lead to a part of a value.
Place = tuple[str | int, ...]


def growing_table(value: Any) -> tuple[Place, list[Any]] | None:
    """The longest list that TOON writes as a table, and its place; None if it is not what grows.

    It is what grows if it holds most of the payload's values.
    """
    tables = sorted(_tables(value, ()), key=lambda found: -len(found[1]))
    if not tables:
        return None
    place, rows = tables[0]
    scalars = _count(rows[0]) * len(rows)
    return (place, rows) if scalars > _MOST * _count(value) else None


def has_growing_table(value: Any) -> bool:
    """Whether there is such a list."""
    return growing_table(value) is not None


def _count(value: Any) -> int:
    return sum(1 for _ in scalar_values(value))


def _tables(value: Any, place: Place) -> list[tuple[Place, list[Any]]]:
    if isinstance(value, list):
        if is_table(value):
            return [(place, value)]
        members: list[tuple[str | int, Any]] = list(enumerate(value))
    elif isinstance(value, dict):
        members = list(value.items())
    else:
        return []
    return [found for key, item in members for found in _tables(item, (*place, key))]


def worth_from_rows(
    value: Any, format: str, explaining: Explaining, tokenizer: Tokenizer
) -> int | None:
    """The fewest rows of the growing table with which ``format`` is worth it against compact JSON.

    Every number of rows that matters is written and counted. ``value`` itself must be worth it.
    None if there is no such table.
    """
    found = growing_table(value)
    if found is None:
        return None
    place, rows = found
    text = _shorter_texts(value, place, rows, format)

    @cache  # some numbers below a crossing were tried on the way to it
    def worth(number: int) -> bool:
        written = text(number)
        once = explaining.tokens(format, FORMATS[format].uses(written), tokenizer.name)
        cost = tokenizer.count(written) + explaining.share(once)
        compact = JSON_COMPACT.dumps(_with_rows(value, place, rows[:number]))
        return is_worth(cost, tokenizer.count(compact))

    return _first(worth, len(rows))


def _shorter_texts(value: Any, place: Place, rows: list[Any], format: str) -> Callable[[int], str]:
    """A function from a number to the text of ``value`` with that many of its ``rows``."""

    @cache
    def written(number: int) -> str:
        return FORMATS[format].dumps(_with_rows(value, place, rows[:number]))

    def cut(number: int) -> str:
        most = _BLOCK
        while most < number:
            most *= 4
        most = min(most, len(rows))
        text = with_fewer_rows(written(most), most, number)
        return written(number) if text is None else text

    # An array that is itself an item of an array is never a table in TOON (§9.4).
    is_table = format in TOON_BY_DELIMITER.values() and (not place or isinstance(place[-1], str))
    return cut if is_table else written


def _first(worth: Callable[[int], bool], most: int) -> int:
    """The first number that is worth it, if all above it are; ``most`` certainly is."""
    step, low = 1, 0  # ``low`` is not worth it, or 0
    while step < most and not worth(step):
        low, step = step, 2 * step
    high = min(step, most)
    # Where all numbers below are tried anyway, there is nothing to narrow down.
    while high - low > 1 and high - _UNEVEN > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if worth(middle) else (middle, high)
    below = range(max(1, high - _UNEVEN), high)
    return next((number for number in below if worth(number)), high)


def _with_rows(value: Any, place: Place, rows: list[Any]) -> Any:
    """A copy of ``value`` with other rows at ``place``; what lies beside the way is shared."""
    if not place:
        return rows
    copy = value.copy()
    copy[place[0]] = _with_rows(value[place[0]], place[1:], rows)
    return copy
