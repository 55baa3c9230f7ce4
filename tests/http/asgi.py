"""Asks the door without a server, on a clock that waits for nothing."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from toon.http.door import Door
from toon.http.lock import Lock

HERE = ("127.0.0.1", 40_000)
UNLOCKED = Lock()
#: Stands for Streamlit's page.
HTML = "<html><head>\n<p><head>"


class FakeClock(asyncio.SelectorEventLoop):
    """A loop on which waiting takes no time: its clock is set to when the next thing is due."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        select: Callable[[float | None], Any] = self._selector.select  # type: ignore[attr-defined]

        def skip(timeout: float | None) -> Any:
            self.now += timeout or 0
            return select(0 if timeout else timeout)

        self._selector.select = skip  # type: ignore[attr-defined]

    def time(self) -> float:
        return self.now


class AppFault(Exception):
    """What goes wrong in the app."""


class Answer(NamedTuple):
    """What came back, and the query that the server's access log shows."""

    status: int
    headers: dict[str, str]
    text: str
    logged: str


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how many bytes it got, accepts every WebSocket and says which Origin that had."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept", "headers": scope["headers"]})
        return
    if scope["path"] == "/fault":
        await Request(scope, receive).body()
        raise AppFault
    size = len(await Request(scope, receive).body())
    own = {"Content-Security-Policy": "default-src 'none'"} if scope["path"] == "/own" else None
    await PlainTextResponse(f"{size} bytes", headers=own)(scope, receive, send)


def door_for(lock: Lock = UNLOCKED, body_bytes: int = 100) -> Door:
    return Door(app, lock, body_bytes, HTML)


def scope_of(path: str, headers: list[tuple[str, str]]) -> Scope:
    path, _, query = path.partition("?")
    names = [name for name, _ in headers]
    host = [] if "host" in names else [("host", "localhost:8501")]
    raw = [(name.encode(), value.encode("latin-1")) for name, value in host + headers]
    scope = {"type": "http", "method": "GET", "scheme": "http", "server": HERE, "client": HERE}
    request = {"path": path, "query_string": query.encode(), "headers": raw}
    return {**scope, **request}


async def ask(
    door: Door, path: str = "/", *headers: tuple[str, str], body: Any = (), **more: Any
) -> Answer:
    """Sends a request whose body comes in the chunks of ``body``; None is one that never comes."""
    chunks = iter(body)
    sent: list[Message] = []

    async def receive() -> Message:
        chunk = next(chunks, b"")
        if chunk is None:
            await asyncio.get_running_loop().create_future()
        if isinstance(chunk, dict):
            return chunk
        return {"type": "http.request", "body": chunk, "more_body": chunk != b""}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {**scope_of(path, list(headers)), **more}
    with suppress(AppFault):
        await door(scope, receive, send)
    start = sent[0] if sent else {"status": 0}
    status = start.get("status", 101 if start["type"] == "websocket.accept" else 403) if sent else 0
    headers = {name.decode(): value.decode() for name, value in start.get("headers", ())}
    text = b"".join(part.get("body", b"") for part in sent).decode()
    return Answer(status, headers, text, scope["query_string"].decode())


def answer(door: Door, path: str = "/", *headers: tuple[str, str], **more: Any) -> Answer:
    with asyncio.Runner(loop_factory=FakeClock) as runner:
        return runner.run(ask(door, path, *headers, **more))
