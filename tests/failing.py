"""Everything of the server that can fail fails, with a text in its message: ``tests/test_logs.py``.

``python -m tests.failing TEXT`` writes what the server would log of it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.testclient import TestClient
from streamlit.logger import get_logger, set_log_level
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette import starlette_server  # noqa: F401  (its loggers)

from toon import logs
from toon.http.replies import Call, Reply, handler

TEXT = sys.argv[1]


class FailsAtTheEnd:
    def __del__(self) -> None:
        raise ValueError(TEXT)


def fail(*_: Any) -> Any:
    try:
        raise KeyError(TEXT)
    except KeyError as error:
        raise ValueError(f"line 1: {TEXT}") from error


def fail_in_page(text: str) -> None:
    import streamlit as st

    def fails() -> None:
        raise ValueError(text)

    st.button("callback", on_click=fails)
    st.fragment(fails)()


def fail_in_pages() -> None:
    page = AppTest.from_function(fail_in_page, args=(TEXT,), default_timeout=60).run()
    assert TEXT not in page.exception[0].message  # it could be a path of the server
    page.button[0].click().run()


def fail_in_api(call: Call) -> Reply:
    raise ValueError(call.body.decode())


async def fail_in_route(request: Request) -> Response:
    raise ValueError(TEXT)


async def fail_in_server() -> None:
    """A route of our own, one under uvicorn, and a task that nobody waits for."""
    api = Route("/api", handler(fail_in_api, 1000), methods=["POST"])
    routes = [Mount("/v1", routes=[api]), Route("/editor", fail_in_route)]
    inner = Starlette(routes=routes)
    TestClient(inner).post("/v1/api", content=TEXT)
    server = uvicorn.Server(uvicorn.Config(inner, port=0, log_level="debug"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /editor HTTP/1.0\r\n\r\n")
    assert b" 500 " in await reader.readline()
    writer.close()
    server.should_exit = True
    await running
    await asyncio.wait([asyncio.get_running_loop().run_in_executor(None, fail)])
    await asyncio.wait([asyncio.create_task(asyncio.to_thread(fail))])  # nobody asks how it ended


def main() -> None:
    logs.guard()
    fail_in_pages()
    set_log_level("debug")
    asyncio.run(fail_in_server())
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    FailsAtTheEnd()
    gc.collect()
    log = get_logger("streamlit.runtime")
    log.error("%s and %d", ValueError(TEXT), 7)
    log.error(ValueError(TEXT))
    log.debug("a message from the browser: %s, %d", TEXT, 8)
    log.debug("%(it)s", {"it": TEXT})


if __name__ == "__main__":
    main()
