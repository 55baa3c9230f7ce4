"""CSV: what is written, what cannot be, what is lost, and what each byte is."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.spans import parts_by_kind
from tests.strategies import keys, scalars, strings
from toon.formats.base import NotApplicable
from toon.formats.csv import CSV
from toon.values.equality import differences

TEXTS: list[tuple[Any, str]] = [
    ([{"a": 1, "b": "x"}, {"a": -2.5, "b": "y z"}], "a,b\n1,x\n-2.5,y z"),
    ([{"a": True, "b": None, "c": ""}], "a,b,c\ntrue,,"),
    ([{"a": None}, {"a": ""}, {"a": " "}], 'a\n""\n""\n '),
    ([{"a,b": 'say "x"', "c": "1\n2"}], '"a,b",c\n"say ""x""","1\n2"'),
    ([{"a": "1\r2"}], 'a\n"1\r2"'),
    ([{"a": 1, "b": 2}, {"b": 4, "a": 3}], "a,b\n1,2\n3,4"),
    ({"rows": [{"a": 2**70, "b": Decimal("0.10"), "c": 1e-7}]},
     "a,b,c\n1180591620717411303424,0.10,1e-07"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_what_it_writes_exactly(value: Any, text: str) -> None:
    assert CSV.dumps(value) == text


@pytest.mark.parametrize(
    ("value", "reason"),
    [
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
    ],
)
def test_what_it_cannot_carry_has_a_reason(value: Any, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        CSV.dumps(value)


@pytest.mark.parametrize(
    ("value", "lost"),
    [
        ([{"a": "x"}], "nothing"),
        ([{"a": "x"}, {"a": ""}], "nothing"),
        ([{"a": 1, "b": "x"}, {"a": None, "b": True}], "types of 3 values"),
        ({"rows": [{"a": "x", "b": 1}]}, "type of 1 value, 1 key or item missing"),
        ([{"a": "x", "b": "y"}, {"b": "z", "a": "w"}], "key order of 1 object"),
    ],
)
def test_what_is_lost_is_named(value: Any, lost: str) -> None:
    assert str(differences(value, CSV.loads(CSV.dumps(value)))) == lost


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


@given(flat_rows(strings))
def test_names_are_the_header_and_values_the_rest(rows: list[dict[str, str]]) -> None:
    text = CSV.dumps(rows)
    parts = parts_by_kind(text, CSV.layout(text))

    assert parts["names"] == "".join(key.replace('"', '""') for key in rows[0])
    cells = [row[key].replace('"', '""') for row in rows for key in rows[0]]
    assert parts["values"] == "".join(cells)
