"""Measuring in the background of the dashboard: jobs, their progress, and what is left on disk."""

import asyncio
import gc
import gzip
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import app as server
from app import lifespan
from pages.parts.dashboard.job import Job, Order
from tests.pages.test_dashboard import LINES
from toon.measuring.run import Progress
from toon.server.runs import Folder

pytestmark = pytest.mark.rest

PAGE = "dashboard.py"


def test_a_server_that_stops_leaves_no_payloads_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    guarded: list[bool] = []
    monkeypatch.setattr("gc.freeze", lambda: None)
    monkeypatch.setattr("toon.logs.guard", lambda: guarded.append(True))
    kept, gone = Folder(), Folder()
    lost = gone.path
    assert lost.is_dir()
    del gone
    gc.collect()
    assert not lost.exists()

    async def serve() -> None:
        async with lifespan(server):
            assert kept.path.is_dir()

    # Its own thread: a browser test before this one leaves an event loop in the main thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, serve()).result()

    assert not kept.path.exists()
    assert guarded == [True]


def an_order() -> Order:
    return Order((("log.jsonl", LINES),), "payload", None, ("o200k_base",), ("toon",), True)


def test_only_what_is_small_and_not_packed_is_measured_without_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def keep(records: Any, output: Path, *, workers: int, **_: Any) -> None:
        asked.append(workers)
        raise OSError

    monkeypatch.setattr("pages.parts.dashboard.job.measure", keep)
    for data in (LINES, gzip.compress(LINES), LINES * 20_000):
        order = replace(an_order(), files=(("log", data),))
        Job(order).wait()

    assert asked[0] == 1
    assert min(asked[1:]) > 1


def test_a_job_without_a_reference_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def endless(payloads: Any, output: Path, *, cancelled: Any, **_: Any) -> None:
        while not cancelled():
            time.sleep(0.005)
        stopped.set()

    monkeypatch.setattr("pages.parts.dashboard.job.measure", endless)
    job = Job(an_order())
    folder = job.folder.path
    assert not job.done
    assert folder.is_dir()

    del job
    gc.collect()

    assert stopped.wait(60)


def test_a_job_reports_its_progress_and_its_failure_and_leaves_nothing_on_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    held: list[Job] = []
    size = len(LINES)

    def failing(payloads: Any, output: Path, *, progress: Any, **_: Any) -> None:
        while not held:
            time.sleep(0.005)
        output.with_suffix(".part").write_text("secret")
        for number, _payload in enumerate(payloads, 1):
            step = Progress(number, new_records=number, seconds=number, read=number * size // 6)
            progress(step)
            seen.append(held[0].pace.words.replace("\u202f", " "))
        raise RuntimeError("no more")

    monkeypatch.setattr("pages.parts.dashboard.job.measure", failing)
    held.append(Job(an_order()))
    held[0].wait()

    assert held[0].done
    assert held[0].board.summary is None
    assert held[0].board.error == "RuntimeError: no more"
    assert not held[0].folder.path.exists()
    assert seen == [
        "16 %, about 5 seconds left", "33 %, about 4 seconds left", "50 %, about 3 seconds left",
        "66 %, about 2 seconds left", "83 %, about 1 second left", "100 %",
    ]  # fmt: skip
