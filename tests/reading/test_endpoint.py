"""One call: what is sent, what is read, and a sentence for each fault, without the key."""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from tests.reading.scripted import KEY, Act, Refuse, Say, Send, Server, serving
from toon.reading import faults
from toon.reading.endpoint import REPLY_BYTES, Endpoint, Reply
from toon.reading.faults import Failed, Fault


def ask(act: Act | Callable[..., Act], **options: Any) -> tuple[Reply, Server]:
    """The reply to one prompt."""
    script = act if callable(act) else lambda call: act
    with serving(script) as server:
        endpoint = server.endpoint(**options)
        try:
            return endpoint.ask("How many?", 7), server
        finally:
            endpoint.close()


def fault(act: Act, **options: Any) -> Failed:
    with pytest.raises(Failed) as failed:
        ask(act, **options)
    return failed.value


def test_a_call_sends_one_message_a_bound_and_temperature_0() -> None:
    reply, server = ask(Say("4"), key=KEY)

    (call,) = server.calls
    assert call.body == {
        "model": "small",
        "messages": [{"role": "user", "content": "How many?"}],
        "max_tokens": 7,
        "temperature": 0.0,
    }
    assert call.headers["authorization"] == f"Bearer {KEY}"
    assert reply[:3] == ("4", 10, 2)
    assert (reply.model, reply.note) == ("small-1", "")
    assert reply.prompt_seconds is None


def test_nothing_of_this_machine_or_its_environment_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("API_KEY", "ORG_ID", "PROJECT_ID", "ADMIN_KEY", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://example.com/v1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")  # where nobody listens
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Mine: {KEY}")
    _, server = ask(Say("4"))

    assert set(server.calls[0].headers) == {
        "host", "accept", "accept-encoding", "connection", "user-agent", "content-type",
        "content-length",
    }  # fmt: skip
    assert KEY not in str(server.calls[0].headers)


def test_times_of_the_server_are_kept_apart() -> None:
    timings = {"prompt_ms": 1500, "predicted_ms": 250.5, "prompt_n": 3}
    reply, _ = ask(Say("4", more={"timings": timings}))

    assert (reply.prompt_seconds, reply.generation_seconds) == (1.5, 0.2505)


def test_usage_that_is_missing_or_nonsense_is_unknown() -> None:
    assert ask(Say("4", None, None))[0][1:3] == (None, None)
    strange = {"usage": {"prompt_tokens": -1, "completion_tokens": "7"}, "timings": [1]}
    assert ask(Say("4", more=strange))[0][1:3] == (None, None)


def test_parts_of_a_text_are_one_text() -> None:
    assert ask(Say([{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]))[0].text == "42"


def refusal(**message: object) -> Send:
    choice = {"message": message, "finish_reason": "stop"}
    return Send(json.dumps({"choices": [choice]}).encode())


@pytest.mark.parametrize(
    ("act", "text", "note"),
    [
        (Say(""), "", "The answer is empty."),
        (Say(None), "", "The answer is empty."),
        (refusal(content=None, refusal="I cannot."), "I cannot.", "The model refused to answer."),
        (
            Say("1", more={"choices": [{"message": {"content": "1"}, "finish_reason": "length"}]}),
            "1",
            "The answer reached its bound of tokens. A model that thinks first needs more.",
        ),
    ],
)
def test_an_answer_that_is_none_says_so(act: Act, text: str, note: str) -> None:
    reply, _ = ask(act)

    assert (reply.text, reply.note) == (text, note)


FAULTS: list[tuple[Act, Fault, str]] = [
    (
        Refuse(401, "Incorrect API key provided: KEY.", "invalid_api_key"),
        faults.REFUSED_KEY,
        "URL/v1 refuses the key: 401, Incorrect API key provided: ….",
    ),
    (
        Refuse(404, "The model `small` does not exist", "model_not_found"),
        faults.NO_MODEL,
        "URL/v1 has no model small: 404, The model `small` does not exist.",
    ),
    (
        Refuse(404),
        faults.NO_API,
        "URL/v1 answers, but not as an endpoint of chat completions does: status 404. "
        "The URL mostly ends in /v1.",
    ),
    (
        Refuse(302, headers={"Location": "http://example.com/"}),
        faults.ELSEWHERE,
        "URL/v1 points to another address, and nothing is sent there: enter that one.",
    ),
    (
        Refuse(429, "Slow down", headers={"Retry-After": "7"}),
        faults.BUSY,
        "URL/v1 takes no more requests for now (429): 429, Slow down.",
    ),
    (
        Refuse(429, "You exceeded your current quota", "insufficient_quota"),
        faults.NO_CREDIT,
        "URL/v1 says that the account is used up: 429, You exceeded your current quota.",
    ),
    (Refuse(500, "Oops."), faults.SERVER, "URL/v1 failed (500, Oops)."),
    (Refuse(503), faults.SERVER, "URL/v1 failed (status 503)."),
    (
        Refuse(400, "This model's maximum context length is 8 tokens", "context_length_exceeded"),
        faults.CONTEXT,
        "The prompt is longer than the model reads: 400, This model's maximum context length is 8 "
        "tokens.",
    ),
    (
        Refuse(400, "the request exceeds the available context size", "exceed_context_size_error"),
        faults.CONTEXT,
        "The prompt is longer than the model reads: 400, the request exceeds the available context "
        "size.",
    ),
    (Refuse(422, "No."), faults.REJECTED, "URL/v1 rejects the request: 422, No."),
    (
        Send(b'{"choices": ['),
        faults.NONSENSE,
        "The endpoint sent no chat completion: it begins with '{\"choices\": ['.",
    ),
    (Send(b""), faults.NONSENSE, "The endpoint sent no chat completion: it is empty."),
    (
        Send(b"[" * 5000),
        faults.NONSENSE,
        f"The endpoint sent no chat completion: it begins with '{'[' * 60}'.",
    ),
    (
        Send(b'{"choices":', cut=True),
        faults.CUT,
        "The answer was cut off on its way; it may have been billed.",
    ),
    (
        Send(b" " * (REPLY_BYTES + 1)),
        faults.TOO_LONG,
        "The endpoint sent more than 1 MB, and it was not read on.",
    ),
]


@pytest.mark.parametrize(("act", "expected", "sentence"), FAULTS)
def test_each_fault_is_one_sentence(act: Act, expected: Fault, sentence: str) -> None:
    if isinstance(act, Refuse):
        act = act._replace(message=act.message.replace("KEY", KEY))
    failed = fault(act, key=KEY)

    words = str(failed)
    where = words[: words.index("/v1")] if sentence.startswith("URL") else ""
    assert words == sentence.replace("URL/", f"{where}/")
    assert failed.fault is expected
    assert failed.wait == (7 if expected is faults.BUSY else None)


def test_a_server_that_says_nothing_is_a_timeout() -> None:
    failed = fault(Send(hold=True), seconds=0.2)

    assert str(failed) == "No whole answer came within 0.2 s; it may have been billed."
    assert failed.fault is faults.TIMEOUT


def test_a_key_that_is_asked_for_is_another_sentence_than_one_that_is_refused() -> None:
    failed = fault(Refuse(401, "No key."))

    assert str(failed).endswith("/v1 asks for a key: 401, No key.")


@pytest.mark.parametrize("url", ["http://a..b/v1", "http://a\x00b/v1", "http://[v1.a]/v1"])
def test_an_address_that_no_host_has_is_one_sentence(url: str) -> None:
    with pytest.raises(Failed) as failed:
        Endpoint(url, "small").ask("?")
    assert str(failed.value) == f"{url} cannot be reached: no host has such an address."


def test_half_a_character_is_sent_as_the_sign_for_it() -> None:
    with serving(lambda call: Say(call.prompt)) as server:
        endpoint = server.endpoint()
        assert endpoint.ask("a\ud800").text == "a\ufffd"
        endpoint.close()


def test_a_small_body_is_never_unpacked_to_a_large_one() -> None:
    packed = gzip.compress(json.dumps({"choices": [{"message": {"content": "4"}}]}).encode())
    failed = fault(Send(packed, packed=True))

    assert failed.fault is faults.NONSENSE


def test_a_closed_port_cannot_be_reached() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    endpoint = Endpoint(url, "small", KEY)
    with pytest.raises(Failed, match=r"^http://127.0.0.1:\d+/v1 cannot be reached: .*refused\.$"):
        endpoint.ask("?")
    endpoint.close()


@pytest.mark.parametrize(
    ("url", "model", "key", "sentence"),
    [
        ("", "m", "", "The empty text is no address: it starts with http:// or https://."),
        ("ftp://a", "m", "", "ftp://a is no address: it starts with http:// or https://."),
        ("http://[::1", "m", "", "http://[::1 is no address: it starts with http:// or https://."),
        ("http://a:99999", "m", "", "http://a:99999 is no address: it starts with http:// or "
         "https://."),
        ("http://a", " ", "", "No model is named."),
        ("http://a", "m", "sk secret", "The key holds a character that no key has: copy it again."),
        ("http://a", "m", "sk-é12345", "The key holds a character that no key has: copy it again."),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_said_before_anything_is_sent(
    url: str, model: str, key: str, sentence: str
) -> None:
    with pytest.raises(Failed) as failed:
        Endpoint(url, model, key).ask("?")
    assert str(failed.value) == sentence


def test_credentials_stand_in_no_text_of_the_endpoint() -> None:
    endpoint = Endpoint(f"https://me:{KEY}@host:8080/v1?token={KEY}#x", "small", KEY)

    assert endpoint.shown_url == "https://host:8080/v1"
    assert endpoint.host == "host:8080"
    assert "secret" not in repr(endpoint)


def test_a_query_of_the_url_is_sent_and_an_echoed_key_is_taken_out() -> None:
    with serving(lambda call: Say(f"{call.headers['authorization']} {KEY}")) as server:
        endpoint = Endpoint(f"{server.url}/v1?version=2", "small", KEY)
        assert endpoint.ask("?").text == "Bearer … …"
        endpoint.close()


def test_a_model_that_takes_other_parameters_is_asked_with_those() -> None:
    def newer(call: Any) -> Act:
        if "max_tokens" in call.body:
            return Refuse(400, "Use 'max_completion_tokens' instead of 'max_tokens'.")
        if "temperature" in call.body:
            return Refuse(400, "'temperature' does not support 0, only the default (1).")
        return Say("4")

    with serving(newer) as server:
        endpoint = server.endpoint()
        for _ in range(2):
            with pytest.raises(Failed, match="small takes other parameters"):
                endpoint.ask("?", 7)
        assert endpoint.ask("?", 7).text == "4"
        assert server.calls[-1].body["max_completion_tokens"] == 7
        assert endpoint.temperature is None
        endpoint.close()
