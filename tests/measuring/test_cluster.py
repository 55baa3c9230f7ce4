"""A real Dask scheduler with two workers on loopback gives the table of a local run."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import distributed
import pytest

from tests.conftest import ROOT, python_path
from tests.measuring.corpora import records
from tests.processes import Process
from toon.costs.explanation import ALONE
from toon.measuring import cluster as module
from toon.measuring import run
from toon.measuring.cluster import Cluster
from toon.measuring.measure import Settings
from toon.measuring.run import Progress, measure
from toon.measuring.table import measure_part, open_run
from toon.measuring.workers import WorkersError

pytestmark = pytest.mark.rest


COUNT = 700
SETTINGS = Settings.of(["o200k_base"], ["toon"])


@dataclass
class Dask:
    """A scheduler and its workers, as processes."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def start_cluster(folder: Path) -> Iterator[Dask]:
    """A cluster, as soon as both workers are there."""
    file = folder / "scheduler.json"
    everyone = ("--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard")
    with ExitStack() as stack:

        def start(*arguments: str) -> subprocess.Popen[bytes]:
            process = stack.enter_context(
                Process(
                    [sys.executable, "-m", "dask", *arguments, *everyone],
                    cwd=folder,
                    env=os.environ | {"PYTHONPATH": python_path(ROOT)},
                    stderr=subprocess.DEVNULL,
                )
            )
            stack.callback(process.kill)
            return process

        scheduler = start("scheduler", "--port", "0")
        workers = [start("worker", "--nthreads", "1", "--no-nanny") for _ in range(2)]
        while not (file.exists() and file.stat().st_size):  # Dask fills it after creating it
            assert scheduler.poll() is None
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        with distributed.Client(address, timeout=120, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        yield Dask(address, scheduler, workers)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """A cluster of which processes may be killed."""
    with start_cluster(tmp_path) as dask:
        yield dask


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A cluster that outlives a test."""
    with start_cluster(tmp_path_factory.mktemp("dask")) as dask:
        yield dask


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHUNK_RECORDS", 20)


def test_a_worker_killed_midway_changes_nothing_and_losing_all_is_an_error(
    dask: Dask, tmp_path: Path
) -> None:
    kept: list[Progress] = []

    def kill_one(progress: Progress) -> None:
        kept.append(progress)
        if len(kept) == 10:
            dask.workers[0].send_signal(signal.SIGKILL)

    far, near = tmp_path / "far.parquet", tmp_path / "near.parquet"
    summary = measure(records(COUNT), far, scheduler=dask.address, progress=kill_one)
    measure(records(COUNT), near, workers=1)

    assert dask.workers[0].wait() == -signal.SIGKILL
    assert dask.workers[1].poll() is None
    assert summary.complete
    assert [step.records for step in kept] == list(range(20, COUNT + 1, 20))
    table = open_run(far).table()
    assert table["record"].to_pylist() == list(range(1, COUNT + 1))
    assert table.equals(open_run(near).table())

    lost: list[Progress] = []

    def kill_all(progress: Progress) -> None:
        lost.append(progress)
        if len(lost) == 3:
            for process in (dask.scheduler, *dask.workers):
                process.send_signal(signal.SIGKILL)

    with pytest.raises(WorkersError, match=f"the scheduler at {dask.address} is gone"):
        measure(records(COUNT), tmp_path / "r.parquet", scheduler=dask.address, progress=kill_all)
    assert measure(records(COUNT), tmp_path / "r.parquet", workers=1).resumed >= 60


def test_looking_for_a_result_never_stops_it(lasting: Dask) -> None:
    """Looks of a millisecond end before a part is fetched, and at any point of the fetching."""
    parts = []
    with closing(Cluster(lasting.address, SETTINGS)) as executor:
        assert executor.window == 5  # each of two workers has parts waiting
        for future in [executor.submit([record]) for record in records(6)]:
            while True:
                with suppress(TimeoutError):
                    parts.append(future.result(0.001))
                    break

    assert parts == [measure_part([record], SETTINGS) for record in records(6)]


def test_workers_of_other_versions_are_refused(lasting: Dask) -> None:
    executor = Cluster(
        lasting.address, Settings(("chars4",), ("toon",), False, (("splintr-rs", "0.1"),), ALONE)
    )

    with pytest.raises(RuntimeError, match=r"this run is measured with splintr-rs 0\.1"):
        executor.submit([]).result()
    executor.close()


def test_a_run_ends_without_workers_or_a_scheduler(
    dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RECOUNT", 0.1)
    kept: list[Progress] = []

    def kill_workers(progress: Progress) -> None:
        kept.append(progress)
        if len(kept) == 3:
            monkeypatch.setattr(module, "PATIENCE", 3)
            for worker in dask.workers:
                worker.kill()

    with pytest.raises(WorkersError, match="has no workers any more"):
        measure(
            records(COUNT), tmp_path / "r.parquet", scheduler=dask.address, progress=kill_workers
        )
    with monkeypatch.context() as patched:
        patched.setattr(module, "_connect", connect_patiently)
        with pytest.raises(WorkersError, match=r"has no workers$"):
            Cluster(dask.address, SETTINGS)
    monkeypatch.setattr(module, "PATIENCE", 1)
    with pytest.raises(WorkersError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9", SETTINGS)


def connect_patiently(address: str) -> distributed.Client:
    """Waits for the scheduler, which answers late on a busy machine, and no longer for workers."""
    return distributed.Client(address, timeout=120, set_as_default=False)


def test_a_bad_address_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object, **__: object) -> None:
        raise TypeError("no certificate")

    monkeypatch.setattr("distributed.Client", connect)
    for address, reason in {
        "localhost": "missing port number in address 'localhost'",
        "http://a:1": "unknown address scheme 'http'",
        "tls://a:1": "no certificate",
    }.items():
        with pytest.raises(WorkersError, match=f"no Dask scheduler answers at {address}: {reason}"):
            Cluster(address, SETTINGS)


def test_without_dask_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(WorkersError, match=r"Install it: pip install distributed$"):
        Cluster("tcp://127.0.0.1:9", SETTINGS)
