"""Streaming gives the same lines, elements and errors as whole documents, in constant memory."""

from collections import OrderedDict
from itertools import chain, islice
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toon
from tests.strategies import damaged, delimiters, indents, scalars, uniform_rows, values
from tests.work import peak_memory
from toon.codec import parts, writing
from toon.formats.json import JSON_COMPACT, JSON_PRETTY, JSON_PYTHON
from toon.formats.toon import TOON, ToonFormat
from toon.text import Notices

arrays = st.one_of(uniform_rows(), st.lists(values, max_size=8), st.lists(scalars, max_size=8))


@pytest.fixture(params=[2, 1024])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that every document has several, and blocks of the real size."""
    monkeypatch.setattr(writing, "BLOCK", request.param)
    monkeypatch.setattr(parts, "BLOCK_LINES", request.param)


any_blocks = pytest.mark.usefixtures("blocks")
shared_fixture = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@any_blocks
@shared_fixture
@given(st.one_of(values, arrays), delimiters, indents)
def test_streamed_lines_equal_the_document(value: Any, delimiter: str, indent: int) -> None:
    options: dict[str, Any] = {"delimiter": delimiter, "indent_size": indent}

    assert "\n".join(toon.encode_lines(value, **options)) == toon.encode(value, **options)


@pytest.mark.rest
@any_blocks
@shared_fixture
@given(st.one_of(values, arrays), st.randoms(use_true_random=False))
def test_values_of_other_types_are_streamed_as_they_are_encoded(value: Any, random: Random) -> None:
    """Wherever they are: the lines before them are those of the normalised value too."""
    other = disguise(value, random)

    assert "\n".join(toon.encode_lines(other)) == toon.encode(value) == toon.encode(other)


def disguise(value: Any, random: Random) -> Any:
    """``value`` with some of its containers and strings as types that have to be normalised."""
    if isinstance(value, list):
        value = [disguise(item, random) for item in value]
    elif isinstance(value, dict):
        value = {key: disguise(item, random) for key, item in value.items()}
    other = {list: tuple, dict: OrderedDict, str: Text}.get(type(value))
    return other(value) if other and random.random() < 0.2 else value


@any_blocks
@pytest.mark.parametrize(
    "value",
    [
        [{"a": 1}, {"a": 2}, {"a": 3}, OrderedDict(a=4)],
        [*[{"a": {"b": n}} for n in range(3)], {"a": OrderedDict(b=4)}],
        {"first": {"a": 1}, "second": OrderedDict(a=2)},
    ],
)
def test_another_type_does_not_decide_on_the_form(value: Any) -> None:
    """A table stays one, though its header is written before the last of its rows."""
    lines = list(toon.encode_lines(value))

    assert "\n".join(lines) == toon.encode(value)
    assert "{" in lines[0]


class Text(str):
    """A string of another type."""


@pytest.mark.rest
@any_blocks
@shared_fixture
@given(arrays, delimiters, indents, st.booleans(), st.data())
def test_streamed_elements_equal_the_document(
    value: Any, delimiter: str, indent: int, strict: bool, data: st.DataObject
) -> None:
    text = toon.encode(value, delimiter=delimiter, indent_size=indent)
    if data.draw(st.booleans()):
        text = data.draw(damaged(text))

    at_once = decode_all(text, indent, strict)
    if at_once is not None:
        assert stream(text, indent, strict) == at_once


def decode_all(text: str, indent: int, strict: bool) -> str | None:
    """The result of decode as text; None if it is not an array."""
    try:
        value = toon.decode(text, indent_size=indent, strict=strict)
    except toon.ToonDecodeError:
        return "refused"
    return repr(value) if isinstance(value, list) else None


def stream(text: str, indent: int, strict: bool) -> str:
    try:
        return repr(list(toon.decode_lines(text.split("\n"), indent_size=indent, strict=strict)))
    except toon.ToonDecodeError:
        return "refused"


@pytest.mark.rest
@any_blocks
@shared_fixture
@given(st.one_of(values, arrays, st.dictionaries(st.text(max_size=3), arrays, max_size=4)), indents)
def test_parts_give_the_json_of_the_document(value: Any, indent: int) -> None:
    format = ToonFormat("toon", "TOON", ",", indent)
    text = format.dumps(value)

    for whole_text in (text, "\ufeff" + text.replace("\n", "\r\n") + "\r\n"):
        lines, whole = whole_text.split("\n"), format.read(whole_text)
        for json_format in (JSON_PRETTY, JSON_COMPACT, JSON_PYTHON):
            notices = Notices()
            pieces = list(json_format.writer.write(format.parts(lines, notices)))
            assert "".join(pieces) == json_format.dumps(whole.value)
            assert tuple(notices) == whole.notices


_LONG: Final = {
    "first": {"a": {"b": [{"c": n, "d": {"e": "x"}} for n in range(8)], "f": 1}},
    "rows": [{"id": n, "name": f"n{n}"} for n in range(9)],
    "keyed": {f"k{n}": {"x": n, "y": None} for n in range(7)},
    "last": [1, 2],
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("last[2]: 1,2", "last[2]: 1,2,3"), ("last[2]: 1,2", "rows: 1"),
        ("last[2]: 1,2", "first:\n  a: 1"), ("  k6: 6,null", "  k0: 6,null"),
        ("  k6: 6,null", "  k6: 6"), ("  8,n8", "  8,n8\n  9,n9"), ("  8,n8", "# 8,n8"),
        ("  8,n8", "\n  8,n8"), ("  8,n8", "    8,n8"), ("  8,n8", '  8,"n8'),
        ("    f: 1", "    b: 1"), ("    f: 1", "      f: 1"), ("    f: 1", "    f"),
        ("    f: 1", "\tf: 1"), ("    b[8]", "      b[8]"), ("  a:\n", "  a: 1\n"),
        ("rows[9]{id,name}:", "rows[9]{id,name}: x"), ("rows[9]{id,name}:", "[9]{id,name}:"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("block", [1, 2, 3, 5, 8, 1024])
def test_an_error_in_a_part_is_that_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, block: int, old: str, new: str
) -> None:
    monkeypatch.setattr(parts, "BLOCK_LINES", block)
    text = toon.encode(_LONG)
    assert text.count(old) == 1
    text = text.replace(old, new)

    with pytest.raises(toon.ToonDecodeError) as whole:
        TOON.read(text)
    with pytest.raises(toon.ToonDecodeError) as caught:
        list(TOON.parts(text.split("\n"), Notices()))
    assert caught.value.as_dict() == whole.value.as_dict()


def test_a_wrong_count_is_raised_at_the_end() -> None:
    rows = toon.decode_lines(["[3]{a}:", "  1", "  2"])

    assert [next(rows), next(rows)] == [{"a": 1}, {"a": 2}]
    with pytest.raises(toon.ToonDecodeError, match="header declares 3 rows, found 2"):
        next(rows)


def test_a_root_that_is_not_an_array_is_refused() -> None:
    with pytest.raises(toon.ToonDecodeError, match="the root is not an array"):
        list(toon.decode_lines(["a: 1"]))


def test_a_value_that_cannot_be_encoded_is_refused_with_its_path() -> None:
    with pytest.raises(toon.EncodeError, match=r"\$\[1\]\.b: set is not a JSON value"):
        list(toon.encode_lines([{"a": 1}, {"b": {1}}]))
    with pytest.raises(toon.EncodeError, match=r"\$\[0\]: lone surrogate"):
        list(toon.encode_lines(["\ud800", {1}], default=list))


@pytest.mark.rest
def test_memory_does_not_grow_with_the_rows() -> None:
    """Ten times as many rows need less than 1.5 times the memory."""
    few, many = [peak_memory(_decode_rows, count) for count in (10_000, 100_000)]

    assert (few[0], many[0]) == (49_995_000, 4_999_950_000)
    assert many[1] < 1.5 * few[1]


def _decode_rows(count: int) -> int:
    rows = (f"  {i},name {i},{i}.5" for i in range(count))
    return sum(
        row["id"] for row in toon.decode_lines(chain([f"[{count}]{{id,name,score}}:"], rows))
    )


@pytest.mark.rest
def test_encoding_holds_only_a_block_of_text() -> None:
    rows = [{"id": i, "name": "name"} for i in range(200_000)]
    length, peak = peak_memory(_encode_rows, rows)

    assert length == len(toon.encode(rows))
    assert peak < length / 4


def _encode_rows(rows: list[Any]) -> int:
    return sum(len(line) + 1 for line in toon.encode_lines(rows)) - 1


def test_lines_end_at_a_value_that_cannot_be_encoded() -> None:
    lines = toon.encode_lines([[0]] * 1024 + [[{1}]])  # the second block has an item of its own

    assert list(islice(lines, 1025)) == ["[1025]:", *["  - [1]: 0"] * 1024]
    with pytest.raises(toon.EncodeError, match=r"\$\[1024\]\[0\]: set is not a JSON value"):
        next(lines)


def test_values_are_normalised_while_streaming() -> None:
    assert list(toon.encode_lines({"x": 1, "a": (1, 2)})) == ["x: 1", "a[2]: 1,2"]
    assert list(toon.encode_lines([{1}], default=sorted)) == ["[1]:", "  - [1]: 1"]
    with pytest.raises(ValueError, match="delimiter must be"):
        toon.encode_lines([], delimiter=";")


def test_a_line_that_cannot_be_prepared_has_its_number_in_the_whole_document() -> None:
    rows = ["  1"] * (2 * parts.BLOCK_LINES)

    with pytest.raises(toon.ToonDecodeError, match="indent") as caught:
        list(toon.decode_lines([f"[{len(rows) + 1}]{{a}}:", *rows, "   1"]))
    assert caught.value.line == len(rows) + 2


@any_blocks
def test_a_list_that_starts_too_deep_is_read_as_a_whole() -> None:
    lines = ["[3]:", "    - 1", "    - 2", "    - 3"]
    assert list(toon.decode_lines(lines, strict=False)) == [1, 2, 3]

    with pytest.raises(toon.ToonDecodeError, match="less than the first line") as caught:
        list(toon.decode_lines([*lines, "  - 4"], strict=False))
    assert caught.value.line == 5


@any_blocks
def test_tabs_are_read_as_in_a_whole_document() -> None:
    element = ["  - a:", "      x: 1", "\t", "\t\t\ty: 2", "  \tz: 3"]

    for before in (0, 1):  # each line ends a block once
        lines = ["[3]:", *["  - 0"] * before, *element, *element, "\t"]
        items = list(toon.decode_lines(lines, strict=False))
        assert items == toon.decode("\n".join(lines), strict=False)
        assert items[before:] == [{"a": {"x": 1, "y": 2}, "z": 3}] * 2
    with pytest.raises(toon.ToonDecodeError, match="tab in the indentation"):
        list(toon.decode_lines(lines))
    with pytest.raises(toon.ToonDecodeError, match="tab in the indentation"):
        list(toon.decode_lines(["[1]:", "  - 1", "\t"]))
