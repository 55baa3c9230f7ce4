"""The method of the fits, tried on tokenizers that are known and payloads that no fit has seen."""

from __future__ import annotations

import pytest

from tests.benchmarks.answers import FOLDER, read_prompts
from tests.benchmarks.held_out import (
    ENOUGH,
    Estimate,
    Refused,
    Weights,
    by_kind,
    cases,
    differences,
    estimates,
    p95,
    tab_shares,
)
from tests.benchmarks.models import features_of_all, public_fits
from toon.costs.answer import answer
from toon.costs.choice import COMPACT
from toon.costs.explanation import Explaining
from toon.tokenizers import get
from toon.tokenizers.fast_openai import get_fast
from toon.tokenizers.fitted import FEATURES, read_fits

pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(
        not FOLDER.is_dir(), reason="the counts of the services are not beside this checkout"
    ),
]

#: Rows of the payloads that are tried.
SIZES = (2, 12, 60)


@pytest.fixture(scope="module")
def found() -> tuple[list[Estimate], list[Refused]]:
    prompts = read_prompts()
    public = public_fits(prompts, features_of_all(prompts))
    weights: Weights = {
        name: dict(zip(FEATURES, fit.tolist(), strict=True)) for name, fit in public.items()
    }
    return estimates(weights, get("grok_4_5").witnesses, SIZES)


def test_of_every_kind_95_in_a_hundred_are_within_the_band_that_is_shown(
    found: tuple[list[Estimate], list[Refused]],
) -> None:
    error = get("claude_haiku_4_5").error
    assert error is not None
    kinds = {kind: errors for kind, errors in by_kind(found[0]).items() if len(errors) >= ENOUGH}

    assert len(kinds) >= 20
    assert {kind: p95(errors) for kind, errors in kinds.items() if p95(errors) > 0.12} == {}
    assert error.within == "±12\u202f%"
    off = {kind: p95(each) for kind, each in differences(found[0]).items() if kind in kinds}
    assert {kind: each for kind, each in off.items() if each > error.difference} == {}


def test_a_tab_is_estimated_to_save_on_no_more_tables_than_it_does_somewhere(
    found: tuple[list[Estimate], list[Refused]],
) -> None:
    shares = {name: (real / n, guess / n) for name, n, real, guess in tab_shares(found[0], SIZES)}

    assert len(shares) == 8
    highest = max(real for real, _ in shares.values())
    assert max(guess for _, guess in shares.values()) <= highest


@pytest.mark.parametrize("name", read_fits())
def test_what_is_recommended_most_witnesses_count_fewer_tokens_for(name: str) -> None:
    witnesses, sent = get(name).witnesses, 0
    for case in cases(SIZES):
        verdict = answer(case.document, name, Explaining(None))
        if verdict["format"] != COMPACT:
            sent += 1
            fewer = [
                get_fast(each).count(case.texts[verdict["format"]])
                < get_fast(each).count(case.texts[COMPACT])
                for each in witnesses
            ]
            assert sum(fewer) >= 2, (case.kind, case.size)
    assert sent > 20
