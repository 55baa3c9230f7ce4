"""Answers the questions a second time: reads each sentence as a person would, and searches.

It knows nothing of how questions are made. A sentence that it cannot read, or that has more than
one answer in the data, fails.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from toon.values.paths import parse_typed

_MISSING: Final = object()
_FIELD = "`([^`]+)`"
_PLACE = "(the data|`[^`]+`)"
_VALUE = r'("[^"]+"|true|false|-?[0-9]+(?:\.[0-9]+)?)'
_RECORD, _RECORDS = "(?:record|entry)", "(?:records|entries)"
_CONDITION = rf"{_FIELD} (equal to|greater than) {_VALUE}"
_LIST = r" List all, with commas between them\."

Answer = Any


def answer(value: Any, text: str) -> Answer:
    """The one answer to a question about ``value``."""
    pattern = sentence(text)
    match = re.fullmatch(pattern, text)
    assert match is not None
    return SENTENCES[pattern](value, *match.groups())


def sentence(text: str) -> str:
    """The one pattern that reads a sentence."""
    (pattern,) = [pattern for pattern in SENTENCES if re.fullmatch(pattern, text)]
    return pattern


def _walk(value: Any, path: str) -> Any:
    for step in parse_typed(path):
        value = value.get(step, _MISSING) if isinstance(value, dict) else _MISSING
    return value


def _place(value: Any, place: str) -> Any:
    return value if place == "the data" else _walk(value, place.strip("`"))


def _records(value: Any, place: str) -> list[Any]:
    records = _place(value, place)
    return list(records.values()) if isinstance(records, dict) else list(records)


def _shown(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value)


def _looks(value: Any, text: str) -> bool:
    """Whether a value looks like what a sentence says, to somebody in a hurry."""
    return _shown(value).casefold() == text.strip('"').casefold()


def _is(value: Any, text: str) -> bool:
    if isinstance(value, str):
        return f'"{value}"' == text
    return not text.startswith('"') and _shown(value) == text


def _one(records: list[Any], field: str, text: str) -> Any:
    """The record, which is alone in looking like this."""
    (record,) = [record for record in records if _looks(_walk(record, field), text)]
    assert _is(_walk(record, field), text)
    return record


def _matching(records: list[Any], field: str, relation: str, text: str) -> list[Any]:
    if relation == "greater than":
        return [one for one in records if Decimal(str(_walk(one, field))) > Decimal(text)]
    exact = [one for one in records if _is(_walk(one, field), text)]
    assert exact == [one for one in records if _looks(_walk(one, field), text)]
    return exact


def _over(word: str, values: list[Any]) -> Decimal:
    numbers = [Decimal(str(value)) for value in values]
    return {"sum": sum, "smallest": min, "largest": max}[word](numbers)


def _end(values: Any, word: str) -> Any:
    return list(values)[0 if word == "first" else -1]


#: How each sentence is answered, by its pattern.
SENTENCES: Final[dict[str, Callable[..., Answer]]] = {
    rf"What is {_FIELD} of the {_RECORD} in {_PLACE} whose {_FIELD} is {_VALUE}\?": (
        lambda v, field, place, by, text: _walk(_one(_records(v, place), by, text), field)
    ),
    rf"What is {_FIELD} of the entry {_VALUE} in {_PLACE}\?": (
        lambda v, field, key, place: _walk(_place(v, place)[key.strip('"')], field)
    ),
    rf"What is the value at {_FIELD}\?": _walk,
    rf"What are the items of the list at {_FIELD}, in their order\?{_LIST}": _walk,
    rf"How many items does the list at {_FIELD} have\?": lambda v, field: len(_walk(v, field)),
    rf"What is the (sum|smallest|largest) of {_FIELD} over all {_RECORDS} in {_PLACE}\?": (
        lambda v, word, field, place: _over(word, [_walk(x, field) for x in _records(v, place)])
    ),
    rf"What is the (sum|smallest|largest) of the numbers in the list at {_FIELD}\?": (
        lambda v, word, field: _over(word, _walk(v, field))
    ),
    rf"How many {_RECORDS} in {_PLACE} have {_CONDITION}\?": (
        lambda v, place, *condition: len(_matching(_records(v, place), *condition))
    ),
    rf"What is {_FIELD} of the {_RECORDS} in {_PLACE} that have {_CONDITION}\?{_LIST}": (
        lambda v, field, place, *condition: {
            _shown(_walk(one, field)) for one in _matching(_records(v, place), *condition)
        }
    ),
    rf"How many {_RECORDS} does {_PLACE} have\?": lambda v, place: len(_records(v, place)),
    rf"What is {_FIELD} of the (first|last) {_RECORD} in {_PLACE}\?": (
        lambda v, field, word, place: _walk(_end(_records(v, place), word), field)
    ),
    rf"What is the (first|last) item of the list at {_FIELD}\?": (
        lambda v, word, field: _end(_walk(v, field), word)
    ),
}
