"""A JSON text with other whitespace: nothing else in it changes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from toon.errors import TextError
from toon.playground import rewrite
from toon.playground.rewrite import indent, minify

AS_TYPED = '{"a":1.0,"a":1E400,"b":-0,"c":123456789012345678901234567890,"d":"\\u00e9 \\/ , :"}'


@pytest.mark.parametrize("text", ["1", '"a"', "[]", "{}", "null", "\ufeff[]"])
def test_what_has_no_items_stays_on_its_line(text: str) -> None:
    assert indent(f"{text}\n") == minify(f"{text}\n") == text


def test_numbers_escapes_and_repeated_keys_stay_as_typed() -> None:
    assert indent(AS_TYPED) == (
        '{\n  "a": 1.0,\n  "a": 1E400,\n  "b": -0,\n  "c": 123456789012345678901234567890,\n'
        '  "d": "\\u00e9 \\/ , :"\n}'
    )
    assert minify(indent(AS_TYPED)) == AS_TYPED


@given(strategies.values, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_the_whitespace_before_does_not_matter(value: Any, spaces: Any, escape: bool) -> None:
    text = json.dumps(value, indent=spaces, ensure_ascii=escape)

    assert indent(text) == json.dumps(value, indent=2, ensure_ascii=escape)
    assert minify(text) == json.dumps(value, separators=(",", ":"), ensure_ascii=escape)


@pytest.mark.parametrize("way", [indent, minify])
@pytest.mark.parametrize(
    "text", ["", '{"a": 1', "{'a': 1}", "[NaN]", "[" * 100_000 + "]" * 100_000]
)
def test_what_is_no_json_is_an_error(way: Any, text: str) -> None:
    with pytest.raises(TextError):
        way(text)


def test_depth_cannot_inflate_a_text_without_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrite, "EDITOR_BYTES", 2_000_000)
    deep = "[" * 200 + "1," * 10_000 + "1" + "]" * 200

    with pytest.raises(TextError, match=r"^indented it would be larger than 2 MB$"):
        indent(deep)
