"""Whether an answer is right: by rules for each type of answer, with no model as judge.

The rules accept what a person would: quotes, a code fence, a full stop or a currency sign around
the value, another case, ``yes`` for ``true``, other digits beyond those that were asked for. They
accept nothing that says something else, such as a sentence with two numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Final, Literal

#: A list has an order, a set has none.
Type = Literal["integer", "number", "boolean", "date", "string", "list", "set"]

_FENCE: Final = re.compile(r"\A```\w*\s*\n?(.*?)\n?```\Z", re.DOTALL)
_QUOTES: Final = {'"': '"', "'": "'", "`": "`", "“": "”", "«": "»"}
#: A number, with the sign of a currency before it or a unit after it.
_NUMBER: Final = re.compile(
    r"(?P<sign>[+-]?)\s?[$€£¥]?\s?(?P<figures>\d[\d,]*(?:\.\d+)?(?:e[+-]?\d{1,3})?)\s?(?:%|[^\W\d_]+)?",
    re.IGNORECASE,
)
_GROUPED: Final = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
_BOOLEANS: Final = {
    **dict.fromkeys(("true", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "no", "n", "0"), False),
}
#: A longer answer is no value: a model that thinks aloud has not answered.
_LONGEST: Final = 10_000


def is_right(answer: str, truth: str, type: Type, decimals: int | None = None) -> bool:
    """Whether ``answer`` says the same as ``truth``.

    Args:
        decimals: Numbers are compared with so many decimals, rounded half up or half to even;
            None means those of the truth.
    """
    if len(answer) > _LONGEST + len(truth):
        return False
    said = _bare(answer)
    match type:
        case "integer" | "number":
            return _is_number(said, truth, decimals)
        case "boolean":
            value = _BOOLEANS.get(said.casefold())
            return value is not None and value == _BOOLEANS[truth.casefold()]
        case "date":
            return _folded(said) == _folded(truth) or _is_moment(said, truth)
        case "list" | "set":
            return _is_list(said, truth, type == "list")
        case "string":
            return _folded(said) == _folded(truth)


def _bare(text: str) -> str:
    """The value without a code fence, emphasis, quotes or a full stop around it."""
    said = text.strip()
    if fenced := _FENCE.match(said):
        said = fenced[1].strip()
    said = said.strip("*").strip()
    if len(said) > 1 and _QUOTES.get(said[0]) == said[-1] and said[0] not in said[1:-1]:
        said = said[1:-1].strip()
    return said


def _folded(text: str) -> str:
    """Text whose case, blanks, form of Unicode and last full stop do not matter."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return re.sub(r"\s+", " ", folded).strip().removesuffix(".")


def _number(text: str) -> Decimal | None:
    found = _NUMBER.fullmatch(text.removesuffix("."))
    if not found:
        return None
    figures = found["figures"]
    if "," in figures and not _GROUPED.fullmatch(figures):
        return None
    return Decimal(found["sign"] + figures.replace(",", ""))


def _is_number(said: str, truth: str, decimals: int | None) -> bool:
    number, expected = _number(said.replace("−", "-")), Decimal(truth)
    if number is None:
        return False
    if number == expected:
        return True
    exponent = expected.as_tuple().exponent
    digits = -int(exponent) if decimals is None else decimals
    if decimals is None and digits <= 0:
        return False
    place = Decimal(1).scaleb(-digits)
    target = expected.quantize(place)
    roundings = (ROUND_HALF_UP, ROUND_HALF_EVEN)
    return any(number.quantize(place, rounding=way) == target for way in roundings)


def _is_moment(said: str, truth: str) -> bool:
    """Whether two ISO 8601 texts are one moment; a day is its midnight only beside a day."""
    try:
        one, other = datetime.fromisoformat(said), datetime.fromisoformat(truth)
    except ValueError:
        return False
    if (len(said) == 10) != (len(truth) == 10) or (one.tzinfo is None) != (other.tzinfo is None):
        return False
    return one.astimezone(UTC) == other.astimezone(UTC) if one.tzinfo else one == other


def _is_list(said: str, truth: str, is_ordered: bool) -> bool:
    """Whether two lists of items with commas between them are the same."""
    items, expected = _items(said), _items(truth)
    return items == expected if is_ordered else Counter(items) == Counter(expected)


def _items(text: str) -> list[str]:
    inner = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    return [_folded(_bare(item)) for item in re.split(r"[,\n]", inner) if item.strip()]
