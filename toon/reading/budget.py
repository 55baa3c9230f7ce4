"""The budget of asking: hard bounds that concurrent requests cannot pass together.

A request is begun only if the budget covers the most that it can take, beside all that are under
way. What a request took is known when it ends; what may have been billed counts as billed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

from toon.reading.endpoint import Reply
from toon.reading.plan import Plan, Prompt
from toon.wording import dollars, plural

#: Tokens that a service adds to a prompt at most, before the first reply tells.
_FRAME: Final = 256
#: How much more than the plan needs is allowed where nothing else is chosen, for repeats.
_SPARE: Final = Decimal("0.1")


@dataclass(frozen=True)
class Budget:
    """The most that one start may take.

    Attributes:
        requests: Requests sent, repeats included.
        tokens: Tokens of input and output, as the endpoint counts where it says.
        dollars: US dollars at the price of the chosen model; None: no bound.
    """

    requests: int
    tokens: int
    dollars: Decimal | None = None


class Spent(NamedTuple):
    """What was taken; ``dollars`` is None where no price is known."""

    requests: int
    tokens: int
    dollars: Decimal | None


def make_budget(
    plan: Plan,
    requests: int | None = None,
    tokens: int | None = None,
    dollars: Decimal | None = None,
) -> Budget:
    """A budget for a plan; None is enough for a few repeats, and for a count half as high again.

    Raises:
        ValueError: Dollars are bounded, but the price is not known.
    """
    usual = plan.input_tokens * 3 // 2 + plan.output_bound + 2 * (_FRAME + plan.answer_tokens)
    budget = Budget(
        requests or plan.requests + int(plan.requests * _SPARE) + 5,
        tokens or usual + max(prompt.bytes for prompt in plan.prompts()) + _FRAME,
        dollars,
    )
    check_budget(plan, budget)
    return budget


def check_budget(plan: Plan, budget: Budget) -> None:
    """Says before anything is begun what cannot be bounded.

    Raises:
        ValueError: Dollars are bounded, but the price is not known.
    """
    if budget.dollars is not None and plan.price is None:
        raise ValueError(
            f"No price is known for {plan.lab_model.name}, so dollars cannot be bounded. "
            "Bound requests and tokens."
        )


class Held(NamedTuple):
    """What is held back for a request under way."""

    prompt: Prompt
    read: int
    wrote: int
    dollars: Decimal | None

    @property
    def tokens(self) -> int:
        """Those of input and output."""
        return self.read + self.wrote


class Ledger:
    """What is spent and held of a budget; threads may share it.

    Attributes:
        spent: All that was taken so far.
        reached: Which bound was reached, as a sentence; "" for none.
    """

    def __init__(self, plan: Plan, budget: Budget) -> None:
        """Opens it.

        Raises:
            ValueError: Dollars are bounded, but the price is not known.
        """
        check_budget(plan, budget)
        self.spent = Spent(0, 0, None if plan.price is None else Decimal())
        self.reached = ""
        self._plan = plan
        self._budget = budget
        self._changed = threading.Condition()
        self._under_way: list[Held] = []
        self._billed: dict[str, int] = {}
        self._longest = plan.answer_tokens  # some servers heed no bound

    def hold(self, prompt: Prompt, is_stopped: Callable[[], bool]) -> Held | None:
        """Holds back what a request can take; waits while those under way may leave enough.

        Returns None where the budget does not cover it, which ``reached`` then says, or where the
        run has stopped.
        """
        with self._changed:
            while not is_stopped():
                held = self._most(prompt)
                lacking = self._lacking(held)
                if not lacking:
                    self._under_way.append(held)
                    self.spent = self.spent._replace(requests=self.spent.requests + 1)
                    return held
                if not self._under_way or lacking == "requests":
                    self.reached = self._sentence(lacking)
                    return None
                self._changed.wait(0.1)
        return None

    def settle(self, held: Held, reply: Reply | None, *, is_billed: bool) -> None:
        """Ends a request: with a reply, or without one but perhaps billed."""
        with self._changed:
            self._under_way.remove(held)
            if reply is not None:
                self._settle_reply(held, reply)
            elif is_billed:
                self._take(held.read, held.wrote)
            self._changed.notify_all()

    def _settle_reply(self, held: Held, reply: Reply) -> None:
        name, given, wrote = held.prompt.format, reply.prompt_tokens, reply.completion_tokens
        if given is not None:
            self._billed[name] = max(given, self._billed.get(name, 0))
        self._longest = max(self._longest, wrote or 0)
        self._take(held.read if given is None else given, held.wrote if wrote is None else wrote)

    def _take(self, read: int, wrote: int) -> None:
        requests, tokens, dollars = self.spent
        if dollars is not None:
            dollars += self._plan.price_of(read, wrote) or 0
        self.spent = Spent(requests, tokens + read + wrote, dollars)

    def _most(self, prompt: Prompt) -> Held:
        """The most that a request can take: another of its format tells, but for the question.

        Before one does, no tokenizer makes more tokens than bytes, and services add a few.
        """
        seen = self._billed.get(prompt.format)
        read = prompt.bytes + _FRAME if seen is None else seen + prompt.end.bytes
        return Held(prompt, read, self._longest, self._plan.price_of(read, self._longest))

    def _lacking(self, held: Held) -> str:
        """The bound that the request would pass; "" for none."""
        under_way, budget = [*self._under_way, held], self._budget
        if self.spent.requests + 1 > budget.requests:
            return "requests"
        if self.spent.tokens + sum(one.tokens for one in under_way) > budget.tokens:
            return "tokens"
        dollars = (self.spent.dollars or 0) + sum(one.dollars or 0 for one in under_way)
        return "dollars" if budget.dollars is not None and dollars > budget.dollars else ""

    def _sentence(self, lacking: str) -> str:
        bounds = {
            "requests": plural(self._budget.requests, "request"),
            "tokens": plural(self._budget.tokens, "token"),
            "dollars": dollars(self._budget.dollars),
        }
        return f"The budget of {bounds[lacking]} does not cover another request."
