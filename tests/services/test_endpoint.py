"""One service asked: the exact requests, every failure in a sentence, waiting, and the key."""

import logging
import pickle
import socket
import time
import traceback
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from tests.services.server import FRAMES, KEY, PROTOCOLS, Call, Reply, Server, serving
from toon.costs.models import MODELS
from toon.services import SERVICES, find_service, get, is_base
from toon.services import endpoint as endpoint_module
from toon.services.endpoint import Endpoint, ServiceError, make_endpoint

TEXT = 'naïve "text"\n\U0001f600 with a lone \ud800'


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it waited, without waiting."""
    seconds: list[float] = []
    clock = SimpleNamespace(sleep=seconds.append, monotonic=time.monotonic)
    monkeypatch.setattr(endpoint_module, "time", clock)  # other threads may sleep
    return seconds


def endpoint(server: Server, **options: Any) -> Endpoint:
    """The endpoint of a server, which keeps what it was told to itself."""
    options = {"cache": {}, **options}
    return Endpoint(SERVICES[server.name], "m-1", server.base, KEY, **options)


def fail(server: Server, **options: Any) -> str:
    """Why no count came."""
    with pytest.raises(ServiceError) as raised:
        endpoint(server, **options).count(TEXT)
    return str(raised.value)


@pytest.mark.parametrize("name", SERVICES)
def test_a_count_is_asked_for_as_documented_and_the_frame_taken_off(name: str) -> None:
    with serving(name) as server:
        client = endpoint(server)
        assert (client.count(TEXT), client.frame) == (len(TEXT), FRAMES[name])
        read = [PROTOCOLS[name].read(call) for call in server.calls]

    key = f"Bearer {KEY}" if name in ("openai", "xai") else KEY
    assert read == [(key, "m-1", "x"), (key, "m-1", TEXT)]
    for call in server.calls:
        assert call.headers["content-type"] == "application/json"
        assert set(call.headers) - {"anthropic-version"} == {
            "host", "accept", "connection", "content-length", "content-type", "user-agent",
            "accept-encoding", "authorization" if key != KEY else
            {"anthropic": "x-api-key", "google": "x-goog-api-key"}[name],
        }  # fmt: skip


def test_what_was_asked_is_not_asked_again_for_the_same_service_address_and_model() -> None:
    kept: dict[bytes, int] = {}
    with serving("anthropic") as server:
        for model, text in [("a", "one"), ("a", "one"), ("a", "two"), ("b", "one"), ("a", "x")]:
            client = Endpoint(SERVICES["anthropic"], model, server.base, KEY, kept)
            assert client.count(text) == (1 if text == "x" else 3)
        assert server.texts == ["x", "one", "two", "x", "one"]
        assert all(type(digest) is bytes and len(digest) == 32 for digest in kept)


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "_MOST_COUNTS", 3)
    with serving("xai") as server:
        client = endpoint(server)
        assert [client.count("a" * size) for size in range(2, 9)] == [*range(2, 9)]
        assert len(client.cache) <= 3


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    ("status", "ends"),
    [(401, "refuses (401): no such thing"), (500, "refuses (500): no such thing")],
)
def test_a_refusal_is_said_in_the_words_of_the_service(name: str, status: int, ends: str) -> None:
    with serving(name) as server:
        server.script = lambda number, call: server.refuse(status, "no such\nthing.")
        assert fail(server) == f"{SERVICES[name].maker} at {server.base} {ends}"
        assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("reply", "ends"),
    [
        (Reply(404), "refuses (404): it does not say"),
        (Reply(body=b"<html>\n Welcome"), "sent no count: '<html> Welcome'"),
        (Reply(body=b""), "sent no count: ''"),
        (Reply(body=b"[" * 50_000), f"sent no count: '{'[' * 60}'"),
        (Reply(body=b'{"input_tokens": true}'), "sent no count: '{\"input_tokens\": true}'"),
        (Reply(body=b'{"input_tokens": -1}'), "sent no count: '{\"input_tokens\": -1}'"),
        (Reply(body=b'{"input_tokens": 0}'), "counts no token for 'x'"),
        (Reply(body=b'{"input_tokens": 1e3}'), "sent no count: '{\"input_tokens\": 1e3}'"),
        (Reply(body=b'{"tokens": 3}'), "sent no count: '{\"tokens\": 3}'"),
        (Reply(body=b" " * 70_000), "sent more than 64,000 bytes, and was not read on"),
        (Reply(body=b'{"input_tokens": 3}', cut=True), "broke off"),
    ],
)
def test_an_answer_without_a_count_is_an_error(reply: Reply, ends: str) -> None:
    with serving("anthropic", script=lambda number, call: reply) as server:
        assert fail(server) == f"Anthropic at {server.base} {ends}"


def test_an_answer_of_tokens_may_be_as_long_as_the_text_needs() -> None:
    with serving("xai") as server:
        assert endpoint(server).count("a" * 20_000) == 20_000


def test_what_is_said_is_bounded() -> None:
    with serving("openai") as server:
        server.script = lambda number, call: server.refuse(400, "long " * 1_000)
        assert len(fail(server)) < 300


def test_a_slow_service_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "_SECONDS", 0.2)
    with serving("google", script=lambda number, call: Reply(hold=True)) as server:
        assert fail(server).startswith(f"Google at {server.base} gave no whole answer within")


def test_nobody_at_the_address_is_said() -> None:
    with socket.socket() as deaf:  # bound, so that nobody else listens there
        deaf.bind(("127.0.0.1", 0))
        server = Server("google", host=f"127.0.0.1:{deaf.getsockname()[1]}")
        assert fail(server).startswith(f"Google at {server.base} cannot be reached: ")


@pytest.mark.parametrize("name", SERVICES)
def test_no_redirect_is_followed(name: str) -> None:
    with serving(name) as elsewhere, serving(name) as server:
        place = {"Location": f"{elsewhere.base}/v1"}
        server.script = lambda number, call: Reply(307, headers=place)
        assert fail(server).endswith("points to another address, and nothing is sent there")
        assert elsewhere.calls == []


def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving("xai") as proxy, serving("xai") as server:
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, f"http://{proxy.host}")
        assert endpoint(server).count("abc") == 3
        assert proxy.calls == []


def busy(server: Server, times: int, after: str) -> None:
    """Let a service refuse some calls for now."""
    server.script = lambda number, call: (
        server.refuse(429, "too many", Retry_After=after) if number < times else None
    )


@pytest.mark.parametrize("name", SERVICES)
def test_a_busy_service_is_asked_again_when_it_says(name: str, pauses: list[float]) -> None:
    heard: list[str] = []
    with serving(name) as server:
        busy(server, 2, "3")
        client = endpoint(server, tell=heard.append)
        assert client.count("abcd") == 4
        assert server.texts == ["x", "x", "x", "abcd"]
    assert sum(pauses) == 6
    assert max(pauses) < 0.3
    assert heard[0] == f"{SERVICES[name].maker} asks to wait: 3 seconds left"


@pytest.mark.parametrize(("after", "seconds"), [("0.5", 1), ("soon", 3), ("", 3)])
def test_without_a_number_of_seconds_it_waits_a_little_longer_each_time(
    after: str, seconds: float, pauses: list[float]
) -> None:
    with serving("openai") as server:
        busy(server, 2, after)
        assert endpoint(server).count("abc") == 3
    assert sum(pauses) == seconds


def test_waiting_is_bounded_in_number_and_in_time() -> None:
    with serving("anthropic") as server:
        busy(server, 99, "1")
        assert fail(server).endswith("refuses (429): too many")
        assert len(server.calls) == 5
    with serving("anthropic") as server:
        busy(server, 99, "50")
        assert fail(server).endswith("asks to wait 50 seconds (429); 2 minutes is the most in all")
        assert len(server.calls) == 3


def test_who_hears_of_the_waiting_can_end_it() -> None:
    def leave(words: str) -> None:
        raise KeyboardInterrupt(words)

    with serving("anthropic") as server:
        busy(server, 9, "3")
        with pytest.raises(KeyboardInterrupt):
            endpoint(server, tell=leave).count("abc")
        assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"key": " \n"}, "Anthropic needs a key: set ANTHROPIC_API_KEY"),
        ({"key": "PLANTED é"}, "The key for Anthropic holds a character that no key has"),
        ({"key": "PLANTED\nX: y"}, "The key for Anthropic holds a character that no key has"),
        ({"model": " "}, "No model of Anthropic is chosen"),
        ({"base": "ftp://a.example"}, "The base address of Anthropic must start with http"),
        ({"base": "https://me:PLANTED@a.example"}, "The base address of Anthropic must start"),
        ({"base": "https://a.example?key=PLANTED"}, "The base address of Anthropic must start"),
        ({"base": "https://a.example:x"}, "The base address of Anthropic must start"),
    ],
)
def test_what_cannot_be_right_is_said_before_anything_is_sent(
    change: dict[str, str], words: str
) -> None:
    right = {"model": "m", "base": "https://a.example", "key": KEY}
    with pytest.raises(ServiceError) as raised:
        Endpoint(SERVICES["anthropic"], **{**right, **change})  # type: ignore[arg-type]
    assert str(raised.value).startswith(words)
    assert "PLANTED" not in "".join(traceback.format_exception(raised.value)).replace(KEY, "")


def test_white_space_around_a_key_is_none_of_it() -> None:
    with serving("google") as server:
        client = Endpoint(SERVICES["google"], "m-1", server.base, f" {KEY}\n", {})
        assert client.count("abc") == 3
        assert server.calls[0].headers["x-goog-api-key"] == KEY


def test_a_model_is_no_way_to_another_address() -> None:
    with serving("google") as server:
        service = SERVICES["google"]
        assert Endpoint(service, "../../x?y#z", server.base, KEY, {}).count("abc") == 3
        assert server.calls[0].path == "/v1beta/models/..%2F..%2Fx%3Fy%23z:countTokens"


def _trace(error: BaseException) -> str:
    """All that is printed, logged or shown of an error, with the variables of its frames.

    The first frame is that of the test.
    """
    error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    parts = [str(error), repr(error), repr(vars(error)), *shown.format()]
    while error := error.__cause__ or error.__context__:  # type: ignore[assignment]
        parts += [*_trace(error)]
    return "".join(parts)


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    "bad", ["words", "body", "status", "cut", "hold", "busy", "redirect", "long", "gone"]
)
def test_the_key_is_in_the_request_and_nowhere_else(
    name: str,
    bad: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if bad == "hold":
        monkeypatch.setattr(endpoint_module, "_SECONDS", 0.3)
    caplog.set_level(logging.DEBUG)
    server = Server(name)
    replies = {
        "words": server.refuse(401, f"the key {KEY} is no key, {KEY[:-1]}"),
        "body": Reply(body=f"{'.' * 50}{KEY}".encode()),
        "status": Reply(500, KEY.encode()),
        "cut": Reply(body=KEY.encode(), cut=True),
        "hold": Reply(hold=True),
        "busy": server.refuse(429, KEY, Retry_After="400"),
        "redirect": Reply(302, KEY.encode(), {"Location": "http://127.0.0.1:1/"}),
        "long": Reply(body=KEY.encode() * 9_000),
    }
    words, asked = KEY.encode(), Event()

    def answer(number: int, call: Call) -> Reply | None:
        asked.set()
        return replies.get(bad)

    with serving(name, script=answer) as running:
        client = endpoint(running)
        if bad == "gone":
            client.base = "http://127.0.0.1:1"
        with pytest.raises(ServiceError) as raised:
            client.count("abc")
        assert bad == "gone" or asked.wait(60)  # a client may leave before it was heard
        assert bad == "gone" or any(KEY in text for text in running.calls[0].headers.values())

    texts = [_trace(raised.value), repr(client), str(client), caplog.text, *capfd.readouterr()]
    texts += [repr(record.__dict__) for record in caplog.records]
    assert not any(KEY in text for text in texts)
    assert words not in pickle.dumps(raised.value)


def test_a_base_address_and_a_key_are_those_of_the_makers_own_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("ANTHROPIC_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "first")
    client = make_endpoint("anthropic", MODELS["claude-opus-4.8"])
    assert (client.base, client.model) == ("https://api.anthropic.com", "claude-opus-4-8")
    assert client.key == "first"

    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://gateway.example/anthropic ")
    assert make_endpoint("anthropic", None, "c").base == "http://gateway.example/anthropic"
    assert make_endpoint("anthropic", None, "c", "http://b.example").base == "http://b.example"

    monkeypatch.setenv("GEMINI_API_KEY", "second")
    assert make_endpoint("google", None, "g").key == "second"
    monkeypatch.setenv("GOOGLE_API_KEY", "third")
    assert make_endpoint("google", None, "g").key == "third"
    with pytest.raises(ServiceError, match="OpenAI needs a key: set OPENAI_API_KEY"):
        make_endpoint("openai", MODELS["gpt-5"])
    with pytest.raises(ServiceError, match="No model of Google is chosen"):
        make_endpoint("google", MODELS["gpt-5"])
    with pytest.raises(ValueError, match="There are: anthropic, openai, google, xai"):
        get("mistral")


def test_every_address_of_the_table_can_be_asked_and_a_model_names_its_service() -> None:
    assert all(is_base(service.base) for service in SERVICES.values())
    services = {name: find_service(model) for name, model in MODELS.items()}
    named = {name: service.name for name, service in services.items() if service}
    assert named["claude-opus-4.8"] == "anthropic"
    assert named["gpt-5"] == "openai"
    assert named["gemini-3.6-flash"] == "google"
    assert named["grok-4.5"] == "xai"
    assert "llama-3" not in named


def test_a_call_is_one_that_the_protocol_knows() -> None:
    """The server here refuses what is not documented, or these tests could not fail."""
    with pytest.raises(AssertionError):
        PROTOCOLS["openai"].read(Call("/v1/responses", {}, {"model": "m", "input": "t"}))
