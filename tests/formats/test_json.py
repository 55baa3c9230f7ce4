"""JSON as JavaScript writes it: the shortest numbers, and nothing escaped without need."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT, SHARED
from tests.formats.test_stock_readers import read_in_javascript
from tests.strategies import values
from toon.costs.document import Document, Typed
from toon.formats.json import JSON_COMPACT, JSON_PRETTY, minify
from toon.tokenizers import get
from toon.values.equality import differences
from toon.values.json_text import parse_json

FILES = [*sorted((ROOT / "samples").glob("*.json")), *sorted((SHARED / "datasets").glob("*.json"))]

doubles = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(
    doubles,
    st.integers(-(2**53), 2**53).map(float),
    st.sampled_from([1e6, 1e16, 1e20, 1e21, 1e22, 1e-6, 1e-7, -0.0, 0.1, 123456789012345680000.0]),
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1.0, -2.0, -0.0, 1e6, 1e20], "[1,-2,0,1000000,1" + "0" * 20 + "]"),
        ([1e21, 1.5e300, 1e-7, 1e-6], "[1e+21,1.5e+300,1e-7,0.000001]"),
        ([Decimal("1E+400"), Decimal("0.10"), 2**64], "[1e+400,0.1,18446744073709551616]"),
        ({"1.0": "2.0, 3.0,"}, '{"1.0":"2.0, 3.0,"}'),
        ([1.0, 'a "1.0,', "\\", 2.0], '[1,"a \\"1.0,","\\\\",2]'),
        (1.0, "1"),
        ("é\u2028\x7f\x01\n", '"é\u2028\x7f\\u0001\\n"'),
    ],
)
def test_what_is_written(value: Any, text: str) -> None:
    assert JSON_COMPACT.dumps(value) == text
    assert minify(JSON_PRETTY.dumps(value)) == text


def stringify(texts: list[str], indent: int = 0) -> list[str]:
    """What node's JSON.stringify writes of the values of these texts."""
    reader = f"(text) => JSON.stringify(JSON.parse(text), null, {indent})"
    return list(read_in_javascript(reader, texts))


def safe(value: Any) -> bool:
    """Whether JavaScript keeps the value: no digit is lost, and no key is an index or repeated."""
    if isinstance(value, dict):
        return not any(key.isdigit() or key == "__proto__" for key in value) and all(
            map(safe, value.values())
        )
    if isinstance(value, list):
        return all(map(safe, value))
    return not isinstance(value, Decimal) and not (isinstance(value, int) and abs(value) > 2**53)


def test_javascript_writes_the_same_of_the_samples() -> None:
    parsed = [parse_json(file.read_text(encoding="utf-8")).value for file in FILES]
    kept = [value for value in parsed if safe(value)]
    texts = [JSON_COMPACT.dumps(value) for value in kept]

    assert len(kept) >= len(parsed) - 2
    assert stringify(texts) == texts
    assert stringify(texts, 2) == [JSON_PRETTY.dumps(value) for value in kept]


@pytest.mark.rest
@settings(max_examples=25)  # each starts node: few, of many values
@given(st.lists(st.one_of(st.lists(numbers, max_size=20), values.filter(safe)), max_size=32))
def test_javascript_writes_the_same_of_any_value(several: list[Any]) -> None:
    texts = [JSON_COMPACT.dumps(value) for value in several]

    assert stringify(texts) == texts


@given(values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_minified_is_the_text_without_whitespace(value: Any, indent: Any, escape: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escape)

    assert minify(text) == json.dumps(value, separators=(",", ":"), ensure_ascii=escape)


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ('{ "a" : [ 1.0, 2.50 ] }', '{"a":[1,2.5]}'),
        ("[1e9, 1e9, 1e9]", "[1e9,1e9,1e9]"),
        ('["\\u00e9\\/"]', '["é/"]'),
        ("[1.0, 1e6]", "[1,1000000]"),  # as many tokens as 1.0,1e6: then as JavaScript writes it
    ],
)
def test_the_baseline_is_the_shortest_json(text: str, shortest: str) -> None:
    value = parse_json(text).value

    assert Document(value, Typed(text)).text("json-compact") == shortest


spellings = st.one_of(
    doubles.map(repr),
    doubles.map(lambda x: format(x, "e")),
    st.integers(-(10**6), 10**6).map(lambda n: f"{n}.0"),
    st.builds("{}e{}".format, st.integers(1, 99), st.integers(0, 20)),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6).map(json.dumps),
)


@given(st.lists(spellings, max_size=12), st.sampled_from([", ", ",\n  ", ","]))
def test_the_baseline_never_has_more_tokens_than_the_text_without_its_whitespace(
    parts: list[str], comma: str
) -> None:
    text = f"[{comma.join(parts)}]"
    value = parse_json(text).value
    count = get("o200k_base").count

    shortest = Document(value, Typed(text)).text("json-compact")
    assert count(shortest) <= count(f"[{','.join(parts)}]")
    assert differences(value, parse_json(shortest).value).same
