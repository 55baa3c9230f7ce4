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
from typing import Any, Final, NamedTuple, TypeAlias

from toon.costs.billed import SIZES, Billed
from toon.costs.named import price_named
from toon.costs.prices import price_period
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

Path: TypeAlias = tuple[str, ...]


class _Shape(NamedTuple):
    """Where usage has its figures. It is of this shape if it has the ``mark``.

    ``whole``: the input has the cached tokens. Of ``input`` and ``output`` all are added; of the
    others the first that is there counts.
    """

    mark: Path
    whole: bool
    input: tuple[Path, ...]
    output: tuple[Path, ...]
    cached: tuple[Path, ...] = ()
    written: tuple[Path, ...] = ()
    hour: tuple[Path, ...] = ()


_READ: Final = ("cache_read_input_tokens",)
_WRITTEN: Final = ("cache_creation_input_tokens",)
_HOUR: Final = ("cache_creation", "ephemeral_1h_input_tokens")
_EXTRA: Final = ("metadata", "additional_usage_values")
_SHAPES: Final = (
    _Shape(  # OpenAI chat, LiteLLM, OpenRouter, DeepSeek
        ("prompt_tokens",), True, (("prompt_tokens",),), (("completion_tokens",),),
        (
            ("prompt_tokens_details", "cached_tokens"), _READ, ("prompt_cache_hit_tokens",),
            (*_EXTRA, *_READ),
        ),
        (
            _WRITTEN, ("prompt_tokens_details", "cache_creation_tokens"),
            ("prompt_tokens_details", "cache_write_tokens"), (*_EXTRA, *_WRITTEN),
        ),
        (_HOUR, ("prompt_tokens_details", "cache_creation_token_details", _HOUR[1])),
    ),
    _Shape(  # OpenAI Responses
        ("input_tokens_details",), True, (("input_tokens",),), (("output_tokens",),),
        (("input_tokens_details", "cached_tokens"),),
        (("input_tokens_details", "cache_write_tokens"),),
    ),
    _Shape(  # LangChain
        ("input_token_details",), True, (("input_tokens",),), (("output_tokens",),),
        (("input_token_details", "cache_read"),), (("input_token_details", "cache_creation"),),
        (("input_token_details", "ephemeral_1h_input_tokens"),),
    ),
    _Shape(  # Codex
        ("cached_input_tokens",), True, (("input_tokens",),), (("output_tokens",),),
        (("cached_input_tokens",),),
    ),
    _Shape(  # Anthropic
        ("input_tokens",), False, (("input_tokens",),), (("output_tokens",),), (_READ,),
        (_WRITTEN,), (_HOUR,),
    ),
    _Shape(  # Gemini; reasoning stands beside the answer
        ("promptTokenCount",), True, (("promptTokenCount",), ("toolUsePromptTokenCount",)),
        (("candidatesTokenCount",), ("thoughtsTokenCount",)), (("cachedContentTokenCount",),),
    ),
    _Shape(
        ("prompt_token_count",), True, (("prompt_token_count",), ("tool_use_prompt_token_count",)),
        (("candidates_token_count",), ("thoughts_token_count",)),
        (("cached_content_token_count",),),
    ),
    _Shape(  # Vercel AI SDK 4, Langfuse before its usage by type
        ("promptTokens",), True, (("promptTokens",),), (("completionTokens",),)
    ),
    _Shape(  # Vercel AI SDK
        ("cachedInputTokens",), True, (("inputTokens",),), (("outputTokens",),),
        (("cachedInputTokens",),),
    ),
    _Shape(  # Bedrock's Converse
        ("inputTokens",), False, (("inputTokens",),), (("outputTokens",),),
        (("cacheReadInputTokens",), ("cacheReadInputTokenCount",)),
        (("cacheWriteInputTokens",), ("cacheWriteInputTokenCount",)),
    ),
    _Shape(  # Bedrock's log of invocations
        ("input", "inputTokenCount"), False, (("input", "inputTokenCount"),),
        (("output", "outputTokenCount"),), (("input", "cacheReadInputTokenCount"),),
        (("input", "cacheWriteInputTokenCount"),),
    ),
    _Shape(  # attributes of OpenTelemetry
        ("gen_ai.usage.input_tokens",), True, (("gen_ai.usage.input_tokens",),),
        (("gen_ai.usage.output_tokens",),),
        (("gen_ai.usage.cache_read.input_tokens",), ("gen_ai.usage.cache_read_input_tokens",)),
        (
            ("gen_ai.usage.cache_creation.input_tokens",),
            ("gen_ai.usage.cache_creation_input_tokens",),
        ),
    ),
    _Shape(  # attributes of OpenInference
        ("llm.token_count.prompt",), True, (("llm.token_count.prompt",),),
        (("llm.token_count.completion",),), (("llm.token_count.prompt_details.cache_read",),),
        (("llm.token_count.prompt_details.cache_write",),),
    ),
)  # fmt: skip

#: Where a record has usage, the most telling first, and what may hold such a place.
_USAGES: Final = (
    "usageDetails", "usage_details", "usage", "usageMetadata", "usage_metadata", "usage_object",
)  # fmt: skip
_WRAPPERS: Final = (
    "response", "body", "message", "response_body", "output", "outputBodyJson", "result",
    "metadata", "payload", "data", "outputs", "kwargs", "span_data",
)  # fmt: skip
#: Where LangChain's message has its usage in the generations of a run.
_GENERATED: Final = (0, 0, "message", "kwargs", "usage_metadata")
_MARK_TEXTS: Final = ('"usage', '\\"usage')
_DEEPEST: Final = 4
_LONGEST_ID: Final = 500
_COSTS: Final = (
    ("response_cost",), ("spend",), ("costUSD",), ("cost_usd",), ("usage", "cost"),
    ("total_cost",), ("totalCost",), ("calculatedTotalCost",), ("response", "usage", "cost"),
    ("costDetails", "total"), ("cost_details", "total"),
)  # fmt: skip


class Call(NamedTuple):
    """One call: its tokens, what the log says it cost in US dollars, and its id, if it has one."""

    tokens: Billed
    cost: float | None = None
    id: str | None = None


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
    for node in wrapped(record, _WRAPPERS, _MARK_TEXTS, _DEEPEST):
        for usage in inside(node, _USAGES, "{"):
            yield node.value, read_usage(usage.value) or _read_types(usage.value)
    found = record.get("outputs", "generations")
    generated = _at(found.value, _GENERATED) if found else None
    if isinstance(generated, dict):
        yield {}, read_usage(generated)
    yield {}, read_usage(record.value)


def read_usage(usage: dict[str, Any]) -> Billed | None:
    """The tokens that an object with usage names, in the first shape that fits."""
    for shape in _SHAPES:
        if _at(usage, shape.mark) is None:
            continue
        cached, written, hour = (
            next((_count(_at(usage, path)) for path in paths if _count(_at(usage, path))), 0)
            for paths in (shape.cached, shape.written, shape.hour)
        )
        input = sum(_count(_at(usage, path)) for path in shape.input)
        input += 0 if shape.whole else cached + written
        output = sum(_count(_at(usage, path)) for path in shape.output)
        return _billed(input, cached, written, hour, output)
    return None


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


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    """What lies at a path, of which a number is that of an item; None if nothing does."""
    for key in path:
        if isinstance(key, int):
            value = value[key] if isinstance(value, list) and len(value) > key else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


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
    found = (_number(_at(record, path)) for path in _COSTS)
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
