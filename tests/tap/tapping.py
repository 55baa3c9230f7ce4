"""Helpers for the tests of the tap: running it, and reading what it recorded."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from tests.conftest import ROOT, python_path
from tests.processes import Process
from toon.tap.exchanges import Http
from toon.tap.lines import Frame
from toon.tap.log import Log
from toon.tap.proxy import Proxy, listen, read_upstream
from toon.tap.recorder import Writer
from toon.traffic import read_paths
from toon.traffic.payload import Payload

PYTHON = [sys.executable, "-u", "-c"]

#: Answers each request with rows, and a line "hang" not at all; ends with status 7.
ECHO = """
import json, sys
rows = json.dumps([{"id": n, "name": f"n{n}", "ok": True} for n in range(20)])
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and message["method"] != "hang":
        text = [{"type": "text", "text": rows}]
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": text}}
        print(json.dumps(answer), flush=True)
sys.exit(7)
"""


def command(output: Path, *server: str, options: Sequence[str] = ()) -> list[str]:
    tap = [sys.executable, "-m", "toon", "tap", "-o", str(output), *options, "--"]
    return [*tap, *(server or (*PYTHON, ECHO))]


def environment(**more: str) -> dict[str, str]:
    """The environment of a tap, whose recording is whole when it ends."""
    return os.environ | {"PYTHONPATH": python_path(ROOT), "TOON_TAP_SECONDS": "60"} | more


def start(output: Path, *server: str, options: Sequence[str] = (), **more: str) -> Any:
    return Process(
        command(output, *server, options=options),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**more),
    )


@contextmanager
def tapped(output: Path, upstream: str, *options: str, quiet: bool = True) -> Iterator[int]:
    """The port of a tap before an upstream of HTTP."""
    command = [sys.executable, "-m", "toon", "tap", "-o", str(output), "--listen", "0"]
    with Process(
        [*command, "--upstream", upstream, *options],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as tap:
        assert tap.stderr is not None
        lines = iter(tap.stderr.readline, "")
        matches = (re.search(r"listening on http://127\.0\.0\.1:(\d+) for", line) for line in lines)
        port = int(next(match for match in matches if match)[1])
        try:
            yield port
        finally:
            tap.terminate()
            assert tap.wait(90) == 0
            errors = tap.stderr.read()
            assert not (quiet and errors), errors


class Direct:
    """Records copies at once, in this process."""

    def __init__(self, output: Path) -> None:
        self._log = Log(output)
        self._traffic = Http(Writer(self._log.append, print).write)

    def put(self, kind: bytes, stream: int, data: bytes = b"") -> None:
        self._traffic.take(Frame(kind, stream, time.time(), data))

    def close(self) -> None:
        self._traffic.end(time.time())
        self._log.close()


@contextmanager
def proxied(output: Path, upstream: str) -> Iterator[int]:
    """As :func:`tapped`, in this process: what the proxy does, without the life of a command."""
    copies: Any = Direct(output)
    with listen("0") as listener:
        proxy = Proxy(read_upstream(upstream), copies)
        options = {"log_config": None, "log_level": "critical", "lifespan": "on", "ws": "none"}
        # A client may take its time between two calls.
        config = uvicorn.Config(proxy, timeout_keep_alive=600, **options)
        server = uvicorn.Server(config)
        serving = threading.Thread(target=server.run, args=([listener],))
        serving.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            serving.join()
    copies.close()


def call(id: int | str, tool: str = "search", method: str = "tools/call") -> bytes:
    request = {"jsonrpc": "2.0", "id": id, "method": method, "params": {"name": tool}}
    return json.dumps(request).encode() + b"\n"


def recorded(output: Path) -> list[dict[str, Any]]:
    """The whole lines of a recording, those of closed files too; one half written is left out."""
    files = sorted(output.parent.glob(f"{output.stem}*{output.suffix}"))
    return [json.loads(line) for file in files for line in file.read_text().split("\n")[:-1]]


def notes(output: Path) -> list[str]:
    return [line["note"] for line in recorded(output) if line["tap"] == "note"]


def ids(output: Path) -> list[Any]:
    """The ids of the calls in a recording that have an answer."""
    lines = [line["exchange"] for line in recorded(output) if len(line.get("exchange", ())) == 2]
    assert all(asked["id"] == answer["id"] for asked, answer in lines)
    return [asked["id"] for asked, _ in lines]


def groups(output: Path) -> list[str]:
    """The group of each payload that measuring finds in a recording."""
    return [record.group for record in read_paths([str(output)]) if isinstance(record, Payload)]


def wait(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
