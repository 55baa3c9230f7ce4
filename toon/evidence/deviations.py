"""Where Temporal Cortex's library departs from the specification that it names."""

from __future__ import annotations

from typing import Final, NamedTuple


class Deviation(NamedTuple):
    """One rule: what the library does, and what the specification says."""

    library: str
    specification: str


#: temporal-cortex-toon 0.3.1 beside TOON 3.0, of 24 November 2025; measured.
DEVIATIONS: Final = (
    Deviation(
        "strings with a colon are quoted in fields and at the root, not in cells or inline arrays",
        "a string with a colon is quoted everywhere",
    ),
    Deviation(
        "strings with a comma are not quoted in fields: greeting: hello, world",
        "a string with the document's delimiter is quoted",
    ),
    Deviation("a root array of uniform objects is a list", "it is a table: [N]{a,b}:"),
    Deviation(
        "in a list item, the body of an array is not indented below its field; of a table there, "
        "its decoder reads one row, and no field after it",
        "the body is one level deeper than the field",
    ),
    Deviation(
        "an empty object in a list is a hyphen and a space, which its decoder reads as nothing",
        "it is a hyphen alone",
    ),
    Deviation(
        "an empty array at the root or in a list is [0]: with a space at the end",
        "it is [0]: without a space",
    ),
    Deviation(
        "the names of columns are never quoted: a comma or a brace in one breaks the table",
        "they are quoted as keys are",
    ),
    Deviation(
        "strings such as +1 stay unquoted, and its decoder reads them as numbers",
        "the same in 3.0; quoted from 4.0 on",
    ),
    Deviation(
        "one delimiter, no strict mode: counts are never checked, short rows are filled with "
        "null and long ones cut, unknown escapes kept",
        "each of these is an error in strict mode",
    ),
    Deviation(
        "numbers are written out without an exponent, and read through 64 bits: large integers "
        "change, and of fractions with 16 digits or more the last one can",
        "every digit of a number is kept where the reader's numbers allow it",
    ),
    Deviation(
        "its decoder reads a header at the start of a list item, or alone in the text, as a string "
        "if its key is quoted or a column has a blank in its name",
        "a header is read as one wherever it stands",
    ),
)
