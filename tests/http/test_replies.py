"""What goes wrong on the way to an answer: faults, time, size, and tokenizers that cannot load."""

import asyncio
import logging
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.requests import Request
from starlette.routing import Route

from tests.http import work
from tests.http.client import client_of, error_of
from toon.bounded import Bounds, Exceeded, Pool
from toon.bounded.process import STANDARD
from toon.http.replies import Call, Reply, handler
from toon.http.work import client_address, load
from toon.server import SERVER
from toon.tokenizers import TOKENIZERS
from toon.tokenizers.facts import Uncounted

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
    # Other tests of this process leave objects that complain when they are collected.
    ours = [record for record in caplog.records if record.name.startswith("toon")]
    (record,) = [record for record in ours if record.levelno >= logging.ERROR]
    assert record.getMessage().startswith("ValueError at ")
    assert "test_replies.py:" in record.getMessage()
    assert SECRET not in caplog.text


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """The pool of the routes, with two processes and a second for each piece of work."""
    pool = Pool(2, bounds=Bounds(1))
    monkeypatch.setattr(SERVER, "pool", pool)
    pool.prepare(load)
    yield pool
    pool.close()


@pytest.mark.rest
def test_a_client_is_answered_in_time(pool: Pool) -> None:
    with client_of(Route("/x", handler(work.reply_late, 10, 1), methods=["POST"])) as client:
        answer = client.post("/api/x", content="xx")

    assert answer.status_code == 503
    assert error_of(answer) == {
        "code": "TIMEOUT",
        "message": "not done in 1 seconds, the limit that TOON_WORK_SECONDS sets",
        "details": {},
        "hint": "send less at once",
    }


@pytest.mark.rest
def test_others_are_answered_while_some_are_at_work(pool: Pool, tmp_path: Path) -> None:
    """Work on large bodies takes no thread that small ones need, and no longer than its limit."""
    routes = [
        Route("/late", handler(work.reply_late, 10, 1), methods=["POST"]),
        Route("/allowed", handler(work.reply_once_allowed, 1_000, 1), methods=["POST"]),
        Route("/id", handler(work.reply_with_id, 10, 1), methods=["POST"]),
    ]
    pool.bounds = STANDARD
    with client_of(*routes) as client, ThreadPoolExecutor(16) as threads:

        def post(route: str, body: str) -> list[Future[Any]]:
            return [threads.submit(client.post, route, content=body) for _ in range(16)]

        allowed = tmp_path / "allowed"
        at_work = post("/api/allowed", str(allowed))
        here = client.post("/api/id", content="x")
        assert here.text == str(os.getpid())
        assert not any(future.done() for future in at_work)
        allowed.touch()
        assert {future.result().status_code for future in at_work} == {200}
        pool.bounds = Bounds(1)
        assert {late.result().status_code for late in post("/api/late", "xx")} == {503}
        pool.bounds = STANDARD
        there = client.post("/api/id", content="xx")

    assert there.status_code == 200
    assert there.text != str(os.getpid())


def test_a_worker_that_ends_is_a_fault_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ends(*_: object) -> None:
        raise Exceeded("end")

    monkeypatch.setattr("toon.http.replies.run_answer", ends)
    with client_of(Route("/x", handler(work.reply_with_id, 10), methods=["POST"])) as client:
        answer = client.post("/api/x", content="x")

    assert (answer.status_code, error_of(answer)["code"]) == (500, "INTERNAL")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7", None])
def test_a_page_and_its_editors_are_one_client(
    address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def context() -> Any:
        return SimpleNamespace(remote_ip=address)

    monkeypatch.setattr("streamlit.runtime.context._get_client_context", context)
    request = Request({"type": "http", "client": address and (address, 1)})

    assert client_address(request) == st.context.ip_address


def test_work_for_a_client_that_has_gone_is_stopped(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "bounds", STANDARD)
    monkeypatch.setattr("toon.http.work._GRACE", 0)
    messages = [{"type": "http.request", "body": b"xx"}, {"type": "http.disconnect"}]
    scope = {"type": "http", "method": "POST", "query_string": b"", "headers": [], "path": "/"}

    async def receive() -> Any:
        return messages.pop(0)

    endpoint = handler(work.reply_late, 10, 1)
    answer = asyncio.run(endpoint(Request({**scope, "client": ("here", 1)}, receive)))

    assert answer.status_code == 400
    assert pool._held.total() == 0


@pytest.mark.parametrize(("size", "status"), [(1_000_000, 200), (1_000_001, 413), (4_500_000, 413)])
def test_a_body_over_the_limit(size: int, status: int) -> None:
    route = Route("/x", handler(work.reply_with_size, 1_000_000), methods=["POST"])
    with client_of(route) as client:
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
    monkeypatch.setitem(TOKENIZERS, "llama3", Uncounted("llama3", "It needs splintr"))
    with client_of() as client:
        answer = client.post(f"/api/v1/{path}", content="1")

    assert answer.status_code == 503
    assert error_of(answer) == {
        "code": "TOKENIZER_UNAVAILABLE",
        "message": "It needs splintr.",
        "details": {"tokenizer": "llama3"},
    }
