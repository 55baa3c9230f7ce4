"""The document of a payload: what it keeps, its typed text read fast, and its one proof."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from toon.costs.document import Document, Proof, Typed, compare_values
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.values.equality import differences
from toon.values.json_text import parse_json

O200K = "o200k_base"


def test_a_document_keeps_a_thousand_things_and_drops_all_for_one_more() -> None:
    document, numbers = Document([1]), list[int]()

    def find(_: Document, number: int) -> None:
        numbers.append(number)

    for number in [*range(1000), *range(1000), 1000, 1000, 0]:
        document.ask(find, number)
    assert numbers == [*range(1000), 1000, 0]


def test_a_format_may_be_asked_for_by_itself_as_by_its_name() -> None:
    document, yaml = Document.of([{"a": 1}, {"a": 2}]), FORMATS["yaml"]

    assert document.format(yaml) is yaml
    assert document.text(yaml) == document.text("yaml") == "- a: 1\n- a: 2"
    assert document.tokens(yaml, O200K) == document.tokens("yaml", O200K)
    assert document.proof(yaml).ok


#: What the two readers, or reader and writer, do not have in common.
ODD = [
    "-0", "-0.0", "-0.00", "1.0", "1e5", "1e16", "1E16", "1e400", "1e-9999", "0.10", "[1.50,-0.05]",
    "9007199254740993", "18446744073709551615", "18446744073709551616", "0.1000000000000000055",
    '{"a":1,"a":1}', '{"a":1,"a":2}', '{"a":1, "\\u0061":2}', '"\\u00e9"', '"\\/"', '"\\ud800"',
    '"\ud800"', '"\x7f"', '"\\u001F"', "\ufeff[1]", "[1]\u00a0", "", " ", "NaN", "[1,]", "[01]",
    " { \"a b\" : [ 1 , \"x  y\\\" \" ] } ", "[" * 300 + "]" * 300, "[" * 5000 + "]" * 5000,
]  # fmt: skip


def outcome(read: Any) -> str:
    """The value with its types, or the error."""
    try:
        return repr(read())
    except ValueError as error:
        return f"{type(error)} {error}"


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_read_as_the_plain_reader_reads_them(text: str) -> None:
    assert outcome(Typed(text).read_json) == outcome(lambda: parse_json(text).value)


@given(values, st.sampled_from([None, 2]), st.booleans(), st.sampled_from([", ", ","]))
def test_any_json_is_read_as_the_plain_reader_reads_it(
    value: Any, indent: int | None, ascii: bool, comma: str
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii, separators=(comma, ":"))

    assert outcome(Typed(text).read_json) == outcome(lambda: parse_json(text).value)


@pytest.mark.parametrize("name", ["é", "\\u00e9"])
def test_a_usual_text_is_read_without_the_plain_reader(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.costs.document.parse_json", None)

    value = Typed(f'{{"id": 1, "at": "2024-05-0", "{name}": [-0.5, null]}}').read_json()

    assert value == {"id": 1, "at": "2024-05-0", "é": [-0.5, None]}


JSONS = [FORMATS[name] for name in ("json-compact", "json-pretty", "json-python")]


@pytest.mark.parametrize(
    ("name", "value", "text", "proof"),
    [
        ("toon", [{"a": 1, "b": "x"}], "[1]{a,b}:\n  1,x", Proof(True)),
        ("csv", [{"a": 1}], "a\n1", Proof(False, "type of 1 value")),
        ("json-compact", [1, 2], "[1]", Proof(False, "1 key or item missing")),
        ("compact", [], "{}", Proof(False, "one way: lines are written for a reader")),
        ("toon", {"a": 1}, 'a: "1',
         Proof(False, "it cannot be read back: line 1, column 4: string is not closed")),
        ("json-columns", [{"a": 1}], '{"columns":["a"],"rows":[[1]]}', Proof(True)),
        ("json-columns", [{"a": 1}], '{"columns":["a"],"rows":1}', Proof(
            False, "it cannot be read back: line 1, column 1: 'rows' is not an array of arrays")),
    ],
)  # fmt: skip
def test_what_comes_back_is_proven_and_a_difference_named(
    name: str, value: Any, text: str, proof: Proof
) -> None:
    assert Document(value).prove(FORMATS[name], text) == proof


def test_another_order_of_keys_is_proven_and_named() -> None:
    proof = compare_values({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert proof == Proof(True, "key order of 1 object")


@pytest.mark.parametrize("value", [2**64, Decimal("1e400"), 0.1, -0.0, 1.0, 2**53 + 1])
def test_numbers_that_a_fast_reader_would_change_are_proven_by_ours(value: Any) -> None:
    for format in JSONS:
        assert Document(value).prove(format, format.dumps(value)) == Proof(True)
    assert not Document(value).prove(FORMATS["json-compact"], "7").ok


@pytest.mark.parametrize("lost", [float("inf"), float("-inf"), float("nan")])
@pytest.mark.parametrize("format", ["json-compact", "json-pretty", "toon"])
def test_a_number_that_is_written_as_null_does_not_come_back(lost: float, format: str) -> None:
    for value in ([lost], {"a": None, "b": [1.0, {"c": lost}]}):
        text = FORMATS[format].dumps(value)
        assert Document(value).prove(FORMATS[format], text) == Proof(False, "type of 1 value")


@given(values, values, st.sampled_from(list(FORMATS.values())))
def test_the_fast_way_agrees_with_the_plain_one(value: Any, other: Any, format: Any) -> None:
    try:
        text = format.dumps(other)
        returned = format.loads(text)
    except (NotApplicable, ValueError):
        return

    assert Document(value).prove(format, text).ok == differences(value, returned).same
