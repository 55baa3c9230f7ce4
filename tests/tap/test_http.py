"""The tap before an API: what goes through it, and what is recorded of it."""

import gzip
import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pyarrow
import pytest

from tests.tap import tapping
from tests.tap.tapping import groups, proxied, recorded, tapped
from tests.tap.upstream import in_parts, serving, whole
from toon.tap.lines import DATA, END, OPEN
from toon.traffic import read_paths
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord

ROWS = json.dumps([{"id": n, "name": f"n{n}"} for n in range(10)])
KEY = "sk-very-secret-0123456789"
CHAT = {
    "model": "gpt-5",
    "tools": [{"type": "function", "function": {"name": "search", "parameters": {}}}],
    "messages": [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "tool_calls": [
            {"id": "c1", "function": {"name": "search", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": ROWS},
    ],
}  # fmt: skip
USAGE = {"prompt_tokens": 900, "completion_tokens": 20}


@contextmanager
def send(
    port: int, body: bytes, path: str = "/v1/chat/completions", **headers: str
) -> Iterator[http.client.HTTPResponse]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=90)) as connection:
        connection.request("POST", path, body, {"Authorization": f"Bearer {KEY}", **headers})
        with connection.getresponse() as response:
            yield response


def post(port: int, body: bytes, path: str = "/v1/chat/completions", **headers: str) -> bytes:
    with send(port, body, path, **headers) as response:
        return response.read()


@pytest.mark.rest
def test_a_call_of_a_model_is_recorded_without_headers_and_query(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    answer = json.dumps({"model": "gpt-5-1", "choices": [], "usage": USAGE}).encode()
    sent = json.dumps(CHAT, indent=2).encode()
    cookie = "Set-Cookie: session=cookie-secret\r\n"
    with serving(whole(answer, more=cookie)) as upstream, tapped(output, upstream.url) as port:
        path = f"/v1/chat/completions?key={KEY}"
        with send(port, sent, path, Cookie="crumb-secret") as response:
            assert response.headers["set-cookie"] == "session=cookie-secret"
            assert response.read() == answer

    head = upstream.heads[0].decode()
    assert upstream.bodies == [sent]
    assert head.startswith(f"POST /v1/chat/completions?key={KEY} HTTP/1.1\r\n")
    assert f"authorization: Bearer {KEY}" in head
    assert upstream.url.removeprefix("http://") in head
    written = output.read_text()
    assert "secret" not in written
    (line,) = recorded(output)
    assert (line["tap"], line["path"], line["status"]) == ("model", "/v1/chat/completions", 200)
    assert line["request"] == CHAT
    account = Account()
    (payload,) = read_paths([str(output)], account=account)
    assert (payload.group, payload.text, payload.model) == ("search", ROWS, "gpt-5")
    assert {definition.tool for definition in account.definitions.sent} == {"search"}
    assert account.usages.facts()[0]["tokens"]["input"] == 900


@pytest.mark.rest
def test_events_are_passed_on_as_they_come(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    chunks = [
        json.dumps({"model": "m", "choices": [{"delta": {"content": f"w{n}"}}]}) for n in range(5)
    ]
    chunks += [json.dumps({"model": "m", "choices": [], "usage": USAGE}), "[DONE]"]
    parts = [f"data: {chunk}\n\n".encode() for chunk in chunks]
    go = threading.Semaphore(0)
    answer = in_parts(parts, "text/event-stream", go)
    with serving(answer) as upstream, tapped(output, upstream.url) as port:
        got = []
        go.release()
        with send(port, json.dumps(CHAT).encode()) as response:
            for _ in parts:
                got.append(response.read1(10_000))
                go.release()
            assert response.read() == b""

    assert got == parts
    (line,) = recorded(output)
    assert line["response"] == {"model": "m", "usage": USAGE}


def packed_as(packing: str, body: bytes) -> bytes:
    codec = {"br": "brotli", "zstd": "zstd"}.get(packing)
    if codec:
        return bytes(pyarrow.compress(body, codec=codec, asbytes=True))
    return gzip.compress(body) if packing == "gzip" else body


@pytest.mark.parametrize("packing", ["identity", "gzip", "br", "zstd"])
def test_anthropics_events_say_model_and_usage(tmp_path: Path, packing: str) -> None:
    output = tmp_path / "traffic.jsonl"
    request = {
        "model": "claude-haiku-4.5",
        "messages": [
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t", "name": "find", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": ROWS}]},
        ],
    }  # fmt: skip
    first = {"model": "claude-haiku-4-5-1", "usage": {"input_tokens": 7, "output_tokens": 1}}
    events = [
        {"type": "message_start", "message": first},
        {"type": "content_block_delta", "delta": {"text": "a model of usage"}},
        {"type": "message_delta", "usage": {"output_tokens": 12}},
    ]
    text = "".join(f"event: {item['type']}\r\ndata: {json.dumps(item)}\r\n\r\n" for item in events)
    body = packed_as(packing, text.encode())
    parts = [body[at : at + 40] for at in range(0, len(body), 40)]
    more = f"Content-Encoding: {packing}\r\n"
    answer = in_parts(parts, "text/event-stream; charset=utf-8", more=more)
    with serving(answer) as upstream, proxied(output, upstream.url) as port:
        assert post(port, json.dumps(request).encode(), "/v1/messages") == body

    (line,) = recorded(output)
    usage = {"input_tokens": 7, "output_tokens": 12}
    assert line["response"] == {"model": "claude-haiku-4-5-1", "usage": usage}
    assert groups(output) == ["find"]


LONG = "more than 300 bytes, the limit TOON_RECORD_BYTES"


@pytest.mark.parametrize(
    ("text", "has_usage", "fault"),
    [
        ("data: {\r\ndata: @\r\r\ndata:{}\r\n\r\n", True, None),
        ("data: {\rdata: @\r\r", True, None),
        ("data: {\ndata: @", True, None),
        (f"data:{'x' * 200}\n" * 2 + "\ndata: {@\n\n", True, f"an event of 401 bytes: {LONG}"),
        (f"data: {'x' * 400}\n\ndata: {{@\n\n", True, f"an event of 400 bytes: {LONG}"),
        ("data: @\n\n", False, "an event is not JSON: 57 bytes"),
    ],
    ids=["crlf", "cr", "no end", "long event", "long line", "no JSON"],
)
def test_events_are_read_whatever_ends_their_lines_and_what_is_given_up_is_said(
    tmp_path: Path, text: str, has_usage: bool, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.tap.exchanges.RECORD_BYTES", 300)
    output = tmp_path / "traffic.jsonl"
    parts = [b"%c" % byte for byte in text.replace("@", json.dumps({"usage": USAGE})[1:]).encode()]
    answer = in_parts(parts, "text/event-stream")
    with serving(answer) as upstream, proxied(output, upstream.url) as port:
        assert post(port, b'{"messages": [{"role": "user", "content": ""}]}') == b"".join(parts)

    (line,) = recorded(output)
    assert (line["response"], line.get("fault")) == ({"usage": USAGE} if has_usage else {}, fault)


@pytest.mark.parametrize(
    ("packing", "sent", "fault"),
    [
        ("br", "cut", "damaged: it does not unpack"),
        ("zstd", "plain", "damaged: it does not unpack"),
        ("br", "long", "more than 1,000 bytes, the limit TOON_RECORD_BYTES"),
        ("zstd", "noise", "more than 1,000 bytes, the limit TOON_RECORD_BYTES"),
        ("lz4", "cut", "packed as lz4, which is not opened here"),
    ],
)
def test_what_cannot_be_opened_is_passed_on_and_said(
    tmp_path: Path, packing: str, sent: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small body may unpack to a long one, and a long one to anything."""
    monkeypatch.setattr("toon.tap.exchanges.RECORD_BYTES", 1_000)
    output = tmp_path / "traffic.jsonl"
    body = {
        "cut": packed_as(packing, json.dumps(CHAT).encode())[:-3],
        "plain": b"not packed",
        "long": packed_as(packing, b"[1]" * 1_000_000),
        "noise": random.Random(1).randbytes(1_001),
    }[sent]
    answer = whole(body, more=f"Content-Encoding: {packing}\r\n")
    with serving(answer) as upstream, proxied(output, upstream.url) as port:
        assert post(port, json.dumps({**CHAT, "messages": CHAT["messages"][:1]}).encode()) == body

    (line,) = recorded(output)
    assert (line["fault"], line["response"]) == (fault, None)


def test_bytes_of_any_kind_come_through_both_ways(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    chance = random.Random(1)

    def mirror(client: socket.socket, _: bytes, body: bytes) -> None:
        cuts = sorted(chance.randrange(len(body) + 1) for _ in range(9))
        ends = zip([0, *cuts], [*cuts, len(body)], strict=True)
        parts = [body[one:other] for one, other in ends if one < other]
        in_parts(parts, "application/json")(client)

    with (
        serving(mirror) as upstream,
        proxied(output, upstream.url) as port,
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=90)) as connection,
    ):
        for size in (0, 1, 1_000, 70_000, 3_000_000):
            body = chance.randbytes(size)
            parts = [body[at : at + 30_001] for at in range(0, size, 30_001)]
            connection.request("POST", "/any", iter(parts), encode_chunked=True)
            assert connection.getresponse().read() == body
            assert upstream.bodies[-1] == body
        connection.request("GET", "/any/12345678?a=%2F&b=c%20d")
        connection.getresponse().read()

    assert upstream.heads[-1].startswith(b"GET /any/12345678?a=%2F&b=c%20d HTTP/1.1\r\n")
    assert {line["tap"] for line in recorded(output)} == {"other"}
    assert "c%20d" not in output.read_text()


def test_an_upstream_that_is_not_there_is_a_502(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    with socket.socket() as deaf:  # bound, so that nobody else listens there
        deaf.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        with proxied(output, url) as port, send(port, json.dumps(CHAT).encode()) as response:
            error = json.loads(response.read())["error"]
            assert response.status == 502

    assert error["message"] == "toon tap: no answer from the upstream: ConnectError"
    (line,) = recorded(output)
    assert line["fault"] == "no answer from the upstream: ConnectError"


def test_a_status_that_http_does_not_have_is_a_502(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    fault = "the upstream answered with status 999, which HTTP does not have"
    answer = whole(b"{}", status="999 Denied")
    with serving(answer) as upstream, proxied(output, upstream.url) as port:
        message = json.loads(post(port, json.dumps(CHAT).encode()))["error"]["message"]

    (line,) = recorded(output)
    assert (message, line["status"]) == (f"toon tap: {fault}", 999)
    assert line["fault"] == f"not JSON: 0 bytes; {fault}"


def test_an_answer_that_breaks_off_breaks_off_for_the_client(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"

    def lie(client: socket.socket, *_: bytes) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + b"x" * 10)

    with serving(lie) as upstream, proxied(output, upstream.url) as port:
        with pytest.raises(http.client.IncompleteRead) as error:
            post(port, json.dumps(CHAT).encode())
        assert error.value.partial == b"x" * 10

    (line,) = recorded(output)
    assert line["fault"] == "not JSON: 10 bytes; the answer broke off: RemoteProtocolError"
    assert groups(output) == ["search"]


def test_a_client_that_vanishes_is_seen_by_the_upstream(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"

    def talk(client: socket.socket, *_: bytes) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        while True:
            client.sendall(b"x" * 1_000)
            time.sleep(0.01)

    with serving(talk) as upstream, proxied(output, upstream.url) as port:
        with send(port, json.dumps(CHAT).encode()) as response:
            assert response.read(10) == b"x" * 10
        assert upstream.left.wait(90)
        tapping.wait(lambda: output.exists() and recorded(output))

    assert "the client left" in recorded(output)[0]["fault"]


def test_an_upstream_that_hangs_holds_no_other_call_up(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    go = threading.Event()

    def hang(client: socket.socket, head: bytes, body: bytes) -> None:
        if head.startswith(b"POST /hang"):
            go.wait(90)
        whole(b"{}")(client, head, body)

    with serving(hang) as upstream, proxied(output, upstream.url) as port:
        waiting = threading.Thread(target=post, args=(port, b"{}", "/hang"))
        waiting.start()
        assert post(port, b"{}", "/other") == b"{}"
        assert waiting.is_alive()
        go.set()
        waiting.join()


def test_a_refused_call_is_a_bad_record(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    refusal = whole(b'{"error": {}}', status="429 Too Many Requests")
    with (
        serving(refusal) as upstream,
        proxied(output, upstream.url) as port,
        send(port, json.dumps(CHAT).encode()) as response,
    ):
        assert response.status == 429
        response.read()

    (bad,) = read_paths([str(output)])
    assert isinstance(bad, BadRecord)
    assert bad.reason == "the call was refused with status 429"


def test_a_message_outside_a_session_waits_no_longer_than_its_exchange(tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    copies = tapping.Direct(output)
    copies.put(OPEN, 0, b'{"method": "POST", "path": "/mcp"}')
    copies.put(DATA, 0, tapping.call(1))
    copies.put(OPEN, 1, b'{"status": 202}')
    copies.put(END, 1, b"{}")

    assert tapping.notes(output) == ["tools/call search (id 1): no answer"]
    copies.close()


@pytest.mark.parametrize(
    ("events", "packing"),
    [(False, "identity"), (True, "identity"), (False, "br"), (False, "zstd")],
)
def test_messages_of_mcp_make_the_same_lines_as_those_of_a_command(
    tmp_path: Path, events: bool, packing: str
) -> None:
    output = tmp_path / "traffic.jsonl"
    result = {"content": [{"type": "text", "text": ROWS}]}
    reply = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result})
    note = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}})
    text = f"event: message\ndata: {note}\n\nid: 7\ndata: {reply}\n\n" if events else reply
    body = packed_as(packing, text.encode())
    kind = "text/event-stream" if events else "application/json"
    answer = whole(body, kind, more=f"Content-Encoding: {packing}\r\n")
    with serving(answer) as upstream, proxied(output, upstream.url) as port:
        about = {"Mcp-Session-Id": "session-secret", "Content-Encoding": packing}
        assert post(port, packed_as(packing, tapping.call(1)), "/mcp", **about) == body

    (line,) = recorded(output)
    assert line["exchange"] == [json.loads(tapping.call(1)), json.loads(reply)]
    assert "secret" not in output.read_text()
    assert groups(output) == ["search"]
