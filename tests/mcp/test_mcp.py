"""``toon mcp`` as agents use it: by the client of MCP's official SDK."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

import toon
from tests.conftest import ROOT
from toon.costs import answer as answers
from toon.costs.document import Document, Typed
from toon.mcp.tools import make_server
from toon.tokenizers import get

ROWS = (ROOT / "samples" / "uniform-rows.json").read_text("utf-8")


async def _called(client: Client, name: str, arguments: dict[str, Any]) -> Any:
    result = await client.call_tool(name, arguments)
    if result.is_error:
        return result.content[0].text  # type: ignore[union-attr]
    content: Any = result.structured_content
    return content["result"] if set(content) == {"result"} else content


def call(name: str, **arguments: Any) -> Any:
    """What a tool answers, or the words of its error."""

    async def run() -> Any:
        async with Client(make_server()) as client:
            return await _called(client, name, arguments)

    return asyncio.run(run())


def test_a_client_starts_the_command_and_uses_every_tool(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"tool": "list", "payload": json.loads(ROWS)}) + "\n", "utf-8")
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "toon", "mcp"], cwd=str(ROOT)
    )

    async def use() -> list[Any]:
        async with Client(command) as client:
            assert client.server_info.name == "token-lab"
            assert client.server_info.version == toon.__version__
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert listed == ["count", "recommend", "encode", "decode", "measure"]
            return [
                await _called(client, "count", {"text": ROWS}),
                await _called(client, "recommend", {"payload": ROWS, "model": "gpt-5"}),
                await _called(client, "encode", {"payload": '{"a":[1,2]}'}),
                await _called(client, "decode", {"text": "a[2]: 1,2"}),
                await _called(client, "measure", {"paths": [str(log)]}),
            ]

    counted, recommended, encoded, decoded, measured = asyncio.run(use())

    assert counted["tokens"] == get("o200k_base").count(ROWS)
    expected = answers.answer(Document.of(json.loads(ROWS), Typed(ROWS)))
    assert recommended == {**expected, "model": "gpt-5", "notices": []}
    assert encoded == {"text": "a[2]: 1,2", "lost": [], "notices": []}
    assert decoded == {"text": '{"a":[1,2]}', "notices": []}
    assert (measured["payloads"], measured["chosen"]) == (1, {"toon-tab": 1})


def test_what_is_lost_or_changed_in_reading_is_said() -> None:
    twice = '{"a": 1, "a": 2}'
    lossy = call("encode", payload='[{"id": 1, "b": "1"}, {"id": 2, "b": null}]', format="csv")

    assert any("reading it back" in text for text in lossy["lost"])
    for name in ("encode", "recommend"):
        assert any("appears again" in text for text in call(name, payload=twice)["notices"])
    assert any("appears again" in text for text in call("decode", text=twice)["notices"])


def test_a_count_says_who_counts_and_how_well_that_is_known() -> None:
    assert call("count", text=ROWS, model="claude-opus-4-8") == {
        "tokens": get("claude_4_8").count(ROWS),
        "counted_by": "claude_4_8",
        "known": "Tokenizer claude_4_8. Reconstructed, unchecked. ctok 1.3 rebuilt it from counts "
        "of the service; not compared with the service here. A call has 6 tokens more, its frame.",
    }


@pytest.mark.rest
def test_what_could_not_be_measured_is_named() -> None:
    long = f"/{'x' * 5_000}.jsonl"
    result = call("measure", paths=["/nothing/here.jsonl", long])

    assert (result["payloads"], result["not_measured"], result["ladder"]) == (0, 2, [])
    assert result["errors"] == [
        f"{path}, record 1: there is no such file or folder"
        for path in ("/nothing/here.jsonl", long)
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("encode", {"payload": '{"a":'}, "line 1, column 6"),
        ("encode", {"payload": '[{"a":[1]}]', "format": "csv"}, "row 1 has an array under 'a'"),
        ("encode", {"payload": "1", "format": "tune"}, "No format is named 'tune'"),
        ("decode", {"text": "a[3]: 1,2"}, "line 1"),
        ("recommend", {"payload": "[]", "together": "many"}, "must be 1 or more, or none"),
        ("recommend", {"payload": "1", "model": "gpt-99"}, "No model is named 'gpt-99'"),
        ("measure", {"paths": ["https://example.com/a.har"]}, "files of this machine alone"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_errors_are_said_in_their_own_words(
    name: str, arguments: dict[str, Any], reason: str
) -> None:
    error = call(name, **arguments)

    assert error.startswith(f"Error executing tool {name}: ")
    assert reason in error
