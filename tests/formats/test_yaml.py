"""YAML: the text is PyYAML's own, what it reads is JSON's types alone, and what each byte is.

Simple lines are read to the same value as by the parser.
"""

from decimal import Decimal
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.spans import spans
from tests.strategies import damaged, values
from toon.formats import yaml as yaml_format
from toon.formats.yaml import YAML
from toon.formats.yaml_lines import read_lines
from toon.layout.spans import UnusualText

WIDE = 2**31 - 1

TEXTS: list[tuple[Any, str]] = [
    (None, "null"),
    ("hello", "hello"),
    ("yes", "'yes'"),
    ([], "[]"),
    ([[1, [2]], {}], "- - 1\n  - - 2\n- {}"),
    ({"a": [{"b": 1, "c": [True]}]}, "a:\n- b: 1\n  c:\n  - true"),
    ({"1": "1", "": "", "<<": "="}, "'1': '1'\n? ''\n: ''\n'<<': '='"),
    (["2026-01-02", "12:30:45", "1e5", "0o7", "~"], "\n".join(
        ["- '2026-01-02'", "- '12:30:45'", "- '1e5'", "- '0o7'", "- '~'"])),
    ([1e-7, 1e16, -0.0, 1.5e300], "- 1.0e-07\n- 1.0e+16\n- -0.0\n- 1.5e+300"),
    ([Decimal("1e400"), Decimal("1.50"), 2**70], "- 1.0e+400\n- 1.50\n- 1180591620717411303424"),
    ("a\nb", "'a\n\n  b'"),
    (["\u2028", "\ufeff", "\x00", "\x85"], '- "\\L"\n- "\\uFEFF"\n- "\\0"\n- "\\N"'),
    (["😀", "é", "C:\\Users"], "- 😀\n- é\n- C:\\Users"),
    ("x " * 100 + "x", "x " * 100 + "x"),
    ([{"a": [1]}] * 2, "- a:\n  - 1\n- a:\n  - 1"),  # one object, and no alias
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_what_it_writes_exactly(value: Any, text: str) -> None:
    assert YAML.dumps(value) == text
    assert YAML.loads(text) == value


class Plain(yaml.SafeDumper):
    """PyYAML's dumper with what the format's docstring says is different."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _string(dumper: Any, text: str) -> Any:
    style = '"' if any(c in text for c in "\x85\u2028\u2029") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Plain.add_representer(str, _string)
Plain.add_representer(
    Decimal, lambda dumper, number: dumper.represent_scalar("tag:yaml.org,2002:float", str(number))
)
Plain.add_implicit_resolver(
    "tag:yaml.org,2002:float", yaml_format._NUMBER_1_2, list("-+0123456789.")
)


def pyyamls_text(value: Any) -> str:
    text = yaml.dump(value, Dumper=Plain, sort_keys=False, allow_unicode=True, width=WIDE)
    return str(text).removesuffix("\n").removesuffix("\n...")


# What YAML takes for something else than a string, what it quotes, and what it asks a "?" for.
WORDS = [
    *["yes", "No", "oN", "off", "TRUE", "False", "null", "Null", "nULL", "~", "y", "N", "=", "<<"],
    *["2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05.6 +7", "12:30:45", "1:60"],
    *["1e5", "1.e5", ".5", "0o7", "0x1F", "0b1", "010", "1_0", "+.inf", ".NaN", "+1", "-0", "1 2"],
    *["a: b", "a:", ":a", "::", "a #b", "a#b", "#", "- a", "-a", "? a", "?a", "%a", "@a", "&a"],
    *["*a", "!a", "|", ">", "[a", "{a", "a]", "a}", "a, b", "'a'", 'a"b', "it's", "---", "--- a"],
    *["...", "....", "---a", "a ", "a  b", "a \nb", "a\n b", "a\n\nb", "\na", "a\n", ": 0\n? a"],
    *["a: 0\nb: 0", "a\tb", "a\rb", "a\x85b", "\u2028", "\ufeff", "\ufffe", "\x7f", "\xa0", "ﬀ"],
    *["ſ", "K", "é" * 63, "é" * 64, "é" * 65, "x" * 127, "x" * 128, "x" * 129, "x y" * 43, "😀"],
]  # fmt: skip
nasty = st.one_of(
    st.sampled_from(WORDS),
    st.lists(st.sampled_from([*WORDS, " ", "\n", "/", "(", "0", "a"]), max_size=4).map("".join),
    st.text(alphabet="aeT0159:-#+._/(' \"\n", max_size=9),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=3),
)
nested = st.recursive(
    st.one_of(nasty, st.sampled_from([None, True, 0, -1.5, 1e300, Decimal("1.50")])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(nasty, inner, max_size=4)),
    max_leaves=12,
)


@pytest.mark.parametrize("libyaml", [True, False])
@given(value=st.one_of(values, nested))
def test_the_text_is_pyyamls_and_lossless(libyaml: bool, value: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not libyaml:
            patch.setattr(yaml_format, "_DUMPER", yaml.SafeDumper)
            patch.setattr(yaml_format, "_LOADER", yaml.SafeLoader)
        text = YAML.dumps(value)

        assert text == pyyamls_text(value)
        assert YAML.loads(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 2026-01-02", {"a": "2026-01-02"}),
        ("1: x\ntrue: y", {"1": "x", "true": "y"}),
        ("{a: [1, 1e5], b: ~}", {"a": [1, 100000.0], "b": None}),
        ("- 0x10\n- 010\n- 1_000\n- .5\n- Yes\n- 0o7", [16, 8, 1000, 0.5, True, "0o7"]),
        ("a: |\n  x: y\n  z\n", {"a": "x: y\nz\n"}),
        ("<<: 1", {"<<": 1}),
        ("- 0x" + "f" * 300, [16**300 - 1]),
    ],
)
def test_yaml_of_other_writers_is_read_as_json_types(text: str, value: Any) -> None:
    assert YAML.loads(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: {a: 1}\na: 2", "line 3, column 1: key 'a' appears again"),
        ("1: a\n'1': d", "line 2, column 1: key '1' appears again"),
        ("", "the text is empty"),
        ("# nothing", "the text is empty"),
        ("--- 1\n--- 2", "more than one YAML document"),
        ("&a [*a]", "alias has no JSON form"),
        ("!!binary aGk=", "tag has no JSON form"),
        ("? [a]\n: 1", "a key that is not text"),
        ("[" * 5000, r"line 1, column (257|1001): nested deeper than 256 levels"),
        ("a:\n " + "- " * 5000, "line 2, column 512: nested deeper than 256 levels"),
        ("a: 1" + ":59" * 200 + ".5", "column 4: 1:59.*603 characters.* has no JSON form"),
    ],
)
def test_what_json_cannot_hold_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        YAML.loads(text)


@pytest.mark.rest
@given(values)
def test_names_and_values_are_those_of_the_events(value: Any) -> None:
    """Independent of the pattern: what the parser says is a scalar is a name or a value, whole."""
    text = YAML.dumps(value)
    parts = spans(text, YAML.layout(text))
    inside = [part for part, kind in parts if kind in ("names", "values")]
    expected = []
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.ScalarEvent):
            raw = text[event.start_mark.index : event.end_mark.index]
            quoted = event.style in ("'", '"')
            expected += [line.strip(" ") for line in (raw[1:-1] if quoted else raw).split("\n")]

    assert "".join("".join(inside).split()) == "".join("".join(expected).split())


# -- simple lines ----------------------------------------------------------------------------

READ = [
    ("a: 1", {"a": 1}),
    ("- a\n- 1.50\n- ~\n- Yes\n- -0.5", ["a", 1.5, None, True, -0.5]),
    ("a:\n- b: 1\n  c:\n  - - x\n    - []\nd:\n  e: {}", {
        "a": [{"b": 1, "c": [["x", []]]}], "d": {"e": {}}}),
    ("- - - 1\n  - 2\n- 3", [[[1], 2], 3]),
    ("1: yes\n'no': 'no'\na:b: c:d", {"1": True, "no": "no", "a:b": "c:d"}),
    ("- 'it''s: #1'\n- \"a\\n\\\"b\\\\\"\n- 2026-01-02", ["it's: #1", 'a\n"b\\', "2026-01-02"]),
    ("- é x\n- 日本\n- 😀", ["é x", "日本", "😀"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_simple_lines_say(text: str, value: Any) -> None:
    assert repr(read_lines(text, yaml_format._read_scalar)) == repr(value)
    assert outcome(text, parser=True) == repr(value)


UNUSUAL = [
    "a: 1\nb: 2\na: 3", "", "a", "'a: 1'", "a:", "a: 1\n", "a: 1\n\nb: 2", " a: 1", "a: 1 ",
    "a: 1 # one", "# a", "a: b\n  c", "a: b\n  c: d", "a:\n  - b", "a:\n    b: c", "a:\n   b: c",
    "- a\n b: c", "- a\nb: c", "a: b\n- c", "a: b\n  - c", "- - a\n  b: c", "a:\nb: c",
    "- a:\n  b: c", "-", "a: b: c", "a: [b]", "a: {b: c}", "a : b", "a: *b", "a: !b c",
    "a: |\n  b", "? a\n: b", "--- a", "---\na: b", "a: b\n...", "%A b\n", "a:\tb",
    "a: b\r\nc: d", "a: \x85", "a: \ufeff", "a: 'b\n\n  c'", 'a: "\\x41"', "a: .inf",
    "- " * 300 + "a", "k" * 2000 + ": 1", "a: 'b' c",
]  # fmt: skip


@pytest.mark.parametrize("text", UNUSUAL)
def test_what_is_left_to_the_parser(text: str) -> None:
    with pytest.raises(UnusualText):
        read_lines(text, yaml_format._read_scalar)


def outcome(text: str, *, parser: bool) -> str:
    """The value or the error of ``text``, read by the parser alone or as usual."""

    def refuse(*_: object) -> None:
        raise UnusualText

    with pytest.MonkeyPatch.context() as patch:
        if parser:
            patch.setattr(yaml_format, "read_lines", refuse)
        try:
            return repr(YAML.loads(text))
        except ValueError as error:
            return f"{type(error).__name__}: {error}"


pieces = st.sampled_from(
    [*WORDS, "- ", "-", ": ", ":", " ", "\n", "\n  ", "\n    ", "a", "b: ", "[]", "{}", '"']
)
short = st.lists(st.sampled_from("- : # a1'\"[]\\\n"), max_size=9).map("".join)


@given(st.one_of(values, nested), st.booleans(), st.data())
def test_the_value_or_the_error_is_the_parsers(value: Any, damage: bool, data: Any) -> None:
    text = YAML.dumps(value)
    if damage:
        text = data.draw(damaged(text))

    assert outcome(text, parser=False) == outcome(text, parser=True)


@given(st.one_of(st.lists(pieces, max_size=14).map("".join), short))
def test_any_lines_are_read_as_by_the_parser(text: str) -> None:
    assert outcome(text, parser=False) == outcome(text, parser=True)


@given(st.characters(), st.sampled_from(["a: {}", "a: b{}", "a: {}b", "a{}b: c", "- '{}'"]))
def test_every_character_is_read_as_by_the_parser(character: str, form: str) -> None:
    text = form.format(character)

    assert outcome(text, parser=False) == outcome(text, parser=True)
