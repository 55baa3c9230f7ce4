"""What the door lets others hold: bodies, connections; and the real server, behind its door."""

import asyncio
import http.client
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.browser.conftest import served
from tests.conftest import ROOT
from tests.http.asgi import HERE, Answer, FakeClock, answer, app, ask, door_for
from toon.http import bodies
from toon.http.door import Door
from toon.http.lock import Lock

# -- bodies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", ["101", "9" * 5_000, "5", None])
def test_a_body_has_a_size(length: str | None) -> None:
    door, declared = door_for(), [("content-length", length)] if length else []
    refused = answer(door, "/", *declared, method="POST", body=[b"x" * 60, b"x" * 41])

    assert (refused.status, refused.headers["connection"]) == (413, "close")
    assert refused.text.startswith("A body has at most 100 bytes here, ")
    assert answer(door, method="POST", body=[b"x" * 60, b"x" * 40]).text == "100 bytes"


@pytest.mark.parametrize("came", [[], [b"x"], [b"x"] * 50])
def test_a_body_has_a_time(came: list[bytes]) -> None:
    refused = answer(door_for(), method="POST", body=[*came, None])

    assert refused.status == 408
    assert refused.text == "A body has to arrive within 120 seconds, TOON_BODY_SECONDS.\n"


def test_slow_large_bodies_leave_room_for_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODIES_BYTES", 1_600)
    monkeypatch.setattr(bodies, "_SMALL", 10)
    door = door_for()

    async def crowd() -> list[Answer]:
        slow = (ask(door, method="POST", body=[b"x" * 99, None]) for _ in range(9))
        small = (ask(door, method="POST", body=[b"x" * 9]) for _ in range(9))
        return await asyncio.gather(*slow, *small)

    with asyncio.Runner(loop_factory=FakeClock) as runner:
        answers = [one.status for one in runner.run(crowd())]

    # An eighth of the 800 bytes of one client is left for bodies of 10 bytes and less.
    assert answers == [408] * 7 + [503] * 2 + [200] * 9


@pytest.mark.parametrize("type", ["http", "websocket"])
def test_a_request_has_one_length(type: str) -> None:
    both = ("content-length", "5"), ("transfer-encoding", "chunked")
    refused = answer(door_for(), "/", *both, method="POST", type=type)

    assert refused.status == (400 if type == "http" else 403)
    assert type == "websocket" or refused.headers["connection"] == "close"


def test_the_answer_to_a_whole_body_may_take_longer() -> None:
    async def works(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        await asyncio.sleep(1_000)
        await app(scope, receive, send)

    assert answer(Door(works, Lock(), 100, "")).status == 200


def test_all_bodies_together_have_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODIES_BYTES", 250)
    door = door_for(Lock(is_open=True))

    async def crowd() -> list[Answer]:
        slow = [
            ask(door, method="POST", body=[b"x" * 90, None], client=(f"192.0.2.{one}", 1))
            for one in range(4)
        ]
        declared = ask(door, "/", ("content-length", "90"), method="POST", body=[b"x" * 90])
        return await asyncio.gather(*slow, declared)

    with asyncio.Runner(loop_factory=FakeClock) as runner:
        first, second, *beyond = runner.run(crowd())
        after = runner.run(ask(door, method="POST", body=[b"x" * 90]))

    assert (first.status, second.status) == (408, 408)
    assert [one.status for one in beyond] == [503, 503, 503]
    assert {one.headers["retry-after"] for one in beyond} == {"5"}
    assert "TOON_BODIES_BYTES" in beyond[0].text
    assert after.text == "90 bytes"


def test_no_client_has_all_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODIES_BYTES", 400)
    others: list[Answer] = []

    async def while_at_work(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        if scope["client"] == HERE:
            others.append(await ask(door, method="POST", body=[b"x" * 90]))
            others.append(await ask(door, method="POST", body=[b"x" * 90], client=("::1", 1)))
        await app(scope, receive, send)

    door = Door(while_at_work, Lock(), 100, "")
    answer(door, method="POST", body=[b"x" * 90])

    # The bodies that are worked on count: the third of one client is refused, innermost first.
    assert [one.status for one in others] == [503, 200, 200, 200]
    assert "400 bytes together" in others[0].text
    assert "200 bytes of one client" in others[0].text


@pytest.mark.parametrize("end", [b"", None, {"type": "http.disconnect"}, b"x" * 90])
@pytest.mark.parametrize("path", ["/", "/fault"])
def test_however_a_body_ends_its_bytes_are_given_back(
    monkeypatch: pytest.MonkeyPatch, path: str, end: Any
) -> None:
    monkeypatch.setattr(bodies, "BODIES_BYTES", 100)
    door = door_for()
    for _ in range(3):
        answer(door, path, method="POST", body=[b"x" * 90, end])

    assert answer(door, method="POST", body=[b"x" * 90]).text == "90 bytes"


def test_an_answer_that_has_begun_is_not_answered_again() -> None:
    async def begins(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 207, "headers": []})
        await Request(scope, receive).body()

    assert answer(Door(begins, Lock(), 100, ""), method="POST", body=[b"x" * 101]).status == 207


# -- the real server ---------------------------------------------------------------------------

#: Notes every address that the server asks for or connects to.
RECORD = """
import sys
def note(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
        with open({path!r}, "a") as record:
            print(event, args[-1] if event == "socket.connect" else args, file=record)
sys.addaudithook(note)
"""
PROBE = """import socket; socket.getaddrinfo("127.0.0.1", 1)"""


@contextmanager
def record_lookups(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Path]:
    """The file in which processes that start meanwhile note what they look up."""
    record = folder / "record"
    (folder / "sitecustomize.py").write_text(RECORD.format(path=str(record)))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    subprocess.run([sys.executable, "-c", PROBE], check=True)
    assert "127.0.0.1" in record.read_text()
    record.write_text("")
    yield record


def knock(port: int, **headers: str) -> int:
    """The status with which the server answers a WebSocket."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "streamlit"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with closing(connection):
        connection.request("GET", "/_stcore/stream", headers=upgrade | key | headers)
        return connection.getresponse().status


@pytest.mark.rest
def test_a_server_for_others_asks_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOON_HOSTS", "lab.example.org")
    with (
        record_lookups(monkeypatch, tmp_path) as record,
        served(ROOT / "app.py", "--server.address", "0.0.0.0") as server,
    ):
        port = int(server.url.rpartition(":")[2])
        (token,) = re.findall(rf"http://localhost:{port}/\?token=(\S+)", server.log.read_text())
        key = {"Authorization": f"Bearer {token}"}

        assert knock(port, **key, Origin="http://evil.test") == 403
        assert knock(port, **key, Host="evil.test") == 403
        assert knock(port) == 403
        assert knock(port, **key) == 101
        # Neither this machine's name nor that of the request: Streamlit would look up its own.
        assert knock(port, **key, Origin="https://lab.example.org") == 101
        with urllib.request.urlopen(f"{server.url}/_stcore/health") as health:
            assert health.headers["x-frame-options"] == "DENY"

        assert record.read_text() == ""
