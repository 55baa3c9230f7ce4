"""The laws of every format, run over the table; and what each writes, exactly."""

import contextlib
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import damaged, values
from toon.errors import TextError
from toon.formats import BASELINES, FORMATS, RECOMMENDED
from toon.formats.base import NotApplicable, OneWay
from toon.values.equality import differences

VALUE = {"id": 1, "tags": ["a", "é"], "none": None, "deep": {}, "list": []}

TEXTS = {
    "json-pretty": '{\n  "id": 1,\n  "tags": [\n    "a",\n    "é"\n  ],\n  "none": null,\n'
    '  "deep": {},\n  "list": []\n}',
    "json-python": '{"id": 1, "tags": ["a", "\\u00e9"], "none": null, "deep": {}, "list": []}',
    "json-compact": '{"id":1,"tags":["a","é"],"none":null,"deep":{},"list":[]}',
    "json-columns": '{"id":1,"tags":["a","é"],"none":null,"deep":{},"list":[]}',
    "yaml": "id: 1\ntags:\n- a\n- é\nnone: null\ndeep: {}\nlist: []",
    "xml": "<root>\n  <id>1</id>\n  <tags>a</tags>\n  <tags>é</tags>\n  <none/>\n"
    "  <deep/>\n</root>",
    "toon": "id: 1\ntags[2]: a,é\nnone: null\ndeep:\nlist: []",
    "toon-tab": "id: 1\ntags[2\t]: a\té\nnone: null\ndeep:\nlist: []",
    "toon-pipe": "id: 1\ntags[2|]: a|é\nnone: null\ndeep:\nlist: []",
    "tron": '{"id":1,"tags":["a","é"],"none":null,"deep":{},"list":[]}',
    "toon-3": "id: 1\ntags[2]: a,é\nnone: null\ndeep:\nlist: []",
}
TRAPS = [
    "42", "007", "+5", "1e5", ".5", "5.", "0o7", "0x1F", "0b1", "1_000", "12:30:45", "1:2",
    "true", "True", "yes", "no", "on", "off", "y", "n", "null", "Null", "~", "", "=", "<<", "NaN",
    ".nan", ".inf", "2026-01-02", "2026-01-02T03:04:05Z", "- x", "-", "? x", "?", ": x", ":", "# x",
    "a #b", "a: b", "a:", "---", "...", "%x", "@x", "`x", "&a", "*a", "!x", "|", ">-", "[x]", "{}",
    "a|b", "a,b", "a\tb", "a\nb", "a\n", "\na", "\n", " a\n  b", "a\r\nb", "\r", " x", "x ", " ",
    "  a\n b ", "it's", '"q"', "\\", "\\n", "C:\\Users", "\x00", "\x1b", "\x7f", "\x85", "\xa0",
    "\u2028", "a\u2029b", "\ufeff", "\ufeffx", "\ufffe", "\uffff", "é", "日本語", "😀",
    "👩\u200d👧", "\U0010ffff", "<a>", "a&b", "]]>", "x" * 200, "x " * 100,
    "-5", "[]", "a, b", "\u2029", "items", "item", "a[1]", "a[1]{b}", "{", "[", "a\\n", "\tx",
]  # fmt: skip
NUMBERS = [
    0, -1, 2**53 + 1, 2**64, -(10**30), 10**5000, -0.0, 0.1, 1e-7, 1.5e-5, 1e16, 1e22, 1.5e300,
    5e-324, Decimal("1e400"), Decimal("-1E-400"), Decimal("0.1234567890123456789"), Decimal("1.50"),
    Decimal("0E-9"), Decimal("1.5E+30"), Decimal("12345678901234567890.5"),
]  # fmt: skip
LOSSLESS = [format for format in FORMATS.values() if format.lossless]
LOSSY = [format for format in FORMATS.values() if not format.lossless]

formats = st.sampled_from(list(FORMATS.values()))
exact_values = st.one_of(
    values, st.lists(st.decimals(allow_nan=False, allow_infinity=False), max_size=5)
)


def write(format: Any, value: Any) -> str | None:
    """The text, or None where the format says why there is none.

    A lossless one always has one, but for JSON by columns of a value that holds its own form.
    """
    try:
        text: str = format.dumps(value)
    except NotApplicable as error:
        reason = str(error)
    else:
        return text
    assert not format.lossless or (format.name == "json-columns" and "already" in reason)
    assert len(reason) > 10
    return None


def test_the_promised_names_are_there() -> None:
    dialects = {"ticket", "pipe", "vibemcp", "vibemcp-lossless", "compact"}

    assert {*TEXTS, "csv", *dialects} <= FORMATS.keys()
    assert dialects <= {name for name, format in FORMATS.items() if format.dialect}


def test_only_lossless_formats_with_public_libraries_are_recommended() -> None:
    assert set(RECOMMENDED) == {*TEXTS} - {"xml"}


@pytest.mark.parametrize("name", TEXTS)
def test_what_it_writes(name: str) -> None:
    assert FORMATS[name].dumps(VALUE) == TEXTS[name]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_knows_its_own_name_and_says_what_it_is_in_a_line(name: str) -> None:
    assert FORMATS[name].name == name
    assert FORMATS[name].label
    assert FORMATS[name].about.endswith(".")
    assert len(FORMATS[name].about) < 100


@given(st.sampled_from(LOSSLESS), exact_values)
def test_lossless_means_that_every_value_comes_back(format: Any, value: Any) -> None:
    """With its keys in order, but for TRON: objects of the same keys are of one class."""
    changes = differences(value, format.loads(format.dumps(value)))

    assert changes.same
    assert not changes.reordered or format.name == "tron"


@pytest.mark.parametrize("format", LOSSLESS, ids=lambda format: format.name)
def test_traps_come_back_wherever_they_stand(format: Any) -> None:
    for value in [*TRAPS, *NUMBERS, {}, [], [{}], [[]]]:
        places = [value, [value], {"a": value}, {"a": [value]}, {"a": {"b": value}}]
        places += [[[value, value]], [[value, [value]]], [{"a": value, "b": [value]}] * 2]
        places += [[{"a": value}] * 2, [{"a": value}, {}, {"b": value}]]
        if isinstance(value, str):
            places += [{value: 1}, {value: [1]}, {value: {}}, {value: {value: value}}]
            places += [{value: [{value: value}]}, {"a": {value: [value]}}]
            places += [[{value: value}] * 2, [{value: value}, {}], [{value: {}}, {}]]
        for place in places:
            text = format.dumps(place)
            assert str(differences(place, format.loads(text))) == "nothing", text


@given(st.sampled_from(LOSSY), exact_values)
def test_a_lossy_format_still_reads_what_it_wrote(format: Any, value: Any) -> None:
    text = write(format, value)
    if text is not None:
        with contextlib.suppress(OneWay):
            format.loads(text)


@given(formats, exact_values)
def test_a_format_that_loses_nothing_names_no_loss(format: Any, value: Any) -> None:
    if format.lossless:
        assert format.losses(value) == []
    elif write(format, value) is not None:
        assert all(isinstance(loss, str) and loss for loss in format.losses(value))


@pytest.mark.parametrize("name", FORMATS)
def test_256_levels_are_no_trouble(name: str) -> None:
    format, value = FORMATS[name], json.loads('{"a":[' * 128 + "]}" * 128)
    text = write(format, value)

    if text is not None and format.lossless:
        assert differences(value, format.loads(text)).same


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@given(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=["Cs"])),
        st.text(alphabet='aé1|-"[]{}:, \n\r\t\\\f', max_size=40),
    )
)
def test_any_text_is_tiled(format: Any, text: str) -> None:
    assert len(format.layout(text)) == len(text.encode())


@given(formats, exact_values, st.data())
def test_damaged_text_is_tiled_and_refused_with_its_place(
    format: Any, value: Any, data: st.DataObject
) -> None:
    text = data.draw(damaged(write(format, value) or "a"))

    assert len(format.layout(text)) == len(text.encode())
    error = find_refusal(format, text)

    if error is not None and text.strip():
        assert (error.line or 0) >= 1
        assert (error.column or 0) >= 1


def find_refusal(format: Any, text: str) -> TextError | None:
    """The error of a text that is refused; any other than a TextError goes through."""
    try:
        format.loads(text)
    except TextError as error:
        return error
    except OneWay:
        pass
    return None


@given(values | st.floats(allow_nan=False, allow_infinity=False) | st.integers() | st.text())
def test_python_json_is_what_json_dumps_writes(value: Any) -> None:
    """Lone surrogates too, though no JSON text that is read has any."""
    for document in (value, {"ключ": [value, 2**70, 1e16, 1.0, "日本 \ud800 😀\x7f"]}):
        assert FORMATS["json-python"].dumps(document) == json.dumps(document)


@given(values)
def test_json_with_every_digit_differs_from_the_fast_writer_in_nothing_else(value: Any) -> None:
    for name in BASELINES:
        head, _, tail = FORMATS[name].dumps([value, 0]).rpartition("0")

        for odd in (2**70, Decimal("0.1234567890123456789")):
            assert FORMATS[name].dumps([value, odd]) == f"{head}{odd}{tail}"


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("yaml", "# a\n  # b", (2, 6), "no YAML here: the text is empty"),
        ("yaml", "a: 1\nb: [", (2, 5), "not YAML: "),
        ("yaml", "a: 1\nb: *x", (2, 4), "a YAML alias has no JSON form"),
        ("yaml", "a: 1\nb: .nan", (2, 4), ".nan has no JSON form"),
        ("xml", "<a>\n  <b></c>\n</a>", (2, 8), "not XML: mismatched tag"),
        ("xml", "", (1, 1), "not XML: no element found"),
        ("xml", '<!DOCTYPE a\n[<!ENTITY b "c">]><a/>', (2, 2), "XML that declares entities"),
        ("xml", "<a>\n\ud800</a>", (2, 1), "a surrogate is not a character"),
        ("csv", "a,b\n1,2,3", (2, 1), "row 1 has 3 cells, the header 2"),
        ("csv", "a,b,a\n1,2,3", (1, 1), "two columns are named 'a'"),
        ("csv", 'a\n"1', (2, 1), "not CSV: "),
        ("csv", 'a,b\n"1\n1",2\n3', (4, 1), "row 2 has 1 cell, the header 2"),
        ("csv", 'a\n"1"2', (2, 1), "not CSV: "),
    ],
)
def test_where_yaml_xml_and_csv_are_damaged(
    name: str, text: str, place: tuple[int, int], message: str
) -> None:
    error = find_refusal(FORMATS[name], text)

    assert error is not None
    assert (error.line, error.column) == place
    assert error.message.startswith(message)
    assert error.source == text.split("\n")[place[0] - 1]
