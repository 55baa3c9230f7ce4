"""What a log says that calls took: tokens by model, read from the provider's cache and written.

A shape is where one maker's usage has its figures. Some makers count cached tokens in the input,
others beside it: here the input always has them. A call that a log tells several times (Claude
Code does, once for each part of an answer) is counted once.

Codex's figures are ``TokenUsage`` of openai/codex, ``codex-rs/protocol/src/protocol.rs``, whose
``non_cached_input`` takes the cached from the input. Langfuse's are those of its documentation of
token and cost tracking and of langfuse/langfuse, ``packages/shared/src/server/ingestion/types.ts``.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from toon.costs.billed import SIZES, Billed
from toon.costs.named import price_named
from toon.costs.prices import price_period
from toon.traffic.language import MOST_KEYS, USAGES, WRAPPERS, at, keys_of
from toon.traffic.locate import Node
from toon.traffic.tools import inside, wrapped

#: Models, periods and sizes that are told apart; the calls of others are counted as unknown.
MAX_ROWS: Final = 2_000
MAX_SEEN: Final = 50_000
#: Conversations that are told apart, and the number that all others have; rows of them.
MAX_CONVERSATIONS: Final = 1_000
BEYOND: Final = MAX_CONVERSATIONS + 1
MAX_SHARES: Final = 10_000
_MOST: Final = 10**12


class _Shape(NamedTuple):
    """Where usage has its figures, as plain paths. It is of this shape if it has the ``mark``.

    ``whole``: the input has the cached tokens. Of ``input`` and ``output`` all are added; of the
    others the first that is there counts.
    """

    mark: str
    whole: bool
    input: str
    output: str
    cached: str = ""
    written: str = ""
    hour: str = ""


_HOUR: Final = "ephemeral1hinputtokens"
_EXTRA: Final = "metadata.additionalusagevalues"
_SHAPES: Final = (
    _Shape(  # OpenAI chat, LiteLLM, OpenRouter, DeepSeek, Vercel AI SDK 4, older Langfuse
        "prompttokens", True, "prompttokens", "completiontokens",
        "prompttokensdetails.cachedtokens cachereadinputtokens promptcachehittokens cachedtokens"
        f" {_EXTRA}.cachereadinputtokens",
        "cachecreationinputtokens prompttokensdetails.cachecreationtokens"
        f" prompttokensdetails.cachewritetokens {_EXTRA}.cachecreationinputtokens",
        f"cachecreation.{_HOUR} prompttokensdetails.cachecreationtokendetails.{_HOUR}",
    ),
    _Shape(  # OpenAI Responses
        "inputtokensdetails", True, "inputtokens", "outputtokens",
        "inputtokensdetails.cachedtokens", "inputtokensdetails.cachewritetokens",
    ),
    _Shape(  # LangChain
        "inputtokendetails", True, "inputtokens", "outputtokens", "inputtokendetails.cacheread",
        "inputtokendetails.cachecreation", f"inputtokendetails.{_HOUR}",
    ),
    _Shape(  # Codex, Vercel AI SDK
        "cachedinputtokens", True, "inputtokens", "outputtokens", "cachedinputtokens"
    ),
    _Shape(  # Anthropic, Bedrock's Converse
        "inputtokens", False, "inputtokens", "outputtokens",
        "cachereadinputtokens cachereadinputtokencount",
        "cachecreationinputtokens cachewriteinputtokens cachewriteinputtokencount",
        f"cachecreation.{_HOUR}",
    ),
    _Shape(  # Gemini; reasoning stands beside the answer
        "prompttokencount", True, "prompttokencount tooluseprompttokencount",
        "candidatestokencount thoughtstokencount", "cachedcontenttokencount",
    ),
    _Shape(  # Bedrock's log of invocations
        "input.inputtokencount", False, "input.inputtokencount", "output.outputtokencount",
        "input.cachereadinputtokencount", "input.cachewriteinputtokencount",
    ),
    _Shape(  # attributes of OpenTelemetry
        "genaiusageinputtokens", True, "genaiusageinputtokens", "genaiusageoutputtokens",
        "genaiusagecachereadinputtokens", "genaiusagecachecreationinputtokens",
    ),
    _Shape(  # attributes of OpenInference
        "llmtokencountprompt", True, "llmtokencountprompt", "llmtokencountcompletion",
        "llmtokencountpromptdetailscacheread", "llmtokencountpromptdetailscachewrite",
    ),
    _Shape(  # promptfoo, whose cached tokens are of its own cache
        "completion", True, "prompt", "completion"
    ),
    _Shape(  # Gemini CLI
        "thoughts", True, "input", "output thoughts", "cached"
    ),
    _Shape(  # opencode
        "cache.read", False, "input", "output reasoning", "cache.read", "cache.write"
    ),
    _Shape(  # pi
        "cacheread", False, "input", "output", "cacheread", "cachewrite"
    ),
)  # fmt: skip

#: Where LangChain's message has its usage in the generations of a run.
_GENERATED: Final = "message.kwargs.usagemetadata"
_MARK_TEXTS: Final = ('"usage', '\\"usage')
_DEEPEST: Final = 4
_LONGEST_ID: Final = 500
_COSTS: Final = (
    "responsecost", "spend", "costusd", "usage.cost", "totalcost", "calculatedtotalcost",
    "response.usage.cost", "costdetails.total",
)  # fmt: skip
_COSTING: Final = frozenset(path.partition(".")[0] for path in _COSTS)


class Call(NamedTuple):
    """One call: its tokens, what the log says it cost in US dollars, and its id, if it has one."""

    tokens: Billed
    cost: float | None = None
    id: str | None = None


def has_usage(text: str) -> bool:
    """Whether the text of a record may name usage."""
    return "usage" in text or "Usage" in text or "oken" in text


def find_call(record: Node) -> Call | None:
    """The usage that a record names; None if it names none, or a gateway's own cache answered."""
    value = record.value
    if not isinstance(value, dict) or value.get("cache_hit") in (True, "True", "true"):
        return None
    for owner, tokens in _usages(record):
        if tokens and any(tokens):
            id = owner.get("id")
            is_id = isinstance(id, str) and 0 < len(id) <= _LONGEST_ID
            return Call(tokens, _cost(value), id if is_id else None)
    return None


def _usages(record: Node) -> Iterator[tuple[dict[str, Any], Billed | None]]:
    """The usage in a record, the outermost first, with the object it lies in, then its own."""
    for node in wrapped(record, WRAPPERS, _MARK_TEXTS, _DEEPEST):
        for usage in inside(node, USAGES, "{"):
            yield node.value, read_usage(usage.value) or _read_types(usage.value)
    found = record.get("outputs", "generations")
    first = found.value if found else None
    for _ in range(2):
        first = first[0] if isinstance(first, list) and first else None
    if isinstance(generated := at(first, _GENERATED), dict):
        yield {}, read_usage(generated)
    yield {}, read_usage(record.value)


def read_usage(usage: dict[str, Any]) -> Billed | None:
    """The tokens that an object with usage names, in the first shape that fits."""
    for shape, paths in _shapes_of(tuple(usage)) if len(usage) < MOST_KEYS else ():
        if at(usage, shape.mark) is None:
            continue
        counts = [[_count(at(usage, path)) for path in each] for each in paths]
        input, output = sum(counts[0]), sum(counts[1])
        cached, written, hour = (next(filter(None, each), 0) for each in counts[2:])
        input += 0 if shape.whole else cached + written
        return _billed(input, cached, written, hour, output)
    return None


@lru_cache(1 << 10)
def _shapes_of(names: tuple[str, ...]) -> tuple[tuple[_Shape, list[list[str]]], ...]:
    """The shapes that an object of these keys may have, each with the paths that may lead on."""
    keys = keys_of(dict.fromkeys(names))

    def paths(shape: _Shape) -> list[list[str]]:
        return [[p for p in each.split() if p.partition(".")[0] in keys] for each in shape[2:]]

    return tuple((s, paths(s)) for s in _SHAPES if s.mark.partition(".")[0] in keys)


def _read_types(usage: dict[str, Any]) -> Billed | None:
    """The tokens of Langfuse's usage by type, whose names say what they are of.

    Types exclude one another: ``input`` has no part of ``input_cached_tokens``. Some programs
    count the others in ``input`` and ``output`` nevertheless; then these two are the ``total``.
    """
    if not usage.keys() & {"input", "output"} or usage.get("unit") not in (None, "TOKENS"):
        return None
    counts = {key: _count(value) for key, value in usage.items() if not key.endswith("Cost")}

    def of(*words: str) -> int:
        return sum(
            count for key, count in counts.items() if any(word in key.lower() for word in words)
        )

    input, output = counts.get("input", 0), counts.get("output", 0)
    if counts.get("total") != input + output:
        input, output = of("input", "cache"), of("output")
    written = of("creation", "write")
    return _billed(input, of("cache") - written, written, of("1h"), output)


def _billed(input: int, cached: int, written: int, hour: int, output: int) -> Billed:
    cached = min(max(0, cached), input)
    written = min(written, input - cached)
    return Billed(input, cached, written, min(hour, written), output)


def _number(value: Any) -> float | None:
    """A number of at least 0, which may stand in a text as in CSV; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and 0 <= number <= _MOST else None


def _count(value: Any) -> int:
    return round(_number(value) or 0)


def _cost(record: dict[str, Any]) -> float | None:
    keys = keys_of(record)
    paths = () if _COSTING.isdisjoint(keys) else _COSTS
    found = (_number(at(record, path)) for path in paths)
    return next((cost for cost in found if cost is not None), None)


class Key(NamedTuple):
    """What calls are told apart by: model, the period of its prices (``price_period``; "" without
    a time), their size among ``SIZES``, and whether the log names what they cost.
    """

    model: str
    period: str
    size: int
    named: bool


@dataclass(slots=True)
class Tally:
    """The calls of one key; ``last`` is the time of the last, in seconds since 1970."""

    calls: int = 0
    tokens: Billed = field(default_factory=Billed)
    cost: float = 0.0
    last: float | None = None

    def add(self, call: Call, time: float | None) -> None:
        self.calls += 1
        self.tokens = self.tokens.plus(call.tokens)
        self.cost += call.cost or 0.0
        if time is not None:
            self.last = time if self.last is None else max(self.last, time)

    def facts(self) -> dict[str, Any]:
        """The tally as plain values."""
        return {
            "calls": self.calls,
            "tokens": self.tokens._asdict(),
            "cost": self.cost,
            "last": self.last,
        }


@dataclass(slots=True)
class Usages:
    """The calls that a reading of files found, with bounded memory.

    ``shares`` are those of the calls that name a conversation, by its number: from 1, in the order
    of reading.
    """

    rows: dict[Key, Tally] = field(default_factory=dict)
    shares: dict[tuple[int, Key], Tally] = field(default_factory=dict)
    _conversations: dict[str, int] = field(default_factory=dict)
    _seen: OrderedDict[tuple[str, int, int, int], tuple[list[Tally], int]] = field(
        default_factory=OrderedDict
    )

    def add(
        self, call: Call, model: str | None, time: float | None, conversation: str | None = None
    ) -> None:
        """Counts a call. One that was seen is not counted again; its answer may have grown."""
        tokens = call.tokens
        id = (call.id or "", tokens.input, tokens.cached, tokens.written)
        if call.id and id in self._seen:
            tallies, output = self._seen[id]
            self._seen[id] = tallies, max(output, tokens.output)
            for tally in tallies:
                tally.tokens = tally.tokens.plus(Billed(output=max(0, tokens.output - output)))
            return
        tallies = list(self._tallies(self._key(call, model, time), conversation))
        for tally in tallies:
            tally.add(call, time)
        if call.id:
            self._seen[id] = tallies, tokens.output
            if len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)

    def _key(self, call: Call, model: str | None, time: float | None) -> Key:
        price, period = price_named(model) if model else None, ""
        if price and time is not None:
            period = price_period(price, datetime.fromtimestamp(time, UTC))
        size, named = bisect_left(SIZES, call.tokens.input), call.cost is not None
        key = Key(model or "", period, size, named)
        if key in self.rows or len(self.rows) < MAX_ROWS:
            return key
        return Key("", "", size, named)

    def _tallies(self, key: Key, conversation: str | None) -> Iterator[Tally]:
        """The tallies of a call: that of all calls like it, and that of its conversation."""
        yield self.rows.setdefault(key, Tally())
        if conversation:
            share = self._number(conversation), key
            if share not in self.shares and len(self.shares) >= MAX_SHARES:
                share = BEYOND, key
            yield self.shares.setdefault(share, Tally())

    def _number(self, conversation: str) -> int:
        known = self._conversations
        if conversation not in known and len(known) < MAX_CONVERSATIONS:
            known[conversation] = len(known) + 1
        return known.get(conversation, BEYOND)

    def facts(self) -> list[dict[str, Any]]:
        """The rows as plain values, by model and period."""
        return [{**key._asdict(), **tally.facts()} for key, tally in sorted(self.rows.items())]

    def share_facts(self) -> list[dict[str, Any]]:
        """The shares of conversations as plain values; a conversation is named by its number."""
        return [
            {"conversation": number, **key._asdict(), **tally.facts()}
            for (number, key), tally in sorted(self.shares.items())
        ]
