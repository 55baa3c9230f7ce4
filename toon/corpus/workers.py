"""Where records are measured: in this process, or in worker processes of this machine.

One thread per worker sends it some records and waits for the answer, so we know which records a
dead worker was measuring.
"""

from __future__ import annotations

import os
import queue
import threading
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from toon.bounded.bounds import UNBOUNDED
from toon.bounded.process import DiedError, Process
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
        self._idle: queue.LifoQueue[Process | None] = queue.LifoQueue()
        for _ in range(count):
            self._idle.put(None)
        self._lock = threading.Lock()
        self._closed = False
        self._running: set[Process] = set()

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
                    return process.call(UNBOUNDED, _measure_here, records, self._settings)
                except DiedError as death:
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

    def _start(self) -> Process:
        with self._lock:
            if self._closed:
                raise WorkersError("stopped")
            process = Process()
            self._running.add(process)
            return process


def _measure_here(records: Sequence[Record], settings: Settings) -> bytes:
    """The records' rows as Parquet, or a WorkersError that says why not."""
    try:
        return measure_part(records, settings)
    except RuntimeError as error:  # a missing library or vocabulary: the message is complete
        raise WorkersError(str(error)) from None
    except Exception:
        raise WorkersError(traceback.format_exc()) from None
