"""The layout of any TOON text, read line by line.

It follows the syntax of SPEC 4.4 §5-§9 but never fails: text that is incomplete, or not TOON at
all, is laid out as far as it makes sense. Quotes, brackets, braces, lengths, delimiters, colons and
hyphens are punctuation. So are comments, because they carry no data.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, kinds_of_bytes
from toon.text import QUOTED_OR_OPEN

_NAME, _PUNCT, _SPACE, _VALUE = (bytes([kind]) for kind in (NAMES, PUNCTUATION, WHITESPACE, VALUES))
_SPAN: Final = QUOTED_OR_OPEN.encode()
_QUOTED: Final = re.compile(_SPAN, re.DOTALL)
_TO_COLON: Final = re.compile(rb'(?:[^":]|' + _SPAN + rb")*+", re.DOTALL)
_BRACKET: Final = re.compile(rb"\[[0-9]++:?([\t|]?)\]")
_KEY: Final = re.compile(rb'(?:[^"\[:]|' + _SPAN + rb")*+", re.DOTALL)
# The tokens of a field list; whether its braces are balanced does not matter here.
_FIELD_TOKEN: Final = re.compile(_SPAN + rb"|[{},|\t]|[^\"{},|\t]++", re.DOTALL)
_FIELDS_END: Final = re.compile(rb'(?:[^":]|' + _SPAN + rb")*\}", re.DOTALL)


_CELLS: Final = {
    delimiter: kinds_of_bytes(VALUES, (b'"' + delimiter, PUNCTUATION))
    for delimiter in (b",", b"\t", b"|")
}


def read_layout(data: bytes, comments: bool = True) -> Layout:
    """One kind code per byte of ``data``; never raises."""
    if not data:
        return np.zeros(0, np.uint8)
    lines = data.split(b"\n")
    parts = Reader(indent_size_of(lines, comments), comments).document(lines)
    return np.frombuffer(_SPACE.join(parts), np.uint8)


def indent_size_of(lines: list[bytes], comments: bool) -> int:
    """The width of the first indentation, which an encoder makes one level; 2 if there is none."""
    for line in lines:
        content = line.lstrip(b" ")
        if content and len(content) < len(line) and not (comments and content.startswith(b"#")):
            return len(line) - len(content)
    return 2


class Reader:
    """Lays out the lines of one document, in order; methods return one kind code per byte."""

    def __init__(self, indent_size: int, comments: bool) -> None:
        self.indent_size = indent_size
        self.comments = comments
        # The current table; its rows are indented deeper than `floor`. None outside a table.
        self.floor: int | None = None
        self.keyed = False
        self.delimiter = b","

    def document(self, lines: list[bytes]) -> list[bytes]:
        parts = [self.line(line) for line in lines]
        if lines[0].startswith(b"\xef\xbb\xbf"):  # a byte-order mark
            parts[0] = _SPACE * 3 + self.line(lines[0][3:])
        return parts

    def line(self, line: bytes) -> bytes:
        body = line.rstrip(b" \r")
        content = body.lstrip(b" \t")
        indent = len(body) - len(content)
        if self.floor is not None and content and indent <= self.floor:
            self.floor = None
        kinds = self.content(content, indent) if content else b""
        return _SPACE * indent + kinds + _SPACE * (len(line) - len(body))

    def content(self, content: bytes, indent: int) -> bytes:
        if self.comments and content.startswith(b"#"):
            return _PUNCT * len(content)
        if self.floor is not None:
            row = self.row(content)
            if row is not None:
                return row
        if content == b"-":
            return _PUNCT
        if content.startswith(b"- "):
            rest = content[2:].lstrip(b" ")
            lead = _PUNCT + _SPACE * (len(content) - len(rest) - 1)
            return lead + self.field(rest, indent + self.indent_size)
        return self.field(content, indent)

    def row(self, content: bytes) -> bytes | None:
        """A row or entry of the current table; None if the line is neither."""
        colon = _find_colon(content)
        if self.keyed:
            if colon < 0:
                return None
            return _key(content[:colon]) + _PUNCT + _cells(content[colon + 1 :], self.delimiter)
        if colon >= 0:
            first = _QUOTED.sub(lambda m: b"x" * len(m[0]), content).find(self.delimiter)
            if not 0 <= first < colon:
                return None
        return _cells(content, self.delimiter)

    def field(self, content: bytes, indent: int) -> bytes:
        """A header, a key-value line or a scalar."""
        colon = _find_colon(content)
        if colon < 0:
            return _whole(content)
        key = _KEY.match(content)
        assert key is not None
        if key.end() < colon and content[key.end() : key.end() + 1] == b"[":
            header = self.header(content, key.end(), indent)
            if header is not None:
                return header
        return _key(content[:colon]) + _PUNCT + _whole(content[colon + 1 :])

    def header(self, content: bytes, bracket: int, indent: int) -> bytes | None:
        """The header whose bracket is at ``bracket``, or None. One with fields starts a table."""
        match = _BRACKET.match(content, bracket)
        if match is None:
            return None
        end = match.end()
        delimiter = match[1] or b","
        parts = [_key(content[:bracket]), _PUNCT * (end - bracket)]
        if content.startswith(b"{", end):
            fields = _FIELDS_END.match(content, end)
            if fields is None:
                return None
            parts += map(_field_token, _FIELD_TOKEN.findall(fields[0]))
            end = fields.end()
            self.floor, self.delimiter = indent, delimiter
            self.keyed = b":" in match[0]
        if not content.startswith(b":", end):
            self.floor = None
            return None
        parts += [_PUNCT, _cells(content[end + 1 :], delimiter)]
        return b"".join(parts)


def _find_colon(content: bytes) -> int:
    """The offset of the first unquoted colon, or -1."""
    if b'"' not in content:
        return content.find(b":")
    match = _TO_COLON.match(content)
    assert match is not None
    return match.end() if match.end() < len(content) else -1


def _split_space(token: bytes) -> tuple[int, bytes, int]:
    """The widths of the spaces around a token, and the token."""
    right = token.rstrip(b" ")
    core = right.lstrip(b" ")
    return len(right) - len(core), core, len(token) - len(right)


def _quotable(token: bytes, kind: bytes) -> bytes:
    """The kinds of a token of ``kind``, which may be quoted, and of the spaces around it."""
    left, core, right = _split_space(token)
    if core.startswith(b'"'):
        closed = len(core) > 1 and core.endswith(b'"')
        kinds = _PUNCT + kind * (len(core) - 1 - closed) + _PUNCT * closed
    else:
        kinds = kind * len(core)
    return _SPACE * left + kinds + _SPACE * right


def _key(token: bytes) -> bytes:
    return _quotable(token, _NAME)


def _whole(rest: bytes) -> bytes:
    """The kinds of a value that is alone in its field or item; ``[]`` is the empty array (§9.1)."""
    if rest.strip(b" ") == b"[]":
        left, _, right = _split_space(rest)
        return _SPACE * left + _PUNCT * 2 + _SPACE * right
    return _quotable(rest, _VALUE)


def _field_token(token: bytes) -> bytes:
    return _PUNCT if token in (b"{", b"}", b",", b"|", b"\t") else _key(token)


def _cells(text: bytes, delimiter: bytes) -> bytes:
    """The kinds of delimited cells and the spaces around them."""
    masked = text
    if b'"' in text:
        masked = _QUOTED.sub(_mask, text)
    kinds = masked.translate(_CELLS[delimiter])
    if text.startswith(b" ") or delimiter + b" " in masked or b" " + delimiter in masked:
        return b"".join(
            _SPACE * left + core + _SPACE * right
            for left, core, right in _spaced(masked, kinds, delimiter)
        )
    return kinds


def _mask(match: re.Match[bytes]) -> bytes:
    """A quoted span with ``x`` inside, so that no delimiter is found in it."""
    span = match[0]
    closed = len(span) > 1 and span.endswith(b'"')
    return b'"' + b"x" * (len(span) - 1 - closed) + b'"' * closed


def _spaced(masked: bytes, kinds: bytes, delimiter: bytes) -> list[tuple[int, bytes, int]]:
    """The kinds of each cell and delimiter, between the widths of the spaces around it."""
    pieces = []
    at = 0
    for token in masked.split(delimiter):
        left, core, right = _split_space(token)
        start = at + left
        end = start + len(core)
        after = end + right
        pieces.append((left, kinds[start:end], right))
        if after < len(masked):
            pieces.append((0, _PUNCT, 0))
        at = after + 1
    return pieces
