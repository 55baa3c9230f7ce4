"""What ZON writes and what it loses, against its own library."""

from __future__ import annotations

import json
from typing import Any

import pytest
import zon
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import values
from toon.errors import FormatError
from toon.formats.base import NotApplicable
from toon.formats.zon import ZON
from toon.values.equality import differences

#: What its reader may take for something else, and what repeats in a column.
odd = st.sampled_from(
    ["1e5", "007", "12", "true", "T", "null", "_", "2026-01-02T10:00:00Z", "10:30:00", "a,b", "@x",
     "a:b", 'q"r', " x", "x\n", "1_000", "nan", ".5", "+1", "[a]", "it's", "²", "long enough text"]
)  # fmt: skip
names = st.sampled_from(["id", "a.b", "a.0.c", "t", "data", "", "c[2]", "x,y", "é", "k"])
#: Rows with columns of one kind, of which some are missing.
rows = st.dictionaries(
    names, st.sampled_from([odd, st.integers(0, 999), st.none(), st.floats(-2, 2), values])
).flatmap(
    lambda columns: st.lists(st.fixed_dictionaries({}, optional=columns), min_size=1, max_size=25)
)
zon_values = st.one_of(
    values, odd, rows, st.dictionaries(names, st.one_of(rows, odd, values), max_size=4)
)


@example([{"id": number, "t": "long enough text"} for number in range(9)])
@example({"": [{"a": 1}]})
@example([{"t": ["x"]}, *[{"t": "long enough text"}] * 9])
@given(zon_values)
def test_it_is_written_and_read_as_zon_format_writes_and_reads(value: Any) -> None:
    text = ZON.dumps(value)

    assert text == zon.encode(value)
    assert read(ZON.loads, text) == read(zon.decode, text)


def read(reader: Any, text: str) -> str:
    """The value of a text with its order and types; "" where the reader fails."""
    try:
        return json.dumps(reader(text))
    except (ValueError, TypeError, AttributeError, LookupError, zon.core.exceptions.ZonDecodeError):
        return ""


@pytest.mark.parametrize(
    ("value", "text", "lost"),
    [
        (
            {"b": [{"y": 1, "x": True}, {"y": 2, "x": None}], "a": "t"},
            'a:"t"\n\nb:@(2):y\n1,x:T\n2,x:null',
            "key order of 1 object",
        ),
        ([{"n": n} for n in (1, 3, 2, 2, 9)], "@5:n:delta\n1\n+2\n-1\n+0\n+7", "nothing"),
        (
            [{"s": "long text"} for _ in range(4)],
            "s[1]:long text\n@4:s\n0\n0\n0\n0",
            "nothing",
        ),
        ([{"a": {"b": 1}}, {"a": {"b": 2}}], "@2:a.b\n1\n2", "nothing"),
        ({"s": "1e5"}, "s:1e5", "type of 1 value"),
        ({"a.b": 1}, "a.b:1", "1 key or item missing, 1 key or item added"),
        ("text", '"text"', "type of 1 value"),
        (7, "7", "type of 1 value"),
    ],
)
def test_what_it_loses(value: Any, text: str, lost: str) -> None:
    assert ZON.dumps(value) == text
    assert str(differences(value, ZON.loads(text))) == lost


def test_many_shapes_are_not_compared_two_by_two() -> None:
    with pytest.raises(NotApplicable, match="rows have 201 different sets of keys"):
        ZON.dumps([{f"k{number}": 1} for number in range(201)])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("@2:a\n1", 1, "the table has 1 row, its header says 2"),
        ("x:1\n@2:a,b\n1,2\n3", 4, "row has 1 cell, the table 2 columns"),
        ("x:1\ny:@(z)", 2, "not the header of a table"),
        ('x:"a""b"c"', 1, "zon-format fails on this"),
        ("a.99999999.b:1", 1, "zon-format fails on this"),
        ("[" * 200 + "]" * 200, 1, "zon-format fails on this"),
    ],
)
def test_what_its_library_refuses_is_an_error_with_its_line(
    text: str, line: int, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        ZON.loads(text)

    assert (caught.value.line, caught.value.message) == (line, message)


def test_what_each_character_is() -> None:
    text = 'a{k:"x,y",t:2026-01-02T10:00:00Z}\n\nb:@(1):c,"d"\n1,{e:T}\nf[2]:g,h'
    marks = "".join("NPWV"[code] for code in ZON.layout(text))

    assert marks == (
        "NPNPPVVVPPNP" + "V" * 20 + "PWWNPPPPPPNPPNPWVPPNPVPWNPPPPVPV"  # one letter a byte
    )
