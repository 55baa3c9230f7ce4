"""Executors that measure records: in this process, or in worker processes of this machine.

One thread per worker sends it some records and waits for the answer, so we know which records a
dead worker was measuring. Workers have limits of time and memory; this process and a cluster have
none of ours.
"""

import os
import queue
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent import futures
from contextlib import suppress
from typing import Final, Protocol, TypeAlias, TypeVar

from toon.bounded.process import Bounds, DiedError, Exceeded, Limit, Process
from toon.limits import RECORD_MEMORY, RECORD_SECONDS
from toon.measuring.measure import Settings, bad_row, measure_records
from toon.measuring.table import measure_part, to_parquet
from toon.traffic.payload import Payload, Record

Result = TypeVar("Result")
Measure: TypeAlias = Callable[[Sequence[Record], Settings], Result]

#: Workers that may die over the same records before these are to blame.
ATTEMPTS: Final = 3

#: The limits of one call. Several records may take as long as one; else each is measured alone.
_BOUNDS: Final = Bounds(RECORD_SECONDS, output=None)

#: A record that every worker can measure if it has memory for the tokenizers.
_EASY: Final = Payload("", 1, "", "[1]")

#: Reasons why a record has no figures, by limit.
_REASONS: Final[dict[Limit, str]] = {
    "seconds": f"not measured in {RECORD_SECONDS:,} seconds, the limit TOON_RECORD_SECONDS",
    "memory": f"takes more than {RECORD_MEMORY / 1e6:,g} MB of memory to measure, the limit "
    "TOON_RECORD_MEMORY",
    "depth": "nested too deeply to be measured",
    "end": "not measured, because the process that measured it ",
}
#: A supplement to the reason: orjson crashes where it gets no memory.
_LACKED: Final = "; it may have lacked memory, which TOON_RECORD_MEMORY limits"


class WorkersError(RuntimeError):
    """The error of a run that cannot go on because of its workers. Written checkpoints are kept."""


class Future(Protocol):
    """The pending measurement of some records, as ``submit`` of an executor returns it."""

    def result(self, timeout: float | None = None) -> bytes:
        """Wait for the rows of the records; return them as the bytes of a Parquet file.

        Raises:
            TimeoutError: The rows are not ready after ``timeout`` seconds.
            RuntimeError: The records cannot be measured; the message says why.
        """


class Executor(Protocol):
    """What measures records of a run: this process, worker processes, or a cluster."""

    @property
    def window(self) -> int:
        """The number of pending futures that keeps every worker busy."""

    def submit(self, records: Sequence[Record]) -> Future:
        """Start measuring records and return a future of their rows at once."""

    def close(self) -> None:
        """Free all resources; measurements that are pending are lost."""


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InProcess:
    """An executor that measures records in the calling thread, when a result is asked for."""

    window = 1

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def submit(self, records: Sequence[Record]) -> Future:
        return _Deferred(records, self._settings)

    def close(self) -> None:
        """Do nothing: there is nothing to free."""


class _Deferred:
    """A future that measures its records only when its result is asked for, in this thread."""

    def __init__(self, records: Sequence[Record], settings: Settings) -> None:
        self._work = records, settings

    def result(self, timeout: float | None = None) -> bytes:
        return measure_part(*self._work)


class Processes:
    """An executor of ``count`` worker processes, which start when there is work for them.

    Records whose worker passes a limit of time or memory, or dies, are measured one by one. The
    record to blame becomes a bad record, and all others keep their figures.
    """

    def __init__(self, count: int, settings: Settings) -> None:
        self.window = 2 * count + 1
        self._settings = settings
        self._threads = futures.ThreadPoolExecutor(count, thread_name_prefix="toon-measure")
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
        # First, or a thread whose worker is killed would begin pending work.
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.kill()
        self._threads.shutdown(wait=True)
        for process in running:
            process.end()

    def _measure(self, records: Sequence[Record]) -> bytes:
        part = self._attempt(measure_part, records)
        if isinstance(part, bytes):
            return part
        rows = [bad_row(record, part, self._settings) for record in records]
        for place, record in enumerate(records if len(records) > 1 else ()):
            row = self._attempt(measure_records, [record])
            rows[place] = bad_row(record, row, self._settings) if isinstance(row, str) else row[0]
        return to_parquet(rows, self._settings)

    def _attempt(self, measure: Measure[Result], records: Sequence[Record]) -> Result | str:
        """Have a worker call ``measure`` on records; return the result, or the reason it fails.

        A worker that lacks memory may hold leftovers of other records, and one that ends may have
        been killed: so a new one tries again.
        """
        reason = end = ""
        for _ in range(ATTEMPTS):
            try:
                return self._call(measure, records)
            except DiedError as death:
                end = death.reason
                lacked = _LACKED if end.startswith("ended") else ""
                reason = (
                    _REASONS["memory"] if death.is_of_memory else _REASONS["end"] + end + lacked
                )
            except Exceeded as error:
                reason, end = _REASONS[error.limit], "lacked memory"
                if error.limit != "memory":
                    return reason
        with suppress(DiedError, Exceeded):
            self._call(measure_records, [_EASY])  # a worker can measure: the records are to blame
            return reason
        first, last = records[0], records[-1]
        raise WorkersError(
            f"{ATTEMPTS} times a worker {end} while measuring"
            f" {first.source} record {first.record} to {last.source} record {last.record}"
        )

    def _call(self, measure: Measure[Result], records: Sequence[Record]) -> Result:
        """Return ``measure`` of records from an idle or new worker, which ends if it fails."""
        process = self._idle.get()
        try:
            if process is not None and not process.is_alive:
                self._end(process)
                process = None
            process = process or self._start()
            return process.call(_BOUNDS, _measure_here, measure, records, self._settings)
        except (DiedError, Exceeded):
            if process is not None:
                self._end(process)
                process = None
            raise
        finally:
            self._idle.put(process)

    def _end(self, process: Process) -> None:
        with self._lock:
            self._running.discard(process)
        process.end()

    def _start(self) -> Process:
        with self._lock:
            if self._closed:
                raise WorkersError("stopped")
            process = Process(RECORD_MEMORY)
            self._running.add(process)
            return process


def _measure_here(
    measure: Measure[Result], records: Sequence[Record], settings: Settings
) -> Result:
    """Return the result of ``measure``; turn any error but a lack of memory into WorkersError."""
    try:
        return measure(records, settings)
    except MemoryError:
        raise
    except RuntimeError as error:  # a missing library or vocabulary: the message is complete
        raise WorkersError(str(error)) from None
    except Exception:
        raise WorkersError(traceback.format_exc()) from None
