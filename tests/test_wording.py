"""Figures in one notation, and what keys are called."""

import ast
from decimal import Decimal

from tests.test_rooms import read_modules
from toon import wording
from toon.formats import FORMATS, label, vs_label


def test_a_per_cent_keeps_its_sign() -> None:
    fractions = (-0.165, 0.0564, 0.0, -0.0004, 12.5, None, float("nan"))
    words = [wording.signed_percent(value).replace("\u202f%", "") for value in fractions]

    assert words == ["−16.5", "+5.6", "±0.0", "±0.0", "+1,250.0", "–", "–"]
    assert wording.signed_percent(0.5) == "+50.0\u202f%"


def test_counts_keep_their_sign_and_group_their_digits() -> None:
    signed = [wording.signed_count(value) for value in (-1204, 31, 0, None)]
    assert signed == ["−1,204", "+31", "±0", "–"]
    assert [wording.count(value) for value in (1204, None)] == ["1,204", "–"]
    assert [wording.decimal(value) for value in (1204.0, 185.5, -2)] == ["1,204", "185.5", "−2"]
    assert wording.percent(0.961) == "96\u202f%"


def test_a_million_dollars_and_a_cent_are_both_well_written() -> None:
    amounts = ["1234567.8", "1234.5", "0.996", "-0.125", "0.0556", "0.01", "0.000123", "0"]
    words = "$1,234,568; $1,234.50; $1.00; −12.5 cents; 5.6 cents; 1 cent; $0.000123; $0"

    assert "; ".join(wording.dollars(Decimal(amount)) for amount in amounts) == words
    assert wording.dollars(None) == "unknown"


def test_names_are_counted_listed_and_quoted() -> None:
    assert wording.plural(1, "text") == "1 text"
    assert wording.plural(1200, "entry", "entries") == "1,200 entries"
    assert wording.join_all("abc") == "a, b and c"
    assert wording.join_all("a") == "a"
    assert wording.capitalised("not so") == "Not so"
    assert wording.count_tested(6) == "6 tested lossless formats"
    assert wording.count_tested(1) == "1 tested lossless format"
    assert wording.listed("abcdefg") == "a, b, c, d, e and 2 more"
    assert wording.excerpt("k" * 50) == f"'{'k' * 40}…'"


def test_a_time_has_the_unit_that_suits_it() -> None:
    seconds = (0.4, 1, 75, 180, 5_999, 18_720, 172_799, 172_800, 1_200_000)
    assert [wording.duration(value) for value in seconds] == [
        "0 seconds", "1 second", "75 seconds", "3 minutes", "100 minutes", "5.2 hours", "48 hours",
        "2 days", "13.9 days",
    ]  # fmt: skip


def test_formats_are_called_so() -> None:
    """Other tests take a format's label from the table: the words stand here alone."""
    assert {name: format.label for name, format in FORMATS.items()} == {
        "json-pretty": "indented JSON", "json-python": "Python-default JSON",
        "json-compact": "minified JSON", "json-columns": "JSON by columns",
        "yaml": "YAML", "xml": "XML", "csv": "CSV", "tron": "TRON",
        "toon": "TOON", "toon-tab": "TOON, tab", "toon-pipe": "TOON, pipe", "toon-3": "TOON 3.3",
        "ticket": "Ticket (TOON/1)", "pipe": "Pipe tables", "compact": "Compact lines",
        "vibemcp": "VibeMCP", "vibemcp-lossless": "VibeMCP, lossless",
    }  # fmt: skip
    assert vs_label("json-compact") == "vs minified JSON"
    assert label("as-typed", "toon") == "your TOON"


def test_a_name_of_json_and_of_a_delimiter_stands_in_one_file() -> None:
    names = {*wording.JSON_NAMES.values(), *(f"vs {head}" for head in wording.JSON_HEADS.values())}
    spelled = set()
    for module, tree in {**read_modules("toon"), **read_modules("pages")}.items():
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in prose:
                text = str(node.value)
                if text == "comma" or any(name in text for name in names):
                    spelled.add(module)

    assert spelled == {"toon.codec.text", "toon.wording"}


def test_badges_say_so() -> None:
    assert wording.BADGES == {
        "proven": "✓ round trip proven", "same": "✓ decodes back to the same JSON",
        "fails": "✗ round trip fails", "stale": "stale: last good result",
        "unexplained": "note not included", "not-recommended": "not recommended",
    }  # fmt: skip
    assert wording.YOUR_TEXT == "your text"


def test_kinds_and_round_trips_are_called_so() -> None:
    kinds = ["names", "punctuation", "whitespace", "values", "note to the model"]
    assert list(wording.KINDS.values()) == kinds
    assert wording.ROUND_TRIPS == {
        "proven": "proven", "by-our-reader": "proven by our reader", "with-a-map": "with its map",
        "not-promised": "on this payload, not promised", "lossy": "lossy",
        "none-promised": "on these payloads, not promised",
        "not-read": "not read back, --all does it",
    }  # fmt: skip
    assert wording.round_trip(wording.ROUND_TRIPS["proven"], ok=True) == "✓ proven"
    assert wording.round_trip(wording.ROUND_TRIPS["lossy"], ok=False) == "✗ lossy"
