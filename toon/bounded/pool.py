"""A pool of worker processes for all untrusted input, and the rule of whose turn it is."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeVar, TypeVarTuple

from toon.bounded.process import STANDARD, Bounds, DiedError, Exceeded, Limit, Process, Stopped
from toon.limits import WORK_BYTES, WORKERS

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

#: Processes that stay when there is no work, so that the next call need not start one.
_SPARE: Final = 2
#: The most tasks of one client that wait.
_PATIENT: Final = 32


class Task:
    """A piece of work that calls functions in worker processes of a pool; any thread can stop it.

    Args:
        client: Any name of the client that waits for the work.
        is_short: Whether the work takes less than a second for any text.
    """

    def __init__(self, pool: Pool, client: Hashable = None, *, is_short: bool = False) -> None:
        self.client, self.is_short, self.is_stopped = client, is_short, False
        self._pool, self._lock = pool, threading.Lock()
        self._process: Process | None = None

    def run(self, function: Callable[[*Arguments], Result], *args: *Arguments) -> Result:
        """Call a function of a module in a worker process, and return its result.

        The pool's bounds limit the seconds of waiting, and then again the work.

        Raises:
            Exceeded: The task passed a limit, found no worker in time, or its worker ended.
            Stopped: Another thread stopped the task.

        Errors of the function are raised here.
        """
        with self._pool.take_turn(self) as process:
            with self._lock:
                if self.is_stopped:
                    raise Stopped
                self._process = process
            try:
                return process.call(self._pool.bounds, function, *args)
            except DiedError as death:
                if self.is_stopped:
                    raise Stopped from None
                limit: Limit = "memory" if death.is_of_memory else "end"
                raise Exceeded(limit, end=death.reason) from None
            finally:
                with self._lock:
                    self._process = None

    def stop(self) -> None:
        """Stop this task from any thread: its worker process is killed, or it never gets one."""
        with self._lock:
            self.is_stopped = True
            if self._process is not None:
                self._process.kill()
        self._pool.wake()


class Pool:
    """A pool of at most ``count`` worker processes, which start when there is work.

    The waiting client that holds the fewest processes is next: first its short tasks, then its
    newest one, since the oldest may no longer be wanted. A client that holds all processes but the
    last gets the last one for short tasks only, so that clients with little work never wait for a
    busy one.

    Args:
        count: The most processes at work.
        memory: Bytes that each may hold.
        bounds: The limits of one piece of work.
    """

    def __init__(
        self, count: int = WORKERS, memory: int = WORK_BYTES, bounds: Bounds = STANDARD
    ) -> None:
        self.bounds, self._count, self._memory = bounds, count, memory
        self._first: Callable[[], object] | None = None
        self._idle: list[Process] = []
        self._held: Counter[Hashable] = Counter()
        self._waiting: list[Task] = []
        self._at_work: list[Task] = []
        self._changed = threading.Condition()

    @contextmanager
    def take_turn(self, task: Task) -> Iterator[Process]:
        """Wait for a task's turn, then lend it a worker process of its own for a ``with`` block.

        Raises:
            Exceeded: The client has too many tasks, no process was free in time, or none starts.
            Stopped: The task was stopped meanwhile.
        """
        self._wait(task)
        process = None
        try:
            process = self._process()
            yield process
        finally:
            self._free(task, process)

    def wake(self) -> None:
        """Wake all tasks that wait for a worker process, so that a stopped one notices and ends."""
        with self._changed:
            self._changed.notify_all()

    def prepare(self, first: Callable[[], object]) -> None:
        """Start two worker processes ahead of work; each worker calls ``first`` before all else.

        Where the system refuses a process, the first call that needs one raises the error.
        """
        self._first = first
        with self._changed, suppress(OSError):
            while len(self._idle) < min(_SPARE, self._count):
                self._idle.append(self._start())

    def close(self) -> None:
        """Stop all tasks of the pool, at work or waiting, and end all its worker processes."""
        with self._changed:
            idle, self._idle, self._first = self._idle, [], None
            tasks = [*self._waiting, *self._at_work]
        for task in tasks:
            task.stop()
        for process in idle:
            process.end()

    def _wait(self, task: Task) -> None:
        with self._changed:
            if sum(other.client == task.client for other in self._waiting) >= _PATIENT:
                raise Exceeded("crowd", self.bounds)
            self._waiting.append(task)
            self._changed.notify_all()
            try:
                has_come = self._changed.wait_for(
                    lambda: task.is_stopped or self._next_task() is task, self.bounds.seconds
                )
                if task.is_stopped:
                    raise Stopped
                if not has_come:
                    raise Exceeded("wait", self.bounds)
                self._held[task.client] += 1
                self._at_work.append(task)
            finally:
                self._waiting.remove(task)
                self._changed.notify_all()

    def _next_task(self) -> Task | None:
        """Return the waiting task whose turn it is; None if no process is free for any of them."""
        if self._held.total() >= self._count:
            return None
        most = max(1, self._count - 1)
        newest = reversed(self._waiting)
        may = (task for task in newest if task.is_short or self._held[task.client] < most)
        return min(may, key=lambda task: (self._held[task.client], not task.is_short), default=None)

    def _process(self) -> Process:
        """Return an idle worker process that is alive, or start one."""
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
        """Take back a task's worker process: keep it as a spare, or end it and start another."""
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
        if is_fresh or self._first is None or len(self._idle) >= _SPARE:
            return
        with suppress(OSError):  # the next call may find the system willing
            spare = self._start()
            with self._changed:
                if self._first is not None and len(self._idle) < _SPARE:
                    self._idle.append(spare)
                    return
            spare.end()
