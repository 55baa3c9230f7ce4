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


TOKENS = [
    *CELLS, '"a"', '"a\\\\b\\n"', '"\\/"', '"\\u0041"', '"a', 'a"', '"a", "b"', '"a"b', '"', " 1",
    "[x", "# c",
]  # fmt: skip
KEYS = ["a", "b", "c d", "- e", "f%", "é", "g:", '"h"', "i[1]", "j[1]{k}", ""]


keys = st.sampled_from([*KEYS[:6] * 2, *KEYS])
#: The fields of an item: keys, and below them nothing for a token, or fields.
fields = st.recursive(
    st.lists(st.tuples(keys, st.none()), min_size=1, max_size=3),
    lambda inner: st.lists(st.tuples(keys, st.none() | inner), min_size=1, max_size=3),
    max_leaves=6,
)


def flat(fields: list[Any], depth: int = 2) -> Iterator[tuple[int, str, bool]]:
    """Depth and key of each line, and whether it has a token."""
    for key, inner in fields:
        yield depth, key, inner is None
        yield from flat(inner or [], depth + 1)


@st.composite
def item_lists(draw: st.DrawFn) -> str:
    """A list of items, most of which have the same keys on the same lines."""
    shape = list(flat(draw(fields)))
    quoted = [token for token in TOKENS if token[:1] == '"']
    many = draw(st.sampled_from([TOKENS, quoted, ["x", " 1", "[]", " []", ""]]))
    few = draw(st.lists(st.sampled_from(many), min_size=1, max_size=3))
    lines = []
    for _ in range(draw(st.integers(4, 9))):
        other = draw(st.integers(0, 5 * len(shape)))  # the line with another key, if there is one
        for number, (depth, key, has_token) in enumerate(shape):
            start = "  " * depth if number else "  - "
            if number == other:
                key, has_token = draw(st.tuples(keys, st.booleans()))
            token = f" {draw(st.sampled_from(few))}" if has_token else ""
            lines.append(f"{start}{key}:{token}")
    count = sum(line.startswith("  - ") for line in lines)
    return "\n".join([f"k[{count}]:", *lines])


@pytest.mark.rest
@pytest.mark.parametrize("parse_float", [None, Decimal])
@settings(max_examples=100)
@given(text=item_lists(), strict=st.booleans(), data=st.data())
def test_items_that_are_alike_are_read_like_single_ones(
    parse_float: Any, text: str, strict: bool, data: st.DataObject
) -> None:
    if data.draw(st.integers(0, 3)) == 0:
        text = data.draw(damaged(text))
    assert_read_alike(text, strict, parse_float)


HEADS = ["a", "b", "c d", '"h"', '"x,y"', "é"]
FIELD_LISTS = ["p{d}q", "p", '"p"{d}q', "p{d}g{{r{d}s}}", "p{d}p"]


@st.composite
def arrays_and_tables(draw: st.DrawFn) -> str:
    """A list of items with arrays and tables in them, most of which are alike."""
    symbol = draw(st.sampled_from(["", "", "|", "\t"]))
    delimiter = symbol or ","
    plain = [["x", "1", '"p,q|r"'], ["x", "yy"], ["1", "2.5", "-1"], ['"a"', "null"]]
    cells = draw(st.sampled_from([CELLS_OF_ARRAYS, *plain]))
    kinds = st.sampled_from(["array", "table", "token", "object"])
    shape = draw(st.dictionaries(st.sampled_from(HEADS), kinds, min_size=1, max_size=3))
    field_list = draw(st.sampled_from(FIELD_LISTS)).format(d=delimiter)
    width = 1 + field_list.count(delimiter)

    def row(size: int) -> str:
        return delimiter.join(draw(st.sampled_from(cells)) for _ in range(size))

    def odd() -> bool:
        return draw(st.integers(0, 40)) == 23  # not 0, which Hypothesis likes to draw

    def lines_of(head: str, kind: str, size: int) -> list[str]:
        declared = size + odd()
        if kind == "array":
            return [f"{head}[{declared}{symbol}]: {row(size)}" if size else f"{head}: []"]
        if kind == "table":
            rows = [" " * (2 + 2 * odd()) + row(width + odd()) for _ in range(size)]
            return [f"{head}[{declared}{symbol}]{{{field_list}}}:", *rows]
        return [f"{head}: {draw(st.sampled_from(cells))}" if kind == "token" else f"{head}:"]

    items = []
    rows_of_tables = draw(st.integers(1, 2))
    for _ in range(draw(st.integers(4, 9))):
        lines = []
        for head, kind in shape.items():
            size = rows_of_tables if kind == "table" else draw(st.integers(0, 2))
            lines += lines_of(draw(st.sampled_from(HEADS)) if odd() else head, kind, size)
            lines += ["  z: 1"] * (kind == "object")
        items += ["  - " + lines[0], *("    " + line for line in lines[1:])]
        items += ["    # c"] * odd() + [""] * odd()
    count = sum(line.startswith("  - ") for line in items)
    return "\n".join([f"k[{count}]:", *items, *draw(st.sampled_from([[], [""], ["z: 1"]]))])


@pytest.mark.rest
@pytest.mark.parametrize("parse_float", [None, Decimal])
@settings(max_examples=100)
@given(
    text=arrays_and_tables(),
    strict=st.booleans(),
    spec=st.sampled_from(["4.4", "3.3"]),
    damage=st.booleans(),
    data=st.data(),
)
def test_items_with_arrays_and_tables_are_read_like_single_ones(
    parse_float: Any, text: str, strict: bool, spec: str, damage: bool, data: st.DataObject
) -> None:
    assert_read_alike(data.draw(damaged(text)) if damage else text, strict, parse_float, spec)


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


def test_one_item_of_many_with_a_value_and_fields_is_found() -> None:
    text = "k[5]:" + "\n  - a:\n      b: 1" * 4 + "\n  - a: 2\n      b: 1"

    with pytest.raises(toon.ToonDecodeError, match="line 11"):
        toon.decode(text)


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
