"""A run of ``toon measure`` on a cluster, as a formula and as a simulation of each task.

The coordinator is the process that reads, sends tasks, takes their results in order and writes
them. It and the scheduler do one thing at a time, half of it before a task runs and half after.
A free worker takes the task that has waited longest.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Costs(NamedTuple):
    """The seconds that a task takes, by who works on it; workers on average."""

    worker: float
    scheduler: float
    coordinator: float

    def slowest(self, workers: int) -> str:
        """Who sets the pace."""
        shares = self._replace(worker=self.worker / workers)._asdict()
        return max(shares, key=shares.__getitem__)


def model(tasks: int, workers: int, costs: Costs) -> float:
    """The seconds that tasks take: the pace of the slowest, and one task from end to end."""
    pace = max(costs.worker / workers, costs.scheduler, costs.coordinator)
    return (tasks - 1) * pace + sum(costs)


def simulate(durations: Sequence[float], workers: int, costs: Costs) -> float:
    """The seconds that tasks of these durations take; ``costs.worker`` is not used."""
    return _Simulation(durations, workers, costs).run()


class _Simulation:
    def __init__(self, durations: Sequence[float], workers: int, costs: Costs) -> None:
        self._durations = durations
        self._idle = workers
        self._window = 1 + 2 * workers  # as Cluster.window
        self._scheduler, self._coordinator = costs.scheduler / 2, costs.coordinator / 2
        self._scheduler_free = 0.0
        self._sent = self._kept = 0
        self._waiting = False  # the coordinator, for the oldest result
        self._queue: deque[int] = deque()
        self._results: set[int] = set()
        self._events: list[tuple[float, int, Callable[[float, int], None], int]] = []
        self._numbers = itertools.count()

    def run(self) -> float:
        now = 0.0
        self._coordinate(now)
        while self._events:
            now, _, act, task = heapq.heappop(self._events)
            act(now, task)
        return now

    def _at(self, time: float, act: Callable[[float, int], None], task: int) -> None:
        heapq.heappush(self._events, (time, next(self._numbers), act, task))

    def _coordinate(self, now: float, _: int = 0) -> None:
        """The coordinator is free: it sends the next task, or keeps the oldest result."""
        pending = self._sent - self._kept
        if pending < self._window and self._sent < len(self._durations):
            self._at(now + self._coordinator, self._send, self._sent)
            self._sent += 1
        elif self._kept in self._results:
            self._results.remove(self._kept)
            self._kept += 1
            self._at(now + self._coordinator, self._coordinate, 0)
        else:
            self._waiting = True

    def _send(self, now: float, task: int) -> None:
        self._schedule(now, self._assign, task)
        self._coordinate(now)

    def _schedule(self, now: float, then: Callable[[float, int], None], task: int) -> None:
        """The scheduler works on messages one after another."""
        self._scheduler_free = max(now, self._scheduler_free) + self._scheduler
        self._at(self._scheduler_free, then, task)

    def _assign(self, now: float, task: int) -> None:
        self._queue.append(task)
        if self._idle:
            self._idle -= 1
            self._work(now)

    def _work(self, now: float) -> None:
        task = self._queue.popleft()
        self._at(now + self._durations[task], self._finish, task)

    def _finish(self, now: float, task: int) -> None:
        self._schedule(now, self._receive, task)
        if self._queue:
            self._work(now)
        else:
            self._idle += 1

    def _receive(self, now: float, task: int) -> None:
        self._results.add(task)
        if self._waiting and task == self._kept:
            self._waiting = False
            self._coordinate(now)
