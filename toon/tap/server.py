"""The HTTP server of the forwarder, on loopback unless another address is given."""

from __future__ import annotations

import signal
import socket
from typing import Final
from urllib.parse import SplitResult

import uvicorn

from toon.tap.proxy import Proxy
from toon.tap.recorder import Recorder, Say

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
    """Serve until a signal ends the process."""
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
    if not _is_loopback(host):
        say("whoever can reach this address can use the upstream through it")
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again at its end
        signal.signal(number, lambda *_: None)
    uvicorn.Server(config).run([listener])
    recorder.close()


def _is_loopback(host: str) -> bool:
    return host == "::1" or host.startswith("127.")
