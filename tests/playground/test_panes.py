"""The store of texts: by digest, bounded, least recently used out first."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from toon.costs.document import Document
from toon.playground.panes import Documents, Options, call_here


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


def test_all_who_ask_share_a_pane_until_its_text_goes() -> None:
    documents = Documents(capacity=10)
    pane = documents.open("json", "[1, 2]", Options())

    assert documents.open("json", "[1, 2]", Options()) is pane
    assert documents.pane("json", pane.name, Options(indent=4)) is not pane
    assert documents.pane("toon", pane.name, Options()) is not pane
    documents.put("0123456789")
    assert documents.pane("json", pane.name, Options()) is None
    assert documents.open("json", "[1, 2]", Options()) is not pane


def test_the_pane_that_was_asked_for_least_makes_room() -> None:
    documents = Documents()
    first, second, *_ = (documents.open("json", f"[{n}]", Options()) for n in range(64))
    documents.pane("json", first.name, Options())
    documents.open("json", "[64]", Options())

    assert documents.pane("json", first.name, Options()) is first
    assert documents.pane("json", second.name, Options()) is not second


def test_a_result_is_found_once_even_by_two_threads_at_a_time() -> None:
    pane = Documents().open("json", "[1]", Options())
    begun, may_end, values = Event(), Event(), []

    def find(document: Document, more: int) -> list[int]:
        begun.set()
        may_end.wait()
        values.append(more)
        return [*document.value, more]

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(pane.ask, call_here, find, 7)
        begun.wait()
        second = pool.submit(pane.ask, call_here, find, 7)
        may_end.set()
        assert first.result() == second.result() == [1, 7]
    assert pane.ask(call_here, find, 8) == [1, 8]
    assert values == [7, 8]


def test_an_error_is_not_kept() -> None:
    pane = Documents().open("json", "[1]", Options())
    asked: list[int] = []

    def find(document: Document) -> int:
        asked.append(1)
        return 1 // (len(asked) - 1)

    with pytest.raises(ZeroDivisionError):
        pane.ask(call_here, find)
    assert pane.ask(call_here, find) == 1
