"""Where records are measured: in this process, or in worker processes of this machine.

``multiprocessing`` does not fit. Its workers import the main module, which under Streamlit is the
page; and when a worker dies, its pool cannot name the work that was lost. Here one thread per
worker sends it some records and waits for the answer, so we know which records a dead worker was
measuring. A worker runs :mod:`toon.corpus.worker_main`.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final, Protocol, cast

from toon.corpus.measuring import Settings
from toon.corpus.payload import Record
from toon.corpus.table import measure_part

#: How many workers may die over the same records before the run fails.
ATTEMPTS: Final = 3


class WorkersError(RuntimeError):
    """The run cannot continue; the message says why. Checkpoints written so far are kept."""


class Future(Protocol):
    """The pending result of some records."""

    def result(self, timeout: float | None = None) -> bytes:
        """The records' rows as Parquet.

        Raises:
            TimeoutError: They are not ready after ``timeout`` seconds.
            RuntimeError: They cannot be measured; the message says why.
        """


class Executor(Protocol):
    """Measures records: in this process, in worker processes, or on a cluster."""

    @property
    def window(self) -> int:
        """How many futures keep every worker busy; more need not be pending."""

    def submit(self, records: Sequence[Record]) -> Future:
        """Starts measuring the records, without waiting for them."""

    def close(self) -> None:
        """Frees all resources. Pending work is lost."""


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InProcess:
    """Measures in the calling thread, when the result is asked for."""

    window = 1

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def submit(self, records: Sequence[Record]) -> Future:
        return _Deferred(records, self._settings)

    def close(self) -> None:
        """Does nothing: no resource is held."""


class _Deferred:
    def __init__(self, records: Sequence[Record], settings: Settings) -> None:
        self._work = records, settings

    def result(self, timeout: float | None = None) -> bytes:
        return measure_part(*self._work)


class Processes:
    """Measures in ``count`` worker processes, which start when there is work for them."""

    def __init__(self, count: int, settings: Settings) -> None:
        self.window = 2 * count + 1
        self._settings = settings
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="toon-measure")
        self._idle: queue.LifoQueue[_Process | None] = queue.LifoQueue()
        for _ in range(count):
            self._idle.put(None)
        self._lock = threading.Lock()
        self._closed = False
        self._running: set[_Process] = set()

    def submit(self, records: Sequence[Record]) -> Future:
        return self._threads.submit(self._measure, records)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            running = list(self._running)
        for process in running:
            process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in running:
            process.release()

    def _measure(self, records: Sequence[Record]) -> bytes:
        process = self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                process = process or self._start()
                try:
                    return process.measure(records, self._settings)
                except _DiedError as death:
                    status = death.args[0]
                    with self._lock:
                        self._running.discard(process)
                    process.release()
                    process = None
        finally:
            self._idle.put(process)
        first, last = records[0], records[-1]
        raise WorkersError(
            f"a worker ended {ATTEMPTS} times (status {status}; out of memory?) while measuring"
            f" {first.source} record {first.record} to {last.source} record {last.record}"
        )

    def _start(self) -> _Process:
        with self._lock:
            if self._closed:
                raise WorkersError("stopped")
            process = _Process()
            self._running.add(process)
            return process


class _DiedError(Exception):
    """A worker process ended before it answered; the argument is its status."""


class _Process:
    """One worker process. Only one thread uses it at a time."""

    def __init__(self) -> None:
        folder = str(Path(__file__).parents[2])
        paths = [folder, os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "toon.corpus.worker_main"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,  # Ctrl-C must reach only the process that started the run
        )

    def measure(self, records: Sequence[Record], settings: Settings) -> bytes:
        """The records' rows as Parquet.

        Raises:
            _DiedError: The process ended first.
            WorkersError: The process reports that it cannot measure.
        """
        try:
            requests, replies = self._pipes()
            pickle.dump((records, settings), requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            reply = pickle.load(replies)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.kill()
            raise _DiedError(self._process.wait()) from None
        if isinstance(reply, WorkersError):
            raise reply
        return cast(bytes, reply)

    def kill(self) -> None:
        self._process.kill()

    def release(self) -> None:
        """Waits for a killed process to end, then closes its pipes."""
        self._process.wait()
        for pipe in self._pipes():
            try:
                pipe.close()
            except OSError:  # unsent data has no reader any more
                continue

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        requests, replies = self._process.stdin, self._process.stdout
        assert requests is not None
        assert replies is not None
        return requests, replies
