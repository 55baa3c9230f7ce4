"""Prices of calls by their size, and signed savings; unknown prices stay unknown."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from toon.costs.compare import compare
from toon.costs.document import Document, Typed
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import MODELS
from toon.costs.prices import (
    Bill,
    Traffic,
    bills,
    cached_rate,
    call_price,
    offers,
    price_notice,
    price_source,
    use_prices,
)
from toon.formats import BASELINES, FORMATS, RECOMMENDED

VALUE = [{"id": i, "name": "x"} for i in range(50)]
ROWS = compare(Document.of(VALUE, Typed(json.dumps(VALUE))))
GPT = MODELS["gpt-5"]


def test_there_are_many_models_with_provider_and_window() -> None:
    known = offers()

    assert len(known) > 1000
    assert known["openai/gpt-5"].provider == "OpenAI"
    assert known["openai/gpt-5"].context_window == 400_000
    assert price_source().startswith("genai-prices ")


def test_cache_and_batch_are_cheaper_where_they_are_known() -> None:
    full = call_price("openai/gpt-5", 1000)
    cached = call_price("openai/gpt-5", 1000, cached_share=0.5)
    batch = call_price("openai/gpt-5", 1000, batch=True)

    assert full is not None
    assert cached == full * Decimal("0.55")
    assert call_price("openai/gpt-5", 1000, cached_share=1) == full / 10
    assert batch == full / 2
    assert call_price("openai/gpt-5", 0) == 0


def test_unknown_prices_are_none_not_zero() -> None:
    without_batch = "perplexity/perplexity/sonar"  # its variants are of other kinds

    assert call_price(without_batch, 1000)
    assert call_price("openai/gpt-99", 1000) is None
    assert call_price("nobody/gpt-5", 1000) is None
    assert call_price(without_batch, 1000, batch=True) is None


def test_a_bill_is_by_the_tokenizer_of_its_model() -> None:
    rows = compare(Document.of(VALUE), tokenizers=["o200k_base", "gemma3"])
    gemini = bills(rows, MODELS["gemini-3.6-flash"], Traffic(10))

    costs = {bill["format"]: bill["cost"] for bill in gemini if bill["format"] in BASELINES}
    counted = {row["format"]: row["tokens"] for row in rows if row["tokenizer"] == "gemma3"}
    assert costs == {name: counted[name] for name in BASELINES}
    assert bills(rows, MODELS["claude-haiku-4.5"], Traffic(10)) == []


def test_a_model_without_a_price_has_tokens_alone() -> None:
    rows = compare(Document.of(VALUE), tokenizers=["llama3"])
    llama = MODELS["llama-3"]

    assert price_notice(GPT) is None
    assert price_notice(llama) == (
        f"{price_source()} has no price that fits Llama 3: tokens alone are shown."
    )
    for bill in bills(rows, llama, Traffic(10)):
        assert bill["cost"] > 0
        assert bill["per_call"] is bill["per_month"] is None


@pytest.mark.parametrize("share", [-0.01, 1.01])
def test_a_share_beyond_one_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        call_price("openai/gpt-5", 10, cached_share=share)


def bill_of_toon(explaining: Explaining, calls: int = 1, cached: float = 0.0) -> Bill:
    priced = bills(ROWS, GPT, Traffic(calls, cached), explaining)
    return {bill["format"]: bill for bill in priced}["toon"]


def test_a_call_pays_its_share_of_the_explanation() -> None:
    (row,) = (row for row in ROWS if row["format"] == "toon")
    once = ALONE.tokens("toon", frozenset(row["uses"]), "o200k_base")
    costs = {n: bill_of_toon(Explaining(n), 1000) for n in (1, 2, None)}

    assert [bill["cost"] - row["tokens"] for bill in costs.values()] == [once, once / 2, 0]
    for bill in costs.values():
        assert bill["per_month"] == bill["per_call"] * 1000
        assert bill["per_call"] * row["tokens"] == costs[None]["per_call"] * Decimal(bill["cost"])


def test_an_explanation_has_its_own_share_of_cached_input() -> None:
    (row,) = (row for row in ROWS if row["format"] == "toon")
    once = Decimal(ALONE.tokens("toon", frozenset(row["uses"]), "o200k_base"))
    full = call_price("openai/gpt-5", 1_000_000)
    assert full is not None

    for own, payload, price in (
        (0.0, 0.0, row["tokens"] + once),
        (1.0, 0.0, row["tokens"] + once / 10),
        (0.5, 0.0, row["tokens"] + once * Decimal("0.55")),
        (0.5, 1.0, (row["tokens"] + once) / 10),  # what stands before cached payloads is cached
        (1.0, 0.5, row["tokens"] * Decimal("0.55") + once / 10),
    ):
        bill = bill_of_toon(Explaining(cached=own), cached=payload)
        assert float(bill["per_call"] or 0) == pytest.approx(float(price * full / 1_000_000))
    cost = bill_of_toon(Explaining(cached=1.0))["cost"]
    assert cost == pytest.approx(row["tokens"] + float(once / 10))


def test_where_the_price_of_the_cache_is_unknown_an_explanation_counts_in_full() -> None:
    gpt_4 = replace(MODELS["gpt-4"], tokenizer="o200k_base")
    full, cached = (bills(ROWS, gpt_4, Traffic(1), Explaining(cached=own)) for own in (0.0, 1.0))

    assert cached == full
    assert full[0]["per_call"] is not None
    assert cached_rate(gpt_4) == cached_rate(None) == 1
    assert cached_rate(GPT) == 0.1
    assert use_prices(GPT, Explaining(cached=0.5)) == Explaining(cached=0.5, rate=0.1)
    assert use_prices(GPT, ALONE) is ALONE


@pytest.mark.parametrize("name", ["json-pretty", "pipe"])
def test_what_may_be_recommended_and_what_is_sent_today_have_a_price(name: str) -> None:
    rows = compare(Document.of(VALUE, Typed(FORMATS[name].dumps(VALUE), FORMATS[name])))
    priced = bills(rows, GPT, Traffic(1000))

    assert [bill["format"] for bill in priced] == ["as-typed", *RECOMMENDED]
