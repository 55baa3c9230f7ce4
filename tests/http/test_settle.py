"""What a server does for many users before the first of them comes."""

import socket
import subprocess
import sys
from contextlib import closing

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.conftest import ROOT
from toon.http.settle import keep_in_memory, settle
from toon.limits import BODY_SECONDS


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gc.freeze", lambda: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda seconds: None)


def test_connections_send_at_once_and_do_not_wait_for_who_reads_nothing() -> None:
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert listening.proto == 0
        settle()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            if sys.platform == "linux":
                limit = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                assert limit == BODY_SECONDS * 1000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other highest limits")
def test_connections_may_take_every_file_that_the_system_allows() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard - 1), hard))
    settle()

    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)


def test_streamlit_collects_nothing_after_a_run() -> None:
    """The collection would hold up everyone; ``AppTest`` turns it off itself, so ask the option."""
    assert st.get_option("runner.postScriptGC") is False


STOP = """
import resource, signal
from toon.http.settle import keep_in_memory, stop_with_terminal
resource.setrlimit(resource.RLIMIT_CORE, (1, resource.getrlimit(resource.RLIMIT_CORE)[1]))
signal.signal(signal.SIGHUP, getattr(signal, "%s"))
signal.signal(signal.SIGTERM, lambda *_: print("stopped in order"))
keep_in_memory()
stop_with_terminal()
signal.raise_signal(signal.SIGHUP)
print(resource.getrlimit(resource.RLIMIT_CORE)[0])
"""


@pytest.mark.rest
@pytest.mark.parametrize(("before", "lines"), [("SIG_DFL", ["stopped in order"]), ("SIG_IGN", [])])
def test_a_closed_terminal_stops_the_server_in_order_and_no_core_is_written(
    before: str, lines: list[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", STOP % before], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert run.stdout.splitlines() == [*lines, "0"]


def test_an_upload_of_any_size_stays_in_memory() -> None:
    on_disk: list[bool] = []

    async def take(request: Request) -> Response:
        async with request.form() as form:
            upload = form["file"]
            assert isinstance(upload, UploadFile)
            assert upload.size == 3_000_000
            on_disk.append(not upload._in_memory)
        return Response()

    keep_in_memory()
    client = TestClient(Starlette(routes=[Route("/", take, methods=["POST"])]))
    client.post("/", files={"file": b"x" * 3_000_000})

    assert on_disk == [False]
