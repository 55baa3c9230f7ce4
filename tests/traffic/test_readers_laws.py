"""Laws of reading any file: it gives payloads and bad records, and no good record is lost."""

import gzip
import io
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import values
from tests.traffic.envelopes import test_sessions_and_gateways as sessions
from tests.traffic.envelopes import traces
from tests.traffic.envelopes.test_makers import MESSAGES
from tests.traffic.reading import entry, har, lines, read_all, zipped
from tests.traffic.test_bills import CODEX
from toon.errors import TextError
from toon.traffic import sniff
from toon.traffic.payload import BadRecord, Payload
from toon.values.json_text import parse_json


def exchanges(calls: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """Logs of requests with their responses."""
    return [
        lines({"method": "GET", "path": "/a", "status": 200, "resp_body": "[1]"}),
        lines({"httpMethod": "GET", "path": "/a", "statusCode": 200, "isBase64Encoded": True,
               "body": "WzFd"}),
        json.dumps({"info": {"_postman_id": "1"}, "item": [{"item": [
            {"request": {"method": "GET", "url": "/a"}, "response": [{"body": "[1]"}]}]}]}),
        json.dumps({"__export_format": 4, "resources": [
            {"_type": "request", "_id": "r", "url": "/a"},
            {"_type": "response", "parentId": "r", "body": "[1]"}]}),
        f"--> {json.dumps(calls)}\n<-- {json.dumps(answer)}\n",
        lines({"request": {"method": "tools/call", "params": {"name": "t"}},
               "response": answer["result"]}),
    ]  # fmt: skip


def seeds() -> list[bytes]:
    calls = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "[1]"}]}}
    tool = [{"role": "tool", "tool_call_id": "c", "content": "[1]"}]
    texts = [
        lines({"a": 1}, [2]),
        "[[1], [2], {}]",
        '{"a": [1.50]}',
        json.dumps(har(entry(text="[1]"), entry())),
        'a,b\n1,"{""x"": 1}"\n2,[]\n',
        lines(calls, answer),
        lines({"messages": tool}),
        sessions.claude_session(),
        sessions.codex_session(),
        lines(*CODEX),
        *(lines(record) for _, record in sessions.GATEWAYS.values()),
        *(lines(*messages) for messages in MESSAGES.values()),
        lines({"messages": tool, "tools": [{"name": "t"}], "usage": {"prompt_tokens": 7}}),
        lines(calls | {"method": "tools/list"}, answer | {"result": {"tools": [{"name": "t"}]}}),
        *exchanges(calls, answer),
        "[1]\n".encode("utf-16").decode("latin-1"),
    ]
    texts += traces.every_shape()
    plain = [text.encode("latin-1") for text in texts]
    packed = [gzip.compress(text, mtime=0) for text in plain]
    packed.append(sessions.zstd(plain[0]))
    archive = zipped({"a/b.json": "[1]", "c.csv": texts[4], "d": plain[3]})
    return [*plain, *packed, traces.parquet(), archive]


SEEDS = seeds()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 3)):
            case 0:
                del data[at : at + draw(st.integers(1, 20))]
            case 1:
                data[at:at] = draw(st.binary(max_size=6))
            case 2:
                data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case _:
                del data[at:]
    return bytes(data)


paths = st.sampled_from([None, "$", "a", "b", "a.0", "messages.0", "request", "log.entries"])


@given(st.one_of(damaged(), st.binary(max_size=200)), paths, paths, st.booleans())
def test_any_bytes_give_payloads_and_bad_records(
    data: bytes, payload_path: str | None, group_path: str | None, whole: bool
) -> None:
    items = read_all(data, whole=whole, payload_path=payload_path, group_path=group_path)

    assert items
    for item in items:
        assert item.record >= 1
        if isinstance(item, BadRecord):
            assert item.reason.isprintable()
            assert item.reason
        else:
            assert isinstance(parse_json(item.text).value, dict | list)
            assert item.group.isprintable()
            assert item.group
    with suppress(TextError):
        sniff(io.BytesIO(data), "x")


@pytest.mark.rest
@settings(max_examples=40)
@given(st.lists(values, min_size=1))
def test_lines_array_and_csv_hold_the_same_payloads(rows: list[Any]) -> None:
    texts = [json.dumps({"x": row}, ensure_ascii=False) for row in rows] + ["{}"]
    cells = ['"' + text.replace('"', '""') + '"' for text in texts]

    for text in ("\n".join(texts), f"[{' , '.join(texts)}]", "\n".join(["p", *cells])):
        assert [item.text for item in read_all(text) if isinstance(item, Payload)] == texts


@pytest.mark.parametrize("depth", [200, 900, 5_000])
@pytest.mark.parametrize(
    ("before", "after"), [('{"request":', "}"), ('{"data":', "}"), ('{"child_runs":[', "]}")]
)
def test_deep_nesting_gives_a_bad_record(depth: int, before: str, after: str) -> None:
    deep = before * depth + '{"role": "user", "content": "x"}' + after * depth

    records = read_all(f"{lines(traces.tool())}{deep}\n")
    payloads = [item for item in records if isinstance(item, Payload)]
    assert [(item.record, item.text) for item in payloads] == [(1, traces.ANSWER)]
    assert read_all(deep)
