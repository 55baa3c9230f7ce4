"""The four services on this machine: each answers as documented, or as a script does."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from toon.services import SERVICES

#: A key in no maker's shape, so that what hides it knows the key and not its shape.
KEY = "PLANTED-0123456789-key"
#: The tokens of a call besides its text.
FRAMES = {"anthropic": 7, "openai": 6, "google": 1, "xai": 0}


class Reply(NamedTuple):
    """A reply; ``hold`` sends nothing at all, ``cut`` promises more than comes."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = {}  # noqa: RUF012
    hold: bool = False
    cut: bool = False


class Call(NamedTuple):
    """What was sent: the path, the headers in lower case, the body."""

    path: str
    headers: dict[str, str]
    body: Any


def _anthropic(call: Call) -> tuple[str, str, str]:
    assert call.path == "/v1/messages/count_tokens"
    assert call.headers["anthropic-version"] == "2023-06-01"
    assert call.body.keys() == {"model", "messages"}
    (message,) = call.body["messages"]
    assert message.keys() == {"role", "content"}
    assert message["role"] == "user"
    return call.headers["x-api-key"], call.body["model"], message["content"]


def _openai(call: Call) -> tuple[str, str, str]:
    assert call.path == "/v1/responses/input_tokens"
    assert call.body.keys() == {"model", "input"}
    return call.headers["authorization"], call.body["model"], call.body["input"]


def _google(call: Call) -> tuple[str, str, str]:
    match = re.fullmatch("/v1beta/models/([^/:?]+):countTokens", call.path)
    assert match
    (content,) = call.body["contents"]
    assert call.body.keys() == {"contents"}
    (part,) = content["parts"]
    assert content == {"role": "user", "parts": [{"text": part["text"]}]}
    return call.headers["x-goog-api-key"], match[1], part["text"]


def _xai(call: Call) -> tuple[str, str, str]:
    assert call.path == "/v1/tokenize-text"
    assert call.body.keys() == {"model", "text"}
    return call.headers["authorization"], call.body["model"], call.body["text"]


class Protocol(NamedTuple):
    """How a service is asked and answers.

    Attributes:
        base: What its base address has behind the host.
        read: The key's header, the model and the text of a call; AssertionError for any other call.
        answer: The answer of a number of tokens.
        refusal: The error of some words.
    """

    base: str
    read: Callable[[Call], tuple[str, str, str]]
    answer: Callable[[int], Any]
    refusal: Callable[[str], Any]


def _token(number: int) -> dict[str, Any]:
    return {"token_id": number, "string_token": "x", "token_bytes": [120]}


PROTOCOLS = {
    "anthropic": Protocol(
        "",
        _anthropic,
        lambda tokens: {"input_tokens": tokens},
        lambda words: {"type": "error", "error": {"type": "some_error", "message": words}},
    ),
    "openai": Protocol(
        "/v1",
        _openai,
        lambda tokens: {"object": "response.input_tokens", "input_tokens": tokens},
        lambda words: {"error": {"message": words, "type": "some_error", "code": None}},
    ),
    "google": Protocol(
        "",
        _google,
        lambda tokens: {"totalTokens": tokens, "promptTokensDetails": []},
        lambda words: {"error": {"code": 400, "message": words, "status": "SOME_ERROR"}},
    ),
    "xai": Protocol(
        "/v1",
        _xai,
        lambda tokens: {"token_ids": [_token(number) for number in range(tokens)]},
        lambda words: {"code": "some error", "error": words},
    ),
}


@dataclass
class Server:
    """A service that counts as ``count`` does, and its frame; a script may answer first."""

    name: str
    count: Callable[[str], int] = len
    script: Callable[[int, Call], Reply | None] = lambda number, call: None
    host: str = ""
    calls: list[Call] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def base(self) -> str:
        return f"http://{self.host}{PROTOCOLS[self.name].base}"

    @property
    def texts(self) -> list[str]:
        """The texts of all calls."""
        return [PROTOCOLS[self.name].read(call)[2] for call in self.calls]

    def reply(self, call: Call) -> Reply:
        number, protocol = len(self.calls), PROTOCOLS[self.name]
        self.calls.append(call)
        if reply := self.script(number, call):
            return reply
        text = protocol.read(call)[2]
        tokens = FRAMES[self.name] + (1 if text == "x" else self.count(text))
        return Reply(body=json.dumps(protocol.answer(tokens)).encode())

    def refuse(self, status: int, words: str, **headers: str) -> Reply:
        """A refusal in the service's own form."""
        body = json.dumps(PROTOCOLS[self.name].refusal(words)).encode()
        return Reply(status, body, {name.replace("_", "-"): text for name, text in headers.items()})

    def environment(self) -> dict[str, str]:
        """The maker's own variables, with which programs ask this server."""
        service = SERVICES[self.name]
        return {service.base_variable: self.base, service.keys[-1]: KEY}


@contextmanager
def serving(
    name: str,
    count: Callable[[str], int] = len,
    script: Callable[[int, Call], Reply | None] = lambda number, call: None,
) -> Iterator[Server]:
    """Runs a service on a free port of this machine."""
    server = Server(name, count, script)
    listener = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, server))
    listener.daemon_threads = True
    server.host = f"127.0.0.1:{listener.server_port}"
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
        headers = {name.lower(): text for name, text in self.headers.items()}
        reply = self._server.reply(Call(self.path, headers, body))
        self.close_connection = True
        if reply.hold:
            self._server.closing.wait(20)
            return
        self.send_response(reply.status)
        self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
        for name, text in reply.headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass
