"""The fixed bill: the definitions of tools that every request sends again, used or not."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from toon.analysis.money import monthly_rate


@dataclass(frozen=True, slots=True)
class Defined:
    """A tool's definition in the requests of a run, with its tokens.

    ``tokens`` are those of one sending, ``minified`` of the same as compact JSON; of a tool that
    was defined in several ways, those of the way that was sent most. ``sent`` and ``sent_minified``
    are for all requests. ``requests`` counts those that the tool was sent in, and ``listed`` the
    answers to ``tools/list`` that have it. ``called`` says whether the run's files call it.
    """

    server: str
    tool: str
    tokens: int
    minified: int
    requests: int
    listed: int
    called: bool
    sent: int
    sent_minified: int


@dataclass(frozen=True, slots=True)
class FixedBill:
    """The bill of tools' definitions in a run, those with most tokens first.

    ``requests`` counts the requests with definitions, ``timed`` those with a time. ``monthly`` is
    their number a month by the ``seconds`` between them; None if it is unknown. ``left_out`` counts
    sendings of definitions that were too many to keep. ``tokenizer`` counted. ``conversations``
    counts those of the requests; 0 if some request names none.
    """

    tools: tuple[Defined, ...]
    requests: int
    timed: int
    monthly: float | None
    seconds: float
    left_out: int
    tokenizer: str
    conversations: int

    @property
    def sent(self) -> int:
        """Tokens of all definitions of tools in all requests of the run."""
        return sum(tool.sent for tool in self.tools)

    @property
    def each(self) -> float:
        """Average tokens of tool definitions in a request."""
        return self.sent / max(1, self.requests)

    @property
    def saved(self) -> dict[str, int]:
        """Tokens saved in all requests: ``unused`` tools left out, all ``minified``, or
        ``both``.
        """
        used = [tool for tool in self.tools if tool.called]
        return {
            "unused": self.sent - sum(tool.sent for tool in used),
            "minified": self.sent - sum(tool.sent_minified for tool in self.tools),
            "both": self.sent - sum(tool.sent_minified for tool in used),
        }


def find_fixed_bill(facts: object) -> FixedBill | None:
    """Return the bill of tools' definitions from a run's metadata (``definitions``).

    None if it names no tool. Rows of another form than
    :func:`toon.measuring.definitions.count_definitions` gives are left out, for a run may come from
    others.
    """
    if not isinstance(facts, Mapping) or not isinstance(facts.get("tools"), list):
        return None
    ways = defaultdict[tuple[str, str], list[Defined]](list)
    for row in facts["tools"]:
        with suppress(LookupError, TypeError):
            each = _defined(row)
            ways[each.server, each.tool].append(each)
    if not ways:
        return None
    older = {"conversations": 0, "moments": facts.get("timed")}  # what old runs do not name
    names = "requests", "left_out", "timed", "conversations", "moments"
    requests, left_out, timed, conversations, moments = _numbers({**older, **facts}, names)
    first, last, seconds = facts.get("first"), facts.get("last"), 0.0  # 0 without times
    if isinstance(first, int | float) and isinstance(last, int | float):
        seconds = max(0.0, last - first)
    tools = []
    for defined in ways.values():
        most = max(defined, key=lambda each: (each.requests, each.listed))
        whole = replace(
            most,
            requests=sum(each.requests for each in defined),
            listed=sum(each.listed for each in defined),
            called=any(each.called for each in defined),
            sent=sum(each.sent for each in defined),
            sent_minified=sum(each.sent_minified for each in defined),
        )
        tools.append(whole)
    tools.sort(key=lambda each: (-each.sent, -each.tokens, each.server, each.tool))
    return FixedBill(
        tuple(tools),
        requests,
        timed,
        monthly_rate(timed, moments, seconds),
        seconds,
        left_out,
        str(facts.get("tokenizer", "")),
        conversations,
    )


def _defined(row: Any) -> Defined:
    """Turn a row of a run's definitions into a Defined; LookupError or TypeError if it is none."""
    server, tool, called = row["server"], row["tool"], bool(row["called"])
    if not isinstance(server, str) or not isinstance(tool, str):
        raise TypeError("a name is not a text")
    names = "tokens", "minified", "requests", "listed"
    tokens, minified, requests, listed = _numbers(row, names)
    sent = tokens * requests, minified * requests
    return Defined(server, tool, tokens, minified, requests, listed, called, *sent)


def _numbers(facts: Any, names: Iterable[str]) -> list[int]:
    numbers = [facts[name] for name in names]
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        raise TypeError("a number is not one")
    return numbers
