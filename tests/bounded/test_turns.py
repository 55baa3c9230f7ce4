"""Whose turn it is where several clients ask for more than there are processes."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
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


def hold(pool: Pool, client: str, stack: ExitStack) -> None:
    """Takes a turn until the stack is closed, the last one for a short task."""
    stack.enter_context(pool.take_turn(Task(pool, client, is_short=True)))


def wait_in(threads: ThreadPoolExecutor, pool: Pool, task: Task) -> Future[Any]:
    """Has the task wait for a turn in a thread, and returns when it waits."""

    def turn() -> None:
        with pool.take_turn(task):
            pass

    future = threads.submit(turn)
    future.add_done_callback(lambda _: pool.wake())
    with pool._changed:
        assert pool._changed.wait_for(lambda: task in pool._waiting or future.done(), 30)
    return future


def test_the_last_process_takes_only_short_tasks_of_a_client_that_holds_all_others(
    pool: Pool, threads: ThreadPoolExecutor
) -> None:
    with ExitStack() as stack:
        hold(pool, "a", stack)
        hold(pool, "a", stack)
        waiting = wait_in(threads, pool, Task(pool, "a"))
        assert not waiting.done()
        wait_in(threads, pool, Task(pool, "b")).result(30)
        wait_in(threads, pool, Task(pool, "a", is_short=True)).result(30)
        assert not waiting.done()
    waiting.result(30)


def test_a_pool_of_one_process_works_for_everyone(threads: ThreadPoolExecutor) -> None:
    assert Pool(1)._next_task() is None
    alone = Pool(1)
    alone._waiting.append(task := Task(alone, "a"))
    assert alone._next_task() is task


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
            while (task := pool._next_task()) is not None and len(order) < 6:
                order.append(tasks.index(task))
                pool._waiting.remove(task)
            pool._waiting += tasks
            pool._held.update("a")
    assert order == [5, 2, 4, 3, 1, 0]


def test_short_tasks_go_first_and_the_newest_of_them(pool: Pool) -> None:
    tasks = [Task(pool, "a", is_short=number in (1, 2)) for number in range(4)]
    pool._waiting += tasks
    order = []
    while (task := pool._next_task()) is not None:
        order.append(tasks.index(task))
        pool._waiting.remove(task)

    assert order == [2, 1, 3, 0]


def test_of_too_many_tasks_of_a_client_the_newest_is_refused(
    pool: Pool, threads: ThreadPoolExecutor
) -> None:
    with ExitStack() as stack:
        for client in "aab":
            hold(pool, client, stack)
        futures = [wait_in(threads, pool, Task(pool, "a")) for _ in range(32)]
        with pytest.raises(Exceeded, match=r"^not begun, because too much other work waits"):
            Task(pool, "a").run(str)
        assert not wait_in(threads, pool, Task(pool, "b")).done()
    for future in futures:
        future.result(30)


def test_a_system_that_refuses_processes_refuses_the_work_and_nothing_else(
    pool: Pool, threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Pool) -> Idle:
        raise BlockingIOError("no more processes")

    pool.prepare(str)
    other = Pool(3)
    with ExitStack() as stack:
        killed = [
            stack.enter_context(pool.take_turn(Task(pool, "a", is_short=True))) for _ in range(3)
        ]
        waiting = wait_in(threads, pool, Task(pool, "b"))
        monkeypatch.setattr(Pool, "_start", fails)
        for process in killed:
            process.is_killed = True
    other.prepare(str)
    with pytest.raises(Exceeded, match=r"^not begun, because the system refuses"):
        waiting.result(30)
    with pytest.raises(Exceeded, match=r"^not begun, because the system refuses"):
        Task(other, "a").run(str)
    assert not pool._held


def test_who_waits_in_vain_is_told(pool: Pool) -> None:
    pool.bounds = Bounds(0.01)
    with ExitStack() as stack:
        for client in "aab":
            hold(pool, client, stack)
        late = Task(pool, "c")
        with pytest.raises(Exceeded) as caught, pool.take_turn(late):
            pass

    assert caught.value.limit == "wait"
    assert str(caught.value) == (
        "not begun in 0.01 seconds, because other work is under way;"
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
