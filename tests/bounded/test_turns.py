"""Whose turn it is where several clients ask for more than there are processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from time import monotonic
from typing import Any

import pytest

from toon.bounded import Bounds, Exceeded, Pool, Stopped, Task


class Idle:
    """Stands for a process that has nothing to do."""

    is_alive = True
    is_killed = is_large = False

    def kill(self) -> None: ...
    def end(self) -> None: ...


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    monkeypatch.setattr(Pool, "_start", lambda _: Idle())
    return Pool(3)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(40) as threads:
        yield threads


def hold(pool: Pool, client: str, stack: ExitStack) -> float | None:
    """Takes a turn until the stack is closed; says for how many seconds it is."""
    return stack.enter_context(pool.turn_of(Task(pool, client)))[1].seconds


def wait_in(threads: ThreadPoolExecutor, pool: Pool, task: Task) -> Future[Any]:
    """Has the task wait for a turn in a thread, and returns when it waits."""

    def turn() -> float | None:
        with pool.turn_of(task, monotonic() + 30) as (_, bounds):
            return bounds.seconds

    future = threads.submit(turn)
    future.add_done_callback(lambda _: pool.look_again())
    with pool._changed:
        assert pool._changed.wait_for(lambda: task in pool._waiting or future.done(), 30)
    return future


def test_a_client_has_the_last_process_for_a_few_seconds_only(pool: Pool) -> None:
    with ExitStack() as stack:
        assert [hold(pool, "a", stack) for _ in range(3)] == [60, 60, 10]
    with ExitStack() as stack:
        assert [hold(pool, client, stack) for client in "aab"] == [60, 60, 60]


def test_slow_work_waits_and_the_last_process_stays_free(
    pool: Pool, threads: ThreadPoolExecutor
) -> None:
    slow = Task(pool, "a")
    slow.is_slow = True
    with ExitStack() as stack:
        hold(pool, "a", stack)
        hold(pool, "a", stack)
        waiting = wait_in(threads, pool, slow)
        assert not waiting.done()
        assert wait_in(threads, pool, Task(pool, "b")).result(30) == 60
        assert wait_in(threads, pool, Task(pool, "a")).result(30) == 10
    assert waiting.result(30) == 60


def test_the_client_with_the_fewest_goes_first_and_its_newest_task(
    pool: Pool, threads: ThreadPoolExecutor
) -> None:
    with ExitStack() as stack:
        for client in "aab":
            hold(pool, client, stack)
        tasks = [Task(pool, client) for client in "abcabc"]
        for task in tasks:
            wait_in(threads, pool, task)
        with pool._changed:
            order = []
            pool._held.clear()
            pool._held.update("ab")
            while (task := pool._next()) is not None and len(order) < 6:
                order.append(tasks.index(task))
                pool._waiting.remove(task)
            pool._waiting += tasks
            pool._held.update("a")
    assert order == [5, 2, 4, 3, 1, 0]


def test_short_tasks_go_first_and_the_oldest_of_them(pool: Pool) -> None:
    tasks = [Task(pool, "a", is_short=number in (1, 2)) for number in range(4)]
    pool._waiting += tasks
    order = []
    while (task := pool._next()) is not None:
        order.append(tasks.index(task))
        pool._waiting.remove(task)

    assert order == [1, 2, 3, 0]


def test_of_too_many_tasks_the_oldest_is_refused(pool: Pool, threads: ThreadPoolExecutor) -> None:
    with ExitStack() as stack:
        for client in "aab":
            hold(pool, client, stack)
        tasks = [Task(pool, "a") for _ in range(33)]
        futures = [wait_in(threads, pool, task) for task in tasks]
        with pytest.raises(Exceeded, match=r"^not begun, because too much other work waits"):
            futures[0].result(30)
    assert {future.result(30) for future in futures[1:]} <= {10, 60}


def test_in_a_burst_each_newcomer_has_another_one_refused(pool: Pool) -> None:
    tasks = [Task(pool, "a") for _ in range(100)]
    pool._held.update("aab")
    with ThreadPoolExecutor(100) as threads:
        with pool._changed:  # so that they all come at once
            for task in tasks:
                threads.submit(task.run, str)
        with pool._changed:
            pool._changed.wait_for(lambda: sum(task.is_refused for task in tasks) == 68, 30)
        refused = sum(task.is_refused for task in tasks)
        for task in tasks:
            task.stop()

    assert refused == 68


def test_all_before_the_last_try_takes_no_longer_than_the_limit(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting for 55 of 60 seconds leaves 5 for a try in the last process, then none to wait."""
    now, waits, tries = 0.0, list[float](), list[float | None]()

    class Slow(Idle):
        def call(self, bounds: Bounds, *_: object) -> None:
            nonlocal now
            tries.append(bounds.seconds)
            now += bounds.seconds or 0
            raise Exceeded("seconds", bounds)

    def wait_for(_: object, seconds: float) -> bool:
        nonlocal now
        waits.append(seconds)
        now += min(seconds, 55)
        pool._held["a"] = 2 if len(waits) == 1 else 0
        return True

    monkeypatch.setattr("toon.bounded.pool.monotonic", lambda: now)
    monkeypatch.setattr(Pool, "_start", lambda _: Slow())
    monkeypatch.setattr(pool._changed, "wait_for", wait_for)
    with pytest.raises(Exceeded, match=r"^not done in 60 seconds"):
        Task(pool, "a").run(str)

    assert (waits, tries, now) == ([60, 0], [5, 60], 120)


def test_a_system_that_refuses_processes_refuses_the_work_and_nothing_else(
    pool: Pool, threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Pool) -> Idle:
        raise BlockingIOError("no more processes")

    pool.prepare(str)
    with ExitStack() as stack:
        killed = [stack.enter_context(pool.turn_of(Task(pool, "a")))[0] for _ in range(3)]
        waiting = wait_in(threads, pool, Task(pool, "b"))
        monkeypatch.setattr(Pool, "_start", fails)
        for process in killed:
            process.is_killed = True
    with pytest.raises(Exceeded, match=r"^not begun, because the system refuses"):
        waiting.result(30)
    assert not pool._held


def test_a_pool_without_processes_starts_and_says_so_when_it_is_asked(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Pool) -> Idle:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(Pool, "_start", fails)
    pool.prepare(str)

    with pytest.raises(Exceeded, match=r"^not begun, because the system refuses"):
        Task(pool, "a").run(str)


def test_who_waits_in_vain_is_told(pool: Pool) -> None:
    with ExitStack() as stack:
        for client in "aab":
            hold(pool, client, stack)
        late = Task(pool, "c")
        until = monotonic() + 0.01
        with pytest.raises(Exceeded) as caught, pool.turn_of(late, until):
            pass

    assert caught.value.limit == "wait"
    assert str(caught.value) == (
        "not begun in 60 seconds, because other work is under way;"
        " TOON_WORK_SECONDS sets this limit"
    )


def test_a_stopped_task_gives_its_place_up(pool: Pool, threads: ThreadPoolExecutor) -> None:
    with ExitStack() as stack:
        for client in "aab":
            hold(pool, client, stack)
        task = Task(pool, "c")
        waiting = wait_in(threads, pool, task)
        task.stop()
        with pytest.raises(Stopped):
            waiting.result(30)
        assert pool._waiting == []
