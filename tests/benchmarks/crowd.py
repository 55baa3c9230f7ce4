"""Many users at once: ``python -m tests.benchmarks.crowd [USERS] [MINUTES]``.

The real app runs in a process of its own. Its users speak Streamlit's protocol and ask the routes
of the editors as a browser does: each types, waits for the figures, reports the edit, thinks, and
opens another page now and then. First one user is alone, then come all of them. Last, one types
while another runs a heavy job.

Each user has a marker, which is all over their text. The exit status is 1 if anything failed, or
if the marker of another came back. Times are printed: those of one user and of many, their ratio.
The target: at most 5 times as long in the middle, memory flat after the first minutes, and no key
press that waits half a second for another's heavy job.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import secrets
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from tests.benchmarks.sessions import memories
from tests.benchmarks.switches import PAGES
from tests.benchmarks.timing import ROOT, Ratios
from tests.browser.conftest import served
from tests.visitor import Failed, Visitor, visit

USERS, MINUTES = 25, 2.0
#: Seconds: between edits on average, of one user alone, until an edit is reported, between keys.
THINKING, ALONE, REPORTED_AFTER, BETWEEN_KEYS = 2.0, 30, 0.8, 0.1
#: How often a user opens another page instead of typing.
LEAVES = 0.1
#: How often a heavy job is done.
REPEATS = 3
#: What a user can feel: each is a row of the table.
FELT = ("convert", "answer", "measure", "next", "edit", "page")
MARKERS = re.compile(rb"mark[0-9a-f]{12}")

Result = TypeVar("Result")


@dataclass
class Crowd:
    """What happened to some users: seconds by what they did, what failed, whose markers came."""

    url: str
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    strangers: int = 0

    async def timed(self, name: str, work: Awaitable[Result]) -> Result:
        start = time.perf_counter()
        result = await work
        self.seconds[name].append(time.perf_counter() - start)
        return result

    @asynccontextmanager
    async def user(self) -> AsyncIterator[tuple[Visitor, str]]:
        """A visitor with a marker, which must come back to them and to nobody else."""
        marker = f"mark{secrets.token_hex(6)}"
        came: Counter[str] = Counter()
        try:
            async with visit(
                self.url, lambda seen: came.update(map(bytes.decode, MARKERS.findall(seen)))
            ) as visitor:
                yield visitor, marker
        except (Failed, OSError, TimeoutError, httpx2.HTTPError) as error:
            self.errors[f"{type(error).__name__}: {error}"] += 1
        if not came.pop(marker, 0):
            self.errors["a text that never came back"] += 1
        self.strangers += came.total()


def text_of(marker: str, edit: int, rows: int = 40) -> str:
    """JSON of about 100 bytes a row, indented, that holds the marker as a name and as values."""
    records = [
        {"id": row, "name": f"{marker} {row}", "city": "Graz", "total": row * 7.25, "new": row < 9}
        for row in range(rows)
    ]
    return json.dumps({"edit": edit, marker: records}, indent=2)


async def edit(crowd: Crowd, visitor: Visitor, text: str) -> None:
    """Types a text: asks all that the editors ask, and reports it."""
    converted = await crowd.timed("convert", visitor.convert(text))
    first = json.dumps(json.loads(text)["edit"])
    if f"edit: {first}\n" not in converted["to"]["text"]:
        raise Failed("convert answered about another text")
    ids = converted["id"], converted["to"]["id"]
    await crowd.timed("answer", visitor.about("answer", ids[0]))
    asked = asyncio.create_task(crowd.timed("next", visitor.about("next", ids[0])))
    await crowd.timed("measure", visitor.measure(*ids))
    await asyncio.sleep(REPORTED_AFTER)
    await asked
    report = {"json": ids[0], "toon": ids[1], "side": "json", "valid": True}
    await crowd.timed("edit", visitor.report(report))


async def use(crowd: Crowd, seconds: float, thinking: float) -> None:
    """One user: types, and looks at other pages now and then, until the time is over."""
    async with crowd.user() as (visitor, marker):
        until, number = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            await asyncio.sleep(random.uniform(0.5, 1.5) * thinking)
            if number and random.random() < LEAVES:
                await crowd.timed("page", visitor.open(random.choice(PAGES[1:])))
                await asyncio.sleep(thinking)
                await visitor.open(PAGES[0])
            number += 1
            await edit(crowd, visitor, text_of(marker, number))


async def use_together(crowd: Crowd, users: int, minutes: float, server: int) -> None:
    """All users at once, who come within one time of thinking; prints the memory each minute."""

    async def come(number: int) -> None:
        await asyncio.sleep(THINKING * number / users)
        await use(crowd, minutes * 60, THINKING)

    async def look() -> None:
        for minute in range(1, int(minutes) + 1):
            await asyncio.sleep(60)
            print(f"memory after {minute} min: {memory_of(server)}", flush=True)

    looking = asyncio.create_task(look())
    await asyncio.gather(*map(come, range(users)))
    await looking


# -- one types, another works ----------------------------------------------------------------


async def send_less(crowd: Crowd) -> None:
    """Opens Send less with a text that is just small enough to be measured unasked."""
    async with crowd.user() as (visitor, marker):
        await edit(crowd, visitor, text_of(marker, 1, rows=2_600))
        await visitor.open("Send less")


async def convert_much(crowd: Crowd) -> None:
    """Converts a text of 12 MB."""
    async with crowd.user() as (visitor, marker):
        await visitor.convert(text_of(marker, 1, rows=105_000))


async def rest(crowd: Crowd) -> None:
    """Does nothing, for comparison."""
    async with crowd.user() as (visitor, marker):
        await visitor.convert(text_of(marker, 1))
        await asyncio.sleep(2)


def do_job(job: Callable[[Crowd], Coroutine[Any, Any, None]], url: str) -> Crowd:
    """What happened to the user who did a heavy job a few times."""
    crowd = Crowd(url)
    for _ in range(REPEATS):
        asyncio.run(job(crowd))
    return crowd


async def type_beside(
    job: Callable[[Crowd], Coroutine[Any, Any, None]], url: str, pool: Executor
) -> tuple[Crowd, list[float]]:
    """What happened, and the seconds that each key waited while another user did a heavy job."""
    crowd = Crowd(url)
    async with crowd.user() as (visitor, marker):
        await visitor.convert(text_of(marker, 0))
        # Another process: here, large texts would hold up the one who types.
        working = asyncio.get_running_loop().run_in_executor(pool, do_job, job, url)
        while not working.done():
            text = text_of(marker, len(crowd.seconds["key"]) + 1)
            await crowd.timed("key", visitor.convert(text))
            await asyncio.sleep(BETWEEN_KEYS)
        worked = await working
        crowd.errors += worked.errors
        crowd.strangers += worked.strangers
    return crowd, crowd.seconds["key"]


# -- what is printed -------------------------------------------------------------------------


def middle_and_high(seconds: list[float]) -> tuple[float, float]:
    """Median and 95th percentile, in milliseconds."""
    if len(seconds) < 2:
        return (seconds[0] * 1000,) * 2 if seconds else (0.0, 0.0)
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return cuts[9] * 1000, cuts[18] * 1000


def memory_of(server: int) -> str:
    """The memory of the server and, apart, of its workers: those beyond two come and go."""
    own, workers = memories(server)
    return f"{own} MB, and {len(workers)} workers with {' + '.join(map(str, workers))} MB"


def processor_seconds(pid: int) -> float:
    """The time that a process has spent on all processors."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def draw_table(one: Crowd, many: Crowd, users: int) -> Ratios:
    """Prints the table; the ratios of the medians of a conversion and of an edit."""
    medians = {}
    print(f"{'milliseconds':12}{'one user':>18}{f'{users} users':>18}{'ratio':>14}{'times':>8}")
    print(f"{'':12}" + f"{'p50':>9}{'p95':>9}" * 2 + f"{'p50':>7}{'p95':>7}")
    for name in FELT:
        alone, together = middle_and_high(one.seconds[name]), middle_and_high(many.seconds[name])
        ratios = [high / low if low else 0 for low, high in zip(alone, together, strict=True)]
        medians[name] = ratios[0]
        print(
            f"{name:12}"
            + "".join(f"{value:9.1f}" for value in (*alone, *together))
            + "".join(f"{ratio:7.1f}" for ratio in ratios)
            + f"{len(many.seconds[name]):8,}"
        )
    return [[medians["convert"]], [medians["edit"]]]


async def measure(url: str, server: int, users: int, minutes: float) -> tuple[Ratios, int]:
    """Prints all figures; the ratios, and the number of errors and of strangers' markers."""
    first, one, many = crowds = [Crowd(url) for _ in range(3)]
    await use(first, 5, 0)  # what the first user of a server waits for is another matter
    await use(one, ALONE, THINKING / 4)
    print(f"memory with one user: {memory_of(server)}", flush=True)
    worked, start = processor_seconds(server), time.monotonic()
    await use_together(many, users, minutes, server)
    worked, took = processor_seconds(server) - worked, time.monotonic() - start
    ratios = draw_table(one, many, users)
    each = worked / max(1, len(many.seconds["edit"])) * 1000
    print(f"the server used {worked / took:.0%} of a core, {each:.0f} ms an edit")
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for job in (rest, send_less, convert_much):
            beside, keys = await type_beside(job, url, pool)
            crowds.append(beside)
            print(f"{len(keys)} keys beside {job.__name__}: longest wait {max(keys) * 1000:.0f} ms")
    print(f"memory at the end: {memory_of(server)}")
    errors = sum((crowd.errors for crowd in crowds), Counter[str]())
    strangers = sum(crowd.strangers for crowd in crowds)
    print(f"{errors.total()} errors, {strangers} markers of others")
    for error, times in errors.most_common(10):
        print(f"{times:6} {error}")
    return ratios, errors.total() + strangers


def main() -> Ratios:
    users = int(sys.argv[1]) if len(sys.argv) > 1 else USERS
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else MINUTES
    with served(ROOT / "app.py") as server:
        ratios, failed = asyncio.run(measure(server.url, server.pid, users, minutes))
    if failed:
        sys.exit(f"{failed} errors or markers of others")
    return ratios


if __name__ == "__main__":
    main()
