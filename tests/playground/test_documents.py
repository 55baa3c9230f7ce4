"""The store of texts: by digest, bounded, least recently used out first."""

from __future__ import annotations

from toon.playground.documents import Documents


def test_a_text_comes_back_by_its_id() -> None:
    documents = Documents()

    assert documents.get(documents.put("é")) == "é"
    assert documents.get("unknown") is None
    assert documents.put("é") == documents.put("é") != documents.put("e")


def test_the_least_recently_used_text_makes_room() -> None:
    documents = Documents(capacity=10)
    first, second = documents.put("aaaa"), documents.put("bbbb")
    documents.get(first)
    third = documents.put("cccc")

    assert [documents.get(name) for name in (first, second, third)] == ["aaaa", None, "cccc"]


def test_a_text_that_nobody_asks_for_goes_with_the_next() -> None:
    now = 0.0
    documents = Documents(seconds=300, clock=lambda: now)
    asked, again, forgotten = documents.put("a"), documents.put("b"), documents.put("c")
    now = 200
    documents.get(asked)
    documents.put("b")
    now = 301
    last = documents.put("d")

    kept = [documents.get(name) for name in (asked, again, forgotten, last)]
    assert kept == ["a", "b", None, "d"]


def test_a_text_larger_than_the_store_is_kept_alone() -> None:
    documents = Documents(capacity=3)
    small, large = documents.put("a"), documents.put("b" * 99)

    assert documents.get(small) is None
    assert documents.get(large) == "b" * 99
