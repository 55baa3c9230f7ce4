"""Worker processes: they give the same rows as this process, and a dead worker is replaced."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests.conftest import ROOT
from tests.measuring.corpora import records
from tests.processes import Process
from toon.bounded.process import STANDARD
from toon.measuring.measure import Settings
from toon.measuring.run import measure
from toon.measuring.table import measure_part, open_run
from toon.measuring.workers import Processes, WorkersError
from toon.traffic.payload import Payload

SETTINGS = Settings.of(["o200k_base"], ["toon"])
LONG = [Payload("a.json", n, "g", f"[{'1,' * 300_000}1]") for n in range(40)]


@pytest.fixture
def executor() -> Iterator[Processes]:
    processes = Processes(2, SETTINGS)
    yield processes
    processes.close()


def list_running(executor: Processes) -> list[int]:
    """The process ids of its workers: those of other tests may come and go meanwhile."""
    with executor._lock:
        return [process._process.pid for process in executor._running]


def list_workers(parent: int) -> list[int]:
    """The process ids of the workers that another process has started."""
    family = [child.pid for child in psutil.Process(parent).children(recursive=True)]
    return [pid for pid in family if b"worker_main" in command_line(pid)]


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.rest
def test_a_killed_process_is_replaced_and_its_records_measured_again(executor: Processes) -> None:
    futures = [executor.submit(LONG[:2]), executor.submit(LONG[2:4])]
    wait_for(lambda: len(list_running(executor)) == 2)
    time.sleep(0.3)
    killed = list_running(executor)[0]
    os.kill(killed, signal.SIGKILL)

    parts = [future.result() for future in futures]
    assert parts == [measure_part(LONG[:2], SETTINGS), measure_part(LONG[2:4], SETTINGS)]
    assert not command_line(killed)


def test_records_that_kill_every_process_are_named(
    executor: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkersError) as caught:
        executor.submit(LONG[:3]).result()

    assert str(caught.value) == (
        "3 times a worker ended unexpectedly, with status 1 while measuring"
        " a.json record 0 to a.json record 2"
    )


def test_closing_kills_the_workers_and_cancels_the_rest() -> None:
    executor = Processes(2, SETTINGS)
    futures = [executor.submit(LONG), executor.submit(LONG), executor.submit(LONG)]
    wait_for(lambda: len(list_running(executor)) == 2)
    running = list_running(executor)
    executor.close()

    assert not any(map(command_line, running))
    assert futures[2].cancelled()  # type: ignore[attr-defined]
    with pytest.raises(WorkersError, match="stopped"):
        futures[0].result()


def test_an_error_in_a_worker_is_raised_here() -> None:
    other = Settings(("o200k_base",), ("toon",), False, (("splintr-rs", "0.1"),))

    with (
        closing(Processes(1, other)) as executor,
        pytest.raises(WorkersError, match=r"this run is measured with splintr-rs 0\.1"),
    ):
        executor.submit([]).result()


@pytest.mark.rest
def test_an_unexpected_error_comes_with_its_traceback(executor: Processes) -> None:
    with pytest.raises(WorkersError, match="Traceback"):
        executor.submit([None]).result()  # type: ignore[list-item]


@pytest.mark.rest
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "import time\n"
        "from toon.measuring.workers import Processes\n"
        "from toon.measuring.measure import Settings\n"
        "executor = Processes(1, Settings.of(['chars4'], []))\n"
        "executor.submit([]).result()\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    with Process([sys.executable, "-c", script], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        starter.stdout.readline()
        (pid,) = list_workers(starter.pid)
        starter.kill()
    wait_for(lambda: not command_line(pid))


@pytest.mark.rest
def test_a_page_of_streamlit_may_start_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit's main module is the page, and each session runs in a thread."""
    page = tmp_path / "page.py"
    page.write_text("raise SystemExit('a worker has run the page')")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(page), raising=False)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.parquet"
    thread = threading.Thread(target=lambda: measure(records(50), path, workers=2))
    thread.start()
    thread.join()

    assert open_run(path).about["records"] == 50


@pytest.mark.rest
def test_a_worker_ends_silently_when_a_request_is_cut_off() -> None:
    request = pickle.dumps((measure_part, (LONG[:1], SETTINGS), STANDARD))[:-1000]
    done = subprocess.run(
        [sys.executable, "-m", "toon.bounded.worker_main", "0"],
        cwd=ROOT,
        input=request,
        capture_output=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == (b"", b"")
