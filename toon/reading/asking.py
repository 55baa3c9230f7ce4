"""Asks the prompts of a plan, several at once and within a budget."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from toon.reading import faults
from toon.reading.budget import Budget, Ledger, Spent
from toon.reading.endpoint import Endpoint, Reply
from toon.reading.faults import Failed
from toon.reading.plan import Plan, Prompt
from toon.reading.run import AskedRun, Record, left_of, make_record

#: How often a prompt is sent at most.
MOST_SENT: Final = 4
#: Seconds before the second sending; twice as many before each other.
_FIRST_WAIT: Final = 1.0
#: An endpoint that wants a longer rest ends the run.
_LONGEST_WAIT: Final = 120.0
#: So many prompts in a row without an answer end the run.
_MOST_FAILED: Final = 3
#: How often the caller is asked whether to cancel.
_POLL_SECONDS: Final = 0.1

CANCELLED: Final = "Stopped as you asked."


class Order(NamedTuple):
    """What to ask whom, within which budget.

    Attributes:
        concurrency: How many requests may be under way at once.
        before: The run of an earlier start, whose answers stay.
    """

    plan: Plan
    endpoint: Endpoint
    budget: Budget
    concurrency: int = 4
    before: AskedRun | None = None

    @property
    def name(self) -> str:
        """What the run is called."""
        return f"{self.plan.model} at {self.endpoint.host}"


def ask(
    order: Order,
    run: AskedRun,
    *,
    on_record: Callable[[Record], None] = lambda record: None,
    is_cancelled: Callable[[], bool] = lambda: False,
    pause: Callable[[float], None] | None = None,
) -> Spent:
    """Sends what a run lacks of what is ordered, and adds what comes of it.

    The first prompt goes alone: a wrong key costs one request, and its reply tells how tokens
    count.

    Args:
        on_record: Takes each new record when the run has it, in the thread of the caller.
        is_cancelled: Whether to stop, asked all the time; requests under way are waited for.
        pause: Waits for a number of seconds, before a prompt is sent again.

    Returns:
        What this start took.

    Raises:
        Failed: The URL, the key or the model cannot be right; nothing was sent.
        ValueError: Dollars are bounded without a price, or nothing may be under way.
    """
    if order.concurrency < 1:
        raise ValueError("at least one request must be under way")
    order.endpoint.check()
    for prompt in order.plan.prompts():  # another model may count now
        if record := run.find(prompt):
            run.add(replace(record, our_tokens=prompt.tokens))
    runner = _Runner(order, run, pause)
    try:
        for record in runner.run(is_cancelled):
            run.add(record)
            on_record(record)
    finally:
        order.endpoint.close()
    run.meta.stopped = runner.stopped
    run.meta.answered = sorted({*run.meta.answered, *runner.answered})
    run.meta.temperature = order.endpoint.temperature
    return runner.ledger.spent


class _Runner:
    """Threads that take prompts and give records, until one of them says that all must stop."""

    def __init__(self, order: Order, run: AskedRun, pause: Callable[[float], None] | None) -> None:
        self.ledger = Ledger(order.plan, order.budget)
        self.stopped = ""
        self.answered: set[str] = set()
        self._order = order
        self._run = run
        self._prompts = iter(left_of(order.plan, run).prompts)
        self._lock = threading.Lock()
        self._is_stopping = threading.Event()
        self._pause = pause or self._is_stopping.wait
        self._too_long: set[str] = set()
        self._failed_in_a_row = 0
        self._error: BaseException | None = None

    def run(self, is_cancelled: Callable[[], bool]) -> Iterator[Record]:
        """The new records, each when it is there."""
        found: queue.SimpleQueue[Record | None] = queue.SimpleQueue()
        started = working = self._start(1, found)
        try:
            while working:
                if is_cancelled():
                    self._stop(CANCELLED)
                try:
                    record = found.get(timeout=_POLL_SECONDS)
                except queue.Empty:
                    continue
                if record is None:
                    working -= 1
                    continue
                yield record
                if started == 1 and not self._is_stopping.is_set():
                    started += self._start(self._order.concurrency - 1, found)
                    working = started
        finally:
            self._is_stopping.set()
        if self._error is not None:  # one of ours must not be lost
            raise self._error

    def _start(self, number: int, found: queue.SimpleQueue[Record | None]) -> int:
        """Starts threads that a caller who leaves at once need not wait for."""
        for _ in range(number):
            threading.Thread(target=self._work, args=(found,), daemon=True).start()
        return number

    def _work(self, found: queue.SimpleQueue[Record | None]) -> None:
        try:
            while (prompt := self._next()) is not None:
                record = self._answer(prompt)
                if record is not None:
                    found.put(record)
        except BaseException as error:
            self._error = error
            self._is_stopping.set()
        finally:
            found.put(None)

    def _next(self) -> Prompt | None:
        with self._lock:
            if self._is_stopping.is_set():
                return None
            left = (prompt for prompt in self._prompts if prompt.format not in self._too_long)
            return next(left, None)

    def _stop(self, reason: str) -> None:
        """Lets nothing more be sent; the first reason is the one that is told."""
        with self._lock:
            self.stopped = self.stopped or reason
        self._is_stopping.set()

    def _answer(self, prompt: Prompt) -> Record | None:
        """Sends a prompt until an answer is there, or none will be; None: it was not sent."""
        plan, endpoint, before = self._order.plan, self._order.endpoint, self._run.find(prompt)
        sent_before = before.sent if before else 0
        sent, error = 0, ""
        while sent < MOST_SENT:
            held = self.ledger.hold(prompt, self._is_stopping.is_set)
            if held is None:
                if self.ledger.reached:
                    self._stop(self.ledger.reached)
                break
            sent += 1
            try:
                reply = endpoint.ask(prompt.text, plan.answer_tokens)
            except Failed as failed:
                self.ledger.settle(held, None, is_billed=failed.fault.billed)
                error = str(failed)
                if not self._goes_on(failed, prompt, sent):
                    break
            except BaseException:
                self.ledger.settle(held, None, is_billed=True)
                raise
            else:
                self.ledger.settle(held, reply, is_billed=True)
                self._note(reply)
                return make_record(plan, prompt, reply, sent_before + sent, reply.note)
        return make_record(plan, prompt, None, sent_before + sent, error) if sent else None

    def _note(self, reply: Reply) -> None:
        with self._lock:
            self._failed_in_a_row = 0
            self.answered.add(reply.model)

    def _goes_on(self, failed: Failed, prompt: Prompt, sent: int) -> bool:
        """Whether a prompt is sent again, after a rest; stops where no prompt can succeed."""
        fault, is_first = failed.fault, not self.answered
        if fault is faults.CONTEXT:
            with self._lock:
                self._too_long.add(prompt.format)
        can_recover = fault.again and not (is_first and fault is faults.UNREACHABLE)
        wait = _FIRST_WAIT * 2 ** (sent - 1) if failed.wait is None else failed.wait
        if can_recover and sent < MOST_SENT and wait <= _LONGEST_WAIT:
            self._pause(wait)
            return not self._is_stopping.is_set()
        if fault.ends or wait > _LONGEST_WAIT or (is_first and fault is faults.NONSENSE):
            self._stop(str(failed))
        elif fault is not faults.CONTEXT:
            with self._lock:
                self._failed_in_a_row += 1
                is_hopeless = is_first or self._failed_in_a_row >= _MOST_FAILED
            if is_hopeless:
                self._stop(str(failed))
        return False
