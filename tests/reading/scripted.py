"""An endpoint on this machine that answers, or fails, as a script says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from toon.costs.models import choose
from toon.reading.endpoint import Endpoint
from toon.reading.plan import Plan, make_plan

KEY = "sk-secret-0123456789"
PEOPLE = {
    "people": [
        {"id": 100 + number, "name": f"P{number}", "age": 20 + number * 3, "vip": number % 2 == 0}
        for number in range(12)
    ]
}


class Say(NamedTuple):
    """A good reply; None leaves the usage out."""

    text: object
    prompt_tokens: int | None = 10
    completion_tokens: int | None = 2
    more: dict[str, Any] = {}  # noqa: RUF012


class Refuse(NamedTuple):
    """A status with an error's body."""

    status: int
    message: str = ""
    code: str = ""
    headers: dict[str, str] = {}  # noqa: RUF012


class Send(NamedTuple):
    """A body as it is; ``cut`` promises more than comes, ``hold`` sends nothing at all.

    ``packed`` says that it is gzip.
    """

    body: bytes = b""
    cut: bool = False
    hold: bool = False
    packed: bool = False


Act = Say | Refuse | Send


class Call(NamedTuple):
    """What was sent: its place, the prompt, the whole body and the headers, lower case."""

    number: int
    prompt: str
    body: dict[str, Any]
    headers: dict[str, str]


Script = Callable[[Call], Act]


@dataclass
class Server:
    """The endpoint: what it does, and what it was sent."""

    script: Script
    url: str = ""
    calls: list[Call] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def endpoint(self, model: str = "small", **options: Any) -> Endpoint:
        return Endpoint(f"{self.url}/v1", model, **options)


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """Runs the endpoint on a free port of this machine."""
    server = Server(script)
    listener = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, server))
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_port}"
    thread = threading.Thread(target=partial(listener.serve_forever, 0.01))
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        listener.shutdown()
        thread.join()
        listener.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # a head and its body in one piece, or each call waits for an acknowledgement
    disable_nagle_algorithm = True

    def __init__(self, server: Server, *arguments: Any) -> None:
        self._server = server
        super().__init__(*arguments)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self._server
        with server.lock:
            prompt = body["messages"][0]["content"]
            call = Call(
                len(server.calls),
                prompt,
                body,
                {name.lower(): text for name, text in self.headers.items()},
            )
            server.calls.append(call)
            server.at_once += 1
            server.most_at_once = max(server.most_at_once, server.at_once)
        act = server.script(call)
        with server.lock:  # before the reply, after which another may come
            server.at_once -= 1
        self._act(act, str(body["model"]))

    def _act(self, act: Act, model: str) -> None:
        match act:
            case Say():
                self._send(200, json.dumps(_completion(act, model)).encode())
            case Refuse(status, message, code, headers):
                error = {"error": {"message": message, "code": code}} if message else {}
                self._send(status, json.dumps(error).encode(), headers)
            case Send(hold=True):
                self._server.closing.wait(20)
                self.close_connection = True
            case Send(body, cut, _, packed):
                headers = {"Content-Encoding": "gzip"} if packed else {}
                self._send(200, body, headers, len(body) + (100 if cut else 0))
                self.close_connection = cut

    def _send(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, promised: int = -1
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) if promised < 0 else promised))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


def _completion(act: Say, model: str) -> dict[str, Any]:
    counts = {"prompt_tokens": act.prompt_tokens, "completion_tokens": act.completion_tokens}
    usage = {name: count for name, count in counts.items() if count is not None}
    message = {"role": "assistant", "content": act.text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"model": f"{model}-1", "choices": [choice], "usage": usage, **act.more}


def plan_of(questions: int = 20, formats: tuple[str, ...] = ("toon",), **options: Any) -> Plan:
    """A plan about a few people, for the model ``small``."""
    options = {"is_explained": False, "model": "small", "lab_model": choose("gpt-5"), **options}
    return make_plan(options.pop("value", PEOPLE), formats, questions, 1, **options)


def truth(plan: Plan, prompt: str) -> str:
    """The right answer to a prompt."""
    (found,) = (one for one in plan.prompts() if one.text == prompt)
    return plan.questions[found.number].answer


def format_of(plan: Plan, prompt: str) -> str:
    (found,) = (one for one in plan.prompts() if one.text == prompt)
    return found.format


def perfect(plan: Plan) -> Script:
    """A model that is always right."""
    return lambda call: Say(truth(plan, call.prompt))
