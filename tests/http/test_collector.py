"""What is searched for among all objects, and when each search can go."""

from __future__ import annotations

import socket
from contextlib import closing
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from streamlit import config
from streamlit.web.server.starlette.starlette_server import UvicornRunner

from toon.http.collector import find_servers, send_at_once


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What was there when Streamlit had started its server, which stops at once."""
    seen: dict[str, Any] = {}

    class Server(uvicorn.Server):
        def run(self, sockets: list[socket.socket] | None = None) -> None:
            self.started = True
            seen.update(server=self, sockets=sockets, found=find_servers(), held=vars(runner))

    runner = UvicornRunner(Starlette())
    monkeypatch.setattr(uvicorn, "Server", Server)
    before = config.get_option("server.port")
    config.set_option("server.port", 0)
    runner.run()
    config.set_option("server.port", before)
    return seen


def test_streamlit_hands_its_server_to_nobody(started: dict[str, Any]) -> None:
    """Once the second part fails, ``find_servers`` can ask whoever holds it."""
    assert started["server"] in started["found"]
    assert list(started["held"]) == ["_app"]


def test_streamlit_binds_without_naming_tcp(started: dict[str, Any]) -> None:
    """Once this fails, ``send_at_once`` is not needed any more."""
    (bound,) = started["sockets"]
    assert bound.proto == 0


def test_connections_send_at_once_to_a_socket_that_does_not_name_tcp() -> None:
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        send_at_once()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_closed_socket_is_left_alone() -> None:
    closed = socket.socket()
    closed.close()

    send_at_once()

    assert closed.fileno() == -1
