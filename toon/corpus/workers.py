"""Processes of this machine that measure. Each is ``python -m toon.corpus.workers``.

Not ``multiprocessing``: its processes import whatever the main module is, which under Streamlit is
the page, and when one dies its pool cannot say at what. Here a thread per process hands it some
records and waits for their part of the run, so that a death is known with the records it befell.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Final, Protocol, cast

import toon
from toon.corpus.measuring import Record, Settings
from toon.corpus.table import measured_part

#: How often records are tried whose worker the system ends.
ATTEMPTS: Final = 3


class WorkersError(RuntimeError):
    """Measuring cannot go on; the message says why. What is measured is kept."""


class Ticket(Protocol):
    """Records that are being measured."""

    def result(self, timeout: float | None = None) -> bytes:
        """Their part of the run; a TimeoutError if it is not there after that many seconds."""


class Crew(Protocol):
    """Whoever measures: this process, others, a cluster."""

    @property
    def window(self) -> int:
        """How many tickets keep everybody busy; no more need be open."""

    def submit(self, records: Sequence[Record]) -> Ticket:
        """Have records measured; does not wait."""

    def close(self) -> None:
        """Let go of everything; what is still being measured is lost."""


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- in this process -------------------------------------------------------------------------


class Alone:
    """This process, which measures when it is asked for the result."""

    window = 1

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def submit(self, records: Sequence[Record]) -> Ticket:
        return _Later(records, self._settings)

    def close(self) -> None:
        """Nothing is held."""


class _Later:
    def __init__(self, records: Sequence[Record], settings: Settings) -> None:
        self._work = records, settings

    def result(self, timeout: float | None = None) -> bytes:
        return measured_part(*self._work)


# -- processes -------------------------------------------------------------------------------


class Processes:
    """So many processes of this machine. They start when there is work for them."""

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

    def submit(self, records: Sequence[Record]) -> Ticket:
        return self._threads.submit(self._measured, records)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            running = list(self._running)
        for process in running:
            process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in running:
            process.release()

    def _measured(self, records: Sequence[Record]) -> bytes:
        process = self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                process = process or self._started()
                try:
                    return process.ask(records, self._settings)
                except _DiedError as death:
                    status = death.status
                    self._forget(process)
                    process = None
        finally:
            self._idle.put(process)
        first, last = records[0], records[-1]
        raise WorkersError(
            f"a worker ended {ATTEMPTS} times (status {status}; out of memory?) while measuring"
            f" {first.source} record {first.record} to {last.source} record {last.record}"
        )

    def _started(self) -> _Process:
        with self._lock:
            if self._closed:
                raise WorkersError("stopped")
            process = _Process()
            self._running.add(process)
            return process

    def _forget(self, process: _Process) -> None:
        with self._lock:
            self._running.discard(process)
        process.release()


class _DiedError(Exception):
    """A process ended before it answered."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Process:
    """One process, asked by one thread at a time."""

    def __init__(self) -> None:
        folder = str(Path(toon.__file__).parent.parent)
        paths = [folder, os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "toon.corpus.workers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,  # Ctrl-C is for whoever started the run
        )

    def ask(self, records: Sequence[Record], settings: Settings) -> bytes:
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
        """Closes the pipes of a process that was killed."""
        self._process.wait()
        for pipe in self._pipes():
            try:
                pipe.close()
            except OSError:  # what was still to be sent has nobody to read it
                continue

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        requests, replies = self._process.stdin, self._process.stdout
        assert requests is not None
        assert replies is not None
        return requests, replies


def main() -> None:
    """Answers requests on standard input until its end, which comes when the asker dies too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no reply
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
            pickle.dump(_reply(*request), replies, pickle.HIGHEST_PROTOCOL)
            replies.flush()
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):  # cut off: the asker is gone
            os._exit(0)  # a reply that nobody takes is not to be flushed again


def _reply(*request: Any) -> bytes | WorkersError:
    try:
        return measured_part(*request)
    except RuntimeError as error:  # a library or a vocabulary is missing: said in full
        return WorkersError(str(error))
    except Exception:
        return WorkersError(traceback.format_exc())


if __name__ == "__main__":
    from toon.corpus import workers  # its errors are known by that name, not as __main__'s

    workers.main()
