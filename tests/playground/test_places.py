"""Where two texts hold the same key or value: every partner is proven, and every leaf has one."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import damaged, delimiters, indents, values
from toon.codec.numbers import exact_number
from toon.codec.text import DELIMITER_NAMES, parse_token, read_key
from toon.formats import FORMATS
from toon.playground.detection import guess_dialect
from toon.playground.panes import Options
from toon.playground.places import places
from toon.values.equality import is_same_leaf
from toon.values.json_text import parse_json
from toon.values.paths import pattern_text

DEFAULT = Options()


def units(text: str, start: int, end: int) -> str:
    """A part of a text, by UTF-16 units."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def pairs(json_text: str, toon_text: str, options: Options = DEFAULT) -> list[tuple[str, str, str]]:
    """Each place of the JSON in the order of the text: its path, its text, its partner's."""
    both = places(json_text, toon_text, options)

    def path(node: int) -> str:
        above = path(both["parents"][node]) if node else ""
        return above + both["steps"][node]

    there = [both["toon"][at : at + 4] for at in range(0, len(both["toon"]), 4)]
    pairs = []
    for at in range(0, len(both["json"]), 4):
        start, end, node, partner = both["json"][at : at + 4]
        texts = units(json_text, start, end), units(toon_text, *there[partner][:2])
        pairs.append((path(node) or "$", *texts))
    for index, (_, _, node, first) in enumerate(there):
        assert both["json"][4 * first + 2 : 4 * first + 4] == [node, index]
    return pairs


def encode_pairs(value: Any, options: Options = DEFAULT) -> list[tuple[str, str, str]]:
    """The same of a value as the editors write it."""
    return pairs(json.dumps(value, ensure_ascii=False), options.toon.dumps(value), options)


def test_fields_and_lists() -> None:
    value = {"a": {"x": 1}, "a b": [[1, "😀"], [], {}, {"z": True, "w": [1]}], "e": {}, "l": []}

    assert encode_pairs(value) == [
        ("a", '"a"', "a"), ("a.x", '"x"', "x"), ("a.x", "1", "1"), ('["a b"]', '"a b"', '"a b"'),
        ('["a b"][0][0]', "1", "1"), ('["a b"][0][1]', '"😀"', "😀"), ('["a b"][1]', "[]", "[0]"),
        ('["a b"][2]', "{}", "-"), ('["a b"][3].z', '"z"', "z"), ('["a b"][3].z', "true", "true"),
        ('["a b"][3].w', '"w"', "w"), ('["a b"][3].w[0]', "1", "1"), ("e", '"e"', "e"),
        ("e", "{}", ":"), ("l", '"l"', "l"), ("l", "[]", "[]"),
    ]  # fmt: skip


def test_the_keys_of_rows_stand_in_the_header() -> None:
    rows = [{"id": 1, "at": {"x": "a,b", "y.z": 5}}, {"id": 2, "at": {"x": "", "y.z": None}}]

    assert encode_pairs({"rows": rows}) == [
        ("rows", '"rows"', "rows"), ("rows[0].id", '"id"', "id"), ("rows[0].id", "1", "1"),
        ("rows[0].at", '"at"', "at"), ("rows[0].at.x", '"x"', "x"),
        ("rows[0].at.x", '"a,b"', '"a,b"'), ('rows[0].at["y.z"]', '"y.z"', "y.z"),
        ('rows[0].at["y.z"]', "5", "5"), ("rows[1].id", '"id"', "id"), ("rows[1].id", "2", "2"),
        ("rows[1].at", '"at"', "at"), ("rows[1].at.x", '"x"', "x"), ("rows[1].at.x", '""', '""'),
        ('rows[1].at["y.z"]', '"y.z"', "y.z"), ('rows[1].at["y.z"]', "null", "null"),
    ]  # fmt: skip


def test_a_keyed_table() -> None:
    assert encode_pairs({"k": {"p": {"u": 1}, "q r": {"u": 2}}}, Options("pipe", 4)) == [
        ("k", '"k"', "k"), ("k.p", '"p"', "p"), ("k.p.u", '"u"', "u"), ("k.p.u", "1", "1"),
        ('k["q r"]', '"q r"', '"q r"'), ('k["q r"].u', '"u"', "u"), ('k["q r"].u', "2", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("toon", "expected"),
    [
        ("x: 1 # no\n\n# comment\ny:  2 ", [("x", "x", "1 # no"), ("y", "y", "2")]),
        ("\ufeffy: 2.0\r\n", [("y", "y", "2.0")]), ("y: 3", [("y", "y", "")]),
        ('y: "2"', [("y", "y", "")]), ("y[1]: 2", [("y", "y", "")]), ("z: 2", []),
        ("[1]{y}:\n  2", []),
    ],
)  # fmt: skip
def test_a_partner_has_the_same_path_and_decodes_to_the_same(
    toon: str, expected: list[tuple[str, str, str]]
) -> None:
    rows = pairs('{"x": "1 # no", "y": 2}', toon)

    values_of = {path: there for path, here, there in rows if here[1:-1] != path}
    keys = [(path, there) for path, here, there in rows if here[1:-1] == path]
    assert [(path, key, values_of.get(path, "")) for path, key in keys] == expected


def test_of_repeated_keys_the_last_has_the_partner() -> None:
    text = '{"a": {"x": 1, "y": 2}, "b": 3, "a": {"y": 4}}'
    both = places(text, "a:\n  y: 4\nb: 3", Options())

    assert [units(text, *both["json"][at : at + 2]) for at in range(0, 20, 4)] == [
        '"b"', "3", '"a"', '"y"', "4",
    ]  # fmt: skip
    assert both["json"][0] == 24


@pytest.mark.parametrize(
    ("json_text", "toon_text"), [("{", "a: 1"), ('{"a": 1}', "a 1\nb"), ("", ""), ("{}", "")]
)
def test_what_cannot_be_read_or_is_not_written_has_no_partner(
    json_text: str, toon_text: str
) -> None:
    assert pairs(json_text, toon_text) == []


@pytest.mark.parametrize("name", ["pipe", "vibemcp"])
def test_a_dialect_has_no_partners(name: str) -> None:
    value = {"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}
    assert guess_dialect(FORMATS[name].dumps(value)) == name

    assert pairs(json.dumps(value), FORMATS[name].dumps(value)) == []


@given(values, delimiters, indents, st.sampled_from([None, 2]))
def test_every_key_and_every_leaf_has_a_partner_that_decodes_to_the_same(
    value: Any, delimiter: str, indent: int, spaces: int | None
) -> None:
    options = Options(DELIMITER_NAMES[delimiter], indent)
    text = json.dumps(value, indent=spaces)
    read = parse_json(text).value
    rows = pairs(text, options.toon.dumps(read), options)

    expected = [] if read == {} else list(keys_and_leaves(read))
    assert [path for path, _, _ in rows] == [path for path, _, _ in expected]
    for (_, here, there), (_, is_key, wanted) in zip(rows, expected, strict=True):
        assert is_same_leaf(parse_json(here).value, wanted)
        assert is_same_leaf(read_key(there) if is_key else leaf_value(there, wanted), wanted)


def keys_and_leaves(
    value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[str, bool, Any]]:
    """Path, whether it is a key, and what it is, in the order of the text."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield pattern_text((*path, key)), True, key
            yield from keys_and_leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from keys_and_leaves(item, (*path, index))
    else:
        yield pattern_text(path), False, value


def leaf_value(token: str, wanted: Any) -> Any:
    """What a leaf of TOON decodes to; marks of what is empty are as wanted."""
    empty = {"object": (":", "-"), "array": ("[]", "[0]", "[0|]", "[0\t]")}
    if isinstance(wanted, dict | list):
        return wanted if token in empty["object" if wanted == {} else "array"] else token
    return parse_token(token, exact_number)


@given(values, st.data())
def test_partners_in_damaged_texts_decode_to_the_same(value: Any, data: st.DataObject) -> None:
    options = Options(strict=data.draw(st.booleans()))
    toon = data.draw(damaged(options.toon.dumps(value)))

    for _, here, there in pairs(json.dumps(value, ensure_ascii=False), toon, options):
        wanted = parse_json(here).value
        assert (
            wanted in ({}, [])
            or wanted == read_key(there)
            or is_same_leaf(leaf_value(there, wanted), wanted)
        )
