"""An upstream that answers exactly what a test says, and what it was sent."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

Answer = Callable[[socket.socket, bytes, bytes], None]


@dataclass
class Upstream:
    url: str
    heads: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    #: Set when a client has left before its answer was complete.
    left: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(answer: Answer) -> Iterator[Upstream]:
    """Runs an upstream of HTTP/1.1 that closes each connection after one answer, and says so."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        upstream = Upstream(f"http://127.0.0.1:{listener.getsockname()[1]}")
        threading.Thread(target=_accept, args=(listener, upstream, answer), daemon=True).start()
        yield upstream


def _accept(listener: socket.socket, upstream: Upstream, answer: Answer) -> None:
    with suppress(OSError):
        while True:
            work = partial(_serve, listener.accept()[0], upstream, answer)
            threading.Thread(target=work, daemon=True).start()


def _serve(client: socket.socket, upstream: Upstream, answer: Answer) -> None:
    with client, client.makefile("rb") as source:
        head = b"".join(iter(source.readline, b"\r\n"))
        body = _read_body(head.lower(), source)
        upstream.heads.append(head)
        upstream.bodies.append(body)
        try:
            answer(client, head, body)
        except OSError:
            upstream.left.set()


def _read_body(head: bytes, source: object) -> bytes:
    read, readline = source.read, source.readline  # type: ignore[attr-defined]
    if b"\r\ncontent-length: " in head:
        return bytes(read(int(head.split(b"\r\ncontent-length: ")[1].split(b"\r")[0])))
    if b"\r\ntransfer-encoding: chunked" not in head:
        return b""
    parts = []
    while size := int(readline(), 16):
        parts.append(read(size))
        readline()
    readline()
    return b"".join(parts)


def whole(
    body: bytes, kind: str = "application/json", status: str = "200 OK", more: str = ""
) -> Answer:
    """Answers with a body whose length is said."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        f"Connection: close\r\n{more}\r\n"
    )
    return lambda client, *_: client.sendall(head.encode() + body)


def in_parts(
    parts: list[bytes], kind: str, go: threading.Semaphore | None = None, more: str = ""
) -> Answer:
    """Answers in chunks, each when the test lets it go."""

    def answer(client: socket.socket, *_: bytes) -> None:
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n"
            f"Connection: close\r\n{more}\r\n"
        )
        client.sendall(head.encode())
        for part in parts:
            if go is not None:
                go.acquire()
            client.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        client.sendall(b"0\r\n\r\n")

    return answer
