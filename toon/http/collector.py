"""The server and the sockets that Streamlit makes and hands to nobody, found by the collector.

Tried with Streamlit 1.67, uvicorn 0.54 and Python 3.11; ``tests/http/test_collector.py`` says when
each search is not needed any more.
"""

from __future__ import annotations

import gc
from socket import IPPROTO_TCP, SOCK_STREAM, TCP_NODELAY, AddressFamily, socket
from typing import Final

from uvicorn import Server

_INTERNET: Final = (AddressFamily.AF_INET, AddressFamily.AF_INET6)


def find_servers() -> list[Server]:
    """The servers of this process, whose connections :mod:`toon.http.waiting` closes."""
    return [found for found in gc.get_objects() if isinstance(found, Server)]


def send_at_once() -> None:
    """Makes connections to the sockets of this process send what they have without waiting.

    Streamlit binds its socket without naming TCP, and asyncio turns off Nagle's algorithm only
    where that is named. So the body of each answer would wait up to 40 ms until the browser has
    acknowledged the headers. Connections inherit the option from the socket that accepts them.
    """
    for found in [found for found in gc.get_objects() if type(found) is socket]:
        is_tcp = found.family in _INTERNET and found.type == SOCK_STREAM
        if is_tcp and found.fileno() >= 0:
            found.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
