"""What a damaged item costs its reader."""

from __future__ import annotations

import pytest

from tests.corpus.reading import short
from toon.corpus.readers import json_stream, slices


def test_damaged_items_are_looked_at_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a long item, too: the parts are as long as the items before it, at most for a while."""
    looked_at = list[int]()

    def find_end(text: str, at: int) -> int:
        looked_at.append(len(text) - at)
        return slices.find_end(text, at)

    monkeypatch.setattr(json_stream, "find_end", find_end)
    items = short('[["' + "a" * 100_000 + '"],' + "x,\n" * 20_000 + "[1]]")

    assert items[1] == (2, "line 1: expected a value, found 'x'")
    assert items[-2] == (20_001, "line 20000: expected a value, found 'x'")
    assert items[-1] == (20_002, "log", "[1]")
    assert sum(looked_at) < 3 * 20_000 * 1_000  # each to its end would be 20,000 * 30,000
