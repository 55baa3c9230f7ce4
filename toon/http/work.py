"""How routes work: bodies are read, small work runs on a thread, other work in a process.

Small requests never wait behind others, and work stops when its client has gone.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar, TypeVarTuple

from starlette.requests import Request

from toon import tokenizers
from toon.bounded import Exceeded, Task
from toon.limits import DEFAULT_TOKENIZER, SMALL_CHARACTERS
from toon.playground.panes import Runner, call_here
from toon.server import SERVER

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

#: A body is read and dropped up to this many times its limit; beyond it the connection is reset.
_DRAIN_TIMES: Final = 4

#: Seconds that work goes on after its client has gone: stopping it costs a new process.
_GRACE: Final = 1.0

_THREADS: Final = ThreadPoolExecutor(8, "small")
#: Threads that only wait for worker processes.
_WAITING: Final = ThreadPoolExecutor(128, "waits-for-worker")


class TooLarge(Exception):
    """The error of a request body or text that is too large; the message names the limit."""


async def read_body(request: Request, limit: int) -> bytes:
    """Read a request's whole body; read and drop excess, so that the client receives the error.

    Raises:
        TooLarge: The body has more than ``limit`` bytes.
    """
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        if size > _DRAIN_TIMES * limit:
            break
    if size > limit:
        raise TooLarge(f"larger than {limit // 1_000_000} MB")
    return b"".join(chunks)


def load() -> None:
    """Prepare a worker process: load the default tokenizer, and by this import all routes."""
    tokenizers.get(DEFAULT_TOKENIZER).count("")


def client_address(request: Request) -> str | None:
    """Return the client's address of a request; None if the client is on this machine."""
    address = request.client and request.client.host
    return None if address in ("127.0.0.1", "::1") else address


async def run_answer(
    request: Request,
    size: int,
    small: int,
    answer: Callable[[Runner, *Arguments], Result],
    *args: *Arguments,
) -> Result:
    """Return ``answer(run, *args)``, called off the event loop; it calls ``run`` for long work.

    Small work, of a ``size`` up to ``small`` characters or bytes, runs on a thread, other work in a
    worker process that stops when the client goes. The body of the request has been read.

    Raises:
        Exceeded: The work has passed a limit, or its turn did not come in time.
        Stopped: The client has gone.

    Errors of ``answer`` pass through.
    """
    loop = asyncio.get_running_loop()
    if size <= small:
        try:
            return await loop.run_in_executor(_THREADS, answer, call_here, *args)
        except RecursionError:
            raise Exceeded("depth") from None
    task = Task(SERVER.pool, client_address(request), is_short=size <= SMALL_CHARACTERS)
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
