"""Usage of calls as logs report it: tokens by model, cached and written ones, and costs.

A shape lists where one maker's usage has its figures. Some makers count cached tokens in the input,
others beside it: here the input always includes them.

Codex's figures are ``TokenUsage`` of openai/codex, ``codex-rs/protocol/src/protocol.rs``, whose
``non_cached_input`` takes the cached from the input. Langfuse's are those of its documentation of
token and cost tracking and of langfuse/langfuse, ``packages/shared/src/server/ingestion/types.ts``.
Copilot's are ``ShutdownModelMetric`` of github/copilot-sdk, ``session_events.py``: each time that
somebody leaves a session, it tells what was called since it was opened.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from toon.costs.billed import Billed
from toon.traffic.keys import MOST_KEYS, at, keys_of
from toon.traffic.language import USAGES, WRAPPERS
from toon.traffic.locate import Node
from toon.traffic.tools import inside, wrapped

_MOST: Final = 10**12


class _Shape(NamedTuple):
    """The paths under which one maker's usage of a model call has its counts of tokens.

    A usage has this shape if it has the key ``mark``. With ``whole`` the input includes the cached
    tokens. All of ``input`` and of ``output`` are added; of the others the first present counts.
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
    _Shape(  # Copilot's terminal, at the end of a session
        "cachereadtokens", True, "inputtokens", "outputtokens", "cachereadtokens",
        "cachewritetokens",
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

#: The path of usage in LangChain's generations of a run.
_GENERATED: Final = "message.kwargs.usagemetadata"
#: Where Copilot's terminal has the sums by model.
_SUMS: Final = "data.modelmetrics"
_MARK_TEXTS: Final = ('"usage', '\\"usage')
_DEEPEST: Final = 4
_LONGEST_ID: Final = 500
_COSTS: Final = (
    "responsecost", "spend", "costusd", "usage.cost", "totalcost", "calculatedtotalcost",
    "response.usage.cost", "costdetails.total",
)  # fmt: skip
_COSTING: Final = frozenset(path.partition(".")[0] for path in _COSTS)
#: Paths to a call's cost in an object with a session's usage; 0 or less is no cost.
_OWN_COSTS: Final = ("cost", "usage.cost.total")


class Call(NamedTuple):
    """The usage of a model call: its tokens, what the log says it cost in US dollars, and its id.

    It may be the sum of several ``calls`` if a log names only that.
    """

    tokens: Billed
    cost: float | None = None
    id: str | None = None
    calls: int = 1


def has_usage(text: str) -> bool:
    """Return whether a record's text may name tokens used, by a quick search for words."""
    return "usage" in text or "Usage" in text or "oken" in text


def find_call(record: Node) -> Call | None:
    """Return the tokens, cost and id of the model call that a record of a log names.

    None without usage, or if a gateway's cache answered.
    """
    value = record.value
    if not isinstance(value, dict) or value.get("cache_hit") in (True, "True", "true"):
        return None
    for owner, tokens in _usages(record):
        if tokens and any(tokens):
            id = owner.get("id")
            is_id = isinstance(id, str) and 0 < len(id) <= _LONGEST_ID
            paths = () if _COSTING.isdisjoint(keys_of(value)) else _COSTS
            named = (_number(at(value, path)) for path in paths)
            cost = next((each for each in named if each is not None), None)
            if cost is None:
                cost = next(filter(None, (_number(at(owner, path)) for path in _OWN_COSTS)), None)
            return Call(tokens, cost, id if is_id else None)
    return None


def find_sums(record: Any) -> Iterator[tuple[str, Call]]:
    """Yield each model and the sum of its calls, from the record that ends a Copilot session."""
    metrics = at(record, _SUMS)
    for model, metric in metrics.items() if isinstance(metrics, dict) else ():
        usage, id = at(metric, "usage"), record.get("id")
        tokens = read_usage(usage) if isinstance(usage, dict) else None
        if tokens and any(tokens):
            calls = max(1, _count(at(metric, "requests.count")))
            yield model, Call(tokens, None, f"{id} {model}" if isinstance(id, str) else None, calls)


def _usages(record: Node) -> Iterator[tuple[dict[str, Any], Billed | None]]:
    """Yield the objects in a log's record, outer first, each with the tokens it names or None."""
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
    """Return the tokens in a JSON object of usage, in any known maker's keys; None for others."""
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
    """Return the makers' shapes that usage with these keys may have, and the paths of each."""
    keys = keys_of(dict.fromkeys(names))

    def paths(shape: _Shape) -> list[list[str]]:
        return [[p for p in each.split() if p.partition(".")[0] in keys] for each in shape[2:]]

    return tuple((s, paths(s)) for s in _SHAPES if s.mark.partition(".")[0] in keys)


def _read_types(usage: dict[str, Any]) -> Billed | None:
    """Return the tokens in Langfuse's usage by type; None if it is none or not in tokens.

    Types exclude one another: ``input`` has no part of ``input_cached_tokens``. Some programs count
    the others in ``input`` and ``output`` nevertheless; then these two are the ``total``.
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
    """Return a number of at least 0, also one that a text spells, as in CSV; else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and 0 <= number <= _MOST else None


def _count(value: Any) -> int:
    return round(_number(value) or 0)
