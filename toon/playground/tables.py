"""Texts in other formats, as programs and spreadsheets write them: TOON, YAML, XML, CSV."""

import json
import re
from collections.abc import Callable
from typing import Final

import xmltodict

from toon.codec.text import NUMBER
from toon.formats.csv import CsvFormat
from toon.formats.pasted import PASTED
from toon.formats.xml import XML
from toon.playground.rewrite import Conversion, convert, indent
from toon.text import Notice, Parsed
from toon.values.json_text import parse_json

_TABLE: Final = r"\[#?\d+[\t|]?\](?:\{[^\n{}]*+\})?"
_HEADER: Final = re.compile(rf"(?<![\w\"])[\w\"]*+{_TABLE}:?(?:\s|$)", re.M)
_TOON: Final = re.compile(rf"\s*(?:[A-Za-z_][\w.]*(?:{_TABLE})?:(?:\s|$)|{_TABLE}:)", re.M)
#: Syntax of YAML that TOON without a table does not have.
_YAML_ALONE: Final = re.compile(r"^---|^[ \t]*- |(?:^|\s)#\s|:[ \t]+[|>&*!'\[{]", re.M)
YAML_KEY: Final = re.compile(r"(?:\s*(?:#[^\n]*|---)?\n)*+(?:- |[\w\"'./-]+:\s)[^\n]*\n\s*\S")
XML_TAG: Final = re.compile(r"\s*<(?:\?xml|!--|[A-Za-z_][\w.:-]*(?:\s[^<>]*)?/?>)")
#: The name of a column: no sentence, and no number.
_COLUMN: Final = re.compile(r"\"?[^\W\d][\w .()/%#:@-]{0,60}\"?\Z")

#: The formats that spreadsheets write.
SEPARATED: Final = [format for format in PASTED.values() if isinstance(format, CsvFormat)]


def is_toon(text: str) -> bool:
    """Return whether a pasted text looks like TOON or a dialect of it, and not more like YAML."""
    return bool(_TOON.match(text) and (_HEADER.search(text) or not _YAML_ALONE.search(text)))


def read_container(read: Callable[[str], Parsed], text: str) -> Conversion:
    """Convert TOON or YAML to indented JSON by the reader ``read``; refuse a lone scalar."""
    value = read(text).value
    if not isinstance(value, dict | list):
        raise ValueError("one text is nothing to speak of")
    return convert(value)


def convert_xml(text: str) -> Conversion:
    """Convert an XML text to indented JSON by xmltodict, root element included, with a notice."""
    XML.loads(text)  # raises an error with its place
    return convert(xmltodict.parse(text), "XML has no types: all values are texts")


def has_columns(format: CsvFormat, text: str) -> bool:
    """Return whether a text looks like CSV: a first line of several column names, and rows."""
    header, _, rows = text.strip().partition("\n")
    names = header.rstrip("\r").split(format.delimiter)
    return bool(len(names) > 1 and rows and all(map(_COLUMN.match, names)))


def read_rows(format: CsvFormat, text: str) -> Conversion:
    """Convert a CSV text to indented JSON, an array with an object for each row.

    Cells that look like JSON's numbers or booleans become such. ``format`` says the delimiter.
    """
    rows = format.loads(text.strip("\r\n"))
    typed = [{name: _cell(cell) for name, cell in row.items()} for row in rows]
    items = (
        ",".join(f"{json.dumps(name, ensure_ascii=False)}:{cell}" for name, cell in row.items())
        for row in typed
    )
    array = f"[{','.join(f'{{{item}}}' for item in items)}]"
    parse_json(array)
    note = f"{format.label} has no types: cells like 12 or true are numbers and booleans"
    has_types = any(cell[:1] != '"' for row in typed for cell in row.values())
    return Conversion(indent(array), (Notice(note),) if has_types else ())


def _cell(cell: str) -> str:
    """Return a CSV cell as JSON: a number or boolean as it stands, all else as a quoted string."""
    is_typed = cell in ("true", "false") or NUMBER.fullmatch(cell)
    return cell if is_typed else json.dumps(cell, ensure_ascii=False)
