"""Texts that hold a JSON value all the same: what is offered for them, and what comes of it."""

import json
from contextlib import nullcontext, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from toon.errors import FormatError, TextError
from toon.playground import foreign, literals
from toon.playground.editors import convert
from toon.playground.foreign import KINDS, Offer, advise, read_pasted
from toon.playground.panes import Options, Pane
from toon.playground.rewrite import Obstacle, minify
from toon.values.json_text import parse_json


def read(name: str, text: str) -> str:
    return read_pasted(name, text).text


def advice(text: str) -> tuple[list[Offer], str | None]:
    """What the editor offers for a text that is no JSON, and its hint."""
    with pytest.raises(TextError) as raised:
        parse_json(text)
    return advise(text, raised.value)


def offer_names(text: str) -> list[str]:
    """The names of the conversions offered, each of which gives JSON."""
    names = [offer["name"] for offer in advice(text)[0]]
    for name in names:
        parse_json(read(name, text))
    return names


# -- what is converted ---------------------------------------------------------------------------


def test_json_lines_become_an_array_and_stay_as_typed() -> None:
    text = '\ufeff{"a": 1.0}\r\n\n  [1e400, "\\u00e9"] \n"x"\n'

    assert offer_names(text) == ["lines"]
    assert read("lines", text) == '[\n{"a": 1.0},\n[1e400, "\\u00e9"],\n"x"\n]'


@pytest.mark.parametrize("text", ['{"a": 1}\n{"a":', '{"a": 1} {"a": 2}'])
def test_lines_that_are_not_each_json_are_not_offered(text: str) -> None:
    assert offer_names(text) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{'a': True, 'b': None}", '{"a":true,"b":null}'),
        ("{2: (1, 2), 2.5: -1, None: 1.0, True: ()}", '{"2":[1,2],"2.5":-1,"null":1.0,"true":[]}'),
        ('{"it\'s": False,  # so it is\n}', '{"it\'s":false}'),
        ("data = {u'\\xe9': r'\\d', 'n': 0x10}", '{"é":"\\\\d","n":16}'),
        (
            "[123456789012345678901234567890, 'a' 'b', 1_000]",
            '[123456789012345678901234567890,"ab",1000]',
        ),
    ],
)
def test_a_python_literal_becomes_what_python_would_write(text: str, written: str) -> None:
    assert offer_names(text)[0] == "python"
    assert minify(read("python", text)) == written


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b-c': \"x\", $d: [1, 2,],}", {"a": 1, "b-c": "x", "$d": [1, 2]}),
        ('{"a": 1, // one\n "b": /* two */ 2}', {"a": 1, "b": 2}),
        ("export const data = {a: .5, b: +1, c: 0xff};", {"a": 0.5, "b": 1, "c": 255}),
        ("module.exports = {a: 12345678901234567890}", {"a": 12345678901234567890}),
        ('{"a": [1, 2, 3,]}', {"a": [1, 2, 3]}),
        ('{"a":\u00a01}', {"a": 1}),
    ],
)
def test_a_javascript_literal_is_read_as_json5(text: str, value: Any) -> None:
    assert offer_names(text) == ["javascript"]
    assert parse_json(read("javascript", text)).value == value


def test_two_readings_are_both_offered() -> None:
    """An escape that means something else in each language."""
    text = r"{'a': '\a'}"

    assert offer_names(text) == ["python", "javascript"]
    assert read("python", text) == '{\n  "a": "\\u0007"\n}'
    assert read("javascript", text) == '{\n  "a": "a"\n}'


def test_nothing_is_offered_for_what_is_only_broken() -> None:
    broken = ["", " ", "hello", "[1,,2]", '{"a": 1 "b": 2}', '{"a": "C:\\dir"}', "<a><b>1</b>"]
    for text in broken:
        assert advice(text) == ([], None), text


def test_the_hint_names_the_kind_where_the_text_does_not_begin_as_json() -> None:
    assert advice("data = {'a': 1}")[1] == "this looks like a Python literal"
    assert advice("{'a': 1}")[1] is None


# -- what is in the way --------------------------------------------------------------------------


NO_NUMBER = "is not JSON; JSON has no such number: write null or a string"
NO_FORM = "has no JSON form: write text or null"


@pytest.mark.parametrize(
    ("text", "kind", "obstacle"),
    [
        ("{'a': nan}", "Python", f"nan (line 1) {NO_FORM}"),
        ("[\n 'a', date(2026, 1, 2)]", "Python", f"date (line 2) {NO_FORM}"),
        ("['<==', f(1, tzinfo=utc)]  # <==", "Python", f"f (line 1) {NO_FORM}"),
        ("{'a': {1, 2}}", "Python", "a value of type set has no JSON form"),
        ("{'a': 1e999}", "Python", f"Infinity {NO_NUMBER}"),
        ("{a: NaN}", "JavaScript", f"NaN {NO_NUMBER}"),
        ("{a: undefined}", "JavaScript", "undefined has no JSON form: write null"),
        ("[{'a': 1}, {'a': 1, 'a': 2}]", "Python", "the key a stands twice"),
        ("{1: 'a', '1': 'b'}", "Python", "the key 1 stands twice"),
        ("{'1': 'a', 1: 'b'}", "Python", "the key 1 stands twice"),
        ("{1: 'a', True: 'b'}", "Python", "the key true stands twice"),
        ("{a: {a: 1}, b: 1, a: 2}", "JavaScript", "the key a stands twice"),
    ],
)
def test_what_json_cannot_hold_is_named(text: str, kind: str, obstacle: str) -> None:
    hint = f"this looks like a {kind} literal, but {obstacle}"
    assert advice(text) == ([], hint)


def test_a_body_in_chunks_is_named() -> None:
    assert advice("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\n7\n0")[1] == (
        "this looks like an HTTP message, but its body came in chunks, whose sizes stand between "
        "them"
    )


def test_a_text_past_the_limit_is_not_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MOST_CHARACTERS", 10)
    monkeypatch.setattr(literals, "MOST_PIECES", 5)

    assert offer_names("{'a': 123}") == ["python"]
    assert advice("{'a': 1234}") == ([], None)
    with pytest.raises(FormatError, match=r"^longer than 10 characters: too long to convert$"):
        read("python", "{'a': 1234}")
    assert read("python", "['1<<<']")
    assert read("python", "-123.25")
    for text in ("[1,2,3,4]", "()()()", "[1,(),2]", "['','',1]#"):
        with pytest.raises(FormatError, match=r"^more than 5 values and signs: too many"):
            read("python", text)
    for text in ("[1<2,3,4,5", "['<',1==1", "f'',1,2,3,"):  # refused before they are counted
        with pytest.raises(FormatError, match=r"^this is not a Python literal$"):
            read("python", text)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000, "['" * 100_000, "-" * 100_000 + "1", "1+" * 50_000 + "1", "{a:" * 100_000,
        "a" + ".b" * 100_000, "[(" * 99 + "'" * 5, "{'a': 1}\0", "{'a': '\ud800'}", "9" * 100_000,
        "{1:'" + "9" * 100_000, "0x" + "f" * 100_000, "'" * 99_999, "\\" * 99_999, "/*" * 50_000,
        "curl '" * 10_000, 'curl "' + "\\" * 99_999, "curl $'" + "\\uffff" * 10_000, "\n" * 100_000,
        "curl -d $'\\U99999999'", "curl -d", "curl -d @", "[1]\n" * 10_000 + "[" * 100_000,
        "[True<" + "1<" * 200_000 + "1]", "[" + "\\'" * 200_000, "'''" + "\\'''" * 100_000,
        "a: 1\n" + "[1]{" * 50_000, "```" + " " * 99_999 + "`", 'see [1,' + '{"a":1},[' * 20_000,
        "curl <<a" * 20_000, " " * 100_000, "<a>" * 50_000, "{\"k\":'" * 9_999, "[1]}" * 9_999,
    ],
)  # fmt: skip
def test_hostile_texts_are_refused(name: str, text: str) -> None:
    with pytest.raises(FormatError):
        read(name, text)


# -- laws ----------------------------------------------------------------------------------------


@pytest.mark.rest
@given(strategies.values)
def test_what_python_prints_comes_back(value: Any) -> None:
    back = json.loads(read("python", repr(value)))

    assert repr(back) == repr(value)


@pytest.mark.rest
@given(st.lists(strategies.values, min_size=2, max_size=4))
def test_json_lines_come_back(values: list[Any]) -> None:
    text = "\n".join(map(json.dumps, values))

    assert repr(json.loads(read("lines", text))) == repr(values)


@pytest.mark.rest
@given(strategies.values)
def test_json_is_a_javascript_literal_too(value: Any) -> None:
    text = json.dumps(value)

    assert json.loads(read("javascript", text)) == json.loads(text)


_KEYS = st.sampled_from(
    [("a", "a"), ("b", "b"), ("'a'", "a"), (r'"\u0061"/*:*/', "a"), ("/*{b:*/':'//'\n", ":")]
)
_VALUES = st.sampled_from([("1", False), ("'{a:'", False), (r'"\"" //",a:' "\n", False)])


def _array(items: list[tuple[str, bool]]) -> tuple[str, bool]:
    return f"[{','.join(text for text, _ in items)}]", any(twice for _, twice in items)


def _object(pairs: list[tuple[tuple[str, str], tuple[str, bool]]]) -> tuple[str, bool]:
    names = [name for (_, name), _ in pairs]
    text = ",".join(f"{key}:{value}" for (key, _), (value, _) in pairs)
    return f"{{{text}}}", len(set(names)) < len(names) or any(twice for _, (_, twice) in pairs)


_LITERALS = st.recursive(
    _VALUES,
    lambda inside: (
        st.lists(inside, max_size=3).map(_array)
        | st.lists(st.tuples(_KEYS, inside), max_size=3).map(_object)
    ),
)


@given(_LITERALS)
def test_a_javascript_literal_with_a_repeated_key_is_refused_and_no_other(
    literal: tuple[str, bool],
) -> None:
    text, twice = literal
    with pytest.raises(Obstacle, match=r"stands twice$") if twice else nullcontext():
        read("javascript", text)


_PARTS = st.sampled_from(
    ["{", "}", "[", "]", "(", ")", "'", '"', ",", ":", "1", "a", "True", "\n", "\\", "//", "#", "-",
     "curl ", "-d ", "--json", "$'", "\\u", "^", "@", " ", "é", "\ud800", "\0", "=", "nan"]
)  # fmt: skip
_FOREIGN = strategies.values.map(repr) | st.lists(strategies.values).map(
    lambda values: "\n".join(map(json.dumps, values))
)


@pytest.mark.rest
@given(st.text() | st.lists(_PARTS).map("".join) | _FOREIGN.flatmap(strategies.damaged))
def test_advice_never_raises_and_an_offer_never_fails(text: str) -> None:
    try:
        parse_json(text)
    except TextError as error:
        for offer in advise(text, error)[0]:
            parse_json(read(offer["name"], text))
    for name in KINDS:
        with suppress(FormatError):
            parse_json(read(name, text))


HERE = "curl x -d @- <<'EOF'\n{\"a\":\n1}\nEOF\n"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIiwibiI6MX0.abc-_"
VERBOSE = """* Trying
> POST /x HTTP/1.1
> Host: a
>
< HTTP/1.1 200 OK
<
{ [5 bytes data]
{"a": 1}
* Connection left"""
AROUND = "the text around it is left out"
UNTYPED = "has no types: cells like 12 or true are numbers and booleans"


@pytest.mark.parametrize(
    ("text", "name", "json_text", "note"),
    [
        ("a: 1", "toon", '{"a":1}', ""),
        ("[2]: 1,2", "toon", "[1,2]", ""),
        ("[2]{a,b}:\n  1,2\n  3,4", "toon", '[{"a":1,"b":2},{"a":3,"b":4}]', ""),
        ("# c\na: 1\nb:\n  - x\n  - {y: 2}\n", "yaml", '{"a":1,"b":["x",{"y":2}]}', ""),
        ("id,n\n1,Ada\n02,true\n", "csv", '[{"id":1,"n":"Ada"},{"id":"02","n":true}]',
         f"CSV {UNTYPED}"),
        ("a\tb\nx\ty", "tsv", '[{"a":"x","b":"y"}]', ""),
        ("a;b\n1.50;y", "semicolons", '[{"a":1.50,"b":"y"}]', f"CSV with semicolons {UNTYPED}"),
        ('<o k="1">2</o>', "xml", '{"o":{"@k":"1","#text":"2"}}',
         "XML has no types: all values are texts"),
        ("\ufeff<!doctype html>\n<p>5\n", "html", '"<!doctype html>\\n<p>5"', ""),
        ('{"a": 1.0},\n{"a": 2},\n', "lines", '[{"a":1.0},{"a":2}]', ""),
        ("// mine\n/* * */ const x: Foo[] = [{a: 1}];", "javascript", '[{"a":1}]', ""),
        ("# mine\nx = {'a': None}", "python", '{"a":null}', ""),
        ("{'a': (1, 2)}", "python", '{"a":[1,2]}', "JSON has no tuples: 1 tuple is a list"),
        ("{1: (2,), None: ()}", "python", '{"1":[2],"null":[]}',
         "JSON has no tuples: 2 tuples are lists; JSON has only texts as keys: 2 keys are texts"),
        (r'"{\"a\": 1.0}"', "string", '{"a":1.0}', ""),
        (r'{\n  \"a\": \"\\\"\"}', "string", r'{"a":"\""}', ""),
        ("'{\"a\": 1}'", "string", '{"a":1}', ""),
        ("Here is it:\n\n```json\n{\"a\": 1.0}\n```\n\nMore?", "markdown", '{"a":1.0}', AROUND),
        ("```\n{'a': None}\n```\n~~~yaml\na: 1\n~~~", "markdown", '[{"a":null},{"a":1}]', ""),
        ("```python\n(1,)\n```", "markdown", "[1]", "JSON has no tuples: 1 tuple is a list"),
        ("From [1, 2] to [3, 4] and {}", "prose", "[[1,2],[3,4]]", AROUND),
        ('Sure! [See](x) {"a": [1.0]} Bye', "prose", '{"a":[1.0]}', AROUND),
        ('{"a": 1} Hope this helps!', "prose", '{"a":1}', AROUND),
        ('data: {"a": 1}\n\nevent: x\nid: 2\ndata: {\ndata: "b": 2}\r\n\r\ndata: [DONE]\n',
         "events", '[{"a":1},{"b":2}]', ""),
        ('HTTP/1.1 100 x\r\n\r\nHTTP/2 200\r\nA: b\r\n\r\n{"a": 1}', "http", '{"a":1}', ""),
        ('POST /x HTTP/1.1\nHost: a\n\n{"a": 1}', "http", '{"a":1}', ""),
        (VERBOSE, "http", '{"a":1}', ""),
        (f"Bearer {TOKEN}", "jwt", '{"sub":"1","n":1}',
         "its signature is left out, and was not checked"),
        (HERE, "curl", '{"a":1}', ""),
        ('2026-03-09 ERROR broke', "log", '"2026-03-09 ERROR broke"', ""),
        ('ERROR a\nERROR b {"c": 1}', "log", '{"c":1}', "1 line without JSON is left out"),
        ('ERROR b {"c": 1} -> {"d": 1}', "log", '{"c":1}',
         "of 1 line all JSON but the first is left out"),
        ('{"a":1,x', "repair", '{"a":1}', "json-repair added } at its end in place of ,x"),
        ('["2026-03-09 ERROR a", "2026', "repair", '["2026-03-09 ERROR a","2026"]',
         'json-repair added "] at its end'),
        ("[1, tru", "repair", "[1,true]", "json-repair added e] at its end"),
        ('{"a": [1.0, {"b": "x\\u00', "repair", '{"a":[1.0,{"b":"x"}]}',
         r'json-repair added "}]} at its end in place of \u00'),
        ('[{"a": 1},\n {"b', "repair", '[{"a":1}]',
         'json-repair added ] at its end in place of ,\n {"b'),
    ],
)  # fmt: skip
def test_what_people_paste_from_elsewhere_is_recognised(
    text: str, name: str, json_text: str, note: str
) -> None:
    """The texts of numbers and of strings stay as they were pasted."""
    kind = KINDS[name]
    offer = {"name": name, "title": kind.title, "label": kind.label, "said": note}

    assert offers(text)[0] == {**offer, "asks": name == "repair"}
    assert minify(read(name, text)) == json_text


def offers(text: str) -> list[Offer]:
    """What is offered for a text, also where it is JSON: a string that holds other JSON."""
    converted = convert(Pane("json", text, Options()))
    return converted.get("offers", []) if converted["ok"] else advice(text)[0]


def test_words_and_parts_of_something_else_are_no_json() -> None:
    for text in (
        "Hello, world\nfoo, bar", 'const x = {a: {"b": 1}, c', "see [1] and [2]", '"plain"',
        'Traceback (most recent call last):\n  File "x"\nKeyError: 1', "```sh\nls\n```",
    ):  # fmt: skip
        assert offers(text) == [], text


def test_json_is_closed_wherever_it_is_cut() -> None:
    whole = json.dumps({"a": [1, 2.5e3, {"b": 'x\\"é', "c": None}, [[], {}]], "": {"d": True}})
    for end in range(1, len(whole)):
        for text in (whole[:end], json.dumps(json.loads(whole), indent=1)[:end]):
            assert isinstance(json.loads(read("repair", text)), dict)
