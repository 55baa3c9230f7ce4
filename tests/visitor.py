"""A browser's side of the app without a browser: Streamlit's protocol, and the editors' routes.

A visitor keeps cookies, asks what ``pages/browser/src/editor/exchange.js`` asks, and reports
an edit as ``reports.js`` does. It stores no messages, so the server sends each in full.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

import httpx2
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

#: Seconds after which a visitor gives up; guards against a hang, and nothing else.
PATIENCE: Final = 120
#: Seconds that a connection stays open; uvicorn closes it after five, maybe as it is used again.
KEPT_OPEN: Final = 3

#: Takes all that comes back: bodies of answers, and frames of the WebSocket.
Watcher = Callable[[bytes], object]


class Failed(Exception):
    """The app did not do what a browser may expect of it."""


class Component(NamedTuple):
    """What the page was given of one of our components."""

    id: str
    fragment: str
    data: dict[str, Any]


class Visitor:
    """One session in one browser. Make it with :func:`visit`."""

    def __init__(self, http: httpx2.AsyncClient, watch: Watcher) -> None:
        self.http = http
        self.watch = watch
        self.pages: dict[str, str] = {}
        self.page = ""
        self.components: dict[str, Component] = {}
        self._socket: ClientConnection
        self._finished: asyncio.Queue[ForwardMsg | None] = asyncio.Queue()
        self._wrong: list[str] = []

    # -- pages -------------------------------------------------------------------------------

    async def open(self, title: str) -> None:
        """Opens the page in the header that has this title; returns when Python has run it."""
        self.page = self.pages[title]
        await self._run(lambda ran: not ran)

    @property
    def editor(self) -> Component:
        """The editors; their data say which text was given, and with which options."""
        return self.components["token_lab_editor"]

    async def report(self, edit: dict[str, Any]) -> None:
        """Reports an edit of the text given; returns when the name and the bill are redrawn."""
        editor = self.editor
        value = {**edit, "version": editor.data["document"]["version"]}
        value |= {"waiting": False, "given": None}
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.json_value = editor.id, json.dumps({"edit": value})
        message.rerun_script.fragment_id = editor.fragment
        await self._run(lambda ran: set(ran) - {editor.fragment}, message)

    async def bring_back(self, text: str) -> None:
        """Gives a new session the text that the browser has kept."""
        work = {"side": "json", "text": text, "name": "mine", "sample": False, "kept": None}
        given = [{"event": "state", "value": {"options": {}, "at": 1, **work}}]
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = (
            f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{self.components['token_lab_keeper'].id}__events"
        )
        state.json_trigger_value = json.dumps(given)
        await self._run(lambda ran: not ran, message)

    async def _run(
        self, is_last: Callable[[list[str]], object], message: BackMsg | None = None
    ) -> None:
        """Asks for a run, and waits for the end of the one whose fragments are the last."""
        message = message or BackMsg()
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.context_info.url = str(self.http.base_url)
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while ended := await self._finished.get():
                if ended.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    raise Failed("the script cannot be compiled")
                if is_last(list(ended.metadata.run.fragment_ids)):
                    break
            else:
                raise Failed("the connection was lost")
        if self._wrong:
            raise Failed(self._wrong.pop())

    async def _listen(self) -> None:
        """Takes what comes over the WebSocket until it is closed."""
        with suppress(ConnectionClosed):
            async for frame in self._socket:
                assert isinstance(frame, bytes)
                self.watch(frame)
                self._take(ForwardMsg.FromString(frame))
        self._finished.put_nowait(None)

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "navigation":
                navigation = message.navigation
                self.pages = {
                    page.page_name: page.page_script_hash for page in navigation.app_pages
                }
                self.page = navigation.page_script_hash
            case "delta":
                element, fragment = message.delta.new_element, message.delta.fragment_id
                if element.HasField("bidi_component") and (data := element.bidi_component.json):
                    component = Component(element.bidi_component.id, fragment, json.loads(data))
                    self.components[element.bidi_component.component_name] = component
                elif element.HasField("exception"):
                    self._wrong.append(element.exception.type)
            case "script_finished":
                self._finished.put_nowait(message)

    # -- routes ------------------------------------------------------------------------------

    async def convert(self, text: str, side: str = "json") -> dict[str, Any]:
        """What the other side is, with the ids of both."""
        query = self._options("delimiter", "indent", "strict") | {"from": side}
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        return await self.ask("convert", query, content=text.encode(), headers=headers)

    async def measure(self, json_id: str, toon_id: str) -> dict[str, Any]:
        """The figures of both sides and their colours."""
        query = self._options("tokenizer", "strict", "indent")
        ids = {"json": json_id, "toon": toon_id, "from": "json"}
        return await self.ask("measure", query | ids | {"runs": "kinds"})

    async def about(self, route: str, json_id: str) -> dict[str, Any]:
        """What ``answer`` or ``next`` says of a text."""
        options = self._options("strict", "indent", "model", "together", "explain")
        return await self.ask(
            route, options | self.editor.data["options"]["traffic"] | {"json": json_id}
        )

    def _options(self, *names: str) -> dict[str, Any]:
        return {name: self.editor.data["options"][name] for name in names}

    async def ask(self, route: str, query: dict[str, Any], **body: Any) -> dict[str, Any]:
        """The answer of a route of ``/api``, a POST if there is ``content``; raises Failed."""
        method = "POST" if "content" in body else "GET"
        answer = await self.http.request(method, f"/api/{route}", params=query, **body)
        self.watch(answer.content)
        found: dict[str, Any] = answer.json()
        if not answer.is_success or "missing" in found or found.get("ok") is False:
            raise Failed(f"{route}: {answer.status_code} {answer.text[:200]}")
        return found


@asynccontextmanager
async def visit(
    url: str, watch: Watcher = len, cookies: httpx2.Cookies | None = None
) -> AsyncIterator[Visitor]:
    """A visitor who has opened the playground; ``cookies`` are those of a browser that was here."""
    limits = httpx2.Limits(keepalive_expiry=KEPT_OPEN)
    async with httpx2.AsyncClient(
        base_url=url, timeout=PATIENCE, limits=limits, cookies=cookies, trust_env=False
    ) as http:
        visitor = Visitor(http, watch)
        for path in ("/", "/_stcore/health", "/_stcore/host-config"):
            visitor.watch((await http.get(path)).raise_for_status().content)
        known = "; ".join(f"{cookie.name}={cookie.value}" for cookie in http.cookies.jar)
        async with connect(
            url.replace("http", "ws", 1) + "/_stcore/stream",
            origin=Origin(url),
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={"Cookie": known} if known else {},
            max_size=None,
            proxy=None,
        ) as visitor._socket:
            listening = asyncio.create_task(visitor._listen())
            await visitor._run(lambda ran: not ran)
            try:
                yield visitor
            finally:
                listening.cancel()
