"""Usage in logs: every maker's figures, in one form, each call once."""

import itertools
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from toon.costs.billed import Billed
from toon.costs.named import find_price
from toon.costs.prices import price_period, price_usage
from toon.traffic import tallies as module
from toon.traffic.locate import read_record
from toon.traffic.tallies import Key, Usages
from toon.traffic.usage import Call, find_call

#: A record, and its input, cached, written, written for an hour, and output.
SHAPES: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "OpenAI chat": ({"usage": {"prompt_tokens": 100, "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 40}}}, (100, 40, 0, 0, 7)),
    "a run of LangSmith, whose own counts do not say what was cached": ({"prompt_tokens": 100,
        "completion_tokens": 7, "outputs": json.dumps({"generations": [[{"message": {
            "kwargs": {"usage_metadata": {"input_tokens": 100, "output_tokens": 7,
                "input_token_details": {"cache_read": 40}}}}}]]})}, (100, 40, 0, 0, 7)),
    "OpenAI batch": (
        {"response": {"body": {"usage": {"prompt_tokens": 5, "completion_tokens": 1}}}},
        (5, 0, 0, 0, 1)),
    "parts that are more than the whole": ({"usage": {"prompt_tokens": 10, "completion_tokens": 1,
        "cache_read_input_tokens": 8, "cache_creation_input_tokens": 5}}, (10, 8, 2, 0, 1)),
    "more of the cache than the input": (
        {"usage": {"prompt_tokens": 5, "cache_read_input_tokens": 9}}, (5, 5, 0, 0, 0)),
    "OpenAI Responses": ({"usage": {"input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 30}, "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 4}}}, (100, 30, 0, 0, 9)),
    "Anthropic": ({"usage": {"input_tokens": 10, "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 50, "output_tokens": 3,
        "cache_creation": {"ephemeral_5m_input_tokens": 20, "ephemeral_1h_input_tokens": 30}}},
        (260, 200, 50, 30, 3)),
    "Gemini": ({"usageMetadata": {"promptTokenCount": 90, "cachedContentTokenCount": 60,
        "candidatesTokenCount": 5, "thoughtsTokenCount": 11, "totalTokenCount": 106}},
        (90, 60, 0, 0, 16)),
    "Bedrock Converse": ({"output": {"outputBodyJson": {"usage": {"inputTokens": 10,
        "outputTokens": 2, "cacheReadInputTokens": 5, "cacheWriteInputTokens": 4,
        "totalTokens": 21}}}}, (19, 5, 4, 0, 2)),
    "Bedrock log": ({"input": {"inputTokenCount": 10, "cacheReadInputTokenCount": 4},
        "output": {"outputTokenCount": 6}}, (14, 4, 0, 0, 6)),
    "LiteLLM, Anthropic behind it": ({"prompt_tokens": 260, "completion_tokens": 3,
        "response": {"usage": {"prompt_tokens": 260, "completion_tokens": 3,
            "cache_read_input_tokens": 200, "cache_creation_input_tokens": 50}}},
        (260, 200, 50, 0, 3)),
    "SpendLogs": ({"spend": 0.1, "prompt_tokens": 260, "completion_tokens": 3,
        "metadata": {"additional_usage_values": {"cache_read_input_tokens": 200}}},
        (260, 200, 0, 0, 3)),
    "an answer as text": (
        {"response_body": json.dumps({"usage": {"prompt_tokens": 5, "completion_tokens": 1}})},
        (5, 0, 0, 0, 1)),
    "OpenTelemetry": ({"gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 2,
        "gen_ai.usage.cache_read.input_tokens": 4}, (9, 4, 0, 0, 2)),
    "OpenInference": ({"llm.token_count.prompt": 9, "llm.token_count.completion": 2,
        "llm.token_count.prompt_details.cache_write": 4}, (9, 0, 4, 0, 2)),
    "Codex": ({"usage": {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 9,
        "reasoning_output_tokens": 4, "total_tokens": 109}}, (100, 40, 0, 0, 9)),
    "Vercel AI SDK 4": ({"usage": {"promptTokens": 9, "completionTokens": 2}}, (9, 0, 0, 0, 2)),
    "Langfuse": ({"usage": {"input": 1, "output": 1}, "usageDetails": {"input": 60,
        "input_cached_tokens": 30, "input_cache_creation": 0, "input_cache_creation_5m": 4,
        "input_cache_creation_1h": 6, "output": 5, "output_reasoning_tokens": 3, "total": 108}},
        (100, 30, 10, 6, 8)),  # 60 + 30 + 4 + 6, and 5 + 3
    "Langfuse, Anthropic's types": ({"usage_details": {"input": 10, "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 50, "output": 3}}, (260, 200, 50, 0, 3)),
    "Langfuse, the input counts the cached": ({"usage_details": {"input": 260,
        "cache_read_input_tokens": 200, "cache_creation_input_tokens": 50, "output": 3,
        "total": 263}}, (260, 200, 50, 0, 3)),
    "Langfuse, as text in CSV": (
        {"usage_details": '{"input": 7, "output": 2, "total": 9}', "usage": "low"},
        (7, 0, 0, 0, 2)),
    "Langfuse, before details": ({"usageDetails": {},
        "usage": {"input": 12, "output": 3, "total": 15, "unit": "TOKENS", "inputCost": 2.0}},
        (12, 0, 0, 0, 3)),
    "Langfuse, at first": ({"input": "5", "promptTokens": 12, "completionTokens": 3},
        (12, 0, 0, 0, 3)),
    "texts, as in CSV": ({"prompt_tokens": "12", "completion_tokens": "3"}, (12, 0, 0, 0, 3)),
}  # fmt: skip


def call_of(record: Any) -> Call | None:
    return find_call(read_record(json.dumps(record)))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_usage_of_every_maker_is_read(shape: str) -> None:
    record, tokens = SHAPES[shape]
    call = call_of(record)

    assert call is not None
    assert call.tokens == tokens


@pytest.mark.parametrize(
    "record",
    [
        {}, [1], {"usage": "low"}, {"usage": {"prompt_tokens": 0, "completion_tokens": 0}},
        {"usage": {"prompt_tokens": -5}}, {"usage": {"prompt_tokens": True}},
        {"usage": {"prompt_tokens": 1e300}}, {"usage": {"prompt_tokens": [1]}},
        {"usage": {"input": 5, "output": 1, "unit": "CHARACTERS"}}, {"input": 5, "output": 1},
        {"cache_hit": True, "usage": {"prompt_tokens": 5, "completion_tokens": 1}},
    ],
)  # fmt: skip
def test_what_is_no_usage_counts_as_none(record: Any) -> None:
    assert call_of(record) is None


@pytest.mark.parametrize(
    "cost",
    [
        {"response_cost": 0.25}, {"spend": 0.25}, {"costUSD": 0.25}, {"total_cost": "0.25"},
        {"costDetails": {"input": 0.05, "output": 0.2, "total": 0.25}},
    ],
)  # fmt: skip
def test_the_cost_that_a_log_names_is_read(cost: dict[str, Any]) -> None:
    call = call_of({**cost, "usage": {"prompt_tokens": 5, "completion_tokens": 1}})

    assert call is not None
    assert call.cost == 0.25


def test_calls_are_told_apart_by_model_size_and_cost() -> None:
    usages = Usages()
    usages.add(Call(Billed(10)), "a", 1_772_400_000.0)  # 2026-03-01
    usages.add(Call(Billed(200_000)), "a", 1_774_400_000.0)
    usages.add(Call(Billed(200_001), 0.5), "b", None)

    keys = [Key("a", "", 0, False), Key("a", "", 4, False), Key("b", "", 5, True)]
    assert list(usages.rows) == keys


def test_calls_are_told_apart_by_the_prices_of_their_time() -> None:
    """o3 became cheaper within a month, and DeepSeek's prices changed with the hour."""
    usages = Usages()
    for model, times in {
        "o3": ("2025-06-01", "2025-06-09T23:59:59", "2025-06-10", "2026-01-01"),
        "deepseek/deepseek-chat": ("2025-06-01T12:00", "2025-06-02T12:00", "2025-06-01T20:00"),
    }.items():
        for time in times:
            moment = datetime.fromisoformat(f"{time}+00:00").timestamp()
            usages.add(Call(Billed(100_000, output=1_000)), model, moment)

    assert [tally.calls for tally in usages.rows.values()] == [2, 2, 2, 1]
    for key, tally in usages.rows.items():
        days = itertools.product(range(1, 31), (12, 20))
        times = [datetime(2025, 6, day, hour, tzinfo=UTC) for day, hour in days]
        price = find_price(key.model) or ""
        same = [time for time in times if price_period(price, time) == key.period]
        costs = {price_usage(price, {"input": 100_000}, time).input_price for time in same}
        assert len(costs) == 1, tally


def test_beyond_the_bound_models_are_not_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 1)
    usages = Usages()
    for model in "abc":
        usages.add(Call(Billed(10)), model, None)

    assert {key.model: tally.calls for key, tally in usages.rows.items()} == {"a": 1, "": 2}
