"""Closes connections that ask for nothing: uvicorn itself would wait for a request forever."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from uvicorn import Server

from toon.limits import HEAD_SECONDS, WAITING_CONNECTIONS


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


def _is_waiting(connection: Any) -> bool:
    """True for a connection of HTTP between requests; one of a WebSocket has no ``cycle``."""
    if not hasattr(connection, "cycle"):
        return False
    return connection.cycle is None or bool(connection.cycle.response_complete)


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """Closes overdue connections once a second, as long as the context lasts."""
    # Streamlit makes the server and hands it to nobody.
    servers = [found for found in gc.get_objects() if isinstance(found, Server)]
    task = asyncio.create_task(_watch(servers))
    yield
    task.cancel()


async def _watch(servers: list[Server]) -> None:
    waiting = Waiting()
    while True:
        await asyncio.sleep(1)
        connections = [one for server in servers for one in server.server_state.connections]
        for connection in waiting.overdue(connections, time.monotonic()):
            connection.transport.close()
