"""CSV and XML: what is written, what cannot be, what is lost, and what each byte is."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import keys, scalars
from toon.formats.base import NotApplicable
from toon.formats.csv import CSV
from toon.formats.xml import XML
from toon.values.equality import differences

CSV_TEXTS: list[tuple[Any, str]] = [
    ([{"a": 1, "b": "x"}, {"a": -2.5, "b": "y z"}], "a,b\n1,x\n-2.5,y z"),
    ([{"a": True, "b": None, "c": ""}], "a,b,c\ntrue,,"),
    ([{"a": None}, {"a": ""}, {"a": " "}], 'a\n""\n""\n '),
    ([{"a,b": 'say "x"', "c": "1\n2"}], '"a,b",c\n"say ""x""","1\n2"'),
    ([{"a": "1\r2"}], 'a\n"1\r2"'),
    ([{"a": 1, "b": 2}, {"b": 4, "a": 3}], "a,b\n1,2\n3,4"),
    ({"rows": [{"a": 2**70, "b": Decimal("0.10"), "c": 1e-7}]},
     "a,b,c\n1180591620717411303424,0.10,1e-07"),
]  # fmt: skip
XML_TEXTS: list[tuple[Any, str]] = [
    ({}, "<root/>"),
    ("a<b & c", "<root>a&lt;b &amp; c</root>"),
    ([1, True], "<root>\n  <item>1</item>\n  <item>true</item>\n</root>"),
    ({"a": {"b": None}}, "<root>\n  <a>\n    <b/>\n  </a>\n</root>"),
    ({"a": [[1, 2], []]},
     "<root>\n  <a>\n    <item>1</item>\n    <item>2</item>\n  </a>\n  <a/>\n</root>"),
    ({"é": 1.5, "dc:title": 1e-7}, "<root>\n  <é>1.5</é>\n  <dc:title>1e-07</dc:title>\n</root>"),
    ({"n": Decimal("1e400")}, "<root>\n  <n>1E+400</n>\n</root>"),
    ({"a": []}, "<root/>"),
]  # fmt: skip


def both(csv: Iterable[tuple[Any, str]], xml: Iterable[tuple[Any, str]]) -> list[Any]:
    """Parameters of a test: the examples of each, with the format before them."""
    return [*((CSV, *row) for row in csv), *((XML, *row) for row in xml)]


@pytest.mark.parametrize(("format", "value", "text"), both(CSV_TEXTS, XML_TEXTS))
def test_what_it_writes_exactly(format: Any, value: Any, text: str) -> None:
    assert format.dumps(value) == text


CSV_REASONS: list[tuple[Any, str]] = [
    ([{"a": 1}, {"a": 2}, {"a": {}}], "row 3 has an object under 'a'"),
    ({"x": [{"a": [1]}]}, "row 1 has an array under 'a'"),
    ([{"a": 1}, {"b": 1}], "row 2 has other keys than row 1"),
    ([{"a": 1}, {"a": 1, "b": 1}], "row 2 has other keys than row 1"),
    ([{"a": 1}, 2], "row 2 is not an object with keys"),
    ([{}], "row 1 is not an object with keys"),
    ([], "there is no row to take the header from"),
    ({"x": [], "y": []}, "this is an object of 2 keys, not one array of rows"),
    ({"x": {"a": 1}}, "under 'x' is an object, not an array of rows"),
    ({"x": 1}, "under 'x' is a number, not an array of rows"),
    ({}, "this is an object of 0 keys, not one array of rows"),
    (1, "this is a number, not an array of rows"),
    ("x", "this is a text, not an array of rows"),
    (None, "this is null, not an array of rows"),
    ([{"a": float("inf")}], "inf has no JSON form"),
]
XML_REASONS: list[tuple[Any, str]] = [
    ({"a b": 1}, "the key 'a b' is not an XML name"),
    ({"a": [{"1st": 1}]}, "the key '1st' is not an XML name"),
    ({"": 1}, "the key '' is not an XML name"),
    ({"@id": 1}, "the key '@id' is not an XML name"),
    ({"#text": 1}, "the key '#text' is not an XML name"),
    ({"a/b": 1}, "the key 'a/b' is not an XML name"),
    ({"😀": 1}, "the key '😀' is not an XML name"),
    ({"x y" * 40: 1}, "the key 'x y.*…' is not an XML name"),
    ({"a": "\x00"}, r"XML cannot carry the character U\+0000"),
    (["\uffff"], r"XML cannot carry the character U\+FFFF"),
    ([float("nan")], "nan has no JSON form"),
]


@pytest.mark.parametrize(("format", "value", "reason"), both(CSV_REASONS, XML_REASONS))
def test_what_it_cannot_carry_has_a_reason(format: Any, value: Any, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        format.dumps(value)


CSV_LOSSES: list[tuple[Any, str]] = [
    ([{"a": "x"}], "nothing"),
    ([{"a": "x"}, {"a": ""}], "nothing"),
    ([{"a": 1, "b": "x"}, {"a": None, "b": True}], "types of 3 values"),
    ({"rows": [{"a": "x", "b": 1}]}, "type of 1 value, 1 key or item missing"),
    ([{"a": "x", "b": "y"}, {"b": "z", "a": "w"}], "key order of 1 object"),
]
XML_LOSSES: list[tuple[Any, str]] = [
    ({"a": "x", "b": {"c": "y"}}, "nothing"),
    ({"a": 1, "b": True, "c": None}, "types of 2 values"),
    ({"a": ["x"]}, "type of 1 value"),
    ({"a": ["x", "y"]}, "nothing"),
    ({"a": ""}, "type of 1 value"),
    ({"a": [], "b": {}}, "type of 1 value, 1 key or item missing"),
    ({"a": " x"}, "1 value changed"),
    ({"a": "x\r\ny"}, "1 value changed"),
    ([1, 2, "x"], "types of 2 values, 1 key or item added"),
]


@pytest.mark.parametrize(("format", "value", "lost"), both(CSV_LOSSES, XML_LOSSES))
def test_what_is_lost_is_named(format: Any, value: Any, lost: str) -> None:
    assert str(differences(value, format.loads(format.dumps(value)))) == lost


@st.composite
def flat_rows(draw: st.DrawFn, cells: st.SearchStrategy[Any]) -> list[dict[str, Any]]:
    names = draw(st.lists(keys, min_size=1, max_size=4, unique=True))
    return draw(st.lists(st.fixed_dictionaries(dict.fromkeys(names, cells)), min_size=1))


@given(flat_rows(scalars))
def test_strings_come_back_and_other_scalars_as_their_json_text(rows: list[dict[str, Any]]) -> None:
    returned = CSV.loads(CSV.dumps(rows))

    assert all(list(row) == list(rows[0]) for row in returned)
    for row, cells in zip(rows, returned, strict=True):
        for name, item in row.items():
            expected = "" if item is None else str(item)
            assert cells[name] == (expected.lower() if isinstance(item, bool) else expected)


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(ValueError, match="the text is empty"):
        CSV.loads("")


def test_line_ends_of_other_writers_are_read() -> None:
    assert CSV.loads("a,b\r\n1,2\r\n") == [{"a": "1", "b": "2"}]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=3))
def test_a_name_that_is_taken_is_one_to_the_reader(key: str) -> None:
    try:
        text = XML.dumps({key: "x"})
    except NotApplicable:
        return
    assert XML.loads(text) == {key: "x"}


def test_characters_of_markup_come_back() -> None:
    """xmltodict 1.0.0 and 1.0.1 lose them, so that they are not allowed."""
    assert XML.loads("<root><a>&lt;b&gt; &amp;</a></root>") == {"a": "<b> &"}
