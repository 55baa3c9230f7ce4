"""What a server does for many users before the first of them comes."""

from __future__ import annotations

import socket
from contextlib import closing

import pytest
import streamlit as st

from toon.http.settle import settle


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gc.freeze", lambda: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda seconds: None)


def test_connections_send_at_once_to_a_socket_that_does_not_name_tcp() -> None:
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert listening.proto == 0
        settle()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_closed_socket_is_left_alone() -> None:
    closed = socket.socket()
    closed.close()

    settle()

    assert closed.fileno() == -1


def test_streamlit_collects_nothing_after_a_run() -> None:
    """The collection would hold up everyone; ``AppTest`` turns it off itself, so ask the option."""
    assert st.get_option("runner.postScriptGC") is False
