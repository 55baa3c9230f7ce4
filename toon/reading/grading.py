"""Grading of answers by rules for each type of answer, with no model as judge.

The rules accept what a person would: the value alone, with quotes, a code fence, emphasis, a full
stop, a currency or a unit around it, in another case, after "The answer is", after thoughts in
``<think>``. They reject every other text, such as a sentence with two numbers, a rounded number, or
``5k`` for 5. The time they take grows with the answer and no faster.
"""

import re
import unicodedata
from collections import Counter
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Literal

#: A list has an order, a set has none.
Type = Literal["integer", "number", "boolean", "date", "string", "list", "set"]

_THOUGHTS: Final = ("<think>", "</think>")
_FENCE: Final = "```"
_QUOTES: Final = {'"': '"', "'": "'", "`": "`", "“": "”", "«": "»"}
_LEAD: Final = re.compile(r"(?:the )?(?:final |correct )?answer(?: is)? ?:? ?", re.IGNORECASE)
#: A number, with a currency on either side or a unit after it.
_NUMBER: Final = re.compile(
    r"[$€£¥]? ?(?P<sign>[+-]?) ?[$€£¥]? ?"
    r"(?P<figures>\d[\d,]*(?:\.\d+)?(?:e[+-]?\d{1,3})?) ?(?:[%$€£¥]|(?P<unit>[^\W\d_]{2,}))?\.?",
    re.IGNORECASE,
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
#: Units that change the number.
_SCALES: Final = re.compile(
    r"dozens?|hundreds?|thousands?|(?:mi|bi|tri)llions?|lakhs?|crores?|tsd|mn|mio|mrd|bn|tn", re.I
)
_DASHES: Final = str.maketrans(dict.fromkeys("−–‐‑", "-"))
#: Spaces between groups of digits.
_THIN: Final = str.maketrans(dict.fromkeys("\u00a0\u2009\u202f", ","))
#: The most digits of a number in an answer.
_MOST_DIGITS: Final = 25
_BOOLEANS: Final = {
    **dict.fromkeys(("true", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "no", "n", "0"), False),
}
#: The longest answer: a model that thinks aloud has not answered.
_LONGEST: Final = 10_000


def is_right(answer: str, truth: str, type: Type) -> bool:
    """Return whether a model's ``answer`` says the same as ``truth``, the right one of a ``type``.

    Numbers are compared exactly, but for the noise of a sum of floats.
    """
    start, end = _THOUGHTS
    _, closed, after = answer.rpartition(end)
    said = after.strip() if closed else answer.strip()
    if len(said) > _LONGEST + len(truth) or (not closed and said.startswith(start)):
        return False
    bare = _bare(said)
    led = _bare(_LEAD.sub("", bare, count=1)) if _LEAD.match(bare) else bare
    return any(_is_same(one, truth, type) for one in dict.fromkeys((said, bare, led)))


def _is_same(said: str, truth: str, type: Type) -> bool:
    match type:
        case "integer" | "number":
            number = _number(said)
            return number is not None and abs(number - Decimal(truth)) <= _noise(Decimal(truth))
        case "boolean":
            return _BOOLEANS.get(_folded(said)) is _BOOLEANS[truth.casefold()]
        case "date":
            return _folded(said) == _folded(truth) or _is_moment(said, truth)
        case "list":
            return _items(said) == _items(truth)
        case "set":
            return Counter(_items(said)) == Counter(_items(truth))
        case "string":
            return _folded(said) == _folded(truth)


def _bare(text: str) -> str:
    """Return a model's answer without the code fence, emphasis, quotes and full stop around it."""
    said = text
    if said.startswith(_FENCE) and said.endswith(_FENCE) and len(said) > 2 * len(_FENCE):
        said = said[len(_FENCE) : -len(_FENCE)]
        first, _, rest = said.partition("\n")
        said = (rest if rest and (not first or first.strip().isalnum()) else said).strip()
    said = said.removesuffix(".").strip("*").strip()
    if len(said) > 1 and _QUOTES.get(said[0]) == said[-1] and said[0] not in said[1:-1]:
        said = said[1:-1].strip()
    return said


def _folded(text: str) -> str:
    """Normalize an answer's case, blanks and Unicode form, and drop a full stop, to compare it."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(folded.split()).removesuffix(".")


def _number(text: str) -> Decimal | None:
    """Parse an answer as a number, with a currency or unit; return None if it is none."""
    found = _NUMBER.fullmatch(text.translate(_DASHES).translate(_THIN))
    if not found or (found["unit"] and _SCALES.fullmatch(found["unit"])):
        return None
    figures = found["figures"]
    if "," in figures and not _GROUPED.fullmatch(figures):
        return None
    number = Decimal(found["sign"] + figures.replace(",", ""))
    return number if abs(number.adjusted()) < _MOST_DIGITS else None


def _noise(number: Decimal) -> Decimal:
    """Return how far a float sum may be off: a millionth of a number's last decimal; 0 if whole."""
    places = -int(number.as_tuple().exponent)
    return Decimal(1).scaleb(-places - 6) if places > 0 else Decimal(0)


def _is_moment(said: str, truth: str) -> bool:
    """Return whether two ISO 8601 texts are the same moment; a day is not a moment."""
    try:
        one, other = datetime.fromisoformat(said), datetime.fromisoformat(truth)
    except ValueError:
        return False
    return len(said) > len("2026-01-01") < len(truth) and one == other


def _items(text: str) -> list[str]:
    """Return the items of a list in an answer, split at commas and line breaks and normalized."""
    inner = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    return [_folded(_bare(item.strip())) for item in re.split(r"[,\n]", inner) if item.strip()]


def grade_promptfoo(output: object, context: dict[str, dict[str, Any]]) -> bool:
    """Return whether a model's ``output`` is the right answer in ``context``, for promptfoo."""
    truth = context["config"]
    return is_right(str(output), truth["answer"], truth["type"])
