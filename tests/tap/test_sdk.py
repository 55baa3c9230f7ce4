"""The official SDK's client and server do through the tap what they do without it."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client

from tests.conftest import ROOT
from tests.tap import tapping
from tests.tap.server import orders
from tests.tap.tapping import groups, recorded
from toon.traffic import read_paths
from toon.traffic.account import Account

SERVER = [sys.executable, "-m", "tests.tap.server"]


@asynccontextmanager
async def session(command: list[str], errors: Path) -> Any:
    with errors.open("w") as log:
        server = StdioServerParameters(
            command=command[0], args=command[1:], env=tapping.environment(), cwd=str(ROOT)
        )
        async with (
            stdio_client(server, log) as (source, target),
            ClientSession(source, target) as client,
        ):
            await client.initialize()
            yield client


async def _use(client: Any) -> dict[str, Any]:
    """What a client does, and what it sees."""
    seen: dict[str, Any] = {}

    async def progress(done: float, total: float | None, _: str | None) -> None:
        seen.setdefault("progress", []).append((done, total))

    seen["tools"] = sorted(tool.name for tool in (await client.list_tools()).tools)
    seen["one"] = (await client.call_tool("list_orders", {"count": 3})).content[0].text
    at_once = [
        client.call_tool("list_orders", {"count": 10 - n, "seconds": n / 50}) for n in range(9)
    ]
    seen["at once"] = [result.content[0].text for result in await asyncio.gather(*at_once)]
    seen["counted"] = (
        (await client.call_tool("count_up", {"to": 3}, progress_callback=progress)).content[0].text
    )
    failed = await client.call_tool("fail", {})
    seen["failed"] = failed.is_error
    large = await client.call_tool("list_orders", {"count": 12_000})
    seen["large"] = large.content[0].text
    await client.call_tool("complain", {"text": "a complaint"})
    begun = asyncio.Event()

    async def begins(*_: object) -> None:
        begun.set()

    waiting = asyncio.create_task(
        client.call_tool("list_orders", {"seconds": 30}, progress_callback=begins)
    )
    await begun.wait()
    waiting.cancel()
    seen["after"] = (await client.call_tool("list_orders", {"count": 1})).content[0].text
    return seen


def test_a_session_is_the_same_with_the_tap_and_is_recorded(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"

    async def both() -> list[dict[str, Any]]:
        seen = []
        for name, command in (("bare", SERVER), ("tap", tapping.command(output, *SERVER))):
            async with session(command, tmp_path / name) as client:
                seen.append(await _use(client))
                if name == "tap":  # a client gives it but seconds to end
                    await asyncio.to_thread(tapping.wait, is_recorded)
        return seen

    def is_recorded() -> bool:
        return output.exists() and groups(output)[-2:] == ["complain", "list_orders"]

    bare, tapped = asyncio.run(both())

    assert bare == tapped
    assert bare["progress"] == [(1, 3), (2, 3), (3, 3)]
    assert json.loads(bare["large"]) == orders(12_000)
    assert "a complaint" in (tmp_path / "tap").read_text()
    assert groups(output) == [*["list_orders"] * 11, "complain", "list_orders"]
    account = Account()
    assert len(list(read_paths([str(output)], account=account))) == 15
    names = {definition.tool for definition in account.definitions.sent}
    assert names == {"list_orders", "count_up", "fail", "complain"}
    assert [line.get("cancelled") for line in recorded(output)].count(True) == 1
