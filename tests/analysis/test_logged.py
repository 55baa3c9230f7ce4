"""Money with the model that each record names."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from toon.analysis import Analysis, Comparison, Filter, analyse, load
from toon.costs.explanation import Explaining
from toon.costs.models import MODELS
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.reports.facts import Report, caveats, facts, unpriced
from toon.traffic.payload import Payload

O200K = "o200k_base"
ROWS = '[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]'


def analysis_of(path: Path, models: Sequence[str | None], **choice: Any) -> Analysis:
    payloads = [
        Payload("a.jsonl", place, "g", ROWS, 1_760_000_000.0 + place * 86_400, model)
        for place, model in enumerate(models)
    ]
    measure(payloads, path, workers=1, tokenizers=[O200K])
    rows = load(open_run(path))
    return analyse(rows, Comparison(O200K, "as-typed", "toon", monthly=1_000, **choice))


def test_it_is_said_which_model_is_named_for_how_many(tmp_path: Path) -> None:
    models = ["gpt-5-2025-08-07", None, "gpt-4o", "gpt-5-2025-08-07", "unheard-of", "gpt-4o"]
    found = analysis_of(tmp_path / "r", [*models, "gpt-5-2025-08-07"], logged=True)

    assert [(each.name, each.payloads) for each in found.named] == [
        ("gpt-5-2025-08-07", 3),
        ("gpt-4o", 2),
        ("unheard-of", 1),
    ]
    assert dict(facts(Report("x", found, datetime.now(UTC))))["Models in the log"] == (
        "gpt-5-2025-08-07 3, gpt-4o 2, unheard-of 1 (not known here)"
    )


def test_each_payload_is_priced_for_the_model_that_it_names(tmp_path: Path) -> None:
    """GPT-5 takes 1.25 US$ for 10^6 tokens and GPT-4o 2.50; half of the payloads each."""
    logged = analysis_of(tmp_path / "r", ["gpt-5", "openai/gpt-4o"], logged=True)
    now = logged.ways["now"]

    assert now.dollars is not None
    assert now.tokens % 2 == 0
    each = now.tokens // 2
    assert round(now.dollars, 9) == Decimal(each) * 500 * Decimal("3.75") / 10**6


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
    found = analysis_of(tmp_path / "r", models, logged=True)
    said = caveats(Report("x", found, datetime.now(UTC)))

    assert [named.name for named in found.priced] == ["gpt-5"]
    assert any("; 3 of 4 payloads name none that is priced" in text for text in said)
    assert found.ways["now"].dollars == Decimal(found.ways["now"].tokens // 4) * 250 * Decimal(
        "0.00000125"
    )


def test_without_a_model_there_is_no_money_and_it_is_said_why(tmp_path: Path) -> None:
    found = analysis_of(tmp_path / "r", [None, "llama-3"], logged=True)

    assert found.monthly is None
    assert found.ways["now"].dollars is None
    assert unpriced(found) == "No payload names a model that has a price here."


def test_a_filter_holds_for_the_models_too(tmp_path: Path) -> None:
    choice = Filter(since=1_760_080_000.0)
    found = analysis_of(tmp_path / "r", ["gpt-5", "gpt-4o"], logged=True, filter=choice)

    assert [named.name for named in found.named] == ["gpt-4o"]


@pytest.mark.parametrize(
    ("models", "rate"),
    [(["gpt-5", "gpt-5"], 0.1), (["gpt-5", "gpt-4o"], 0.5), ([None, "unheard-of"], 1.0)],
)
def test_a_cached_explanation_counts_at_what_the_dearest_cache_of_the_models_costs(
    tmp_path: Path, models: Sequence[str | None], rate: float
) -> None:
    explaining = Explaining(cached=1.0)
    found = analysis_of(tmp_path / "r", models, logged=True, explaining=explaining)

    assert found.explaining == Explaining(cached=1.0, rate=rate)
