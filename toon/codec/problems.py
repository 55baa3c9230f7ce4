"""Every way a TOON document can be wrong (SPEC 4.4 §14), and the words for it.

The decoder raises a problem by name with the facts it found; the wording lives here alone.
"""

from __future__ import annotations

from typing import Final

#: name -> (what was expected and what was found, what would probably mend it or None)
PROBLEMS: Final[dict[str, tuple[str, str | None]]] = {
    # §14.1 counts and widths
    "value-count": (
        "header declares {expected} values, found {found}",
        "the text may be cut off, or a value holds an unquoted delimiter",
    ),
    "item-count": ("header declares {expected} items, found {found}", "the text may be cut off"),
    "row-count": ("header declares {expected} rows, found {found}", "the text may be cut off"),
    "entry-count": (
        "header declares {expected} entries, found {found}",
        "the text may be cut off",
    ),
    "row-width-more": (
        "row has {found} cells, header declares {expected}",
        "a cell that holds the delimiter must be quoted",
    ),
    "row-width-less": (
        "row has {found} cells, header declares {expected}",
        'write null or "" for a missing value',
    ),
    # §14.2 tokens
    "unterminated-string": ("string is not closed", 'add the closing "'),
    "after-quote": (
        "text after the closing quote",
        'quote the whole token, and write \\" for a quote inside it',
    ),
    "bad-escape": (
        "unknown escape {found}",
        'only \\\\ \\" \\n \\r \\t and \\u with four hex digits are escapes',
    ),
    "surrogate-escape": (
        "{found} is a surrogate, not a character",
        "write the character itself: TOON has no surrogate pairs",
    ),
    "number-range": ("number {found} is beyond the largest 64-bit float", None),
    # §14.2 headers
    "bracket": (
        "expected [N], [N|] or [N:] with a length, found {found}",
        "quote the key if its brackets are part of the name",
    ),
    "space-before-bracket": (
        "whitespace between key and [",
        "write the bracket right after the key",
    ),
    "after-bracket": (
        "expected {{ or : after ], found {found}",
        "quote the key if its brackets are part of the name",
    ),
    "header-colon": ("expected : after the header, found {found}", None),
    "keyed-fields": ("keyed header has no field list", "write key[N:]{{field,…}}: with the fields"),
    "fields-open": ("field list is not closed", "add the closing }}"),
    "field-empty": ("field list has an empty field name", 'write "" for a field without a name'),
    "field-delimiter": (
        "field list uses {found} but the bracket declares {expected}",
        "declare the delimiter in the bracket: [N] comma, [N|] pipe, [N<tab>] tab",
    ),
    "field-space": ("whitespace between field name and {{", None),
    "field-group": ("nested field group, which TOON 3.3 does not have", "read it as 4.4"),
    "field-twice": ("field {found} is declared twice", None),
    "fields-inline": ("values on the line of a header with fields", "rows go on the lines below"),
    "keyless": (
        "header without a key is only valid as the first line or, without fields, after a hyphen",
        "give the array a key: key[N]:",
    ),
    # §14.2 lines
    "tab-indent": ("tab in the indentation", "indent with {expected} spaces a level"),
    "indent": (
        "indentation of {found} spaces is not a multiple of {expected}",
        "indent with {expected} spaces a level, or set the indent the text was written with",
    ),
    "depth-jump": ("expected depth {expected}, found depth {found}", "indent one level at a time"),
    "too-shallow": (
        "line is indented less than the first line of its block",
        "indent the lines of a block alike",
    ),
    "over-indented": ("line is indented deeper than anything it could belong to", None),
    "not-a-field": ("expected key: value, found a line without a colon", None),
    "not-an-entry": ("expected entry key: cells, found a line without a colon", None),
    "trailing": ("text after the end of the document's {found}", None),
    "blank-line": ("blank line inside {found}", "remove the blank line"),
    "too-deep": ("nested deeper than {expected} levels", None),
    "utf-8": ("not UTF-8: {found}", "save the text as UTF-8"),
    # 3.3: path expansion
    "path-conflict": (
        "the path {found} leads through a value that is no object",
        "read it without expanding paths",
    ),
    # §14.3
    "key-twice": ("key {found} appears twice in one object", None),
}


def phrase(problem: str, facts: dict[str, object]) -> tuple[str, str | None]:
    """The message and the hint of a problem."""
    message, hint = PROBLEMS[problem]
    return message.format(**facts), hint.format(**facts) if hint else None
