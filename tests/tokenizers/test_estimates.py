"""Estimates: their values on known texts and their errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.benchmarks.estimators import (
    FITTED,
    FITTED_FORMATS,
    SAMPLES,
    Text,
    corpus,
    errors,
    fitted,
    halves,
)
from tests.benchmarks.held_out import of_o200k, tab_shares
from tests.benchmarks.timing import DATASETS
from tests.conftest import needs_shared
from tests.dialects.tickets import FIRST_TEXT as TICKET
from tests.tokenizers.test_tokenizers import texts
from toon.formats.json import JSON_COMPACT
from toon.layout.breakdown import breakdown
from toon.tokenizers import TOKENIZERS, get
from toon.tokenizers.estimates import WEIGHTS, ScaledEstimator, class_features
from toon.values.json_text import parse_json

ESTIMATES = [name for name, tokenizer in TOKENIZERS.items() if not tokenizer.exact]


@pytest.fixture(scope="module")
def measured() -> list[Text]:
    return corpus([*SAMPLES, *DATASETS])


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("😀😀", 1), (TICKET, 29)]
)
def test_a_quarter_of_the_characters_rounded_up(text: str, count: int) -> None:
    assert get("chars4").count(text) == count


def test_claude_is_a_multiple_of_o200k_and_the_estimate_is_near_it() -> None:
    assert get("o200k_base").count(TICKET) == 58
    assert get("claude").count(TICKET) == round(58 * 1.53)
    assert get("estimate").count(TICKET) == pytest.approx(58, rel=0.2)


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("", {}),
        ("Hello worldwide", {"words": 2, "letters beyond six": 3, "blanks": 1}),
        ("A JSON HTTPServer", {"words": 2, "capitals": 2, "blanks": 2}),
        ("1234 7", {"digit groups": 3, "blanks": 1}),
        ("a\n\n  b\t\tc\r\n", {"words": 3, "line breaks": 2, "tabs": 1}),
        ('{"":[]}', {"punctuation": 1, "punctuation beyond two": 5}),
        ("漢かが한é", {"cjk": 4, "words": 1}),
        ("жя😀\u0301", {"other letters": 3, "astral": 1}),
    ],
)
def test_runs_of_characters_of_one_class(text: str, features: dict[str, int]) -> None:
    found = class_features(text)

    assert {name: count for name, count in found.items() if count} == features


@pytest.mark.parametrize("name", ESTIMATES)
@given(text=texts)
def test_pieces_are_runs_of_bytes_as_many_as_the_estimate_has_tokens(name: str, text: str) -> None:
    lengths = get(name).lengths(text)

    assert lengths.size == get(name).count(text) <= len(text.encode()) == lengths.sum()
    assert (lengths > 0).all()


@pytest.mark.parametrize("name", ["chars4", "estimate"])
@given(text=texts.filter(bool))
def test_pieces_are_of_nearly_equal_length(name: str, text: str) -> None:
    assert np.ptp(get(name).lengths(text)) <= 1


@given(text=texts.filter(bool))
def test_the_pieces_of_a_factor_of_one_are_those_of_the_base(text: str) -> None:
    base = get("o200k_base")
    same = ScaledEstimator("same", "", "", base, 1.0)

    assert same.pieces(text) == base.pieces(text)


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_kinds_of_text_get_what_their_pieces_weigh(file: Path) -> None:
    """Runs of equal size would give names and values what punctuation costs."""
    text = file.read_text(encoding="utf-8")
    value = parse_json(text).value
    text = JSON_COMPACT.dumps(value)
    layout = JSON_COMPACT.layout(text)
    base, claude = (breakdown(text, layout, get(name)) for name in ("o200k_base", "claude"))

    for share, known in zip(claude.shares, base.shares, strict=True):
        assert share / claude.tokens == pytest.approx(known / base.tokens, abs=0.05)


@pytest.mark.parametrize("name", ESTIMATES)
def test_no_text_is_estimated_at_more_than_its_bytes(name: str) -> None:
    assert get(name).pieces("\n") == [b"\n"]
    assert get(name).pieces("1A") in ([b"1A"], [b"1", b"A"])


@pytest.mark.rest
def test_an_estimate_is_within_15_percent_for_95_in_a_hundred(measured: list[Text]) -> None:
    assert len(measured) > 500
    assert (np.abs(errors(measured, "estimate")) <= 0.15).mean() >= 0.95


@pytest.mark.rest
@needs_shared
def test_the_same_holds_for_payloads_the_weights_were_not_fitted_to(measured: list[Text]) -> None:
    _, tested = halves(measured)

    assert len(tested) > 500
    assert (np.abs(errors(tested, "estimate")) <= 0.15).mean() >= 0.95


@pytest.mark.rest
@needs_shared
def test_the_weights_are_the_result_of_the_fit(measured: list[Text]) -> None:
    half, _ = halves([text for text in measured if text.format in FITTED_FORMATS])

    samples = {path.stem for path in SAMPLES}
    assert {text.payload for text in half} & samples == set(FITTED)
    assert fitted(half) == WEIGHTS


def test_a_quarter_of_the_characters_is_too_low(measured: list[Text]) -> None:
    """This is why it is not the first estimate offered."""
    assert errors(measured, "chars4").mean() < -0.25


@pytest.mark.rest
@pytest.mark.parametrize("name", ["estimate", "chars4"])
def test_a_tab_is_estimated_to_save_on_no_more_tables_than_it_does(name: str) -> None:
    sizes = (2, 12, 60)
    ((_, tables, real, estimated),) = tab_shares(of_o200k(name, sizes), sizes)

    assert tables > 60
    assert 0 < estimated <= real
