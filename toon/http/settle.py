"""Prepares the process of a server for many users at once."""

from __future__ import annotations

import gc
import sys
from socket import IPPROTO_TCP, SOCK_STREAM, TCP_NODELAY, AddressFamily, socket
from typing import Final

_INTERNET: Final = (AddressFamily.AF_INET, AddressFamily.AF_INET6)

#: Seconds a thread may work while others wait. Python's own 5 ms are longer than a conversion
#: takes, and an answer waits for them several times: at each change of threads.
_TURN: Final = 0.0005


def settle() -> None:
    """Call it once, when everything is loaded and before the first request.

    ``gc.freeze`` spares what is loaded from every later collection. The second collection tells
    the collector how little is left, which is what it decides by when to collect all.
    """
    sys.setswitchinterval(_TURN)
    send_at_once()
    gc.collect()
    gc.freeze()
    gc.collect()


def send_at_once() -> None:
    """Makes connections to the sockets of this process send what they have without waiting.

    Streamlit binds its socket without naming TCP, and asyncio turns off Nagle's algorithm only
    where that is named. So the body of each answer would wait up to 40 ms until the browser has
    acknowledged the headers. Connections inherit the option from the socket that accepts them.
    """
    sockets = (found for found in gc.get_objects() if type(found) is socket)
    for found in sockets:
        is_tcp = found.family in _INTERNET and found.type == SOCK_STREAM
        if is_tcp and found.fileno() >= 0:
            found.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
