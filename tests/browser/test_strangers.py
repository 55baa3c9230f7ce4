"""Users at the same time never see one another's data."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.benchmarks.crowd import Crowd, edit, text_of

pytestmark = pytest.mark.rest


USERS = 3


def test_nothing_of_one_user_comes_to_another(app_server: str) -> None:
    """Each has a marker in the text; whatever comes back is searched for those of the others."""
    crowd = Crowd(app_server)

    async def use() -> None:
        async with crowd.user() as (visitor, marker):
            for title in ("Compare", "Send less"):
                await edit(crowd, visitor, text_of(marker, 1))
                await visitor.open(title)
                await visitor.open("Playground")

    async def use_together() -> None:
        await asyncio.gather(*(use() for _ in range(USERS)))

    # Its own thread: a browser test before this one leaves an event loop in the main thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, use_together()).result()

    assert crowd.errors == {}
    assert crowd.strangers == 0
    assert len(crowd.seconds["edit"]) == 2 * USERS
