"""What a call takes through the tap and without it: ``python -m tests.benchmarks.tap``.

Before a command, a server of the official SDK answers through a bare pipe and through the tap;
before an API, an upstream answers through the tap's proxy without a recorder and with it. Calls go
both ways in turns, so that a busy machine slows both.
"""

import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import uvicorn

from tests.benchmarks.timing import Ratios
from tests.processes import Process
from tests.tap import tapping
from toon.tap.proxy import Proxy, listen, read_upstream

SIZES: Final = (1_000, 10_000, 100_000)
CALLS: Final = 300
SERVER: Final = [sys.executable, "-m", "tests.tap.server"]
#: Orders in an answer of so many bytes, with their escapes.
_ORDER_BYTES: Final = 80


class _Nobody:
    """Takes copies, and has no recorder."""

    def put(self, *_: object) -> None:
        pass


@contextmanager
def _client(command: list[str]) -> Iterator[Callable[[int], None]]:
    """A function that makes a call whose answer has about so many bytes."""
    with Process(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=tapping.environment(),
    ) as process:
        source, target = process.stdout, process.stdin
        assert source is not None
        assert target is not None

        def send(method: str, params: dict[str, Any], id: int | None = None) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            line = json.dumps(message if id is None else {**message, "id": id})
            target.write(line.encode() + b"\n")
            target.flush()

        def call(size: int) -> None:
            arguments = {"count": size // _ORDER_BYTES}
            send("tools/call", {"name": "list_orders", "arguments": arguments}, 1)
            assert len(source.readline()) > size // 2

        client = {"name": "benchmark", "version": "1"}
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        send("initialize", about, 0)
        source.readline()
        send("notifications/initialized", {})
        yield call
        process.kill()


async def _api(scope: Any, receive: Any, send: Any) -> None:
    """An API that answers each call with as many bytes as it was sent."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _serve(upstream: str) -> None:
    """Serves the API, or before an upstream the tap's forwarder with nobody to record."""
    copies: Any = _Nobody()
    app = Proxy(read_upstream(upstream), copies) if upstream else _api
    with listen("0") as listener:
        print(listener.getsockname()[1], flush=True)
        config = uvicorn.Config(app, log_level="critical", lifespan="off", ws="none")
        uvicorn.Server(config).run([listener])


@contextmanager
def _serving(upstream: str = "") -> Iterator[str]:
    """The URL of one of these in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.tap", "--serve", upstream]
    with Process(command, stdout=subprocess.PIPE, text=True, env=tapping.environment()) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.kill()


@contextmanager
def _poster(url: str) -> Iterator[Callable[[int], None]]:
    host = url.removeprefix("http://")
    with closing(http.client.HTTPConnection(host, timeout=60)) as connection:

        def call(size: int) -> None:
            request = {"model": "m", "messages": [{"role": "user", "content": "x" * size}]}
            connection.request("POST", "/v1/chat/completions", json.dumps(request))
            connection.getresponse().read()

        yield call


def _compare(bare: Callable[[int], None], tapped: Callable[[int], None]) -> list[float]:
    """The ratio of the medians for each size; prints them with what a call takes longer."""
    ratios = []
    for size in SIZES:
        seconds: dict[Callable[[int], None], list[float]] = {bare: [], tapped: []}
        for number in range(CALLS):
            for call in (bare, tapped) if number % 2 else (tapped, bare):
                start = time.perf_counter()
                call(size)
                seconds[call].append(time.perf_counter() - start)
        one, other = (statistics.median(seconds[call][20:]) for call in (bare, tapped))
        longer = 1_000 * (other - one)
        print(f"  {size:7,} bytes: {1_000 * one:.3f} ms, {longer:+.3f} ms, {other / one:.3f} times")
        ratios.append(other / one)
    return ratios


def main() -> Ratios:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        output = Path(folder, "traffic.jsonl")
        print("before a command, against a bare pipe")
        bare = stack.enter_context(_client(SERVER))
        tapped = stack.enter_context(_client(tapping.command(output, *SERVER)))
        tapped(SIZES[0])
        tapping.wait(output.exists)  # the recorder has started
        before_command = _compare(bare, tapped)
    with TemporaryDirectory() as folder, ExitStack() as stack:
        upstream = stack.enter_context(_serving())
        alone = stack.enter_context(_serving(upstream))
        port = stack.enter_context(tapping.tapped(Path(folder, "traffic.jsonl"), upstream))
        urls = (alone, f"http://127.0.0.1:{port}")
        bare, tapped = (stack.enter_context(_poster(url)) for url in urls)
        print("before an API, against the proxy alone")
        before_api = _compare(bare, tapped)
    return [before_command, before_api]


if __name__ == "__main__":
    if "--serve" in sys.argv:
        _serve(sys.argv[2])
    else:
        main()
