"""Worker processes that all untrusted input shares, and the rule whose turn comes next."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Final, TypeVar, TypeVarTuple

from toon.bounded.bounds import STANDARD, Bounds, Exceeded, Limit, Stopped
from toon.bounded.process import DiedError, Process
from toon.limits import WORK_BYTES, WORKERS

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

#: Processes that stay when there is no work, so that the next need not start one.
_SPARE: Final = 2
#: Tasks of one client that wait at most; of more, the one that has waited longest is refused.
_PATIENT: Final = 32
#: Seconds that a client may have the last process for, at first.
_EXPRESS: Final = 10.0


class Task:
    """What one caller asks of a pool, one call after another, until any thread stops it.

    The pool marks it ``is_refused`` where too many of the client wait, and it is ``is_slow`` after
    a first try in the last process.

    Args:
        client: Any name for who waits for the work.
        is_short: Whether it takes less than a second, whatever the text.
    """

    def __init__(
        self,
        pool: Pool,
        client: Hashable = None,
        *,
        is_short: bool = False,
    ) -> None:
        self.client = client
        self.bounds = pool.bounds
        self.is_short = is_short
        self.is_stopped = self.is_refused = self.is_slow = False
        self._pool = pool
        self._process: Process | None = None
        self._lock = threading.Lock()

    def run(self, function: Callable[[*Arguments], Result], *args: *Arguments) -> Result:
        """What a function of a module gives for these arguments, in a worker process.

        All that comes before the last try, which is waiting and a first try in the last process,
        takes at most the seconds of the bounds, and the last try takes at most as many.

        Raises:
            Exceeded: It passed a limit, found no worker in time, or its worker ended.
            Stopped: Another thread stopped the task.

        Whatever the function raises is raised here.
        """
        self.is_slow = False
        seconds = self.bounds.seconds
        until = inf if seconds is None else monotonic() + seconds
        while True:
            with self._pool.turn_of(self, until) as (process, bounds):
                try:
                    return self._call(process, bounds, function, *args)
                except Exceeded as error:
                    if error.limit != "seconds" or bounds is self.bounds:
                        raise
                    self.is_slow = True

    def _call(
        self,
        process: Process,
        bounds: Bounds,
        function: Callable[[*Arguments], Result],
        *args: *Arguments,
    ) -> Result:
        with self._lock:
            if self.is_stopped:
                raise Stopped
            self._process = process
        try:
            return process.call(bounds, function, *args)
        except DiedError as death:
            if self.is_stopped:
                raise Stopped from None
            limit: Limit = "memory" if death.is_of_memory else "end"
            raise Exceeded(limit, end=death.reason) from None
        finally:
            with self._lock:
                self._process = None

    def stop(self) -> None:
        """Nobody waits for it any more: its work ends, or never begins."""
        with self._lock:
            self.is_stopped = True
            if self._process is not None:
                self._process.kill()
        self._pool.look_again()


class Pool:
    """At most ``count`` processes, which start when there is work for them.

    Of those who wait, the client goes first that holds the fewest processes, with its short tasks,
    then its newest, since the oldest may have nobody who waits. A client that holds all but one has
    the last one for a few seconds at a time only: who has less to do never stands behind those with
    much.

    Args:
        count: The most processes at work.
        memory: Bytes that each may hold.
        bounds: The limits of one piece of work.
    """

    def __init__(
        self, count: int = WORKERS, memory: int = WORK_BYTES, bounds: Bounds = STANDARD
    ) -> None:
        self.bounds = bounds
        self._count = count
        self._memory = memory
        self._first: Callable[[], object] | None = None
        self._idle: list[Process] = []
        self._held: Counter[Hashable] = Counter()
        self._waiting: list[Task] = []
        self._at_work: list[Task] = []
        self._changed = threading.Condition()

    @contextmanager
    def turn_of(self, task: Task, until: float = inf) -> Iterator[tuple[Process, Bounds]]:
        """A process that nobody else uses, and for how long, when it is the task's turn.

        It waits ``until`` then, by the clock ``monotonic``, and a first try in the last process
        ends by then too.
        """
        bounds = self._wait(task, until)
        process = None
        try:
            process = self._process()
            yield process, bounds
        finally:
            self._free(task, process)

    def look_again(self) -> None:
        """Wakes the tasks that wait, because one was stopped."""
        with self._changed:
            self._changed.notify_all()

    def prepare(self, first: Callable[[], object]) -> None:
        """Starts the spare processes. They, and all after them, call ``first`` before all else.

        Where the system refuses processes, it does so again when there is work, which is told.
        """
        self._first = first
        with self._changed, suppress(OSError):
            while len(self._idle) < min(_SPARE, self._count):
                self._idle.append(self._start())

    def close(self) -> None:
        """Stops all tasks and ends all processes."""
        with self._changed:
            idle, self._idle, self._first = self._idle, [], None
            tasks = [*self._waiting, *self._at_work]
        for task in tasks:
            task.stop()
        for process in idle:
            process.end()

    def _wait(self, task: Task, until: float) -> Bounds:
        """The bounds of the task's turn, when it has come."""
        with self._changed:
            others = [
                other
                for other in self._waiting
                if other.client == task.client and not other.is_refused
            ]
            if len(others) >= _PATIENT:
                others[0].is_refused = True
            self._waiting.append(task)
            self._changed.notify_all()
            try:
                has_come = self._changed.wait_for(
                    lambda: task.is_stopped or task.is_refused or self._next() is task,
                    min(until - monotonic(), threading.TIMEOUT_MAX),
                )
                if task.is_stopped:
                    raise Stopped
                if task.is_refused or not has_come:
                    raise Exceeded("crowd" if task.is_refused else "wait", task.bounds)
                return self._take(task, until)
            finally:
                self._waiting.remove(task)
                self._changed.notify_all()

    def _next(self) -> Task | None:
        """The waiting task whose turn it is."""
        if self._held.total() >= self._count:
            return None
        may = [task for task in self._waiting if not (task.is_slow and self._has_most(task))]
        short = [task for task in may if task.is_short]
        others = [task for task in reversed(may) if not task.is_short]
        return min([*short, *others], key=lambda task: self._held[task.client], default=None)

    def _has_most(self, task: Task) -> bool:
        """Whether only the last process is left for the client."""
        return self._held[task.client] >= max(1, self._count - 1)

    def _take(self, task: Task, until: float) -> Bounds:
        seconds = task.bounds.seconds
        is_express = self._has_most(task) and (seconds is None or seconds > _EXPRESS)
        self._held[task.client] += 1
        self._at_work.append(task)
        if not is_express:
            return task.bounds
        return replace(task.bounds, seconds=min(_EXPRESS, until - monotonic()))

    def _process(self) -> Process:
        with self._changed:
            while self._idle:
                process = self._idle.pop(0)  # the last may still be loading
                if process.is_alive:
                    return process
                process.end()
        try:
            return self._start()
        except OSError:
            raise Exceeded("start") from None

    def _start(self) -> Process:
        return Process(self._memory, self._first)

    def _free(self, task: Task, process: Process | None) -> None:
        """Keeps the process, or ends it and starts a spare one for the next call."""
        is_fresh = process is not None and not (process.is_killed or process.is_large)
        with self._changed:
            self._at_work.remove(task)
            self._held[task.client] -= 1
            self._held += Counter()  # forgets the clients that hold nothing
            if process is not None and is_fresh and len(self._idle) < _SPARE:
                self._idle.append(process)
                process = None
            self._changed.notify_all()
        if process is not None:
            process.end()
        if not is_fresh:
            with suppress(OSError):  # the next call may find the system willing
                self._start_spare()

    def _start_spare(self) -> None:
        if self._first is None or len(self._idle) >= _SPARE:
            return
        process = self._start()
        with self._changed:
            if self._first is not None and len(self._idle) < _SPARE:
                self._idle.append(process)
                return
        process.end()
