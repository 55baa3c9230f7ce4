"""Which dialect a pasted text is in, and that TOON is never taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toon
from tests.strategies import strings, values
from toon.codec.problems import likeness
from toon.codec.text import DELIMITERS
from toon.errors import DialectError
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.playground.detection import dialect_of, read_dialect

TICKET = {"id": "a-1", "title": "Fix it", "status": "todo"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("TOON/1 T{id:a-1,t:x}", "ticket"),
        ("TOON/1 []", "ticket"),
        ("\n  TOON/1 BOARD{}", "ticket"),
        ("TOON/1 hello", "toon"),
        ("messages[2]{id,subject}\na\tb\nc\td", "vibemcp"),
        ("items[0]{}", "vibemcp"),
        ("\ufeffitems[0]{}\n", "vibemcp"),
        ("items[0]{id}:", "toon"),
        ("| a | b |\n| 1 | 2 |", "pipe"),
        ("\n| a |\n| 1 |\n", "pipe"),
        ("| a |", "toon"),
        ("slots\n| a | b |\n| 1 | 2 |\ncount: 5", "pipe"),
        ("count: 5\nslots\n  | a |\n  | 1 |", "pipe"),
        ("event\n  summary: Standup", "pipe"),
        ('{"format":"compact","summary":"0 events","lines":[]}', "compact"),
        ("name: Ada\nage: 30", "toon"),
        ("", "toon"),
        # As the documents print them: flush left, without a marker, over several lines.
        ("event\nsummary: Standup\nstart: 09:00", "pipe"),
        ("-\n  | a |\n  | 1 |", "pipe"),
        ("T{id:a-1,t:x}", "ticket"),
        ("[T{id:a-1,t:x},T{id:a-2,t:y}]", "ticket"),
        ("BOARD{bk:[T{id:a-1,t:x}],td:[]}", "ticket"),
        ('ERR{code:conflict,msg:"..."}', "ticket"),
        ("TOON/1\nT{id:a-1,t:x}", "ticket"),
        ("TOON/2 {ok:true}", "ticket"),
        ('"my mail"[1]{id}\na', "vibemcp"),
        # Valid TOON that has something of a pipe table.
        ("# a\n  # b\nx: 1", "toon"),
        ("# a\n| b | c |", "toon"),
        ("rows[2]{a}:\n  foo\n  | z |", "toon"),
    ],
)
def test_a_text_is_known_by_its_first_lines(text: str, name: str) -> None:
    assert dialect_of(text) == name


@given(values, st.sampled_from(DELIMITERS))
def test_toon_is_never_taken_for_a_dialect(value: object, delimiter: str) -> None:
    assert dialect_of(toon.encode(value, delimiter=delimiter)) == "toon"


@given(st.lists(st.fixed_dictionaries({"a": st.sampled_from(["foo", "-", "| z |"])}), min_size=2))
def test_nor_is_a_table_of_one_column(rows: list[dict[str, str]]) -> None:
    assert dialect_of(toon.encode({"rows": rows})) == "toon"


def test_a_long_line_of_brackets_is_looked_at_once() -> None:
    """Each bracket was a new start: hours for a megabyte."""
    line = "a[1]{" * 200_000

    assert dialect_of(line) == "toon"
    assert likeness(line) == "every field is written as key: value"


@given(strings, st.sampled_from(DELIMITERS))
def test_nor_is_a_lone_string(text: str, delimiter: str) -> None:
    for candidate in (text, f"TOON/1 {text}", f"x[1]{{{text}}}", f"| {text} |"):
        assert dialect_of(toon.encode(candidate, delimiter=delimiter)) == "toon"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ticket", TICKET),
        ("ticket", [TICKET, TICKET]),
        ("pipe", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ("pipe", {"event": {"summary": "Standup", "n": 1}}),
        ("vibemcp", {"messages": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}),
        ("vibemcp-lossless", {"messages": [{"id": "a", "t": "x\ty"}, {"id": "b", "t": "z"}]}),
    ],
)
def test_what_is_recognised_is_read_and_named(name: str, value: object) -> None:
    text = FORMATS[name].dumps(value)
    found = dialect_of(text)

    parsed = read_dialect(found, text, strict=True)

    assert found == name.removesuffix("-lossless")
    assert parsed.value == value
    assert parsed.notices[0].message == (
        f"this is not TOON: it was recognised and read as {FORMATS[found].label}"
    )


@given(values)
def test_a_list_of_rows_in_a_dialect_is_recognised(value: object) -> None:
    rows = [{"id": 1, "value": value}, {"id": 2, "value": value}]
    try:
        text = FORMATS["vibemcp"].dumps(rows)
    except NotApplicable:
        return

    assert dialect_of(text) == "vibemcp"


def test_compact_lines_say_that_they_are_one_way() -> None:
    with pytest.raises(DialectError) as caught:
        read_dialect("compact", '{"format":"compact"}', strict=False)

    assert str(caught.value) == ("read as Compact lines: one way: lines are written for a reader")


@pytest.mark.parametrize("depth", [255, 300, 900])
def test_nesting_that_no_other_format_has_is_an_error(depth: int) -> None:
    text = "\n".join("  " * level + "-" for level in range(depth)) + "\n" + "  " * depth + "| a |"
    text += "\n" + "  " * depth + "| 1 |"

    with pytest.raises(DialectError, match="nested deeper than 256 levels"):
        read_dialect("pipe", text, strict=True)
