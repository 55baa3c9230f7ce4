"""Which dialect a pasted text is in, and that TOON is never taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toon
from tests.strategies import keys, scalars, strings, values
from toon.codec.problems import guess_format
from toon.codec.text import DELIMITERS
from toon.errors import DialectError, FormatError, ToonDecodeError
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.playground.detection import guess_dialect, read_dialect, read_toon
from toon.text import Parsed

TICKET = {"id": "a-1", "title": "Fix it", "status": "todo"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("TOON/1 T{id:a-1,t:x}", "ticket"),
        ("TOON/1 []", "ticket"),
        ("\n  TOON/1 BOARD{}", "ticket"),
        ("TOON/1 hello", "toon"),
        ("messages[2]{id,subject}\na\tb\nc\td", "vibemcp"),
        ("items[0]{}", "vibemcp"), ("\ufeffitems[0]{}\n", "vibemcp"), ("items[0]{id}:", "toon"),
        ("| a | b |\n| 1 | 2 |", "pipe"), ("\n| a |\n| 1 |\n", "pipe"), ("| a |", "toon"),
        ("slots\n| a | b |\n| 1 | 2 |\ncount: 5", "pipe"),
        ("count: 5\nslots\n  | a |\n  | 1 |", "pipe"),
        ('{"format":"compact","summary":"0 events","lines":[]}', "compact"),
        ("name: Ada\nage: 30", "toon"),
        ("", "toon"),
        # As the documents print them: flush left, without a marker, over several lines.
        ("-\n  | a |\n  | 1 |", "pipe"), ("T{id:a-1,t:x}", "ticket"),
        ("[T{id:a-1,t:x},T{id:a-2,t:y}]", "ticket"), ("BOARD{bk:[T{id:a-1,t:x}],td:[]}", "ticket"),
        ('ERR{code:conflict,msg:"..."}', "ticket"), ("TOON/1\nT{id:a-1,t:x}", "ticket"),
        ("TOON/2 {ok:true}", "ticket"), ('"my mail"[1]{id}\na', "vibemcp"),
        # Valid TOON that has something of a pipe table.
        ("# a\n  # b\nx: 1", "toon"),
        ("# a\n| b | c |", "toon"),
        ("rows[2]{a}:\n  foo\n  | z |", "toon"),
        ("rows[3]{a}:\n  foo\n  | y |\n  | z |", "toon"),
        ("event\n  summary: Standup", "toon"),
        # What is below is the reader's to judge.
        ("slots\n  | a | b |\n  | 1 |\n", "pipe"), ("items[12]{id,t}\n1\ta", "vibemcp"),
        ("items[2]{id}\n1\n", "vibemcp"), ("class A: x,y\n\n[A(1,2),A(3,4)]", "tron"),
        ("class B: z\nB(1,", "tron"), ("class A: x", "toon"), ("class A: x\nb: 1", "toon"),
    ],
)  # fmt: skip
def test_a_text_is_known_by_its_first_lines(text: str, name: str) -> None:
    assert guess_dialect(text) == name


_NO_COLON = "line 1, column 1: expected key: value, found a line without a colon"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Markdown and its relatives
        ("| Name | Age |\n|------|-----|\n| Ada | 36 |", _NO_COLON),
        ("| Name | Age |\n| --- | ---: |\n| Ada | 36 |", _NO_COLON),
        ("| Name | Age |\n| :-: | - |\n| Ada | 36 |\n| Bob | 41 |", _NO_COLON),
        ("Results\n\n| a | b |\n| - | - |\n| 1 | 2 |", _NO_COLON),
        ("Name | Age\n--- | ---\nAda | 36", _NO_COLON),
        ("| a | b |\n|---+---|\n| 1 | 2 |", _NO_COLON),
        # to-do lists
        ("todo\n  buy milk", _NO_COLON),
        ("todo\n  milk\n  bread", _NO_COLON),
        ("todo\n  - buy milk\n  - call Bob", _NO_COLON),
        ("todo\n  - [ ] buy milk\n  - [x] call Bob [1]", _NO_COLON),
        # prose
        ("Summary\n  The fox: it jumps\n  over the dog.", _NO_COLON),
        ("Dear\n  Ada: hello\nthis is prose", _NO_COLON),
        # CSV
        ("name,age\nAda,36", _NO_COLON),
        ("name\nAda\nTODO: Bob", _NO_COLON),
        # YAML
        ("-\n  a: 1\n  b: 2", _NO_COLON),
        (
            "text: |\n  Table\n    | a | b |\n    | 1 | 2 |",
            "line 2, column 3: line is indented deeper than anything it could belong to",
        ),
        # what a shell prints
        ("README.md\napp.py\ntoon", _NO_COLON),
        ("total 8\n-rw-r--r-- 1 a b 3 x", _NO_COLON),
        ("+----+\n| id |\n+----+\n| 1 |\n+----+", _NO_COLON),
        (
            "host\n    width: 64 bits\n  *-core\n       id: 0",
            "line 4, column 8: indentation of 7 spaces is not a multiple of 2",
        ),
        (
            " id | name\n  1 | Ada",
            "line 1, column 2: indentation of 1 space is not a multiple of 2",
        ),
        ("eth0\n\tinet: 10.0.0.1", "line 2, column 1: tab in the indentation"),
        # TOON without a colon after its header
        ("items[2]{id,name}\n  1,Ada\n  2,Bob", _NO_COLON),
        ("items[2]{id}\n  1\n  2", _NO_COLON),
    ],
)
def test_what_is_neither_toon_nor_a_dialect_has_an_error_of_toon(text: str, message: str) -> None:
    with pytest.raises(ToonDecodeError) as caught:
        read_toon(text)

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- a: 1\n- b: 2", {"- a": 1, "- b": 2}),
        ("event:\n  summary: Standup", {"event": {"summary": "Standup"}}),
        (r"\cite[12]{knuth}", r"\cite[12]{knuth}"),
        (r"\newcommand{\x}[1]{#1}", r"\newcommand{\x}[1]{#1}"),
        ("arr[3]{1,2,3}", "arr[3]{1,2,3}"),
    ],
)
def test_what_looks_like_a_dialect_and_is_toon_is_read_as_toon(text: str, value: object) -> None:
    assert read_toon(text) == Parsed(value)


@given(scalars, scalars, keys)
def test_what_has_a_table_in_pipe_tables_is_recognised(
    one: object, other: object, key: str
) -> None:
    rows = [{"a": one, "b": other}, {"a": other, "b": 1}]
    for value in (rows, {"n": 1, key: rows}, {"n": {"m": one, key: rows}}):
        text = FORMATS["pipe"].dumps(value)
        assert guess_dialect(text) == "pipe"
        assert guess_dialect(text.replace("\n  ", "\n")) == "pipe"


@pytest.mark.rest
@given(values, st.sampled_from(DELIMITERS))
def test_toon_is_never_taken_for_a_dialect(value: object, delimiter: str) -> None:
    assert guess_dialect(toon.encode(value, delimiter=delimiter)) == "toon"


@given(st.lists(st.fixed_dictionaries({"a": st.sampled_from(["foo", "-", "| z |"])}), min_size=2))
def test_nor_is_a_table_of_one_column(rows: list[dict[str, str]]) -> None:
    assert guess_dialect(toon.encode({"rows": rows})) == "toon"


@pytest.mark.rest
def test_a_long_line_of_brackets_is_looked_at_once() -> None:
    """Each bracket was a new start: hours for a megabyte."""
    line = "a[1]{" * 200_000

    assert guess_dialect(line) == "toon"
    assert guess_format(line) == "every field is written as key: value"


@given(strings, st.sampled_from(DELIMITERS))
def test_nor_is_a_lone_string(text: str, delimiter: str) -> None:
    for candidate in (text, f"TOON/1 {text}", f"x[1]{{{text}}}", f"| {text} |"):
        assert guess_dialect(toon.encode(candidate, delimiter=delimiter)) == "toon"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ticket", TICKET),
        ("ticket", [TICKET, TICKET]),
        ("pipe", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ("pipe", {"event": {"summary": "Standup", "n": [{"a": 1}, {"a": 2}]}}),
        ("vibemcp", {"messages": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}),
        ("vibemcp-lossless", {"messages": [{"id": "a", "t": "x\ty"}, {"id": "b", "t": "z"}]}),
        ("tron", {"a": [{"id": 1, "n": "x"}, {"id": 2, "n": "y"}]}),
    ],
)
def test_what_is_recognised_is_read_and_named(name: str, value: object) -> None:
    text = FORMATS[name].dumps(value)
    dialect = guess_dialect(text)

    parsed = read_dialect(dialect, text, strict=True)

    assert dialect == name.removesuffix("-lossless")
    assert parsed.value == value
    assert parsed.notices[0].message == (
        f"this is not TOON: it was recognised and read as {FORMATS[dialect].label}"
    )


@pytest.mark.rest
@given(values)
def test_a_list_of_rows_in_a_dialect_is_recognised(value: object) -> None:
    rows = [{"id": 1, "value": value}, {"id": 2, "value": value}]
    try:
        text = FORMATS["vibemcp"].dumps(rows)
    except NotApplicable:
        return

    assert guess_dialect(text) == "vibemcp"


def test_what_is_no_tron_after_all_names_it() -> None:
    with pytest.raises(FormatError, match=r"line 3, column 4: read as TRON: expected a value"):
        read_dialect("tron", "class A: x\n\n[A(", strict=True)


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
