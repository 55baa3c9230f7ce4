"""Closes connections that ask for nothing, and those whose client reads nothing.

uvicorn itself would wait for a request, and for an answer to be read, forever.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from uvicorn import Server

from toon.http.collector import find_servers
from toon.limits import BODY_SECONDS, HEAD_SECONDS, WAITING_CONNECTIONS


class Waiting:
    """Since when each connection has waited for the head of its next request."""

    def __init__(self) -> None:
        self._since: dict[Any, tuple[Any, float]] = {}

    def overdue(self, connections: Iterable[Any], now: float) -> list[Any]:
        """The connections to close at ``now``: those that waited too long, and the oldest of more
        than may wait at all.

        Between two requests a connection keeps the ``cycle`` of the last: a new one is a new wait.
        """
        waits = {}
        for connection in filter(_is_waiting, connections):
            cycle, since = self._since.get(connection, (None, now))
            waits[connection] = connection.cycle, since if cycle is connection.cycle else now
        self._since = waits
        oldest_first = sorted(waits, key=lambda connection: waits[connection][1])
        surplus = len(oldest_first) - WAITING_CONNECTIONS
        return [
            connection
            for place, connection in enumerate(oldest_first)
            if place < surplus or now - waits[connection][1] >= HEAD_SECONDS
        ]


class Unread:
    """How many bytes wait for each client, and since when it has taken none of them."""

    def __init__(self) -> None:
        self._left: dict[Any, tuple[int, float]] = {}

    def stuck(self, connections: Iterable[Any], now: float) -> list[Any]:
        """The connections to cut at ``now``; closing one would wait until its client reads."""
        left = {}
        for connection in connections:
            if size := connection.transport.get_write_buffer_size():
                before, since = self._left.get(connection, (size, now))
                left[connection] = size, since if size >= before else now
        self._left = left
        return [one for one, (_, since) in left.items() if now - since >= BODY_SECONDS]


def _is_waiting(connection: Any) -> bool:
    """True for a connection of HTTP between requests; one of a WebSocket has no ``cycle``."""
    if not hasattr(connection, "cycle"):
        return False
    return connection.cycle is None or bool(connection.cycle.response_complete)


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """Closes overdue connections and cuts stuck ones, once a second while the context lasts."""
    task = asyncio.create_task(_watch(find_servers()))
    yield
    task.cancel()


async def _watch(servers: list[Server]) -> None:
    waiting, unread = Waiting(), Unread()
    while True:
        await asyncio.sleep(1)
        connections = [one for server in servers for one in server.server_state.connections]
        now = time.monotonic()
        for connection in waiting.overdue(connections, now):
            connection.transport.close()
        for connection in unread.stuck(connections, now):
            connection.transport.abort()
