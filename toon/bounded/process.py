"""A worker process, which calls functions within limits and returns their results.

``multiprocessing`` does not fit, nor do libraries on it (pebble 5.2 and loky 3.7 were tried). Under
``multiprocessing`` and pebble a worker runs the main module, which under Streamlit is the page; a
worker at work outlives a killed server; a worker stopped by a signal takes work whose time limit
never starts. loky stops no work, and one dead worker fails all work. A fork of a prepared process
does not fit either: the tokenizers' threads do not survive it, and Windows has none.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal, TypeVar, TypeVarTuple, cast

from toon.limits import WORK_BYTES, WORK_OUTPUT_BYTES, WORK_SECONDS

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
Limit = Literal["seconds", "memory", "output", "depth", "wait", "crowd", "start", "end"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one call in a worker process: the seconds it takes, and its result's bytes.

    None means no limit. Memory is limited for a process as a whole.
    """

    seconds: float | None = WORK_SECONDS
    output: int | None = WORK_OUTPUT_BYTES


#: The limits that the operator sets.
STANDARD: Final = Bounds()


class Stopped(RuntimeError):
    """The error of work in a worker process that was stopped because its result is not wanted."""


class Exceeded(RuntimeError):
    """The error of work in a worker process that passed a limit, of time or memory for example.

    The message names the limit, and the setting that changes it.
    """

    def __init__(
        self, limit: Limit, bounds: Bounds = STANDARD, end: str = "ended unexpectedly"
    ) -> None:
        super().__init__(limit, bounds, end)  # the pickle's arguments
        self.limit = limit
        self._bounds = bounds
        self._end = end

    @property
    def is_of_others(self) -> bool:
        """Whether the error's work never began, because of other clients' work or of the system."""
        return self.limit in ("wait", "crowd", "start")

    def __str__(self) -> str:
        seconds = f"{self._bounds.seconds or 0:g} seconds"
        output = f"{(self._bounds.output or 0) / 1e6:,g} MB"
        return {
            "seconds": f"not done in {seconds}, the limit that TOON_WORK_SECONDS sets",
            "wait": f"not begun in {seconds}, because other work is under way; "
            "TOON_WORK_SECONDS sets this limit",
            "crowd": "not begun, because too much other work waits already",
            "memory": f"needs more than {WORK_BYTES / 1e6:,g} MB of memory, the limit that "
            "TOON_WORK_BYTES sets",
            "output": f"gives more than {output}, the limit that TOON_WORK_OUTPUT_BYTES sets",
            "depth": "nested too deeply for this",
            "start": "not begun, because the system refuses another process",
            "end": f"not done, because the process that worked on it {self._end}",
        }[self.limit]


#: The exit status of a worker process without memory for its request.
NO_MEMORY: Final = 12

#: The signal of the alarm that a worker sets itself, in case that nobody kills it in time.
_ALARM: Final = 14

#: Signals that end a worker from outside, in words.
_FROM_OUTSIDE: Final = {
    9: "by SIGKILL, perhaps by the system for lack of memory",
    15: "by SIGTERM",
    1: "by SIGHUP",
}


class DiedError(Exception):
    """The error that a worker process ended before it replied; the argument is its exit status."""

    @property
    def is_of_memory(self) -> bool:
        """Whether the worker process probably ended for lack of memory, by its exit status."""
        return self.args[0] in (NO_MEMORY, -signal.SIGABRT)

    @property
    def reason(self) -> str:
        """How the worker process ended, in words: "was stopped from outside, by SIGTERM"."""
        if how := _FROM_OUTSIDE.get(-self.args[0]):
            return f"was stopped from outside, {how}"
        return f"ended unexpectedly, with status {self.args[0]}"


class Process:
    """A worker process that calls functions. Only one thread calls it at a time; any may kill it.

    ``is_killed`` is set once it was killed, ``is_large`` once it has held so much memory that a new
    process is better.

    Args:
        memory: Bytes that it may hold; 0 is no limit. Only Linux enforces it.
        first: A function that it calls before all others, to load data and libraries.
    """

    def __init__(self, memory: int = 0, first: Callable[[], object] | None = None) -> None:
        folder = str(Path(__file__).parents[2])
        paths = [folder, os.environ.get("PYTHONPATH", "")]
        self.is_killed = self.is_large = self._is_late = False
        self._lock = threading.Lock()
        self._calls = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "toon.bounded.worker_main", str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,  # Ctrl-C must reach only the process that started the work
        )
        if first is not None:
            with suppress(OSError):  # it has ended already, as the first call will find
                self._send(pickle.dumps((first, (), None)))

    @property
    def is_alive(self) -> bool:
        """Whether the worker process runs: it has not ended, and is not suspended as by SIGSTOP."""
        if self._process.poll() is not None:
            return False
        if not hasattr(os, "waitid"):
            return True
        state = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, state) is None

    def call(
        self, bounds: Bounds, function: Callable[[*Arguments], Result], *args: *Arguments
    ) -> Result:
        """Call a function of a module in the worker process, within limits; return its result.

        Raises:
            Exceeded: The call passed a limit. The process is dead then, unless it told so itself.
            DiedError: The process ended first.

        Errors of the function are raised here.
        """
        request = pickle.dumps((function, args, bounds), pickle.HIGHEST_PROTOCOL)

        def expire(call: int) -> None:
            with self._lock:
                if call == self._calls:
                    self._is_late = True
                    self.kill()

        timer = threading.Timer(bounds.seconds or 0, expire, [self._calls])
        timer.daemon = True
        if bounds.seconds is not None:
            timer.start()
        try:
            self._send(request)
            done, result, self.is_large = pickle.load(self._pipes()[1])
        except BaseException as error:
            self.kill()  # or the next caller would read the rest of this reply
            if not isinstance(error, OSError | EOFError | pickle.UnpicklingError):
                raise
            status = self._process.wait()
            if self._is_late or status == -_ALARM:
                raise Exceeded("seconds", bounds) from None
            raise DiedError(status) from None
        finally:
            timer.cancel()
            with self._lock:
                self._calls += 1  # a timer that has begun already comes too late
        if done:
            return cast(Result, result)
        raise result

    def kill(self) -> None:
        """Kill the worker process, without waiting for its end."""
        self.is_killed = True
        self._process.kill()

    def end(self) -> None:
        """Kill the worker process, wait for its end, and close its pipes."""
        self.kill()
        self._process.wait()
        for pipe in self._pipes():
            with suppress(OSError):  # unsent data has no reader any more
                pipe.close()

    def _send(self, request: bytes) -> None:
        requests = self._pipes()[0]
        requests.write(request)
        requests.flush()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        requests, replies = self._process.stdin, self._process.stdout
        assert requests is not None
        assert replies is not None
        return requests, replies
