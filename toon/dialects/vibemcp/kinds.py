"""The kind of each byte of VibeMCP's output: name, punctuation, whitespace or value.

Tabs and line ends are found in the whole text at once. The first line, cells in quotes and the
fields of a detail are matched one by one. The JSON of all cells is laid out in one pass.
"""

import re
from typing import Final

import numpy as np

from toon.dialects.vibemcp.grammar import KEYS, LOSSLESS, LOSSY, Profile, classify, split_columns
from toon.layout.json import json_layout
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, tabulate_kinds

_STRING: Final = rb'"(?:[^"\\\n]|\\[^\n])*+"?'
# Text that starts like a JSON array or object, closes all of its strings and ends in a bracket.
_JSON: Final = (
    rb'(?:\[(?=["\[\]{\-0-9]|true|false|null)|\{(?=["}]))'
    rb'(?:[^"\t\n\r]|"(?:[^"\\\t\n]|\\[^\t\n])*+")*+(?<=[\]}])'
)
_FIELDS: Final = {
    profile: re.compile(
        rb"(?<=\n)  (?P<key>" + key.encode() + rb"): (?:(?P<json>" + _JSON + rb")(?=\r?(?:\n|\Z))"
        rb"|(?P<string>" + _STRING + rb"))?"
    )
    for profile, key in KEYS.items()
}

#: Cells that start with a quote, and in the lossless profile cells of JSON.
_CELLS: Final = {
    profile: re.compile(rb"(?<![^\n\t])(?:(?P<string>" + _STRING + rb")|(?P<json>" + json + rb"))")
    for profile, json in ((LOSSY, rb"(?!)"), (LOSSLESS, _JSON + rb"(?=\t|\r?\n|\r?\Z)"))
}


def layout(text: str, *, profile: Profile = LOSSY) -> Layout:
    """Return an array with the kind of each UTF-8 byte of VibeMCP's output, damaged output too.

    Labels, columns and keys are names, also the keys of inline JSON. Counts, brackets, tabs, colons
    and the quotes around a cell are punctuation. Line ends, indentation and the blank after a colon
    are whitespace. All else is values.
    """
    head = text.partition("\n")[0].removesuffix("\r")
    mark = head[:1] if head.startswith("\ufeff") else ""
    form, parts = classify(head.removeprefix(mark), profile)
    is_table = parts is not None and parts.re.groups > 1 and parts["columns"] is not None
    data = text.encode()
    kinds = np.frombuffer(bytearray(data.translate(_KINDS[is_table])), np.uint8)
    first = bytes([WHITESPACE]) * len(mark.encode())
    if parts is not None:
        first += _head(parts, form == "list", profile)
    kinds[: len(first)] = np.frombuffer(first, np.uint8)
    if form == "detail":
        matches = _FIELDS[profile].finditer(data)
    elif is_table or profile == LOSSLESS:
        matches = _CELLS[profile].finditer(data, len(first))
    else:
        return kinds
    jsons = []
    for match in matches:
        if form == "detail":
            start, end = match.span("key")
            kinds[start - 2 : start] = kinds[end + 1] = WHITESPACE
            kinds[start:end] = NAMES
            kinds[end] = PUNCTUATION
            if profile == LOSSLESS and match["key"].startswith(b'"'):
                kinds[start] = kinds[end - 1] = PUNCTUATION
        if match["string"] is not None:
            start, end = match.span("string")
            kinds[start:end] = VALUES
            kinds[start] = PUNCTUATION
            if end - start > 1 and data[end - 1] == ord('"'):
                kinds[end - 1] = PUNCTUATION
        elif match["json"] is not None:
            jsons.append(match.span("json"))
    inside, at = json_layout(b"\n".join(data[start:end] for start, end in jsons).decode()), 0
    for start, end in jsons:
        kinds[start:end] = inside[at : at + end - start]
        at += end - start + 1
    return kinds


#: Whether the text is a table -> the kind of each byte outside of the first line and of strings.
_KINDS: Final = {
    is_table: tabulate_kinds(VALUES, (b"\n\r", WHITESPACE), (b"\t", tab))
    for is_table, tab in ((False, VALUES), (True, PUNCTUATION))
}


def _head(parts: re.Match[str], is_list: bool, profile: Profile) -> bytes:
    """Return the kind of each byte of the first line of VibeMCP's output."""
    quotes = profile == LOSSLESS
    kinds = _name(parts["label"], quotes)
    if not is_list:
        return kinds + bytes([PUNCTUATION])
    if parts["count"] is not None:
        kinds += bytes([PUNCTUATION]) * (len(parts["count"]) + 2)
    columns = parts["columns"]
    if columns is None:
        return kinds
    tokens = split_columns(columns, profile)
    comma = bytes([PUNCTUATION])
    return kinds + comma + comma.join(_name(token, quotes) for token in tokens) + comma


def _name(token: str, quotes: bool) -> bytes:
    size = len(token.encode())
    if quotes and size > 1 and token[0] == token[-1] == '"':
        return bytes([PUNCTUATION, *[NAMES] * (size - 2), PUNCTUATION])
    return bytes([NAMES]) * size
