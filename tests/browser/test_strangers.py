"""Users at the same time never see one another's data."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.visitor import visit

pytestmark = pytest.mark.rest

USERS = 3


def test_nothing_of_one_user_comes_to_another(app_server: str) -> None:
    """Each has a marker in the text; whatever comes back is searched for those of the others."""

    async def use(marker: str) -> set[bytes]:
        seen: list[bytes] = []
        text = json.dumps({marker: [{"id": row, "name": marker} for row in range(40)]}, indent=2)
        async with visit(app_server, seen.append) as visitor:
            for title in ("Compare", "Evidence"):
                converted = await visitor.convert(text)
                ids = converted["id"], converted["to"]["id"]
                await visitor.about("answer", ids[0])
                await visitor.about("next", ids[0])
                await visitor.measure(*ids)
                edit = {"json": ids[0], "toon": ids[1], "side": "json", "valid": True}
                await visitor.report(edit)
                await visitor.open(title)
                await visitor.open("Playground")
        return {found for each in seen for found in re.findall(rb"marker_\d", each)}

    async def use_together() -> list[set[bytes]]:
        return await asyncio.gather(*(use(f"marker_{number}") for number in range(USERS)))

    # Its own thread: a browser test before this one leaves an event loop in the main thread.
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(asyncio.run, use_together()).result()

    assert found == [{b"marker_%d" % number} for number in range(USERS)]
