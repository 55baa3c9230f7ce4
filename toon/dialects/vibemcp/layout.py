"""What each byte of VibeMCP's output is: name, punctuation, whitespace or value.

Delimiters and line ends are found for the whole text at once. The first line, quoted cells and the
fields of a detail are read one by one, and JSON in cells is laid out as JSON, all of it in one go.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import numpy as np

from toon.codec.text import split_outside_quotes
from toon.dialects.vibemcp.grammar import LOSSLESS, LOSSY, Profile, classify
from toon.layout.json import json_layout
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout

_STRING: Final = rb'"(?:[^"\\\n]|\\[^\n])*+"?'
# Text in brackets that starts as JSON does, and closes all of its strings and the last bracket.
_JSON: Final = (
    rb'(?:\[(?=["\[\]{\-0-9]|true|false|null)|\{(?=["}]))'
    rb'(?:[^"\t\n\r]|"(?:[^"\\\t\n]|\\[^\t\n])*+")*+(?<=[\]}])'
)
_FIELDS: Final = {
    profile: re.compile(
        rb"(?<=\n)  (?P<key>" + key + rb"): (?:(?P<json>" + _JSON + rb")(?=\r?(?:\n|\Z))"
        rb"|(?P<string>" + _STRING + rb"))?"
    )
    for profile, key in (
        (LOSSY, rb"[^\n]*?"),
        (LOSSLESS, rb'(?:"(?:[^"\\\n]|\\[^\n])*+"|[^"\n][^\n]*?)'),
    )
}


@lru_cache(maxsize=8)
def _cells(delimiter: str, profile: Profile) -> re.Pattern[bytes]:
    """Cells that start with a quote, and in the lossless profile those of JSON."""
    d = re.escape(delimiter.encode())
    json = rb"|(?P<json>" + _JSON + rb")(?=" + d + rb"|\r?\n|\r?\Z)"
    return re.compile(
        rb"(?<![^\n" + d + rb"])(?:(?P<string>" + _STRING + rb")"
        + (json if profile == LOSSLESS else rb"|(?P<json>(?!))") + rb")"
    )  # fmt: skip


def vibemcp_layout(text: str, profile: Profile = LOSSY, delimiter: str = "\t") -> Layout:
    """One kind code per UTF-8 byte of ``text``; never raises on text that UTF-8 can carry.

    Labels, columns and keys are names, and so are the keys of inline JSON; counts, brackets,
    delimiters, colons and the quotes around a cell are punctuation; line ends, indentation and
    the blank after a colon whitespace; all else is values.
    """
    head = text.partition("\n")[0].removesuffix("\r")
    mark = head[:1] if head.startswith("\ufeff") else ""
    form, parts = classify(head.removeprefix(mark), profile)
    is_table = parts is not None and parts.re.groups > 1 and parts["columns"] is not None
    data = text.encode()
    layout = np.frombuffer(bytearray(data.translate(_kinds(delimiter * is_table))), np.uint8)
    first = bytes([WHITESPACE]) * len(mark.encode())
    if parts is not None:
        first += _head(parts, form == "list", profile)
    layout[: len(first)] = np.frombuffer(first, np.uint8)
    if form == "detail":
        matches = _FIELDS[profile].finditer(data)
    elif is_table or profile == LOSSLESS:
        matches = _cells(delimiter, profile).finditer(data, len(first))
    else:
        return layout
    jsons = []
    for match in matches:
        if form == "detail":
            _mark_key(layout, match, profile)
        if match["string"] is not None:
            _mark_string(layout, data, *match.span("string"))
        elif match["json"] is not None:
            jsons.append(match.span("json"))
    _mark_json(layout, data, jsons)
    return layout


@lru_cache(maxsize=8)
def _kinds(delimiter: str) -> bytes:
    kinds = bytearray([VALUES]) * 256
    kinds[ord("\n")] = kinds[ord("\r")] = WHITESPACE
    if delimiter:
        kinds[ord(delimiter)] = PUNCTUATION
    return bytes(kinds)


def _head(parts: re.Match[str], is_list: bool, profile: Profile) -> bytes:
    """The kinds of a header's or a label's bytes."""
    quotes = profile == LOSSLESS
    kinds = _name(parts["label"], quotes)
    if not is_list:
        return kinds + bytes([PUNCTUATION])
    if parts["count"] is not None:
        kinds += bytes([PUNCTUATION]) * (len(parts["count"]) + 2)
    columns = parts["columns"]
    if columns is None:
        return kinds
    tokens = split_outside_quotes(columns, ",") if quotes else columns.split(",")
    comma = bytes([PUNCTUATION])
    return kinds + comma + comma.join(_name(token, quotes) for token in tokens) + comma


def _name(token: str, quotes: bool) -> bytes:
    size = len(token.encode())
    if quotes and size > 1 and token[0] == token[-1] == '"':
        return bytes([PUNCTUATION, *[NAMES] * (size - 2), PUNCTUATION])
    return bytes([NAMES]) * size


def _mark_key(layout: Layout, match: re.Match[bytes], profile: Profile) -> None:
    start, end = match.span("key")
    layout[start - 2 : start] = WHITESPACE
    layout[start:end] = NAMES
    layout[end] = PUNCTUATION
    layout[end + 1] = WHITESPACE
    if profile == LOSSLESS and match["key"].startswith(b'"'):
        layout[start] = layout[end - 1] = PUNCTUATION


def _mark_string(layout: Layout, data: bytes, start: int, end: int) -> None:
    layout[start:end] = VALUES
    layout[start] = PUNCTUATION
    if end - start > 1 and data[end - 1] == ord('"'):
        layout[end - 1] = PUNCTUATION


def _mark_json(layout: Layout, data: bytes, places: list[tuple[int, int]]) -> None:
    kinds = json_layout(b"\n".join(data[start:end] for start, end in places).decode())
    offset = 0
    for start, end in places:
        layout[start:end] = kinds[offset : offset + end - start]
        offset += end - start + 1
