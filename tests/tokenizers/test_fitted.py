"""The estimators of Claude and Grok: their features and weights, and how errors are said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import kinds
from tests.conftest import ROOT
from tests.dialects.tickets import FIRST_TEXT as TICKET
from tests.tokenizers.kinds import KINDS, PAYLOADS
from toon.formats.json import JSON_COMPACT
from toon.tokenizers import TOKENIZERS, get
from toon.tokenizers.fitted import CLASSES, FEATURES, piece_features, read_fits
from toon.tokenizers.strange import MOST, strange_parts, too_strange
from toon.values.json_text import parse_json
from toon.wording import percent

# Each process loads the vocabulary first.

every_fit = pytest.mark.parametrize("name", read_fits())


@pytest.mark.parametrize(
    ("piece", "features"),
    [
        ("", {}),
        ("202", {"numbers": 1, "digits beyond one": 2}),
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
        **dict.fromkeys(["glm4", "kimi_k2"], "vocabulary as published"),
        "chars4": "≈\u00a0±75\u202f%",
        "estimate": "≈\u00a0±33\u202f%",
        "claude_haiku_4_5": "≈\u00a0±12\u202f%",
        "grok_4_5": "≈\u00a0±12\u202f%",
        **dict.fromkeys(["claude", "claude_4_6"], "≈, error unknown"),
    }
    assert get("grok_4_5").caveat == (
        "≈ Estimates: tokens ±12\u202f%,"
        " differences between two formats ±12\u202f% of the larger's tokens"
    )
    assert get("claude").caveat == "≈ Estimates, error unknown"
    assert get("glm4").caveat == ""


@pytest.mark.parametrize("name", kinds.AIMED_AT_O200K)
def test_a_kind_of_text_is_inside_the_stated_band_or_not_estimated(name: str) -> None:
    """Which of the two it is, and the errors, are in the README."""
    texts = [text for pair in kinds.texts().values() for text in pair if text is not None]
    errors = [error for text in texts if (error := kinds.error(name, text)) is not None]
    stated = get(name).error

    assert stated is not None
    assert len(errors) >= 9
    assert percent(max(map(abs, errors))) <= stated.within.removeprefix("±")


OF_IT = {
    "Russian": "82\u202f% of it is Cyrillic letters",
    "Arabic": "80\u202f% of it is Arabic letters",
    "Hindi": "78\u202f% of it is Devanagari letters",
    "Chinese": "98\u202f% of it is Chinese letters",
    "Japanese": "98\u202f% of it is Japanese letters",
    "Thai": "97\u202f% of it is Thai letters",
    "base64": "85\u202f% of it is base64",
    "hashes": "99\u202f% of it is hashes or UUIDs",
    "escapes": "93\u202f% of it is \\u escapes",
    "Polish names": "31\u202f% of it is words with accented letters",
    "four UUIDs in every record": "58\u202f% of it is hashes or UUIDs",
    "a base64 key in every record": "24\u202f% of it is base64",
}
FITTED_TOO = {
    "German": "13\u202f% of it is words with accented letters",
    "Polish names, wide records": "11\u202f% of it is words with accented letters",
    "Dutch, short fields": "fitted to Llama 3, it would be 16\u202f% off",
    "prose": "90\u202f% of it is words, as in prose",
    "HTML": "66\u202f% of it is HTML tags",
}


@pytest.mark.parametrize(
    ("name", "within", "reasons"),
    [
        ("estimate", " within ±33\u202f%", OF_IT),
        ("chars4", " within ±75\u202f%", OF_IT),
        ("claude_haiku_4_5", " within ±12\u202f%", {**OF_IT, **FITTED_TOO}),
        ("grok_4_5", " within ±12\u202f%", {**OF_IT, **FITTED_TOO}),
        ("claude_4_6", "", {**OF_IT, **FITTED_TOO}),
        ("claude", "", OF_IT),
    ],
)
def test_a_refusal_names_what_the_text_is(name: str, within: str, reasons: dict[str, str]) -> None:
    found = {kind: get(name).no_estimate(text) for kind, text in {**KINDS, **PAYLOADS}.items()}

    assert {kind: reason for kind, reason in found.items() if reason} == {
        kind: f"No estimate{within} for this text: {reason}" for kind, reason in reasons.items()
    }


@pytest.mark.parametrize("path", sorted((ROOT / "samples").glob("**/*.json")), ids=lambda p: p.stem)
def test_of_the_samples_only_prose_and_other_scripts_are_refused(path: Path) -> None:
    """Those with identifiers are English payloads like any other."""
    value = parse_json(path.read_text(encoding="utf-8")).value
    reason = get("grok_4_5").no_estimate(JSON_COMPACT.dumps(value))

    assert (reason is not None) == (path.stem in ("long-text", "world-text", "notes-run"))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", {}),
        ("a plain line", {}),
        ("naïve mind", {"words with accented letters": 0.5}),
        ("ab 日本", {"Chinese letters": 0.4}),
        ("a — “b”…", {}),
        ("😀", {"symbols": 1}),
        ('{"a":"\\u0416"}', {"\\u escapes": 6 / 14}),
        ("550e8400-e29b-41d4-a716-446655440000", {"hashes or UUIDs": 1}),
        ("TG9yZW0gaXBzdW0x ord_04d6424f9e9f or", {"base64": 16 / 36, "hashes or UUIDs": 16 / 36}),
        ("2026-02-18T14:30:00.000Z", {}),
        ("responseTimeInMilliseconds", {}),
        ("flag_0_fundraising", {}),
        ("1234567890123456789012", {}),
    ],
)
def test_strange_parts_by_example(text: str, parts: dict[str, float]) -> None:
    assert strange_parts(text) == pytest.approx(parts)


def test_parts_add_up_to_too_much() -> None:
    half = " ".join(["a" * 39, "0a1b2c3d4e5f60718"] * 20)

    assert max(strange_parts(half).values()) < MOST["hashes or UUIDs"]
    assert too_strange(half) is None
    assert too_strange(half + " жжжжжжж" * 12) == "27\u202f% of it is hashes or UUIDs"
