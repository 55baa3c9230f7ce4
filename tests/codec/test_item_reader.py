"""Items of lists that are alike are read by fields, with the result of reading line by line."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toon
from tests.codec.test_roundtrip import CELLS, CELLS_OF_ARRAYS, outcome
from tests.strategies import damaged
from toon.codec import decoder
from toon.codec.header import Rules
from toon.codec.item_reader import read_items
from toon.codec.lines import Lines


def assert_read_alike(text: str, strict: bool, parse_float: Any, spec: str = "4.4") -> None:
    """What is read by fields is what is read line by line, errors too."""
    fast = outcome(text, strict, parse_float, spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "read_items", lambda *_: {})
        assert fast == outcome(text, strict, parse_float, spec)


CELLS_OF_ITEMS = [
    *CELLS_OF_ARRAYS, *CELLS, '"\\/"', '"\\u0041"', '"a', 'a"', '"a", "b"', '"a"b', '"', "[x",
    "# c", "[]", " []", " 1",
]  # fmt: skip
HEADS = ["a", "b", "c d", "é", '"h"', '"x,y"', "- e", "f%"]
ODD_HEADS = [*HEADS, "g:", "i[1]", "j[1]{k}", ""]
FIELD_LISTS = ["p{d}q", "p", '"p"{d}q', "p{d}g{{r{d}s}}", "p{d}p"]
#: The fields of an item: keys, and what each holds, which may be fields.
shapes = st.dictionaries(
    st.sampled_from(HEADS),
    st.recursive(
        st.sampled_from(["array", "table", "token"]),
        lambda inner: st.dictionaries(st.sampled_from(HEADS), inner, min_size=1, max_size=3),
        max_leaves=4,
    ),
    min_size=1,
    max_size=3,
)


@st.composite
def item_lists(draw: st.DrawFn) -> str:
    """A list of items, most of which have the same keys on the same lines."""
    symbol = draw(st.sampled_from(["", "", "|", "\t"]))
    delimiter = symbol or ","
    plain = [["x", "1", '"p,q|r"'], ["x", "yy"], ["1", "2.5", "-1"], ['"a"', "null"]]
    plain.append(['"a"', '"b"'])
    cells = draw(st.sampled_from([CELLS_OF_ITEMS, *plain, ["x", " 1", "[]", " []"]]))
    field_list = draw(st.sampled_from(FIELD_LISTS)).format(d=delimiter)
    width = 1 + field_list.count(delimiter)

    def row(size: int) -> str:
        return delimiter.join(draw(st.sampled_from(cells)) for _ in range(size))

    def is_odd() -> bool:
        return draw(st.integers(0, 25)) == 13  # not 0, which Hypothesis likes to draw

    def lines_of(shape: Any) -> Iterator[str]:
        for key, kind in shape.items():
            head = draw(st.sampled_from(ODD_HEADS)) if is_odd() else key
            size = rows_of_tables if kind == "table" else draw(st.integers(0, 2))
            declared = size + is_odd()
            if kind == "array":
                yield f"{head}[{declared}{symbol}]: {row(size)}" if size else f"{head}: []"
            elif kind == "table":
                yield f"{head}[{declared}{symbol}]{{{field_list}}}:"
                yield from [" " * (2 + 2 * is_odd()) + row(width + is_odd()) for _ in range(size)]
            elif kind == "token" or is_odd():
                yield f"{head}: {draw(st.sampled_from(cells))}"
            else:
                yield f"{head}:"
                yield from ("  " + line for line in lines_of(kind))

    items, shape, rows_of_tables = [], draw(shapes), draw(st.integers(1, 2))
    for _ in range(draw(st.integers(4, 9))):
        first, *others = lines_of(shape)
        items += ["  - " + first, *("    " + line for line in others)]
        items += ["    # c"] * is_odd() + [""] * is_odd()
    count = sum(line.startswith("  - ") for line in items)
    return "\n".join([f"k[{count}]:", *items, *draw(st.sampled_from([[], [""], ["z: 1"]]))])


@pytest.mark.rest
@pytest.mark.parametrize("parse_float", [None, Decimal])
@settings(max_examples=150)
@given(
    text=item_lists(),
    strict=st.booleans(),
    spec=st.sampled_from(["4.4", "3.3"]),
    damage=st.integers(0, 2),
    data=st.data(),
)
def test_items_that_are_alike_are_read_like_single_ones(
    parse_float: Any, text: str, strict: bool, spec: str, damage: int, data: st.DataObject
) -> None:
    assert_read_alike(text if damage else data.draw(damaged(text)), strict, parse_float, spec)


@pytest.mark.parametrize(
    "tokens", [('"a",["b"', '"c"]'), ('"a",{"b":1', '"c":2}'), ('"a"', '"b" "c"'), ('"a', '"b"')]
)
@pytest.mark.parametrize("strict", [True, False])
def test_tokens_that_only_together_are_json_are_refused(
    tokens: tuple[str, str], strict: bool
) -> None:
    text = "[4]:" + "".join(f"\n  - a: {token}" for token in (*tokens, '"d"', '"e"'))

    with pytest.raises(toon.ToonDecodeError):
        toon.decode(text, strict=strict)


@pytest.mark.parametrize("count", [1, -1], ids=["one item", "all items"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("t[2]: 1,2", "t[3]: 1,2"), ("t[2]: 1,2", "t[2]:"), ("z: 1", "a: 1"), ("z: 1", "z:  []"),
        ("- a: x", "- a : x"), ("    z: 1", "      z: 1"), ("      p: 1", "        p: 1"),
        ("\n      1", "\n        1"), ("r[1]{q}:", "r[2]{q}:"), ("    z: 1", "    z: 1\n"),
        ("- a: x", "- a:\n      b: 1"), ("      p: 1", "      p: 1\n      p: 1"), ("o:", "o: 1"),
    ],
)  # fmt: skip
def test_a_fault_in_one_item_or_all_is_found(old: str, new: str, count: int) -> None:
    row = {"a": "x", "t": [1, 2], "o": {"p": 1}, "r": [{"q": 1}], "z": 1}
    text = toon.encode({"k": [row] * 5})
    assert text.count(old) >= 5

    assert_read_alike(text.replace(old, new, count), True, None)


def test_lists_of_real_records_are_read_by_fields() -> None:
    """The test above would hold too if no item were ever read so."""
    records = [
        {"a": "x", "b": {"c": n, "d": f"{n}: y"}, **({"e": []} if n else {})} for n in range(9)
    ]
    text = toon.encode(records)
    lines = Lines(text, 2, True, float)

    assert len(read_items(lines, 1, 1, Rules(True), float)) == 8


@pytest.mark.parametrize("delimiter", [",", "|", "\t"])
def test_items_with_arrays_and_tables_are_read_by_fields(delimiter: str) -> None:
    """The tests above would hold too if no such item were ever read so."""
    records = [
        {"a": ["x", 'y"', n][: n % 4], "b c": [{"d": 1, "e": {"f": "x"}}] * 2, "g": n}
        for n in range(8)
    ]
    lines = Lines(toon.encode(records, delimiter=delimiter), 2, True, float)

    read = read_items(lines, 1, 1, Rules(True), float)
    assert [value for value, _ in read.values()] == records


def test_a_tab_after_a_closing_quote_is_refused_in_any_item() -> None:
    """JSON takes it for white space."""
    with pytest.raises(toon.ToonDecodeError, match="line 3"):
        toon.decode("[4]:" + '\n  - a: "x"\n  - a: "x"\t' * 2)
