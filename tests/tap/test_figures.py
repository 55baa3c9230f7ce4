"""Figures in place of a recording: what is in them, and that they say what the texts would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tap import tapping
from tests.tap.test_growing import calls
from toon.costs.explanation import ALONE, Explaining
from toon.measuring.definitions import count_definitions
from toon.measuring.measure import Settings, measure_record
from toon.tap.calls import note_line, record_line
from toon.tap.figures import Figures
from toon.traffic import read_paths
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord, Payload

SETTINGS = Settings.of(["o200k_base", "claude_haiku_4_5"], ["toon", "csv"])


def figures(lines: list[bytes], settings: Settings = SETTINGS) -> bytes:
    made: list[bytes] = []
    write = Figures(made.append, settings)
    for line in lines:
        write(line)
    return b"".join(made)


def rows(path: Path, settings: Settings = SETTINGS) -> list[dict[str, Any]]:
    found = [measure_record(item, settings) for item in read_paths([str(path)])]
    return [{**row, "source": "", "record": 0} for row in found]


@pytest.mark.parametrize("names", [["o200k_base", "claude_haiku_4_5"], ["grok_4_5"]])
@pytest.mark.parametrize("explaining", [ALONE, Explaining(None), Explaining(50)])
def test_figures_measure_as_the_texts_do(
    tmp_path: Path, names: list[str], explaining: Explaining
) -> None:
    recording, kept = tmp_path / "t.jsonl", tmp_path / "f.jsonl"
    lines = [*calls(12), note_line(1.8e9, "3 bytes were lost")]
    recording.write_bytes(b"".join(lines))
    settings = Settings.of(names, ["toon", "csv", "yaml"], explaining=explaining)
    kept.write_bytes(figures(lines, settings))

    assert rows(kept, settings) == rows(recording, settings)
    assert b"n1" not in kept.read_bytes()
    assert b"name" not in kept.read_bytes().replace(b'"names"', b"")


def test_of_a_call_of_a_model_its_usage_remains(tmp_path: Path) -> None:
    kept = tmp_path / "f.jsonl"
    request = {
        "model": "gpt-5",
        "messages": [
            {"role": "user", "content": "a secret"},
            {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "find"}}]},
            {"role": "tool", "tool_call_id": "1", "content": '[{"a": "hidden"}]'},
        ],
    }
    answer = {
        "model": "gpt-5-1",
        "choices": [{"message": {"content": "private"}}],
        "usage": {"prompt_tokens": 70, "completion_tokens": 5},
    }
    bodies = [("request", json.dumps(request).encode()), ("response", json.dumps(answer).encode())]
    kept.write_bytes(figures([record_line("model", 1.8e9, ("status", b"200"), *bodies)]))

    assert not any(word in kept.read_text() for word in ("secret", "hidden", "private"))
    account = Account()
    (payload,) = read_paths([str(kept)], account=account)
    assert isinstance(payload, Payload)
    assert (payload.group, payload.model) == ("find", "gpt-5")
    assert account.usages.facts()[0]["tokens"]["input"] == 70


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (
            Settings.of(["claude_haiku_4_5"], ["toon"]),
            "its figures were counted first by o200k_base: measure by that first",
        ),
        (
            Settings.of(["o200k_base", "qwen3"], ["toon"]),
            "only its figures were recorded, and qwen3.as-typed is not among them",
        ),
        (
            Settings.of(["o200k_base"], ["yaml"]),
            "only its figures were recorded, and o200k_base.yaml is not among them",
        ),
        (
            Settings(("o200k_base",), ("toon",), False, (("orjson", "0"),)),
            "its figures were counted with other versions",
        ),
    ],
)
def test_what_was_not_counted_is_said(tmp_path: Path, settings: Settings, reason: str) -> None:
    kept = tmp_path / "f.jsonl"
    kept.write_bytes(figures(calls(1)))

    (item,) = read_paths([str(kept)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("toon.measuring.measure.versions", lambda: settings.versions)
        assert measure_record(item, settings)["error"] == reason


DEFINED = [
    {"name": "search", "description": "a secret purpose", "inputSchema": {"type": "object"}},
    {"name": "read", "description": "of a file", "inputSchema": {}},
]


def exchange(method: str, result: dict[str, Any], **params: Any) -> bytes:
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = {"jsonrpc": "2.0", "id": 1, "result": result}
    return record_line("mcp", 1.8e9, ("exchange", json.dumps([asked, answer]).encode()))


def model_call(tools: list[dict[str, Any]], time: float = 1.8e9) -> bytes:
    wrapped = [{"type": "function", "function": each} for each in tools]
    body = {"model": "gpt-5", "tools": wrapped, "messages": [{"role": "user", "content": "hello"}]}
    return record_line("model", time, ("status", b"200"), ("request", json.dumps(body).encode()))


def account_of(kept: Path, written: bytes) -> Account:
    kept.write_bytes(written)
    account = Account()
    list(read_paths([str(kept)], account=account))
    return account


def test_definitions_are_counted_as_those_of_the_texts_are(tmp_path: Path) -> None:
    text = {"content": [{"type": "text", "text": "12 files changed"}]}
    lines = [
        exchange("tools/list", {"tools": DEFINED}),
        exchange("tools/call", text, name="search"),
        *calls(1),
        model_call(DEFINED),
        model_call(DEFINED[:1], 1.8e9 + 90),
    ]
    texts, kept = (
        count_definitions(account_of(tmp_path / "t.jsonl", each).definitions, "o200k_base")
        for each in (b"".join(lines), figures(lines))
    )

    assert kept == texts
    rows = [(each["tool"], each["called"], each["requests"]) for each in kept["tools"]]
    assert sorted(rows) == [
        ("read", False, 0),
        ("read", False, 1),
        ("search", True, 0),
        ("search", True, 2),
    ]
    assert kept["requests"] == 2
    assert figures(lines).count(b'"tools"') == 4
    assert not any(word in figures(lines) for word in (b"secret", b"inputSchema", b"changed"))


def test_a_definition_is_not_counted_by_another_tokenizer(tmp_path: Path) -> None:
    account = account_of(tmp_path / "f.jsonl", figures([model_call(DEFINED)]))

    facts = count_definitions(account.definitions, "qwen3")
    assert (facts["tools"], facts["left_out"]) == ([], 2)


@pytest.mark.parametrize(
    "damage",
    [
        {},
        {"called": [], "defined": [{}]},
        {"called": 0, "defined": []},
        {"called": [], "defined": [{"tool": "a", "server": "", "tokens": {"x": 1}}]},
        {"called": [], "defined": [{"tool": "a", "server": "", "tokens": {"x": [1, -2]}}]},
    ],
)
def test_damaged_figures_of_tools_are_a_bad_record(tmp_path: Path, damage: dict[str, Any]) -> None:
    kept = tmp_path / "f.jsonl"
    kept.write_text(json.dumps({"tap": "tools", "listed": True, **damage}) + "\n")

    (item,) = read_paths([str(kept)])
    assert isinstance(item, BadRecord)
    assert item.reason == "its figures of tools are damaged"


@pytest.mark.parametrize("damage", ["{}", "[]", '{"row": {}, "tokenizers": []}', "null"])
def test_damaged_figures_are_a_bad_record(tmp_path: Path, damage: str) -> None:
    kept = tmp_path / "f.jsonl"
    kept.write_text(f'{{"tap": "figures", "group": "a", "figures": {damage}}}\n')

    (item,) = read_paths([str(kept)])
    assert measure_record(item, SETTINGS)["error"] == "its figures are damaged"


@pytest.mark.rest
def test_the_command_writes_figures(tmp_path: Path) -> None:
    output = tmp_path / "f.jsonl"
    with tapping.start(output, options=["--figures"]) as tap:
        tap.communicate(tapping.call(1, "search"))

    (line,) = tapping.recorded(output)
    assert (line["tap"], line["group"]) == ("figures", "search")
    assert line["figures"]["row"]["o200k_base.toon"] > 0
    assert "n7" not in output.read_text()
