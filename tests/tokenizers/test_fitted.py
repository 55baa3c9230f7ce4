"""The estimators of Claude and Grok: their features and weights, and how errors are said."""

from __future__ import annotations

import pytest

from tests.benchmarks.models import kind_errors
from tests.dialects.tickets import FIRST_TEXT as TICKET
from tests.tokenizers.kinds import KINDS
from toon.tokenizers import TOKENIZERS, get
from toon.tokenizers.fitted import CLASSES, FEATURES, piece_features, read_fits
from toon.tokenizers.strange import ASCII, LATIN, strange_parts

# Each process loads the vocabulary first.
pytestmark = pytest.mark.slow

every_fit = pytest.mark.parametrize("name", read_fits())


@pytest.mark.parametrize(
    ("piece", "features"),
    [
        ("", {}),
        ("202", {"numbers": 1}),
        (" name", {"words": 1}),
        ("é", {"words": 1}),
        ("Experience", {"words": 1, "capitals": 1, "letters beyond four": 6}),
        ("\t", {"whitespace": 1}),
        ("\n   ", {"whitespace": 1, "line breaks": 1}),
        ('":"', {"punctuation": 1, "quotation marks": 2}),
        (',"\n', {"punctuation": 1, "quotation marks": 1, "line breaks": 1}),
        (".com", {"mixtures": 1}),
        ("4a", {"mixtures": 1}),
    ],
)
def test_a_piece_has_one_class_and_some_extras(piece: str, features: dict[str, int]) -> None:
    (row,) = piece_features([piece.encode()])

    assert {name: n for name, n in zip(FEATURES, row, strict=True) if n} == features


@every_fit
def test_weights_are_few_and_none_is_negative(name: str) -> None:
    weights = read_fits()[name]["weights"]

    assert tuple(weights) == FEATURES
    assert min(weights.values()) >= 0
    assert all(0.5 < weights[one] < 2 for one in CLASSES)


@every_fit
def test_an_estimate_is_the_sum_of_the_weights_of_its_pieces(name: str) -> None:
    weights = list(read_fits()[name]["weights"].values())
    pieces = piece_features(get("o200k_base").pieces(TICKET))

    assert get(name).count(TICKET) == int((pieces @ weights).sum() + 0.5)


def test_estimates_by_example() -> None:
    assert get("o200k_base").count(TICKET) == 58
    assert (get("claude_haiku_4_5").count(TICKET), get("grok_4_5").count(TICKET)) == (64, 60)
    assert (get("claude_haiku_4_5").count("a"), get("grok_4_5").count("a")) == (1, 1)


def test_exact_measured_and_unknown_errors_are_told_apart() -> None:
    assert {name: tokenizer.band for name, tokenizer in TOKENIZERS.items()} == {
        **dict.fromkeys([name for name in TOKENIZERS if get(name).exact], "exact"),
        "chars4": "≈ ±58\u202f%",
        "estimate": "≈ ±11\u202f%",
        "claude_haiku_4_5": "≈ ±4\u202f%",
        "grok_4_5": "≈ ±5\u202f%",
        "claude": "≈, error unknown",
    }


#: Signed errors in per cent, against o200k_base; a kind that is missing has no estimate.
ERRORS = {
    "estimate": {"German": -10.3, "prose": 10.8, "code": 9.4, "HTML": -3.0},
    "chars4": {"German": 4.6, "prose": 15.8, "code": 4.3, "HTML": -25.3},
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_kind_of_text_is_inside_the_stated_band_or_not_estimated(name: str) -> None:
    errors = {kind: error for kind, error in kind_errors(name).items() if error is not None}
    stated = get(name).error

    assert {kind: round(100 * error, 1) for kind, error in errors.items()} == ERRORS[name]
    assert stated is not None
    assert max(map(abs, errors.values())) < stated.p95 + 0.005


OF_IT = {
    "Russian": "82\u202f% of it is Cyrillic letters",
    "Arabic": "80\u202f% of it is Arabic letters",
    "Hindi": "78\u202f% of it is Devanagari letters",
    "Chinese": "98\u202f% of it is Chinese letters",
    "Japanese": "98\u202f% of it is Japanese letters",
    "Thai": "97\u202f% of it is Thai letters",
    "base64": "85\u202f% of it is base64 or hashes",
    "hashes": "99\u202f% of it is base64 or hashes",
    "escapes": "93\u202f% of it is \\u escapes",
}
FITTED_TOO = {
    "German": "13\u202f% of it is words with accented letters",
    "prose": "86\u202f% of its pieces are words, as in prose",
}


@pytest.mark.parametrize(
    ("name", "within", "reasons"),
    [
        ("estimate", " within 11\u202f%", OF_IT),
        ("chars4", " within 58\u202f%", OF_IT),
        ("claude_haiku_4_5", " within 4\u202f%", {**OF_IT, **FITTED_TOO}),
        ("grok_4_5", " within 5\u202f%", {**OF_IT, **FITTED_TOO}),
        ("claude", "", {**OF_IT, "German": FITTED_TOO["German"]}),
    ],
)
def test_a_refusal_names_what_the_text_is(name: str, within: str, reasons: dict[str, str]) -> None:
    found = {kind: get(name).no_estimate(text) for kind, text in KINDS.items()}

    assert {kind: reason for kind, reason in found.items() if reason} == {
        kind: f"no estimate{within} for this text: {reason}" for kind, reason in reasons.items()
    }


@pytest.mark.parametrize(
    ("text", "first", "parts"),
    [
        ("", ASCII, {}),
        ("a plain line", ASCII, {}),
        ("naïve mind", ASCII, {"words with accented letters": 0.5}),
        ("naïve mind", LATIN, {}),
        ("ab 日本", LATIN, {"Chinese letters": 0.4}),
        ("a — “b”…", ASCII, {}),
        ("😀", LATIN, {"symbols": 1}),
        ('{"a":"\\u0416"}', ASCII, {"\\u escapes": 6 / 14}),
        ("550e8400-e29b-41d4-a716-446655440000", ASCII, {"base64 or hashes": 1}),
        ("2026-02-18T14:30:00.000Z", ASCII, {}),
        ("responseTimeInMilliseconds", ASCII, {}),
        ("flag_0_fundraising", ASCII, {}),
        ("1234567890123456789012", ASCII, {}),
    ],
)
def test_strange_parts_by_example(text: str, first: str, parts: dict[str, float]) -> None:
    assert strange_parts(text, first) == pytest.approx(parts)
