"""What routes share: the body is read, small work done on a thread, other work in a worker process.

Small requests never stand behind others, and a client that has gone has nobody work for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar, TypeVarTuple

from starlette.requests import Request

from toon import tokenizers
from toon.bounded import Exceeded, Task
from toon.limits import DEFAULT_TOKENIZER, SMALL_CHARACTERS
from toon.playground.panes import Do, here
from toon.server import SERVER

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

#: A body is read and dropped up to this many times its limit; beyond it the connection is reset.
_DRAINED: Final = 4

#: Seconds that work goes on for a client that has gone: a new process costs as much.
_GRACE: Final = 1.0

_THREADS: Final = ThreadPoolExecutor(8, "small")
#: These only wait for worker processes.
_WAITING: Final = ThreadPoolExecutor(128, "waits-for-worker")


class TooLarge(Exception):
    """A body or a text that is larger than what is worked on; the message says how large."""


async def body_of(request: Request, limit: int) -> bytes:
    """The whole body; excess is read and dropped, so that the client receives the error.

    Raises:
        TooLarge: It has more than ``limit`` bytes.
    """
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        if size > _DRAINED * limit:
            break
    if size > limit:
        raise TooLarge(f"larger than {limit // 1_000_000} MB")
    return b"".join(chunks)


def load() -> None:
    """Loads what most work needs; with this module come the functions of all routes."""
    tokenizers.get(DEFAULT_TOKENIZER).count("")


def address_of(request: Request) -> str | None:
    """The address that asks; None for this machine's, which Streamlit names so to the pages."""
    address = request.client and request.client.host
    return None if address in ("127.0.0.1", "::1") else address


async def answered(
    request: Request,
    size: int,
    small: int,
    answer: Callable[[Do, *Arguments], Result],
    *args: *Arguments,
) -> Result:
    """What ``answer`` gives off the event loop; what may take long it calls by its first argument.

    The body of the request has been read. Up to ``small`` characters of ``size``, or bytes, take
    some ten milliseconds.

    Raises:
        Exceeded: The work has passed a limit, or its turn did not come in time.
        Stopped: The client has gone.

    Whatever ``answer`` raises is raised too.
    """
    loop = asyncio.get_running_loop()
    if size <= small:
        try:
            return await loop.run_in_executor(_THREADS, answer, here, *args)
        except RecursionError:
            raise Exceeded("depth") from None
    task = Task(SERVER.pool, address_of(request), is_short=size <= SMALL_CHARACTERS)
    work = loop.run_in_executor(_WAITING, answer, task.run, *args)
    gone = asyncio.ensure_future(_wait_until_gone(request))
    either: list[asyncio.Future[Any]] = [work, gone]
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait([work], timeout=_GRACE)
    finally:
        gone.cancel()
        if not work.done():
            task.stop()
    return await work


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
