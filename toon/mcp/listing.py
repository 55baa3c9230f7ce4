"""The tools that a server of MCP lists: it is started, asked, and ended whatever happens."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from toon.traffic.locate import name_group
from toon.wording import plural

#: Seconds from the start of a server to the end of its list: it may be downloaded first.
SECONDS: float = 120.0


class ServerError(RuntimeError):
    """The error of an MCP server that did not list its tools; its message is the reason."""


class _Again(Exception):
    """The error for a server of MCP that sends a page of its tools a second time."""


class Listed(NamedTuple):
    """An MCP server's name and the definitions of its tools, as it sent them.

    ``noise`` is the number of lines of its standard output that are no messages.
    """

    server: str
    tools: list[dict[str, Any]]
    noise: int


def list_tools(command: Sequence[str]) -> Listed:
    """Start an MCP server by its ``command``, ask for all of its tools, and end it.

    The server gets the environment and the standard error of this process.

    Raises:
        OSError: The server cannot be started.
        ServerError: The server does not list its tools within ``SECONDS``.
    """
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it would quote text that is no message
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the server too
    try:
        return asyncio.run(_list(command))
    except Exception as error:
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        why = _why(error)
        if not why:
            raise error from None
        raise ServerError(f"{_called(command)} {why}") from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _called(command: Sequence[str]) -> str:
    """Return the name of the program in an MCP server's command, without its folder."""
    return name_group(os.path.basename(command[0]))


def _why(error: Exception) -> str:
    """Return how an MCP server failed to list its tools; "" if the error is not the server's."""
    if isinstance(error, TimeoutError):
        return f"did not list its tools within {SECONDS:.0f} seconds"
    if isinstance(error, ValidationError):
        place = ".".join(map(str, error.errors()[0]["loc"]))
        return f"lists its tools against the protocol, at {name_group(place)}"
    if isinstance(error, MCPError):
        if error.code == CONNECTION_CLOSED:
            return "ended before it had listed its tools"
        return f"does not list its tools: {name_group(' '.join(error.message.split()))}"
    return str(error) if isinstance(error, _Again) else ""


async def _list(command: Sequence[str]) -> Listed:
    tools, cursor, pages, noise = list[dict[str, Any]](), None, set[str](), 0

    async def hear(message: object) -> None:
        nonlocal noise
        noise += isinstance(message, Exception)

    started = StdioServerParameters(command=command[0], args=[*command[1:]], env={**os.environ})
    server = stdio_client(started, errlog=sys.__stderr__ or sys.stderr)
    # Servers from before 2026 may reject another first message than the handshake.
    with anyio.fail_after(SECONDS):
        async with Client(server, mode="legacy", message_handler=hear, cache=None) as client:
            while True:
                page = await client.list_tools(cursor=cursor)
                tools += (tool.model_dump(by_alias=True, exclude_unset=True) for tool in page.tools)
                cursor = page.next_cursor
                if not cursor:
                    info = client.server_info
                    return Listed(name_group(info.name) if info else _called(command), tools, noise)
                if cursor in pages:
                    raise _Again(f"lists the same again after {plural(len(pages), 'page')}")
                pages.add(cursor)
