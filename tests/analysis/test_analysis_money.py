"""The price of calls and months, by one model or by the model that each record names."""

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.analysis.conftest import rows_of
from toon.analysis import Analysis, Comparison, Filter, Rows, analyse
from toon.analysis.filters import select
from toon.analysis.money import MONTH, flat_rate, monthly_rate, observe_rate, price_calls
from toon.analysis.sums import cost_policy
from toon.costs import prices
from toon.costs.explanation import Explaining
from toon.costs.models import MODELS
from toon.reports.facts import Report, caveats, facts, no_price
from toon.traffic.payload import Payload

O200K = "o200k_base"
GPT_5 = Decimal("0.00000125")
ROWS = '[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]'


@pytest.mark.parametrize("model", ["openai/gpt-5", "google/gemini-2.5-pro"])
def test_calls_are_priced_at_the_tier_of_their_size(model: str) -> None:
    sizes = [0, 7, 1_000, 150_000, 199_999, 200_000, 200_001, 200_001, 450_000]
    expected = sum((prices.call_price(model, size) or Decimal(0) for size in sizes), Decimal(0))

    assert price_calls(model, np.array(sizes, np.float64)) == expected


@pytest.mark.parametrize("sizes", [[], [0, 0], [0.25], [1.75], [0.25, 1.5, 2.75]])
def test_a_part_of_a_token_has_its_price_and_nothing_has_none(sizes: list[float]) -> None:
    assert price_calls("openai/gpt-5", np.array(sizes)) == Decimal(sum(sizes)) * GPT_5


def test_a_payload_of_no_tokens_pays_for_its_share_of_the_explanation(tmp_path: Path) -> None:
    payloads = [Payload("a", 0, "g", "{}"), Payload("a", 1, "g", '[{"a":1},{"a":2}]')]
    rows = rows_of(tmp_path / "run.parquet", payloads)
    priced = {"explaining": Explaining(74), "model": MODELS["gpt-5"], "monthly": 2}  # of 37 tokens
    analysis = analyse(rows, Comparison(O200K, "as-typed", "toon", **priced))

    total = analysis.sums.total("toon")
    assert (total.tokens, total.cost) == (13, 13 + 2 * 0.5)
    assert analysis.ways["format"].dollars == 14 * GPT_5


def test_a_model_without_a_price_has_no_price() -> None:
    assert price_calls("no/such-model", np.array([10.0])) is None


@pytest.mark.parametrize("together", [None, 1, 7])
def test_a_month_of_groups_costs_what_each_of_its_calls_costs(
    sample: Rows, together: int | None
) -> None:
    choice = Comparison(
        O200K, "json-pretty", "toon", explaining=Explaining(together), model=MODELS["gpt-5"],
        monthly=sample.bad.size - int(sample.bad.sum()),
    )  # fmt: skip
    analysis = analyse(sample, choice)

    for name, way in analysis.ways.items():
        measured = analysis.selected.measured
        calls = cost_policy(sample, measured, O200K, analysis.sums, analysis.sent[name])
        price = price_calls("openai/gpt-5", calls)
        assert price is not None
        assert way.dollars == pytest.approx(price, rel=Decimal("1e-12"))


def test_calls_of_several_tiers_have_no_flat_rate() -> None:
    model = "google/gemini-2.5-pro"

    assert flat_rate(model, 200_001) is None
    assert flat_rate(model, 0) == flat_rate(model, 199_999.5) == prices.call_price(model, 1)
    assert flat_rate("no/such-model", 1) is None


def test_the_rate_is_that_of_the_window(rows: Rows, lines: list[dict[str, Any]]) -> None:
    orders = Filter(groups=("GET /orders",))
    rate = observe_rate(rows, select(rows, orders).measured, orders)
    times = [line["time"].timestamp() for line in lines if line["time"]]

    assert rate is not None
    assert (rate.first, rate.last) == (min(times), max(times))
    timed = [x for x in lines if x["group"] == "GET /orders" and x["time"] and not x["error"]]
    assert rate.timed == len(timed)
    of_all = (len(set(times)) - 1) / (max(times) - min(times)) * MONTH
    assert rate.monthly == pytest.approx(of_all * len(timed) / len(set(times)))


@given(st.integers(2, 200), st.integers(1, 5), st.floats(60, 1e6), st.randoms())
def test_a_month_of_even_times_is_a_month_over_their_interval(
    sample: Rows, moments: int, at_once: int, interval: float, chance: Random
) -> None:
    """However few they are, several at one time too, and the parts add up to the whole."""
    times = 1.7e9 + np.repeat(np.arange(moments) * interval, at_once)
    chance.shuffle(times)
    rows = dataclasses.replace(sample, time=times)
    groups = np.array([chance.randrange(3) for _ in times])
    rates = [observe_rate(rows, np.flatnonzero(groups == group), Filter()) for group in range(3)]

    monthly = sum(rate.monthly for rate in rates if rate)
    assert monthly == pytest.approx(at_once * MONTH / interval, rel=1e-6)


@given(st.sets(st.integers(0, 10**7), min_size=2))
@example({0, 59})
@example({0, 60})  # a minute is enough
def test_the_month_of_any_different_times_has_one_interval_fewer(times: set[int]) -> None:
    seconds = max(times) - min(times)
    monthly = monthly_rate(len(times), len(times), seconds)

    expected = None if seconds < 60 else pytest.approx((len(times) - 1) / seconds * MONTH)
    assert monthly == expected


def test_money_follows_the_rate(sample: Rows) -> None:
    choice = Comparison(
        O200K, "as-typed", "toon", explaining=Explaining(None), model=MODELS["gpt-5"]
    )
    given = analyse(sample, dataclasses.replace(choice, monthly=2594))

    per_token = Decimal("0.00000125")
    assert {name: way.dollars for name, way in given.ways.items()} == {
        "now": 1_042_733 * per_token,
        "compact": 992_306 * per_token,
        "format": 872_577 * per_token,
        "mix": 811_687 * per_token,
    }
    assert analyse(sample, choice).monthly == pytest.approx(2_826, abs=1)


# -- the model of each record ----------------------------------------------------------------


def analysis_of(path: Path, models: Sequence[str | None], **choice: Any) -> Analysis:
    payloads = [
        Payload("a.jsonl", place, "g", ROWS, 1_760_000_000.0 + place * 86_400, model)
        for place, model in enumerate(models)
    ]
    rows = rows_of(path, payloads, tokenizers=[O200K])
    return analyse(rows, Comparison(O200K, "as-typed", "toon", monthly=1_000, **choice))


def test_it_is_said_which_model_is_named_for_how_many(tmp_path: Path) -> None:
    models = ["gpt-5-2025-08-07", None, "gpt-4o", "gpt-5-2025-08-07", "unheard-of", "gpt-4o"]
    analysis = analysis_of(tmp_path / "r", [*models, "gpt-5-2025-08-07"], logged=True)

    assert [(model.name, model.payloads) for model in analysis.named] == [
        ("gpt-5-2025-08-07", 3), ("gpt-4o", 2), ("unheard-of", 1),
    ]  # fmt: skip
    assert dict(facts(Report("x", analysis, datetime.now(UTC))))["Models in the log"] == (
        "gpt-5-2025-08-07 3, gpt-4o 2, unheard-of 1 (not known here)"
    )


def test_each_payload_is_priced_for_the_model_that_it_names(tmp_path: Path) -> None:
    """GPT-5 takes 1.25 US$ for 10^6 tokens and GPT-4o 2.50; half of the payloads each."""
    logged = analysis_of(tmp_path / "r", ["gpt-5", "openai/gpt-4o"], logged=True)
    now = logged.ways["now"]

    assert now.dollars is not None
    assert now.tokens % 2 == 0
    half = now.tokens // 2
    assert round(now.dollars, 9) == Decimal(half) * 500 * Decimal("3.75") / 10**6


def test_with_one_model_it_is_the_money_of_that_model(tmp_path: Path) -> None:
    logged = analysis_of(tmp_path / "r", ["gpt-5"] * 3, logged=True)
    chosen = analysis_of(tmp_path / "r", ["gpt-5"] * 3, model=MODELS["gpt-5"])

    for way in logged.ways:
        mine, theirs = logged.ways[way].dollars, chosen.ways[way].dollars
        assert mine is not None
        assert theirs is not None
        assert float(mine) == pytest.approx(float(theirs))


def test_other_models_have_no_part_in_the_money(tmp_path: Path) -> None:
    models = ["gpt-5", "claude-haiku-4-5", "unheard-of", None]
    result = analysis_of(tmp_path / "r", models, logged=True)
    sentences = caveats(Report("x", result, datetime.now(UTC)))

    assert [named.name for named in result.priced] == ["gpt-5"]
    assert any("; 3 of 4 payloads name none that is priced" in text for text in sentences)
    assert result.ways["now"].dollars == Decimal(result.ways["now"].tokens // 4) * 250 * Decimal(
        "0.00000125"
    )


def test_without_a_model_there_is_no_money_and_it_is_said_why(tmp_path: Path) -> None:
    analysis = analysis_of(tmp_path / "r", [None, "llama-3"], logged=True)

    assert analysis.monthly is None
    assert analysis.ways["now"].dollars is None
    assert no_price(analysis) == "No payload names a model that has a price here."


def test_a_filter_holds_for_the_models_too(tmp_path: Path) -> None:
    choice = Filter(since=1_760_080_000.0)
    analysis = analysis_of(tmp_path / "r", ["gpt-5", "gpt-4o"], logged=True, filter=choice)

    assert [named.name for named in analysis.named] == ["gpt-4o"]


@pytest.mark.parametrize(
    ("models", "rate"),
    [(["gpt-5", "gpt-5"], 0.1), (["gpt-5", "gpt-4o"], 0.5), ([None, "unheard-of"], 1.0)],
)
def test_a_cached_explanation_counts_at_what_the_dearest_cache_of_the_models_costs(
    tmp_path: Path, models: Sequence[str | None], rate: float
) -> None:
    explaining = Explaining(cached=1.0)
    analysis = analysis_of(tmp_path / "r", models, logged=True, explaining=explaining)

    assert analysis.explaining == Explaining(cached=1.0, rate=rate)
