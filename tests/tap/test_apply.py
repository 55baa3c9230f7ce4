"""A policy is applied: what is rewritten, what is left alone, and that nothing else changes."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import values
from tests.tap import tapping
from tests.tap.tapping import call, recorded, tapped
from tests.tap.test_http import CHAT, ROWS, post
from tests.tap.upstream import serving, whole
from toon.cli import main
from toon.formats import FORMATS, RECOMMENDED
from toon.tap.answers import Answers, Applied, Body, Events, Session
from toon.tap.policy import read_policy, write_policy
from toon.tap.rewriting import Rewriter, rewrite

NOTE = FORMATS["toon"].explanation


def answer(text: str, id: int = 1, **more: Any) -> str:
    """A result of MCP, with blanks and digits that nobody may change."""
    content = json.dumps([{"type": "text", "text": text}], ensure_ascii=False)
    more = {"structuredContent": {"result": 1}, **more}
    rest = json.dumps(more)[1:-1]
    return f'{{"jsonrpc":"2.0" , "id":{id},"result":{{ "content":{content},{rest}, "x": 1.50}} }}\n'


def applied(
    policy: dict[str, str], *texts: str, tool: str = "search"
) -> tuple[list[str], list[str]]:
    """What a session gets in place of answers with these texts, and what is said of it."""
    said: list[str] = []
    answers = Answers(Rewriter(policy, said.append))
    got = []
    for id, text in enumerate(texts):
        asked = call(id, tool)
        assert answers.asked(asked) == asked
        got.append(answers.answered(answer(text, id).encode()).decode())
    return got, said


def text_of(message: str) -> str:
    return str(json.loads(message)["result"]["content"][0]["text"])


def test_a_result_is_rewritten_and_explained_once() -> None:
    got, said = applied({"search": "toon"}, ROWS, ROWS)

    written = FORMATS["toon"].dumps(json.loads(ROWS))
    assert [text_of(each) for each in got] == [f"{NOTE}\n\n{written}", written]
    assert got[1] == answer(written, 1)
    assert said[1] == f"search: {len(ROWS)} characters of JSON as TOON, {len(written)}; proven"


def test_compact_json_needs_no_note() -> None:
    (got,), _ = applied({"search": "json-compact"}, ROWS)

    assert text_of(got) == FORMATS["json-compact"].dumps(json.loads(ROWS))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12 files changed", "not JSON"),
        ('{"a": [1, 2}', "line 1, column 12"),
        ('[{"a": 1, "a": 2}, {"a": 1}]', "key"),
        ('[{"a": 12345678901234567890.5, "b": 1}, {"a": 2, "b": 1}]', "12345678901234567890.5"),
        ("[" * 400 + "]" * 400, "nested"),
        ("[1,2]", "not shorter"),
        ("{}", "not shorter"),
    ],
)
def test_what_is_not_proven_is_left_alone(text: str, reason: str) -> None:
    (got,), (said,) = applied({"search": "toon"}, text)

    assert got == answer(text, 0)
    assert said.startswith("search: left alone: ")
    assert reason in said


def test_other_tools_are_left_alone_without_a_word() -> None:
    got, said = applied({"search": "toon"}, ROWS, tool="other")

    assert got == [answer(ROWS, 0)]
    assert said == []


def comes_back(value: Any, found: Any) -> bool:
    """Whether it is the value; a float may be written as an integer that reads as that float."""
    if isinstance(value, float):
        return float(found) == value
    if isinstance(value, dict):
        return list(value) == list(found) and comes_back([*value.values()], [*found.values()])
    if isinstance(value, list):
        return len(value) == len(found) and all(map(comes_back, value, found))
    return bool(found == value)


@pytest.mark.rest
@example({"a": 6.317623971046453e16}, "json-pretty")
@example({"a": 4.281982102416258e16}, "toon")
@given(values, st.sampled_from(RECOMMENDED))
def test_a_text_that_is_rewritten_is_the_same_value(value: Any, format: str) -> None:
    done = rewrite(json.dumps(value, indent=2), format)

    if done.text is not None:
        assert comes_back(value, FORMATS[format].loads(done.text))


@given(st.data())
def test_messages_in_pieces_are_rewritten_as_whole_ones_are(data: st.DataObject) -> None:
    said: list[str] = []
    lines = [answer(ROWS, 0), "not a message\n", answer("text", 1), answer(ROWS, 2), "half a"]
    sent = "".join(lines).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=8)))
    answers = Answers(Rewriter({"search": "toon"}, said.append))
    for id in range(3):
        answers.asked(call(id))
    ends = zip([0, *cuts], [*cuts, len(sent)], strict=True)
    got = b"".join(answers.answered(sent[one:other]) for one, other in ends) + answers.rest()

    written = FORMATS["toon"].dumps(json.loads(ROWS))
    first = answer(f"{NOTE}\n\n{written}", 0)
    assert json.loads(got.splitlines()[0]) == json.loads(first)
    assert got.splitlines(keepends=True)[1:] == [
        each.encode() for each in (*lines[1:3], answer(written, 2), "half a")
    ]


def test_a_message_that_is_too_long_is_passed_on_as_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("toon.tap.answers.TAP_APPLIED_BYTES", 100)
    answers = Answers(Rewriter({"search": "toon"}, lambda _: None))
    answers.asked(call(1))
    sent = answer(ROWS, 1).encode()

    assert answers.answered(sent[:150]) == sent[:150]
    assert answers.answered(sent[150:]) == sent[150:]


def http_session(said: list[str], *calls: bytes) -> Session:
    _, session = Applied(Rewriter({"search": "toon"}, said.append), said.append).request(
        b"[" + b",".join(calls) + b"]", ""
    )
    assert session is not None
    return session


def event(text: str, end: str) -> str:
    return f"event: message{end}id: 7{end}data: {text.strip()}{end}{end}"


@given(st.data(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_events_in_pieces_are_rewritten_as_whole_ones_are(data: st.DataObject, end: str) -> None:
    other = [f": a comment{end}{end}", event("not JSON", end), f"data{end}{end}", "data: ha"]
    sent = event(answer(ROWS, 0), end) + "".join(other[:3]) + event(answer(ROWS, 1), end) + other[3]
    body = sent.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=8)))
    events = Events(http_session([], call(0), call(1)))
    ends = zip([0, *cuts], [*cuts, len(body)], strict=True)
    got = b"".join(events.answered(body[one:other]) for one, other in ends) + events.rest()

    written = FORMATS["toon"].dumps(json.loads(ROWS))
    noted = answer(f"{NOTE}\n\n{written}", 0)
    first, kept = got.decode().split(end + end, 1)
    assert json.loads(first.rpartition("data: ")[2]) == json.loads(noted)
    assert kept == "".join(other[:3]) + event(answer(written, 1), end) + other[3]


def test_a_message_on_several_lines_of_data_stays_on_as_many() -> None:
    lines = json.dumps(json.loads(answer(ROWS, 0)), indent=1).split("\n")
    sent = "".join(f"data: {line}\n" for line in lines) + "\n"
    got = Events(http_session([], call(0))).answered(sent.encode()).decode()

    written = f"{NOTE}\n\n{FORMATS['toon'].dumps(json.loads(ROWS))}"
    assert got.count("\n") == sent.count("\n")
    assert text_of(got.replace("data: ", "")) == written
    changed = [
        one for one, other in zip(got.split("\n"), sent.split("\n"), strict=True) if one != other
    ]
    assert len(changed) == 1


@pytest.mark.parametrize("kind", [Events, Body])
def test_an_answer_that_is_too_long_is_passed_on_as_it_comes(
    kind: type[Events] | type[Body], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.tap.answers.TAP_APPLIED_BYTES", 100)
    change = kind(http_session([], call(0)))
    sent = event(answer(ROWS, 0), "\n").encode()

    got = change.answered(sent[:150])
    assert len(got) >= 148
    assert got + change.answered(sent[150:]) + change.rest() == sent


def test_a_conversation_is_written_alike_each_time_it_is_sent() -> None:
    """Or the provider's cache would be of no use."""
    said: list[str] = []
    rewriter = Rewriter({"search": "toon"}, said.append)
    again = {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": ROWS}]}
    longer = {**CHAT, "messages": [*CHAT["messages"], again]}  # type: ignore[misc]
    first, second = (
        json.loads(rewriter.request(json.dumps(each, indent=1))) for each in (CHAT, longer)
    )

    written = FORMATS["toon"].dumps(json.loads(ROWS))
    assert first["messages"][2]["content"] == f"{NOTE}\n\n{written}"
    assert second["messages"][:3] == first["messages"]
    assert second["messages"][3]["content"] == [{"type": "text", "text": written}]
    assert {**first, "messages": 0} == {**CHAT, "messages": 0}
    assert len(said) == 3


def test_a_policy_is_read_as_it_was_written() -> None:
    formats = {"search": "toon", "müller's": "json-compact"}

    assert read_policy(write_policy(formats, "traffic.jsonl")) == formats


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "not a policy that the dashboard wrote"),
        ('{"toon_policy": 1, "groups": {}}', "it names no group to send otherwise"),
        (
            '{"toon_policy": 1, "groups": {"a": "vibemcp"}}',
            "a is to be sent as vibemcp, which is not recommended",
        ),
    ],
)
def test_no_other_policy_is_applied(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(text)

    command = ["tap", "-o", str(tmp_path / "t.jsonl"), "--apply", str(policy), "--", "true"]
    assert main(command) == 2
    assert capsys.readouterr().err == f"{policy}: {reason}\n"


class TestCommand:
    @pytest.fixture
    def policy(self, tmp_path: Path) -> str:
        path = tmp_path / "policy.json"
        path.write_text(write_policy({"search": "toon"}, "t.jsonl"))
        return str(path)

    @pytest.mark.rest
    def test_before_a_server(self, tmp_path: Path, policy: str) -> None:
        output = tmp_path / "t.jsonl"
        with tapping.start(output, options=["--apply", policy]) as tap:
            out, said = tap.communicate(call(1) + call(2, "other") + call(3))

        texts = [text_of(line) for line in out.decode().splitlines()]
        assert texts[0].startswith(f"{NOTE}\n\n[20]{{id,name,ok}}:\n  0,n0,true\n")
        assert texts[1].startswith('[{"id": 0, ')
        assert texts[2].startswith("[20]{id,name,ok}:\n")
        lines = said.decode().splitlines()
        assert lines[0] == (
            "toon tap: results are REWRITTEN: search as TOON; nothing else is changed;"
            f" calls recorded in {output}"
        )
        assert [line.partition(": ")[2][:7] for line in lines[1:]] == ["search:", "search:"]
        kept = [line["exchange"][1]["result"]["content"][0]["text"] for line in recorded(output)]
        assert kept == [texts[1]] * 3

    @pytest.mark.rest
    @pytest.mark.parametrize("events", [False, True], ids=["json", "events"])
    def test_before_a_server_over_http(self, tmp_path: Path, policy: str, events: bool) -> None:
        output = tmp_path / "t.jsonl"
        said = answer(ROWS).strip()
        kind = "text/event-stream" if events else "application/json"
        upstream_says = whole((event(said, "\n") if events else said).encode(), kind)
        headers = {"Content-Type": "application/json", "Mcp-Session-Id": "a session"}
        options = ("--apply", policy)
        with (
            serving(upstream_says) as upstream,
            tapped(output, upstream.url, *options, quiet=False) as port,
        ):
            asked = [call(1), call(1), call(1, "other")]
            got = [post(port, each, "/mcp", **headers).decode() for each in asked]
        if events:
            got = [each.partition("data: ")[2] for each in got]

        written = FORMATS["toon"].dumps(json.loads(ROWS))
        assert [text_of(each) for each in got] == [f"{NOTE}\n\n{written}", written, ROWS]
        assert upstream.bodies == asked
        kept = [line["exchange"][1]["result"]["content"][0]["text"] for line in recorded(output)]
        assert kept == [ROWS] * 3

    @pytest.mark.rest
    def test_an_answer_that_breaks_off_or_is_packed_is_left_alone(
        self, tmp_path: Path, policy: str
    ) -> None:
        said = answer(ROWS).encode()
        packed = gzip.compress(said)
        lie = f"Content-Length: {len(said)}\r\n"

        def answered(client: socket.socket, _: bytes, body: bytes) -> None:
            if b"first" in body:
                head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{lie}\r\n"
                client.sendall(head.encode() + said[:-9])
            else:
                whole(packed, more="Content-Encoding: gzip\r\n")(client)

        kind = {"Content-Type": "application/json"}
        options = ("--apply", policy)
        with (
            serving(answered) as upstream,
            tapped(tmp_path / "t.jsonl", upstream.url, *options, quiet=False) as port,
        ):
            with pytest.raises(http.client.IncompleteRead) as error:
                post(port, call("first"), "/mcp", **kind)
            assert error.value.partial == said[:-9]
            assert post(port, call("second"), "/mcp", **kind) == packed

    @pytest.mark.rest
    def test_before_an_api(self, tmp_path: Path, policy: str) -> None:
        output = tmp_path / "t.jsonl"
        sent = json.dumps(CHAT).encode()
        with serving(whole(b"{}")) as upstream:
            with tapped(output, upstream.url, "--apply", policy, quiet=False) as port:
                kind = {"Content-Type": "application/json"}
                assert post(port, sent, **kind) == b"{}"
                assert post(port, b"{" + sent, **kind) == b"{}"
            one, other = upstream.bodies

        assert other == b"{" + sent
        content = json.loads(one)["messages"][2]["content"]
        assert content.startswith(f"{NOTE}\n\n[10]{{id,name}}:\n")
        assert recorded(output)[0]["request"] == CHAT
