"""What goes wrong on the way to an answer: faults, time, size, and tokenizers that cannot load."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.routing import Route

from tests.http.client import client_of, error_of
from toon.http import replies
from toon.http.replies import Call, Reply, handler
from toon.tokenizers import TOKENIZERS
from toon.tokenizers.open_models import LibraryMissingError, OpenModelTokenizer

SECRET = "kept-to-itself"


def test_a_fault_says_nothing_of_the_body_to_anyone(caplog: pytest.LogCaptureFixture) -> None:
    def fails(call: Call) -> Reply:
        raise ValueError(f"cannot do {call.body.decode()}")

    with client_of(Route("/x", handler(fails, 100), methods=["POST"])) as client:
        answer = client.post("/api/x?count=o200k_base", content=SECRET)

    assert answer.status_code == 500
    assert answer.headers["x-token-count-tokenizer"] == "o200k_base"
    assert error_of(answer) == {
        "code": "INTERNAL",
        "message": "this is a fault of the server",
        "details": {},
    }
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.getMessage().startswith("ValueError at ")
    assert "test_replies.py:" in record.getMessage()
    assert SECRET not in caplog.text


def test_a_client_is_answered_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "SECONDS", 0.05)
    done = threading.Event()

    def waits(call: Call) -> Reply:
        done.wait(30)
        return Reply("late")

    with client_of(Route("/x", handler(waits))) as client:
        answer = client.get("/api/x")
        done.set()

    assert answer.status_code == 503
    assert error_of(answer) == {
        "code": "TIMEOUT",
        "message": "not done in 0.05 seconds",
        "details": {},
        "hint": "send less at once",
    }


def test_others_are_answered_while_one_is_at_work() -> None:
    begun, done = threading.Event(), threading.Event()

    def waits(call: Call) -> Reply:
        begun.set()
        return Reply("first" if done.wait(30) else "never")

    def at_once(call: Call) -> Reply:
        return Reply("second")

    routes = [Route("/slow", handler(waits)), Route("/fast", handler(at_once))]
    with client_of(*routes) as client, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(client.get, "/api/slow")
        assert begun.wait(30)
        assert client.get("/api/fast").text == "second"
        done.set()
        assert slow.result(30).text == "first"


@pytest.mark.parametrize(("size", "status"), [(1_000_000, 200), (1_000_001, 413), (4_500_000, 413)])
def test_a_body_over_the_limit(size: int, status: int) -> None:
    def counts(call: Call) -> Reply:
        return Reply(str(len(call.body)))

    with client_of(Route("/x", handler(counts, 1_000_000), methods=["POST"])) as client:
        answer = client.post("/api/x?count=cl100k_base", content=b"x" * size)

    assert answer.status_code == status
    assert answer.headers["x-token-count-tokenizer"] == "cl100k_base"
    if status == 200:
        assert answer.text == str(size)
    else:
        assert error_of(answer) == {
            "code": "BODY_TOO_LARGE",
            "message": "the body is larger than 1 MB",
            "details": {"limit_bytes": 1_000_000},
        }


@pytest.mark.parametrize("path", ["stats?tokenizer=llama3", "convert?count=llama3"])
def test_a_tokenizer_that_cannot_load_says_what_is_missing(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise LibraryMissingError("needs splintr. Install it: pip install splintr-rs")

    monkeypatch.setattr("toon.tokenizers.open_models.splintr", missing)
    monkeypatch.setitem(TOKENIZERS, "llama3", OpenModelTokenizer("llama3", "Llama 3"))
    with client_of() as client:
        answer = client.post(f"/api/v1/{path}", content="1")

    assert answer.status_code == 503
    assert error_of(answer) == {
        "code": "TOKENIZER_UNAVAILABLE",
        "message": "needs splintr. Install it: pip install splintr-rs",
        "details": {"tokenizer": "llama3"},
    }
