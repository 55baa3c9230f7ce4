"""What leaving out fields saves, before and after any format helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypedDict

from toon.costs.compare import compare, measured_rows
from toon.costs.document import Document
from toon.formats.json import JSON_COMPACT
from toon.values import filters

#: What is measured with and without the fields.
SLIMMED_FORMATS: Final = ("json-pretty", "json-compact", "toon")


class Slimmed(TypedDict):
    """The effect of dropping fields.

    ``before`` and ``after`` are tokens by format, ``removed`` counts dropped fields by pattern, and
    ``text`` is the payload without them, as compact JSON.
    """

    before: dict[str, int]
    after: dict[str, int]
    removed: dict[str, int]
    text: str


def slimmed(value: Any, tokenizer: str, patterns: Sequence[str]) -> Slimmed:
    """Measures a value with and without the fields that ``patterns`` match.

    Raises:
        EncodeError: The value is nested deeper than 256 levels.
        ValueError: No tokenizer has that name.
    """
    slim = filters.apply(value, patterns)
    before, after = (
        measured_rows(compare(Document.of(each), SLIMMED_FORMATS, (tokenizer,)))
        for each in (value, slim)
    )
    return {
        "before": {row["format"]: row["tokens"] for row in before},
        "after": {row["format"]: row["tokens"] for row in after},
        "removed": filters.count_dropped(value, patterns),
        "text": JSON_COMPACT.dumps(slim),
    }
