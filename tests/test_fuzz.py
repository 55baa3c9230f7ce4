"""A text of any kind gives a value or a documented error, whatever is made to read it.

``tests/findings/`` holds texts that once gave something else, and texts near them. A new finding is
one more file there.
"""

from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import targets
from tests.strategies import damaged, values
from tests.targets import Target, outcome
from toon.codec.numbers import NumberRangeError
from toon.compact.errors import QueryError
from toon.errors import EncodeError, TextError
from toon.formats import FORMATS
from toon.formats.base import NotApplicable, OneWay
from toon.values.paths import PathError

FINDINGS: Final = sorted(Path(__file__).parent.glob("findings/*.txt"))
TARGETS: Final = dict(
    chain(targets.decoders(), targets.readers(), targets.writers(), targets.others())
)
#: What a target may raise; other errors of ours are for callers inside.
DOCUMENTED: Final = (TextError, EncodeError, NotApplicable, OneWay, PathError, QueryError)
#: The target whose errors are plain ones, and which says so.
_PLAIN: Final = "state"

_PIECES: Final = (
    "[", "]", "{", "}", '"', "'", "\\", "\n", "\r", "\t", " ", ":", ",", "|", "-", "#", "&a ", "*a",
    "!!int ", "\ufeff", "\x00", "\x85", "\u2028", "😀", "a\u0301", "1:59", "1e99999999999999999999",
    "1e999999999", "-0", "0x", "1_0", "[-1]:", "[9]{a,b}:", "[#2|]:", "<a>", "</a>", "<![CDATA[",
    "&amp;", "&#0;", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "%YAML 1.1\n", "---\n", "2026-13-45",
    "0001-01-01T00:00:00+14:00", "\\ud800", "\\u00", "NaN", "-Infinity", ".inf", "null", "true",
    "{a|join:", "<{?a}", "$'\\U", "?a=b",
)  # fmt: skip


def written() -> list[str]:
    """A text of every format, and of what else is read."""
    rows = [{"a": 1.5, "b": None}, {"a": -2, "b": "x"}]
    value = {"id": 1, "title": "t", "tags": ["a", "é", "1"], "rows": rows}
    outcomes = [outcome(format.dumps, one) for format in FORMATS.values() for one in (value, rows)]
    texts = [text for text in outcomes if isinstance(text, str)]
    return [
        *texts,
        "a,b\n1,2\n",
        'rows: a\nid: b\nline: {a|join:"x"} <{?b}{c[0].d|date or e|round:2 or "f"}>',
        'curl -X POST https://a/b -d \'{"a": [1]}\' -H "b: c"',
        "{'a': (1, True), 'b': None}",
        "const a = {b: [1, 'c'], /* d */ e: undefined,}",
        '{"log":{"entries":[{"request":{"url":"https://a/b/1"},"response":{"content":{}}}]}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\n',
        '{"messages":[{"role":"tool","tool_call_id":"c","content":"[1]"}]}\n',
    ]


WRITTEN: Final = written()


@st.composite
def hostile(draw: st.DrawFn) -> str:
    """A damaged text, a finding with a piece too many, or nothing but pieces."""
    pieces = st.lists(st.sampled_from(_PIECES), max_size=8).map("".join)
    match draw(st.integers(0, 3)):
        case 0:
            text = draw(pieces)
        case 1:
            text = draw(st.sampled_from(list(FORMATS.values()))).name
            text = str(outcome(FORMATS[text].dumps, draw(values)))
        case _:
            text = draw(st.sampled_from(WRITTEN))
    at = draw(st.integers(0, len(text)))
    text = text[:at] + draw(pieces) + text[at:]
    return draw(st.one_of(st.just(text), damaged(text)))


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_what_was_found_once_gives_a_value_or_a_documented_error(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert [name for name, target in TARGETS.items() if not is_documented(name, target, text)] == []


@given(hostile())
def test_any_text_gives_a_value_or_a_documented_error(text: str) -> None:
    assert [name for name, target in TARGETS.items() if not is_documented(name, target, text)] == []


def is_documented(name: str, target: Target, text: str) -> bool:
    """Whether the outcome is a value or an error of ours; any but a ``ValueError`` goes through."""
    found = outcome(target, text)
    return (
        not isinstance(found, ValueError)
        or isinstance(found, DOCUMENTED)
        or (name == _PLAIN and type(found) is ValueError)
    )


def test_documented_errors_are_told_from_others() -> None:
    assert is_documented("x", NotApplicable, "")
    assert not is_documented("x", NumberRangeError, "1")
    assert not is_documented("x", int, "1" * 5000)
