"""Rows and verdicts: against the official benchmark's published counts, and on their own."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

import toon
from tests.conftest import SHARED, needs_shared
from tests.strategies import values
from tests.words import ROUND_TRIPS
from toon.costs.answer import answer
from toon.costs.compare import (
    compare,
    cost,
    delimiter_rows,
    label,
    measured_rows,
    note_tokens,
    objection,
    proof_words,
)
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.errors import EncodeError
from toon.formats import FORMATS, RECOMMENDED
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON

PROVEN, BY_OUR_READER = ROUND_TRIPS["proven"], ROUND_TRIPS["by-our-reader"]
UNPROMISED = ROUND_TRIPS["not-promised"]

ROWS = [{"id": i, "name": f"name {i}", "active": i % 2 == 0} for i in range(20)]


# Per cent of names, punctuation, whitespace, values, and of tokens that span kinds: published for
# the official benchmark's payloads by an independent count.
SHARES = {
    ("tabular", "toon"): (0.0, 19.0, 12.0, 69.0, 7.5),
    ("tabular", "toon-tab"): (0.0, 17.8, 12.1, 70.1, 9.9),
    ("tabular", "toon-pipe"): (0.0, 22.6, 11.3, 66.1, 0.1),
    ("github", "json-pretty"): (11.7, 17.8, 20.6, 49.8, 20.2),
    ("github", "json-compact"): (15.5, 18.9, 0.0, 65.7, 0.4),
    ("github", "toon"): (0.2, 10.8, 3.4, 85.6, 1.3),
    ("github", "toon-tab"): (0.2, 15.4, 3.2, 81.2, 3.1),
    ("analytics", "json-pretty"): (16.4, 21.3, 34.5, 27.8, 23.0),
    ("analytics", "toon"): (0.1, 20.1, 12.0, 67.8, 0.0),
    ("nested-config", "json-pretty"): (10.3, 23.5, 35.6, 30.7, 30.6),
    ("nested-config", "json-compact"): (16.8, 32.4, 0.0, 50.7, 0.0),
}


@needs_shared
@pytest.mark.parametrize(("name", "format"), SHARES)
def test_the_breakdown_equals_the_published_one(name: str, format: str) -> None:
    value = json.loads((SHARED / "datasets" / f"tok-{name}.json").read_text())
    (row,) = compare(Document.of(value), formats=[format])

    shares = [100 * part / row["tokens"] for part in row["breakdown"].values()]
    assert shares == pytest.approx(SHARES[name, format], abs=0.1)


def test_differences_are_signed_fractions_of_the_baseline() -> None:
    rows = {row["format"]: row for row in compare(Document.of(ROWS))}

    compact, pretty = rows["json-compact"]["tokens"], rows["json-pretty"]["tokens"]
    assert rows["json-pretty"]["vs"]["json-compact"] == (pretty - compact) / compact > 0
    assert rows["json-compact"]["vs"]["json-pretty"] == (compact - pretty) / pretty < 0
    assert rows["json-compact"]["vs"]["json-compact"] == 0


def test_an_unknown_format_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"named .toml.\. There are: json-pretty, json-python"):
        compare(Document.of(1), formats=["toml"])


@pytest.mark.parametrize("value", [{}, [], "", 0, None, "x"])
def test_the_smallest_values_have_rows(value: Any) -> None:
    rows = compare(Document.of(value))

    assert [row["format"] for row in rows] == list(FORMATS)
    assert all(row["round_trips"] for row in rows if row["lossless"])


def test_a_format_that_cannot_carry_the_value_has_a_reason_and_no_figures() -> None:
    (row,) = compare(Document.of([{"a": [1]}]), formats=["csv"])

    assert label(row) == "CSV"
    assert row["reason"] == "row 1 has an array under 'a'"
    assert {row[key] for key in ("tokens", "bytes", "chars", "round_trips", "breakdown")} == {None}
    assert set(row["vs"].values()) == {None}


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_number_that_json_lacks_is_a_loss_and_no_error(number: float) -> None:
    """TOON (SPEC 4.4 §3) and JavaScript's JSON write null for it; others cannot carry it."""
    value = {"a": number, "b": Decimal(1)}
    rows = {row["format"]: row for row in compare(Document.of(value), tokenizers=["o200k_base"])}

    assert JSON_COMPACT.dumps(value) == '{"a":null,"b":1}'
    assert toon.encode(value) == "a: null\nb: 1"
    for name in ("json-compact", "json-python", "toon"):
        assert rows[name]["lost"] == "type of 1 value"
    for name in ("yaml", "pipe"):
        assert rows[name]["tokens"] is None
        assert rows[name]["reason"].endswith(f"{number} has no JSON form")
    assert answer(Document.of(value))["switch"] is False


def test_a_value_too_deep_is_refused_with_its_path() -> None:
    value: Any = 1
    for _ in range(900):
        value = {"a": value}

    with pytest.raises(EncodeError, match=r"^\$\.a.*: nested deeper than 256 levels$"):
        compare(Document.of(value))


@pytest.mark.parametrize(
    ("value", "format", "words"),
    [
        ([{"a": "x"}], "toon", PROVEN),
        ([{"a": "x"}], "csv", UNPROMISED),
        ([{"a": "x"}], "xml", "loses type of 1 value"),
        ([{"a": 1, "b": 2}, {"b": 1, "a": 2}], "toon", f"{PROVEN} (key order of 1 object)"),
        ([{"a": 1, "b": 2}, {"b": 1, "a": 2}], "vibemcp", f"{UNPROMISED} (key order of 1 object)"),
        ([{"a": "1"}], "vibemcp",
         "loses 1 text that will be read as a number, true, false or null"),
        ({"a": 1}, "csv", "under 'a' is a number, not an array of rows"),
        ([Decimal("1e400")], "toon",
         f"{BY_OUR_READER}; toon-format refuses it: 1 number beyond 64-bit floats"),
        ([2**53 + 1], "json-compact",
         f"{BY_OUR_READER}; Python's json reads it; JavaScript changes 1 integer beyond 2^53"),
        ([{"a": "x" * 131_073, "b": 1}], "csv",
         "loses type of 1 value; Python's csv refuses it: a cell of more than 131,072 characters"),
    ],
)  # fmt: skip
def test_a_round_trip_in_words(value: Any, format: str, words: str) -> None:
    (row,) = compare(Document.of(value), formats=[format])

    assert proof_words(row) == words


@pytest.mark.parametrize(
    ("value", "format", "reason"),
    [
        (ROWS, "toon", None),
        (ROWS, "json-pretty", None),
        ([Decimal("1e400")], "toon", None),
        (ROWS, "pipe", "no public library reads it"),
        ([{"a": "x"}], "csv", f"comes back {UNPROMISED}"),
        ([{"a": "x"}], "xml", "loses type of 1 value"),
        ({"a": 1}, "csv", "not applicable: under 'a' is a number, not an array of rows"),
    ],
)
def test_one_rule_says_why_a_row_may_not_be_recommended(
    value: Any, format: str, reason: str | None
) -> None:
    (row,) = compare(Document.of(value), formats=[format])

    assert objection(row) == reason


@given(values)
def test_what_the_rule_lets_pass_is_what_the_answer_chooses_from(value: Any) -> None:
    able = [row["format"] for row in compare(Document.of(value)) if objection(row) is None]

    assert set(able) <= set(RECOMMENDED)
    assert answer(Document.of(value))["format"] in able


def test_the_text_as_typed_is_called_and_judged_after_its_format() -> None:
    text = FORMATS["vibemcp"].dumps(ROWS)
    vibemcp, json = (
        compare(Document.of(ROWS, typed), formats=[])[0]
        for typed in (Typed(text, FORMATS["vibemcp"]), Typed("[1]"))
    )

    assert (label(json), objection(json)) == ("your JSON", None)
    assert label(vibemcp) == "your VibeMCP"
    assert objection(vibemcp) == "sent today, but not promised to come back"


def test_a_cost_is_the_tokens_and_the_share_of_the_explanation() -> None:
    (row,) = measured_rows(compare(Document.of(ROWS), formats=["toon"]))
    once = note_tokens(row)

    assert once > 0
    costs = [cost(row, Explaining(n)) - row["tokens"] for n in (1, 4, None)]
    assert costs == [once, once / 4, 0]


# -- delimiters of TOON --------------------------------------------------------------------------


def test_every_delimiter_with_every_indent() -> None:
    rows = delimiter_rows(
        Document.of({"a": [{"b": "x,y", "c": "x|y"}, {"b": "p|q", "c": "1"}]}), "o200k_base"
    )

    quoted = {"comma": 2, "tab": 1, "pipe": 3}
    assert {(row["delimiter"], row["indent"]): row["quoted"] for row in rows} == {
        (delimiter, indent): quoted[delimiter] for delimiter in quoted for indent in (1, 2, 4)
    }


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ({"a b": "x"}, 0), ({"a": ""}, 1), ({"": 1}, 0), ({"": ""}, 1),
        ([{"": 1, "a b": ""}, {"": 2, "a b": "x"}], 1),
        ({"a b": "x:y"}, 1), ("#", 1), ("\ufeff", 1), ({}, 0),
    ],
)  # fmt: skip
def test_quoted_keys_do_not_count_as_quoted_values(value: object, quoted: int) -> None:
    assert {row["quoted"] for row in delimiter_rows(Document.of(value))} == {quoted}


@pytest.mark.rest
@given(values)
def test_quoted_values_are_all_quotes_of_a_document_without_quoted_keys(value: object) -> None:
    text = TOON.dumps(_replace_keys(value, {}))

    quoted = {row["quoted"] for row in delimiter_rows(Document.of(value))[:3]}  # by comma
    assert quoted == {len(re.findall(r'"(?:[^"\\]|\\.)*"', text))}


def _replace_keys(value: object, names: dict[str, str]) -> object:
    """``value`` with other keys, the same for the same, so that the document keeps its form."""
    if isinstance(value, dict):
        return {
            names.setdefault(key, f"k{len(names)}"): _replace_keys(item, names)
            for key, item in value.items()
        }
    return [_replace_keys(item, names) for item in value] if isinstance(value, list) else value
