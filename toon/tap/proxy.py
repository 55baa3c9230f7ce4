"""The forwarder for HTTP: an ASGI application that hands every request to one upstream, served.

Bodies are passed on as they arrive, still packed; headers of a single connection are left out.
There are no time limits here: the client and the upstream have their own.
"""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from itertools import count
from typing import Any, Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

import httpx2
import uvicorn

from toon.secrets import mask
from toon.tap.lines import DATA, END, OPEN
from toon.tap.recorder import Recorder, Say

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

#: Headers of a single connection (RFC 9110, 7.6.1), and those that this server answers itself.
_OF_CONNECTION: Final = frozenset(
    b"connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect".split()
)
#: Headers that the recorder needs to read a body; it gets no others and writes none.
_ABOUT_BODY: Final = {
    b"content-type": "kind",
    b"content-encoding": "packed",
    b"mcp-session-id": "session",
}


class _ClientLeft(Exception):
    """The error that ends forwarding when the client no longer waits for its answer."""


def read_upstream(url: str) -> SplitResult:
    """Return the parts of the URL of the API that requests are forwarded to.

    Raises:
        ValueError: The URL is not of HTTP, or has more than a host and a path.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{mask(url)} is no URL of an upstream, such as https://example.com")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("the URL of an upstream has a host and a path, and no more")
    return parts


class Proxy:
    """An ASGI app that passes requests on to the API ``upstream`` and records them with answers."""

    def __init__(self, upstream: SplitResult, recorder: Recorder) -> None:
        self._origin = f"{upstream.scheme}://{upstream.netloc}"
        self._host = upstream.netloc.encode()
        self._path = upstream.path.rstrip("/").encode()
        self._recorder = recorder
        self._numbers = count()
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        self._transport = httpx2.AsyncHTTPTransport(limits=limits)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                if step == "shutdown":
                    await self._transport.aclose()
                await send({"type": f"lifespan.{step}.complete"})
            return
        exchange = _Exchange(2 * next(self._numbers), self._recorder)
        passing = asyncio.create_task(self._pass(scope, receive, send, exchange))
        leaving = asyncio.create_task(_until_left(receive, exchange.is_asked))
        try:
            await asyncio.wait({passing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not passing.done():
                exchange.fault = "the client left"
        finally:
            for task in (passing, leaving):
                task.cancel()
            await asyncio.gather(passing, leaving, return_exceptions=True)
            exchange.end()

    async def _pass(
        self, scope: Message, receive: Receive, send: Send, exchange: _Exchange
    ) -> None:
        """Pass one HTTP request on to the upstream, and its answer back.

        An answer that breaks off is not ended properly, so the client sees the break too.
        """
        try:
            response = await self._ask(scope, receive, exchange)
        except _ClientLeft:
            exchange.fault = "the client left"
            return
        except (httpx2.HTTPError, OSError) as error:
            exchange.fault = f"no answer from the upstream: {type(error).__name__}"
            await _refuse(send, exchange.fault)
            return
        headers, status = _to_pass_on(response.headers.raw), response.status_code
        exchange.open(1, response.headers.raw, status=status)
        if status > 599:  # no server here can send it
            exchange.fault = f"the upstream answered with status {status}, which HTTP does not have"
            await response.aclose()
            await _refuse(send, exchange.fault)
            return
        await send({"type": "http.response.start", "status": status, "headers": headers})
        try:
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            async for data in response.stream:
                exchange.copy(1, data)
                await send({"type": "http.response.body", "body": data, "more_body": True})
        except (httpx2.HTTPError, OSError) as error:
            exchange.fault = f"the answer broke off: {type(error).__name__}"
            return
        finally:
            with suppress(httpx2.HTTPError, OSError):
                await response.aclose()
        await send({"type": "http.response.body"})

    async def _ask(self, scope: Message, receive: Receive, exchange: _Exchange) -> httpx2.Response:
        raw_path = scope.get("raw_path") or scope["path"].encode()
        target = self._path + raw_path
        path = raw_path.decode("ascii", "replace")
        exchange.open(0, scope["headers"], method=scope["method"], path=path)
        if scope["query_string"]:
            target += b"?" + scope["query_string"]
        headers = [pair for pair in _to_pass_on(scope["headers"]) if pair[0] != b"host"]
        content: AsyncIterator[bytes] | None = _body(receive, exchange)
        if dict(scope["headers"]).keys().isdisjoint((b"content-length", b"transfer-encoding")):
            exchange.is_asked.set()
            content = None
        request = httpx2.Request(
            scope["method"],
            self._origin,
            headers=[(b"host", self._host), *headers],
            content=content,
            extensions={"target": target},
        )
        return await self._transport.handle_async_request(request)


class _Exchange:
    """One HTTP request and its answer, as the forwarder reports them to the recorder."""

    def __init__(self, stream: int, recorder: Recorder) -> None:
        self._stream, self._recorder = stream, recorder
        self.fault = ""
        #: Set when the whole request was read.
        self.is_asked = asyncio.Event()

    def open(self, side: int, headers: Headers, **head: Any) -> None:
        """Record the head of a request (``side`` 0) or of its answer (1).

        Of ``headers`` only those about the body are kept, beside the facts in ``head``.
        """
        pairs = ((_ABOUT_BODY.get(name.lower()), text.decode("latin-1")) for name, text in headers)
        head |= {key: value for key, value in pairs if key}
        self._recorder.put(OPEN, self._stream + side, json.dumps(head).encode())

    def copy(self, side: int, data: bytes) -> None:
        if data:
            self._recorder.put(DATA, self._stream + side, data)

    def end(self) -> None:
        self._recorder.put(END, self._stream + 1, json.dumps({"fault": self.fault}).encode())


async def _body(receive: Receive, exchange: _Exchange) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientLeft
        data, more = message.get("body", b""), message.get("more_body", False)
        exchange.copy(0, data)
        if data:
            yield data
    exchange.is_asked.set()


async def _until_left(receive: Receive, is_asked: asyncio.Event) -> None:
    """Wait until the whole request was read, and then until its client disconnects."""
    await is_asked.wait()
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, reason: str) -> None:
    body = json.dumps({"error": {"message": f"toon tap: {reason}", "type": "bad_gateway"}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 502, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _to_pass_on(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return HTTP headers without those of one connection, and those ``Connection`` names."""
    pairs = [(name.lower(), value) for name, value in headers]
    named = b",".join(value for name, value in pairs if name == b"connection").lower()
    dropped = _OF_CONNECTION | {name.strip() for name in named.split(b",")}
    return [pair for pair in pairs if pair[0] not in dropped]


# -- the server ----------------------------------------------------------------------------------

#: Seconds that open exchanges have to end when the tap ends.
_LAST_SECONDS: Final = 5
_LOOPBACK: Final = "127.0.0.1"


def listen(address: str) -> socket.socket:
    """Return a socket that listens at ``HOST:PORT``, or at ``PORT`` of loopback.

    Raises:
        ValueError: ``address`` is malformed.
        OSError: Listening there is impossible.
    """
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) < 65_536):
        raise ValueError(f"{address} is no address such as {_LOOPBACK}:9000")
    host = host.removeprefix("[").removesuffix("]") or _LOOPBACK
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves small parts of an answer waiting for an acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, int(port)))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


def serve(listener: socket.socket, upstream: SplitResult, recorder: Recorder, say: Say) -> None:
    """Forward HTTP requests at ``listener`` to the upstream and record them, until a signal."""
    config = uvicorn.Config(
        Proxy(upstream, recorder),
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    say(f"listening on http://{shown}:{port} for {upstream.geturl()}")
    if host != "::1" and not host.startswith("127."):
        say("whoever can reach this address can use the upstream through it")
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again at its end
        signal.signal(number, lambda *_: None)
    uvicorn.Server(config).run([listener])
    recorder.close()
