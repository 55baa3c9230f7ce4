"""A template stops before it writes more than its limit."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from toon.compact import QueryError
from toon.compact.templates import parse

pytestmark = pytest.mark.rest

NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)
_LONG_JOIN = '{b|join:"' + 100 * "x" + '"}'


class Read(list[Any]):
    """A list that counts how often its items are read."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        self.times += 1
        return super().__iter__()


@pytest.mark.parametrize(
    ("pattern", "items", "times"),
    [
        (_LONG_JOIN, [1] * 200_000, 1),
        (100 * _LONG_JOIN, [1] * 60_000, 2),
        (f"<{100 * _LONG_JOIN}>", [1] * 60_000, 2),
        ("{b}", [5_000 * "x"], 2_000),
    ],
    ids=["a field", "a line", "a part", "all lines"],
)
def test_a_template_writes_no_more_than_its_limit(
    pattern: str, items: list[Any], times: int
) -> None:
    """It stops at the field that passes the limit: the second case would write 600 MB."""
    read = Read(items)

    with pytest.raises(QueryError, match="10,000,000 characters, the limit TOON_TEMPLATE_"):
        parse(f"line: {pattern}").lines([{"b": read}] * 2_001, now=NOW)

    assert read.times == times
