"""Work in a process that is killed at its limits, and of which nothing is left behind."""

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests.bounded import work
from tests.conftest import ROOT
from tests.processes import Process
from toon.bounded import Bounds, Exceeded, Pool, Stopped, Task
from toon.bounded.process import NO_MEMORY

MEMORY = 400_000_000


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    pool = Pool(2, MEMORY)
    yield pool
    pool.close()


def lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not asked about yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_process_is_kept_for_the_next_call(pool: Pool) -> None:
    first, second = (Task(pool).run(work.own_id) for _ in range(2))

    assert first == second
    assert lives(first)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("bounds", "function", "argument", "limit", "message"),
    [
        (Bounds(1, None), time.sleep, 60, "seconds",
         "not done in 1 seconds, the limit that TOON_WORK_SECONDS sets"),
        (Bounds(30, 1_000_000), work.gives, 1_000_001, "output",
         "gives more than 1 MB, the limit that TOON_WORK_OUTPUT_BYTES sets"),
        pytest.param(
            Bounds(), work.holds, MEMORY, "memory",
            "needs more than 2,000 MB of memory, the limit that TOON_WORK_BYTES sets",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the limit"),
        ),
    ],
)  # fmt: skip
def test_work_that_passes_a_limit_is_stopped_and_the_limit_named(
    pool: Pool,
    monkeypatch: pytest.MonkeyPatch,
    bounds: Bounds,
    function: Callable[[int], object],
    argument: int,
    limit: str,
    message: str,
) -> None:
    usual = pool.bounds
    monkeypatch.setattr(pool, "bounds", bounds)
    with pytest.raises(Exceeded) as caught:
        Task(pool).run(function, argument)

    assert (caught.value.limit, str(caught.value)) == (limit, message)
    pool.bounds = usual
    assert Task(pool).run(work.holds, 10) == 10


@pytest.mark.rest
def test_late_work_leaves_no_process(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "id"

    class OnceAtWork(threading.Timer):
        def run(self) -> None:
            wait_for(path.exists)
            self.function(*self.args)

    monkeypatch.setattr(threading, "Timer", OnceAtWork)
    with pytest.raises(Exceeded, match="not done in"):
        Task(pool).run(work.spins, path)

    assert not lives(int(path.read_text()))


def test_work_that_its_own_alarm_stops_first_is_late_too(pool: Pool) -> None:
    """A machine may be so busy that nobody has killed it in time."""
    with pytest.raises(Exceeded, match="not done in"):
        Task(pool).run(signal.raise_signal, signal.SIGALRM)


def test_too_deep_nesting_is_said(pool: Pool) -> None:
    with pytest.raises(Exceeded, match=r"^nested too deeply for this$"):
        Task(pool).run(work.deepens)
    with pytest.raises(Exceeded, match=r"^nested too deeply for this$"):
        Task(pool).run(work.nests, 100_000)


def test_a_result_that_cannot_be_sent_is_an_error_that_says_so(pool: Pool) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError), match="gives_function"):
        Task(pool).run(work.gives_function)


def test_what_a_function_raises_is_raised_here(pool: Pool) -> None:
    with pytest.raises(ValueError, match="invalid literal for int"):
        Task(pool).run(int, "x")
    with pytest.raises(RuntimeError, match=r"^one and other$"):
        Task(pool).run(work.is_odd)


def test_why_a_process_ended_is_guessed_only_where_it_is_likely_and_it_is_replaced(
    pool: Pool, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Exceeded, match="needs more than"):
        Task(pool).run(work.aborts)
    assert Task(pool).run(work.holds, 10) == 10
    with pytest.raises(Exceeded, match="needs more than"):
        Task(pool).run(os._exit, NO_MEMORY)
    with closing(Pool(1)) as other, pytest.raises(Exceeded) as caught:
        Task(other).run(work.quits, "SECRET")

    assert str(caught.value) == (
        "not done, because the process that worked on it ended unexpectedly, with status 1"
    )
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("SystemExit at ")
    assert "work.py:" in line
    assert "SECRET" not in line


@pytest.mark.parametrize(
    ("sent", "how"),
    [
        (signal.SIGKILL, "by SIGKILL, perhaps by the system for lack of memory"),
        (signal.SIGTERM, "by SIGTERM"),
    ],
)
def test_a_process_that_is_killed_from_outside_passed_no_limit(
    pool: Pool, sent: signal.Signals, how: str
) -> None:
    with pytest.raises(Exceeded) as caught:
        Task(pool).run(signal.raise_signal, sent)

    message = f"not done, because the process that worked on it was stopped from outside, {how}"
    assert str(caught.value) == message
    assert str(pickle.loads(pickle.dumps(caught.value))) == message


def test_a_process_that_was_stopped_while_it_was_idle_gets_no_work(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "bounds", Bounds(30))
    stopped = Task(pool).run(work.own_id)
    os.kill(stopped, signal.SIGSTOP)
    os.waitid(os.P_PID, stopped, os.WSTOPPED | os.WNOWAIT)

    assert Task(pool).run(work.holds, 10) == 10
    assert not lives(stopped)


def test_after_an_interrupted_call_nobody_gets_its_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with closing(Pool(1)) as pool:
        with monkeypatch.context() as patched:
            patched.setattr(pickle, "load", interrupted)
            with pytest.raises(KeyboardInterrupt):
                Task(pool).run(str, "SECRET OF A")
        assert Task(pool).run(str, "b") == "b"


def test_a_limit_that_passes_after_the_answer_is_nothing_to_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Late(threading.Timer):
        def cancel(self) -> None:
            timers.append(self)

    timers: list[Late] = []
    with closing(Pool(1)) as pool:
        with monkeypatch.context() as patched:
            patched.setattr(threading, "Timer", Late)
            first = Task(pool).run(work.own_id)
        timers[0].function(*timers[0].args)
        timers[0].finished.set()
        assert Task(pool).run(work.own_id) == first


def test_another_thread_can_stop_work(pool: Pool, tmp_path: Path) -> None:
    path, task = tmp_path / "id", Task(pool)
    with ThreadPoolExecutor(1) as threads:
        done = threads.submit(task.run, work.stays, 60, path)
        wait_for(path.exists)
        task.stop()
        with pytest.raises(Stopped):
            done.result(30)

    assert not lives(int(path.read_text()))


def test_closing_a_pool_stops_its_work(tmp_path: Path) -> None:
    path, pool = tmp_path / "id", Pool(1)
    with ThreadPoolExecutor(2) as threads:
        working = threads.submit(Task(pool).run, work.stays, 60, path)
        wait_for(path.exists)
        waiting = threads.submit(Task(pool).run, work.own_id)
        wait_for(lambda: pool._waiting)
        pool.close()
        for stopped in (working, waiting):
            with pytest.raises(Stopped):
                stopped.result(30)

    assert not lives(int(path.read_text()))


def test_no_worker_outlives_its_parent_even_at_work(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path\n"
        "from tests.bounded import work\n"
        "from toon.bounded import Pool, Task\n"
        f"Task(Pool()).run(work.spins, Path({str(tmp_path / 'id')!r}))\n"
    )
    with Process([sys.executable, "-c", script], cwd=ROOT) as parent:
        wait_for((tmp_path / "id").exists)
        parent.kill()

    pid = int((tmp_path / "id").read_text())
    wait_for(lambda: not lives(pid))
