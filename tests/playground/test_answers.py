"""The answers kept: found once, bounded, and errors are not kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from toon.playground.answers import Recent


def test_a_result_is_found_once_even_by_two_threads_at_a_time() -> None:
    kept, begun, may_end, found = Recent[str, int](8), Event(), Event(), []

    def find() -> int:
        begun.set()
        may_end.wait()
        found.append(1)
        return 7

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kept.get, "a", find)
        begun.wait()
        second = pool.submit(kept.get, "a", find)
        may_end.set()
        assert (first.result(), second.result()) == (7, 7)
    assert kept.get("a", find) == 7
    assert found == [1]


def test_the_least_recently_asked_makes_room() -> None:
    kept = Recent[str, str](2)
    for key in ("a", "b", "a", "c"):
        kept.get(key, lambda: "old")

    assert [kept.get(key, lambda: "new") for key in ("c", "a", "b")] == ["old", "old", "new"]


def test_an_error_is_not_kept() -> None:
    kept = Recent[str, int](2)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0)

    assert kept.get("a", lambda: 1) == 1
