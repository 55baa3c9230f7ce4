"""Errors in pipe tables: their words, their place and their hint."""

import pytest

from toon.dialects.pipe import read
from toon.errors import DialectError

KEYS = 'a key of other characters is quoted: "a key": 1'
CELLS = "every column needs a cell, even an empty one; a cell that holds | is quoted"
INDENT = "indent it one level, or read the text leniently if its indents are lost"
ESCAPES = 'only \\\\ \\" \\n \\r \\t and \\u with four hex digits are escapes'
OBJECTS = "only the empty object is written {}; the others have a line for each field"
QUOTE = 'quote the whole value, and write \\" for a quote inside it'
LEVELS = "indent with 2 spaces a level"
VALUE = 'a container\'s key has no colon; for an empty text write ""'
ENDS = "every row ends with |"
CLOSING = 'add the closing "'

ERRORS = [
    ("| a |\n| 1e9999999999999999999 |",
     "line 2, column 3: number 1e9999999999999999999 is out of range", None),
    ("t\n  | a | b |\n  | 1 |", "line 3, column 8: row has 1 cell, the header has 2", CELLS),
    ("t\n  | a | b |\n  | 1 | 2 | 3 |", "line 3, column 13: row has 3 cells, the header has 2",
     CELLS),
    ("t\n  | a", "line 2, column 6: row is not closed", ENDS),
    ("t\n  | a |\n  | b", "line 3, column 6: row is not closed", ENDS),
    ("k: [1, 2", "line 1, column 9: list is not closed", "add the closing ]"),
    ('k: "x" y', "line 1, column 7: text after the closing quote",
     'quote the whole token, and write \\" for a quote inside it'),
    ("a: 1\na: 2", "line 2, column 1: key 'a' appears twice in one object", None),
    ("| a | a |\n| 1 | 2 |", "line 1, column 7: column a appears twice", None),
    ("x\n | a |", "line 2, column 2: indentation of 1 space is not a multiple of 2", LEVELS),
    ("slots\n| a |\n| 1 |", "line 1, column 1: container 'slots' has no indented block", INDENT),
    ("hello", "line 1, column 1: container 'hello' has no indented block",
     'a text that is the whole document is quoted: "hello"'),
    ("a\nb: 1", "line 1, column 1: container 'a' has no indented block", INDENT),
    ("-", "line 1, column 1: hyphen has no indented block",
     'if it is empty, write {} or []; for an empty text write ""'),
    ("a\n    b: 1", "line 2, column 5: line is indented more than one level deeper", None),
    ("  a: 1", "line 1, column 3: the first line is indented", "start it at the left edge"),
    ("a: 1\n  b: 2", "line 2, column 3: line is indented deeper than its block",
     "only a key or a hyphen alone on its line opens a block, one level deeper"),
    ("| a |\n  | 1 |", "line 1, column 1: table has a header and no rows", "an empty list is []"),
    ("| a |\n| 1 |\n  x", "line 3, column 3: line is indented deeper than its table", None),
    ("| a |\n| 1 |\nx: 1", "line 3, column 1: text after the end of the table", None),
    ("t\n  | a |\n  | 1 |\n  x: 1", "line 4, column 3: expected a row",
     "every row of a table starts with |"),
    ("- a\nb: 1", "line 2, column 1: expected a list item",
     "every item of a list starts with a hyphen and a space"),
    ("-a: 1\n- b", "line 1, column 1: expected key: value", KEYS),
    ("a: 1\n-b", "line 2, column 1: expected key: value", KEYS),
    ("- x\n-y", "line 2, column 2: no space after the hyphen", "write - item"),
    ("a: 1\n- b", "line 2, column 1: expected key: value, found a list item", None),
    ("a: 1\n| b |", "line 2, column 1: expected key: value, found a row", None),
    ("event:\n  x: 1", "line 1, column 7: no value after the colon", VALUE),
    ("a:1", "line 1, column 3: no space after the colon", "write key: value"),
    ("a b: 1", "line 1, column 2: expected key: value", KEYS),
    ('"a" b', "line 1, column 4: expected key: value", KEYS),
    ("a: [[1]]", "line 1, column 5: a list inside a list on one line",
     "a list of lists has a line with a hyphen for each of them"),
    ("a: [1, , 2]", "line 1, column 8: no value here", 'an empty text is written ""'),
    ("a: [1, 2] x", "line 1, column 10: text after the end of the list",
     "quote a text that starts so"),
    ('a: ["x" y]', "line 1, column 9: text after the closing quote", QUOTE),
    ("a: {b: 1}", "line 1, column 4: an object on one line", OBJECTS),
    ("a: {", "line 1, column 4: an object on one line", OBJECTS),
    ("- - x", "line 1, column 3: text that starts with - must be quoted", 'write "- x"'),
    ("a: ]", "line 1, column 4: text that starts with ] must be quoted", 'write "]"'),
    ("| a |\n| |x| |", "line 2, column 4: row has 3 cells, the header has 1", CELLS),
    ("a: [1, ", "line 1, column 7: list is not closed", "add the closing ]"),
    ("a: ", "line 1, column 3: no value after the colon", VALUE),
    ("|  | a |\n| 1 | 2 |", "line 1, column 4: column without a name", 'write "" for an empty key'),
    ("| a b |\n| 1 |", "line 1, column 3: a key of such characters must be quoted", 'write "a b"'),
    ("| a |", "line 1, column 1: table has a header and no rows", "an empty list is []"),
    ('a: "x', "line 1, column 4: string is not closed", CLOSING),
    ('a: "\\q"', "line 1, column 5: unknown escape \\q", ESCAPES),
    ('a: "\\ud800"', "line 1, column 5: \\ud800 is a surrogate, not a character",
     "write the character itself: TOON has no surrogate pairs"),
    ("\ta: 1", "line 1, column 1: tab in the indentation", LEVELS),
    ("a\n\tb: 1", "line 2, column 1: tab in the indentation", LEVELS),
    ("a: \ud800", "line 1, column 4: lone surrogate U+D800: UTF-8 cannot carry it", None),
    ("a: 1e9999999999999999999", "line 1, column 4: number 1e9999999999999999999 is out of range",
     None),
    ('| a |\n| "x" y |', "line 2, column 7: text after the closing quote", QUOTE),
    ('| a |\n| "x |', "line 2, column 3: string is not closed", CLOSING),
    ('k: "\\u12"', "line 1, column 5: unknown escape \\u", ESCAPES),
    ("|", "line 1, column 2: row is not closed", ENDS),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "hint"), ERRORS)
def test_errors_say_what_where_and_what_to_do(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(DialectError) as error:
        read(text)

    assert str(error.value) == message
    assert error.value.hint == hint
    assert error.value.line is not None
    assert error.value.source == text.split("\n")[error.value.line - 1]
