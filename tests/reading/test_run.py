"""A run: every fault, the budget, cancelling and going on; nothing that was done is lost."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.scripted import (
    KEY,
    Act,
    Call,
    Refuse,
    Say,
    Script,
    Send,
    Server,
    format_of,
    perfect,
    plan_of,
    serving,
    truth,
)
from toon.costs.models import choose
from toon.reading import faults
from toon.reading.asking import CANCELLED, MOST_SENT, Order, ask
from toon.reading.budget import Budget, Spent, make_budget
from toon.reading.endpoint import Endpoint, Reply
from toon.reading.faults import Failed
from toon.reading.plan import Plan
from toon.reading.run import AskedRun, Record, begin, left_of

PLAN = plan_of(12)


class Came(NamedTuple):
    """What came of asking."""

    run: AskedRun
    spent: Spent

    @property
    def records(self) -> list[Record]:
        return self.run.records

    @property
    def stopped(self) -> str:
        return self.run.meta.stopped


def asked(endpoint: Endpoint, plan: Plan = PLAN, **options: Any) -> Came:
    wanted = {name: options.pop(name) for name in Order._fields if name in options}
    order = Order(plan, endpoint, **wanted)
    run = begin(plan, endpoint, order.before)
    return Came(run, ask(order, run, **options))


def run(script: Script, plan: Plan = PLAN, **options: Any) -> tuple[Came, Server, list[float]]:
    """A run at an endpoint that does as scripted; the pauses are noted and not waited for."""
    pauses: list[float] = []
    given = {"budget": make_budget(plan), "pause": pauses.append, **options}
    with serving(script) as server:
        endpoint = server.endpoint(key=KEY, seconds=given.pop("seconds", 20))
        return asked(endpoint, plan, **given), server, pauses


def first_time(act: Act, then: Script) -> Script:
    """Does something else when a prompt comes for the first time."""
    seen: set[str] = set()

    def script(call: Call) -> Act:
        is_new = call.prompt not in seen
        seen.add(call.prompt)
        return act if is_new else then(call)

    return script


def test_a_flawless_model_is_right_everywhere_and_every_prompt_is_sent_once() -> None:
    outcome, server, pauses = run(perfect(PLAN), concurrency=8)

    assert (outcome.stopped, pauses) == ("", [])
    places = [(one.question, one.format) for one in outcome.records]
    assert places == [(one.number, one.format) for one in PLAN.prompts()]
    assert all(one.is_right and one.sent == 1 and not one.error for one in outcome.records)
    assert Counter(call.prompt for call in server.calls) == Counter(
        prompt.text for prompt in PLAN.prompts()
    )
    assert outcome.run.meta.answered == ["small-1"]
    assert outcome.spent[:2] == (24, 24 * 12)


def test_a_model_that_fails_in_one_format_is_right_in_the_other() -> None:
    def script(call: Call) -> Act:
        is_lost = format_of(PLAN, call.prompt) == "toon"
        return Say("?") if is_lost else perfect(PLAN)(call)

    outcome, _, _ = run(script)

    right = Counter((one.format, one.is_right) for one in outcome.records)
    assert right == {("json-compact", True): 12, ("toon", False): 12}


def test_no_more_requests_are_under_way_than_allowed_and_the_first_goes_alone() -> None:
    together = threading.Barrier(3)

    def script(call: Call) -> Act:
        if 0 < call.number < 7:
            together.wait(20)  # fails unless three are under way
        return perfect(PLAN)(call)

    outcome, server, _ = run(script, concurrency=3)
    assert outcome.stopped == ""
    assert server.most_at_once == 3


@pytest.mark.parametrize(
    ("act", "pauses"),
    [
        (Refuse(429, "Slow down", headers={"Retry-After": "7"}), {7.0}),
        (Refuse(429, "Slow down"), {1.0}),
        (Refuse(500, "Oops"), {1.0}),
        (Send(b'{"choices"', cut=True), {1.0}),
    ],
)
def test_a_passing_fault_is_waited_for_and_the_prompt_sent_again(
    act: Act, pauses: set[float]
) -> None:
    plan = plan_of(3)
    outcome, server, waited = run(first_time(act, perfect(plan)), plan, budget=Budget(99, 10**6))

    assert outcome.stopped == ""
    assert [one.sent for one in outcome.records] == [2] * 6
    assert all(one.is_right for one in outcome.records)
    assert set(waited) == pauses
    assert len(server.calls) == outcome.spent.requests == 12


def test_what_may_have_been_billed_counts_as_spent_and_a_refusal_does_not() -> None:
    plan = plan_of(1, answer_tokens=100)
    budget = Budget(99, 10**6)
    busy, failed = (
        run(first_time(act, perfect(plan)), plan, budget=budget)[0].spent
        for act in (Refuse(429, "Slow down"), Refuse(500, "Oops"))
    )

    assert (busy.requests, failed.requests) == (4, 4)
    assert busy.tokens == 2 * 12
    assert failed.tokens > busy.tokens + 2 * 100


@pytest.mark.rest
def test_a_timeout_is_recorded_with_how_often_the_prompt_was_sent() -> None:
    plan = plan_of(3)
    hang = [prompt.text for prompt in plan.prompts()][3]
    script = lambda call: Send(hold=True) if call.prompt == hang else perfect(plan)(call)  # noqa: E731

    outcome, _, pauses = run(script, plan, seconds=0.6, budget=Budget(99, 10**6))
    (lost,) = (one for one in outcome.records if one.said is None)
    assert (lost.question, lost.format, lost.sent) == (1, "toon", MOST_SENT)
    assert lost.error == "No whole answer came within 0.6 s; it may have been billed."
    assert lost.is_right is None
    assert pauses == [1, 2, 4]
    assert outcome.stopped == ""


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (Refuse(401, "Bad key"), "refuses the key: 401, Bad key"),
        (Refuse(404, "model not found"), "has no model small"),
        (Refuse(404), "not as an endpoint of chat completions does"),
        (Send(b"<html>Hello</html>"), "no chat completion: it begins with '<html>Hello</html>'"),
        (Refuse(429, "Enough", headers={"Retry-After": "86400"}), "takes no more requests"),
    ],
)
def test_what_no_other_prompt_would_mend_ends_the_run_after_one_request(
    act: Act, words: str
) -> None:
    outcome, server, _ = run(lambda call: act, concurrency=8)

    assert words in outcome.stopped
    assert len(server.calls) == 1
    (record,) = outcome.records
    assert (record.said, record.sent) == (None, 1)
    assert record.error == outcome.stopped


def after(number: int, act: Act, plan: Plan = PLAN) -> Script:
    """Right at first, then something else."""
    return lambda call: act if call.number >= number else perfect(plan)(call)


@pytest.mark.parametrize("act", [Refuse(500, "Oops"), Send(b"{", cut=True)])
def test_a_server_that_stops_halfway_ends_the_run_and_the_answers_stay(act: Act) -> None:
    outcome, server, _ = run(after(7, act), concurrency=2, budget=Budget(999, 10**6))

    assert "failed" in outcome.stopped or "cut off" in outcome.stopped
    answered = [one for one in outcome.records if one.said is not None]
    assert len(answered) == 7
    assert all(one.is_right for one in answered)
    assert len(server.calls) <= 7 + 5 * MOST_SENT


def test_nonsense_between_answers_is_recorded_and_not_sent_again() -> None:
    script = lambda call: Send(b"{}") if call.number == 5 else perfect(PLAN)(call)  # noqa: E731
    outcome, server, _ = run(script)

    (lost,) = (one for one in outcome.records if one.said is None)
    assert lost.error == "The endpoint sent no chat completion: it begins with '{}'."
    assert len(server.calls) == 24
    assert outcome.stopped == ""


@pytest.mark.parametrize(
    ("text", "kept", "error"),
    [
        ("", 0, "The answer is empty."),
        ("7" * 100_000, 4_000, "The answer has 100,000 characters; the first 4,000 are kept."),
    ],
)
def test_no_answer_and_an_endless_one_are_wrong_answers(text: str, kept: int, error: str) -> None:
    plan = plan_of(2)
    outcome, _, _ = run(lambda call: Say(text), plan)

    assert {(len(one.said or ""), one.is_right, one.error) for one in outcome.records} == {
        (kept, False, error)
    }
    assert outcome.stopped == ""


def test_a_format_too_long_for_the_model_is_tried_once_and_the_others_go_on() -> None:
    too_long = Refuse(400, "maximum context length is 9 tokens", "context_length_exceeded")
    script = lambda call: (  # noqa: E731
        too_long if format_of(PLAN, call.prompt) == "toon" else perfect(PLAN)(call)
    )
    outcome, server, _ = run(script, concurrency=1)

    assert Counter(one.format for one in outcome.records) == {"json-compact": 12, "toon": 1}
    assert outcome.records[1].error.startswith("The prompt is longer than the model reads: ")
    assert len(server.calls) == 13


class Pretended(Endpoint):
    """An endpoint without a network that fails at times, and counts what it bills."""

    def __init__(self, ratio: float, failing: float, chance: Any) -> None:
        super().__init__("http://localhost/v1", "small")
        self.calls = self.billed = self.at_once = 0
        self.ratio, self.failing, self.chance = ratio, failing, chance
        self.counting = threading.Lock()

    def ask(self, prompt: str, answer_tokens: int = 0) -> Reply:
        with self.counting:
            self.calls += 1
            tokens = min(int(self.ratio * len(prompt) / 3), len(prompt.encode()))
            fails = self.chance.random() < self.failing
            wrote = 0 if fails else self.chance.randint(0, answer_tokens)
            self.billed += tokens + wrote
        if fails:
            raise Failed(faults.TIMEOUT, seconds=1)
        return Reply("?", tokens, wrote, 0.0, None, None, "m")


@given(
    requests=st.integers(1, 60),
    tokens=st.integers(1, 40_000),
    concurrency=st.integers(1, 8),
    ratio=st.floats(0.3, 2.5),
    failing=st.sampled_from([0.0, 0.2]),
    chance=st.randoms(use_true_random=False),
)
def test_the_budget_is_never_passed(
    requests: int, tokens: int, concurrency: int, ratio: float, failing: float, chance: Any
) -> None:
    endpoint = Pretended(ratio, failing, chance)
    outcome = asked(
        endpoint,
        budget=Budget(requests, tokens),
        concurrency=concurrency,
        pause=lambda seconds: None,
    )

    assert endpoint.calls == outcome.spent.requests <= requests
    assert endpoint.billed <= outcome.spent.tokens <= tokens
    left = left_of(PLAN, outcome.run).prompts
    assert bool(outcome.stopped) or len(left) == sum(one.said is None for one in outcome.records)
    assert sum(one.sent for one in outcome.records) == endpoint.calls


def test_a_server_that_heeds_no_bound_of_answers_is_reckoned_with_after_the_first() -> None:
    long = Say("?", 10, 5_000)
    outcome, server, _ = run(lambda call: long, budget=Budget(99, 12_000))

    assert outcome.stopped == "The budget of 12,000 tokens does not cover another request."
    assert len(server.calls) == 2
    assert outcome.spent.tokens == 10_020


def test_dollars_are_a_bound_too_and_need_a_price() -> None:
    plan = plan_of(5, answer_tokens=1000)
    dear = Say("?", completion_tokens=900)
    outcome, server, _ = run(lambda call: dear, plan, budget=Budget(99, 10**6, Decimal("0.05")))

    assert outcome.stopped == "The budget of 5 cents does not cover another request."
    assert 3 < len(server.calls) < 10
    assert outcome.spent.dollars is not None
    assert outcome.spent.dollars < Decimal("0.05")
    unpriced = plan_of(2, lab_model=choose("llama-3"))
    with pytest.raises(ValueError, match=r"^No price is known for Llama 3, so dollars cannot be"):
        run(perfect(unpriced), unpriced, budget=Budget(9, 999, Decimal(1)))


def test_the_usual_budget_covers_the_plan_of_an_endpoint_that_counts_more() -> None:
    counts = {one.text: one.tokens * 4 // 3 for one in PLAN.prompts()}
    dear = lambda call: Say(truth(PLAN, call.prompt), counts[call.prompt], 9)  # noqa: E731

    assert run(dear, concurrency=8)[0].stopped == ""


def test_kept_answers_are_counted_by_what_counts_now() -> None:
    first, _, _ = run(perfect(PLAN), on_record=(seen := cancel_after(3))[0], is_cancelled=seen[1])
    other = plan_of(12, lab_model=choose("llama-3"))
    second, _, _ = run(perfect(other), other, before=first.run)

    assert [one.our_tokens for one in second.records] == [one.tokens for one in other.prompts()]
    assert second.records != first.records


def cancel_after(number: int) -> tuple[Callable[[Record], None], Callable[[], bool]]:
    seen: list[Record] = []
    return seen.append, lambda: len(seen) >= number


def test_cancelling_keeps_what_is_done_and_another_start_sends_the_rest() -> None:
    def slow(call: Call) -> Act:  # so that they are not all answered before anybody looks
        time.sleep(0.05)
        return perfect(PLAN)(call)

    on_record, is_cancelled = cancel_after(9)
    first, before, _ = run(slow, concurrency=2, on_record=on_record, is_cancelled=is_cancelled)

    assert first.stopped == CANCELLED
    assert 9 <= len(first.records) < 24
    assert left_of(PLAN, first.run)[1:] == (len(first.records), 0)
    second, after, _ = run(perfect(PLAN), before=first.run)
    assert second.stopped == ""
    assert len(second.records) == 24
    assert len(before.calls) + len(after.calls) == 24


def test_a_prompt_without_an_answer_is_sent_again_and_its_sendings_add_up() -> None:
    first, _, _ = run(after(7, Refuse(500, "Oops")), concurrency=1, budget=Budget(999, 10**6))
    lost = [one for one in first.records if one.said is None]

    assert [one.sent for one in lost] == [MOST_SENT] * 3
    assert left_of(PLAN, first.run)[1:] == (7, 3)
    second, _, _ = run(perfect(PLAN), before=first.run)
    assert all(one.is_right for one in second.records)
    assert sorted(one.sent for one in second.records) == [1] * 21 + [MOST_SENT + 1] * 3


def test_a_server_that_is_gone_loses_nothing() -> None:
    on_record, is_cancelled = cancel_after(5)
    first, server, _ = run(perfect(PLAN), on_record=on_record, is_cancelled=is_cancelled)

    gone = asked(server.endpoint(), budget=make_budget(PLAN), before=first.run)
    assert "cannot be reached" in gone.stopped
    assert [one for one in gone.records if one.said is not None] == first.records
