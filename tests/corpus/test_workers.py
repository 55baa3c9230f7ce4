"""Processes that measure: the same parts, and what happens when one is killed."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.corpus.corpora import records
from toon.corpus import workers as module
from toon.corpus.measuring import Settings
from toon.corpus.payload import Payload
from toon.corpus.run import measure
from toon.corpus.table import measured_part, open_run
from toon.corpus.workers import Alone, Processes, WorkersError, cores

pytestmark = pytest.mark.slow

SETTINGS = Settings.of(["o200k_base"], ["toon"])
LONG = [Payload("a.json", n, "g", f"[{'1,' * 300_000}1]") for n in range(40)]


@pytest.fixture
def crew() -> Iterator[Processes]:
    processes = Processes(2, SETTINGS)
    yield processes
    processes.close()


def pids(crew: Processes) -> list[int]:
    return [process._process.pid for process in list(crew._running)]


def wait_for(condition: object, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.01)


def test_processes_and_this_one_give_the_same_part(crew: Processes) -> None:
    found = list(records(60))

    expected = measured_part(found, SETTINGS)
    assert crew.submit(found).result() == expected
    assert Alone(SETTINGS).submit(found).result() == expected


def test_a_killed_process_is_replaced_and_its_records_measured_again(crew: Processes) -> None:
    tickets = [crew.submit(LONG[:4]), crew.submit(LONG[4:8])]
    wait_for(lambda: len(pids(crew)) == 2)
    time.sleep(0.3)
    killed = pids(crew)[0]
    os.kill(killed, signal.SIGKILL)

    parts = [ticket.result() for ticket in tickets]
    assert parts == [measured_part(LONG[:4], SETTINGS), measured_part(LONG[4:8], SETTINGS)]
    assert killed not in pids(crew)


def test_records_that_kill_every_process_are_named(
    crew: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONSTARTUP", "")
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    with pytest.raises(WorkersError) as caught:
        crew.submit(LONG[:3]).result()

    assert str(caught.value) == (
        "a worker ended 3 times (status 1; out of memory?) while measuring"
        " a.json record 0 to a.json record 2"
    )


def test_closing_ends_what_is_being_measured() -> None:
    crew = Processes(2, SETTINGS)
    tickets = [crew.submit(LONG), crew.submit(LONG), crew.submit(LONG)]
    wait_for(lambda: len(pids(crew)) == 2)
    found = list(crew._running)
    start = time.monotonic()
    crew.close()

    assert time.monotonic() - start < 10
    assert all(process._process.poll() is not None for process in found)
    assert tickets[2].cancelled()  # type: ignore[attr-defined]
    with pytest.raises(WorkersError, match="stopped"):
        tickets[0].result()


def test_an_error_of_a_process_is_said_here(crew: Processes) -> None:
    crew._settings = Settings(("o200k_base",), ("toon",), False, (("tiktoken", "0.1"),))

    with pytest.raises(WorkersError, match=r"this run is measured with tiktoken 0\.1"):
        crew.submit([]).result()


def test_a_mistake_of_ours_comes_with_its_place(crew: Processes) -> None:
    with pytest.raises(WorkersError, match="Traceback"):
        crew.submit([None]).result()  # type: ignore[list-item]


def test_processes_end_when_their_starter_is_killed(tmp_path: Path) -> None:
    script = (
        "import time\n"
        "from toon.corpus.workers import Processes\n"
        "from toon.corpus.measuring import Settings\n"
        "crew = Processes(1, Settings.of(['chars4'], []))\n"
        "crew.submit([]).result()\n"
        "print(*[p._process.pid for p in crew._running], flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        starter.kill()
    wait_for(lambda: not Path(f"/proc/{pid}").exists())


def test_a_page_of_streamlit_may_start_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit's main module is the page, and its pages run in threads of their own."""
    page = tmp_path / "page.py"
    page.write_text("raise SystemExit('a worker has run the page')")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(page), raising=False)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.parquet"
    thread = threading.Thread(target=lambda: measure(records(50), path, workers=2))
    thread.start()
    thread.join()

    assert open_run(path).about["records"] == 50


def test_this_machine_has_a_core() -> None:
    assert cores() >= 1


def test_a_request_that_is_cut_off_ends_a_worker_without_a_word() -> None:
    request = pickle.dumps((LONG[:1], SETTINGS))[:-1000]
    done = subprocess.run(
        [sys.executable, "-m", "toon.corpus.workers"],
        cwd=ROOT,
        input=request,
        capture_output=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == (b"", b"")
