"""A real model on this machine is asked through the tap."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reading.test_model import MODEL, missing, serving_model
from tests.tap.tapping import recorded, tapped
from toon.traffic import read_paths
from toon.traffic.account import Account

pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]
ROWS = json.dumps([{"city": name, "people": 200 + n} for n, name in enumerate(["Graz", "Linz"])])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving_model() as url:
        yield url


def _ask(base: str, *, stream: bool) -> bytes:
    call = {"id": "c1", "type": "function", "function": {"name": "cities", "arguments": "{}"}}
    request: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 8,
        "temperature": 0,
        "stream": stream,
        "messages": [
            {"role": "user", "content": "Which city has more people?"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": ROWS},
        ],
    }
    if stream:
        request["stream_options"] = {"include_usage": True}
    sent = urllib.request.Request(
        f"{base}/v1/chat/completions",
        json.dumps(request).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer sk-secret-0123"},
    )
    with urllib.request.urlopen(sent, timeout=200) as answer:
        return bytes(answer.read())


def _words(events: bytes) -> str:
    chunks = [line[6:] for line in events.split(b"\n") if line.startswith(b"data: {")]
    parts = [json.loads(chunk)["choices"] for chunk in chunks]
    return "".join(part[0]["delta"].get("content") or "" for part in parts if part)


def test_its_answers_come_through_the_tap_and_its_usage_is_recorded(
    url: str, tmp_path: Path
) -> None:
    output = tmp_path / "traffic.jsonl"
    with tapped(output, url) as port:
        tap = f"http://127.0.0.1:{port}"
        said = json.loads(_ask(tap, stream=False))
        streamed = _words(_ask(tap, stream=True))

    assert streamed == said["choices"][0]["message"]["content"]
    lines = recorded(output)
    assert [line["response"]["usage"]["completion_tokens"] for line in lines] == [8, 8]
    assert "secret" not in output.read_text()
    account = Account()
    assert [each.text for each in read_paths([str(output)], account=account)] == [ROWS] * 2
    assert account.usages.facts()[0]["calls"] == 2
