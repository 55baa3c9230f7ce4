"""Every error of a TOON document (SPEC 4.4 §14), with its message and hint.

The decoder raises a problem by its name, with the facts; the words are only in this module.
"""

import re
from typing import Final

#: name -> (message: what was expected and found, hint: what would probably fix it, or None)
PROBLEMS: Final[dict[str, tuple[str, str | None]]] = {
    # §14.1 counts and widths
    "value-count": ("header declares {expected:value}, found {found}", "{likely}"),
    "item-count": ("header declares {expected:item}, found {found}", "{likely}"),
    "row-count": ("header declares {expected:row}, found {found}", "{likely}"),
    "entry-count": ("header declares {expected:entry}, found {found}", "{likely}"),
    "row-width-more": ("row has {found:cell}, header declares {expected}",
        "an unquoted {delimiter}? A cell that holds the delimiter must be quoted"),
    "row-width-less": ("row has {found:cell}, header declares {expected}",
        'every field needs a cell, separated by {delimiter}: null or "" where there is no value'),
    "not-a-row": ("a colon stands before the first delimiter, so this line is not a row",
        "a cell that holds a colon must be quoted"),
    # §14.2 tokens
    "unterminated-string": ("string is not closed", 'add the closing "'),
    "after-quote": ("text after the closing quote",
        'quote the whole token, and write \\" for a quote inside it'),
    "bad-escape": ("unknown escape {found}",
        'only \\\\ \\" \\n \\r \\t and \\u with four hex digits are escapes'),
    "surrogate-escape": ("{found} is a surrogate, not a character",
        "write the character itself: TOON has no surrogate pairs"),
    "number-range": ("number {found} is out of range", None),
    # §14.2 headers
    "bracket": ("expected [N], [N|] or [N:] with a length, found {found}",
        "quote the key if its brackets are part of the name"),
    "bracket-marker": ("expected [N], [N|] or [N:] with a length, found {found}",
        "written by a 1.x encoder? The # is gone: write the length alone"),
    "space-before-bracket": ("whitespace between key and [",
        "write the bracket right after the key"),
    "after-bracket": ("expected {{ or : after ], found {found}",
        "quote the key if its brackets are part of the name"),
    "header-colon": ("expected : after the header, found {found}", None),
    "keyed-fields": ("keyed header has no field list", "write key[N:]{{field,…}}: with the fields"),
    "fields-open": ("field list is not closed", "add the closing }}"),
    "field-empty": ("field list has an empty field name", 'write "" for a field without a name'),
    "field-delimiter": ("field list uses {found} but the bracket declares {expected}",
        "declare the delimiter in the bracket: [N] comma, [N|] pipe, [N<tab>] tab"),
    "field-space": ("whitespace between field name and {{", None),
    "field-group": ("nested field group, which TOON 3.3 does not have", "read it as 4.4"),
    "field-twice": ("field {found} is declared twice", None),
    "fields-inline": ("values on the line of a header with fields", "rows go on the lines below"),
    "keyless": (
        "header without a key is only valid as the first line or, without fields, after a hyphen",
        "give the array a key: key[N]:"),
    # §14.2 lines
    "tab-indent": ("tab in the indentation", "indent with {expected:space} a level"),
    "indent": ("indentation of {found:space} is not a multiple of {expected}",
        "indent with {expected:space} a level, or set the indent the text was written with"),
    "depth-jump": ("expected depth {expected}, found depth {found}", "indent one level at a time"),
    "too-shallow": ("line is indented less than the first line of its block",
        "indent the lines of a block alike"),
    "over-indented": ("line is indented deeper than anything it could belong to",
        "only key:, a header or a hyphen opens a block, and its lines stand one level deeper"),
    "not-a-field": ("expected key: value, found a line without a colon", "{likely}"),
    "not-an-item": ("expected a list item, found a line that does not start with a hyphen",
        "every item of a list starts with a hyphen and a space"),
    "not-an-entry": ("expected entry key: cells, found a line without a colon", None),
    "trailing": ("text after the end of the document's {found}", None),
    "not-an-array": ("the root is not an array, and only an array can be read by element", None),
    "blank-line": ("blank line inside {found}", "remove the blank line"),
    "too-deep": ("nested deeper than {expected} levels", None),
    "utf-8": ("not UTF-8: {found}", "save the text as UTF-8"),
    # 3.3: path expansion
    "path-conflict": ("the path {found} leads through a value that is not an object",
        "read it without expanding paths"),
    # §14.3
    "key-twice": ("key {found} appears twice in one object", "read leniently, the last one counts"),
}  # fmt: skip


_PLURALS: Final = {"entry": "entries"}
_COUNTABLE: Final = 10**15  # no document has so many lines, so larger counts are not written out


class Count(int):
    """An int that a noun formats in error messages: ``f"{Count(2000):row}"`` is ``2,000 rows``."""

    def __format__(self, noun: str) -> str:
        number = f"{int(self):,}" if self < _COUNTABLE else "more than 10^15"
        if not noun:
            return number
        return f"{number} {noun if self == 1 else _PLURALS.get(noun, noun + 's')}"


def describe(problem: str, facts: dict[str, object]) -> tuple[str, str | None]:
    """Return the message of a TOON error, by the error's name and facts, and its hint or None."""
    message, hint = PROBLEMS[problem]
    words: dict[str, object] = {}
    for name, value in facts.items():
        text = str(value)
        excerpt = text if len(text) <= 80 else f"{text[:60]}…{text[-10:]}"
        words[name] = Count(value) if isinstance(value, int) else excerpt
    return message.format(**words), (hint.format(**words) or None) if hint else None


_GUESSES: Final = (
    (r"TOON/1\b", "looks like the TOON/1 ticket shorthand, which is another format"),
    (r"[^\s:\[]++\[\d+\]\{.*\}\Z", "looks like VibeMCP output: its header has no colon"),
    (r"\|.*\|\Z", "looks like a pipe table, which is another format"),
    (r"[{\[]|\S+\": ", "looks like JSON"),
    (r"- ", "a list needs a header with its length, as in items[2]:"),
    (r"---\Z|%YAML", "looks like YAML"),
    (r"<", "looks like XML or HTML"),
)


def guess_format(line: str, following: str = "") -> str:
    """Return a hint on a TOON line without a colon: what format it, or the next, looks like."""
    for content in (line, following.lstrip()):
        for pattern, hint in _GUESSES:
            if re.match(pattern, content):
                return hint
    return "every field is written as key: value"
