"""XML: what is written, what cannot be, what is lost, and what each byte is."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.spans import spans
from toon.formats.base import NotApplicable
from toon.formats.xml import XML
from toon.values.equality import differences

TEXTS: list[tuple[Any, str]] = [
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


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_what_it_writes_exactly(value: Any, text: str) -> None:
    assert XML.dumps(value) == text


@pytest.mark.parametrize(
    ("value", "reason"),
    [
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
    ],
)
def test_what_it_cannot_carry_has_a_reason(value: Any, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        XML.dumps(value)


@pytest.mark.parametrize(
    ("value", "lost"),
    [
        ({"a": "x", "b": {"c": "y"}}, "nothing"),
        ({"a": 1, "b": True, "c": None}, "types of 2 values"),
        ({"a": ["x"]}, "type of 1 value"),
        ({"a": ["x", "y"]}, "nothing"),
        ({"a": ""}, "type of 1 value"),
        ({"a": [], "b": {}}, "type of 1 value, 1 key or item missing"),
        ({"a": " x"}, "1 value changed"),
        ({"a": "x\r\ny"}, "1 value changed"),
        ([1, 2, "x"], "types of 2 values, 1 key or item added"),
    ],
)
def test_what_is_lost_is_named(value: Any, lost: str) -> None:
    assert str(differences(value, XML.loads(XML.dumps(value)))) == lost


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


@given(st.dictionaries(st.sampled_from(["a", "bé", "c-d"]), st.text(" ab<&é", min_size=1)))
def test_names_are_the_elements_and_values_their_text(value: dict[str, str]) -> None:
    text = XML.dumps(value)
    parts = spans(text, XML.layout(text))
    names = [name for key in value for name in (key, key)]
    texts = [text.replace("&", "&amp;").replace("<", "&lt;") for text in value.values()]
    assert [part for part, kind in parts if kind == "names"] == (
        ["root", *names, "root"] if value else ["root"]
    )
    assert [part for part, kind in parts if kind == "values"] == [x for x in texts if x.strip()]
