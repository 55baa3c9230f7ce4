"""TOON by SPEC 4.4, with each of its three delimiters, and by 3.3. Lossless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from toon.codec.numbers import SAFE_INTEGER, Exactly, exact_number, warning
from toon.codec.parts import Opened, Part
from toon.codec.reading import decode, open_lines
from toon.codec.rewriting import change_delimiter, is_legacy
from toon.codec.text import DELIMITER_NAMES, LEGACY_VERSION, NUMBER, SPEC_VERSION, write_scalar
from toon.codec.writing import encode
from toon.errors import ToonDecodeError
from toon.formats.base import Format
from toon.formats.stock import describe_changes, find_odd_numbers
from toon.layout.spans import VALUES, Layout, is_quoted
from toon.layout.toon import toon_layout
from toon.text import QUOTED, Notice, Notices, Parsed, Source
from toon.wording import plural

if TYPE_CHECKING:
    from toon.codec.text import Delimiter, Version

# The sentence that explains a construct of the text to a model. ``{0}`` is the delimiter and
# ``{1}`` the same within brackets, where a comma is left out (SPEC 4.4 §6).
_BASE: Final = "The data is TOON: JSON's values with less syntax."
_CONSTRUCTS: Final = {
    "fields": "Indentation nests; `key: value` is a field.",
    "lists": "`- ` starts an item of an array.",
    "arrays": "`name[3{1}]: a{0}b{0}c` is an array of 3.",
    "tables": "`rows[2{1}]{{id{0}qty}}:` is a table: each line below holds one object's values in "
    "that order, separated by {2}.",
    "keyed": "`rows[2:{1}]{{id{0}qty}}:` is an object of objects: each line below is `key: values` "
    "in that order.",
    "groups": "`at{{x{0}y}}` among the columns is an object of x and y.",
    "quotes": "Quoted text is a string.",
}
_DELIMITERS: Final = {sign: f"{name}s" for sign, name in DELIMITER_NAMES.items()}

# No bare string holds a bracket, and no string a line break (§7.2): these find every header and
# every item, and besides them only brackets in quoted strings.
_HEADER: Final = re.compile(rb"\[([0-9]{1,9})(:?)([\t|]?)\](?:\{([^\n]*)\})?:( ?)")
_ITEM: Final = re.compile(rb"\n *-(?:[ \r\n]|\Z)")
_FIELD: Final = re.compile(
    rb'\n *(?:- )?(?:[^\n":\[# ][^\n":\[]*+|' + QUOTED.encode() + rb"):(?:[ \r\n]|\Z)"
)
_QUOTED: Final = re.compile(QUOTED.encode(), re.DOTALL)

# A comment by 4.4, though 3.3 leaves strings that start so without quotes.
_COMMENT: Final = re.compile("^ *#", re.MULTILINE)

# Other readers can only change numbers with an exponent, with many digits, or minus zero.
_ODD_NUMBER: Final = re.compile(
    r"-?[0-9](?:[0-9.]*[eE][+-]?[0-9]+|[0-9.]{14,})|-0(?:\.0+)?(?![0-9.])"
)
_MINUS_ZERO: Final = re.compile(r"-0(?<![^ ,\t|\n]-0)(?![^ ,\t|\r\n])")
_SAME_DIGIT: Final = bytes.maketrans(b"123456789", b"000000000")
_MANY_DIGITS: Final = b"0" * len(str(SAFE_INTEGER))


@dataclass(frozen=True, slots=True)
class ToonFormat(Format):
    """TOON as a format, by one version of its specification, with one delimiter and indentation."""

    name: str
    label: str
    delimiter: Delimiter
    indent_size: int = 2
    spec: Version = SPEC_VERSION
    expands_paths: bool = False
    lossless: bool = True
    public: bool = True
    tested = True
    about = "Token-Oriented Object Notation: names once, then rows; levels by indentation."
    media_type: str = "text/toon; charset=utf-8"  # SPEC 4.4 §17
    stock_reader: str = "toon-format"  # the official package for Python

    @property
    def explanation(self) -> str:
        return self.explain(frozenset(_CONSTRUCTS))

    def uses(self, text: str) -> frozenset[str]:
        data = b"\n" + text.encode()
        headers = list(_HEADER.finditer(data))
        before = data[: headers[-1].start()] if headers else b""
        if b'"' in before:
            quoted = is_quoted(before, np.array([header.start() for header in headers], np.intp))
            headers = [header for header, skip in zip(headers, quoted, strict=True) if not skip]
        # A text that a person typed may have another delimiter than this format writes.
        symbols = {header[3].decode() for header in headers} - {"", self.delimiter}
        constructs = {_DELIMITERS[symbol] for symbol in symbols}
        for length, keyed, _, columns, inline in map(re.Match.groups, headers):
            if columns is None:  # 3.3 writes an empty array as ``[0]:``
                constructs.add("arrays" if inline or not int(length) else "lists")
                continue
            constructs.add("keyed" if keyed else "tables")
            if b"{" in _QUOTED.sub(b"", columns):
                constructs.add("groups")
        if '"' in text:
            constructs.add("quotes")
        if _ITEM.search(data):
            constructs.add("lists")
        if _has_field(data, headers):
            constructs.add("fields")
        return frozenset(constructs)

    def explain(self, uses: frozenset[str]) -> str:
        delimiters = [mark for mark, name in _DELIMITERS.items() if name in uses]
        delimiter = delimiters[0] if delimiters else self.delimiter
        symbol = "" if delimiter == "," else delimiter
        sentences = [words for construct, words in _CONSTRUCTS.items() if construct in uses]
        return " ".join([_BASE, *sentences]).format(delimiter, symbol, _DELIMITERS[delimiter])

    def dumps(self, value: Any) -> str:
        return self.dumps_beside(value, {})

    def dumps_beside(self, value: Any, texts: Mapping[Any, str | None]) -> str:
        text = texts.get(TOON.name) if self.indent_size == TOON.indent_size else None
        if text is not None and self.spec == LEGACY_VERSION:
            text = text if is_legacy(text) else None
        elif text is not None:
            is_container = isinstance(value, dict | list)
            text = change_delimiter(text, self.delimiter) if is_container else None
        if text is not None:
            return text
        return encode(value, delimiter=self.delimiter, indent_size=self.indent_size, spec=self.spec)

    def loads(self, text: str) -> Any:
        return self._decode(text, exact_number, strict=True)

    def layout(self, text: str) -> Layout:
        return toon_layout(text, comments=self.spec != LEGACY_VERSION)

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Read a TOON text; return its value, and notices of numbers that other readers change.

        If ``strict`` is False, an erroneous text is read leniently, and a notice tells the error.
        """
        repairs, exactly = [], Exactly()
        try:
            value = self._decode(text, exactly, strict=True)
        except ToonDecodeError as error:
            if strict:
                raise
            value = self._decode(text, exact_number, strict=False)
            repairs.append(
                Notice(f"read leniently; strict: {error.message}", error.line, error.column)
            )
            exactly.found_odd = True  # perhaps
        return Parsed(value, (*repairs, *self._number_notices(text, exactly)))

    def parts(self, lines: Iterable[str], notices: Notices) -> Iterator[Part]:
        """Yield the parts of a TOON document while its lines arrive; add to ``notices`` a warning
        for each number that other readers would change.

        Raises:
            ToonDecodeError: The next part is malformed; the parts before it have been yielded.
        """
        exactly = Exactly()
        document = open_lines(lines, self.indent_size, parse_float=exactly)
        for part in document.parts():
            if not isinstance(part, Opened | None) and not notices.is_full:
                for notice in self._number_notices(document.text(), exactly):
                    line = notice.line and document.find_line(notice.line)
                    notices.add(notice.message, line, notice.column)
                exactly.found_odd = False
            yield part

    def stock_changes(self, value: Any, text: str) -> str | None:
        comments = len(_COMMENT.findall(text)) if self.spec == LEGACY_VERSION else 0
        if comments:
            return f"{self.stock_reader} takes {plural(comments, 'line')} for comments"
        numbers = map(write_scalar, find_odd_numbers(value))
        return describe_changes(self.stock_reader, numbers, refuses_infinity=True)

    def _decode(self, text: str, number: Callable[[str], Any], *, strict: bool) -> Any:
        return decode(
            text,
            indent_size=self.indent_size,
            strict=strict,
            spec=self.spec,
            parse_float=number,
            expand_paths=self.expands_paths,
        )

    def _number_notices(self, text: str, exactly: Exactly) -> Notices:
        """Return a notice for each number in a TOON text that other readers would change.

        ``exactly`` is the converter of numbers that read the text; it knows if one of them was odd.
        """
        source, notices = Source(text), Notices()
        # Looking for many digits is many times as fast as looking for the numbers.
        many_digits = _MANY_DIGITS in text.encode().translate(_SAME_DIGIT)
        if not (exactly.found_odd or many_digits or _MINUS_ZERO.search(text)):
            return notices
        candidates = list(_ODD_NUMBER.finditer(text))
        layout = self.layout(text) if candidates else None
        read = start = 0  # the same place in characters and in bytes
        for match in candidates:
            start += len(text[read : match.start()].encode())
            read = match.start()
            stop = start + len(match[0])
            quoted = '"' in (text[read - 1 : read], text[match.end() : match.end() + 1])
            assert layout is not None
            alone = (layout[start:stop] == VALUES).all() and VALUES not in (
                *layout[start - 1 : start],
                *layout[stop : stop + 1],
            )
            message = warning(match[0]) if alone and not quoted and NUMBER.match(match[0]) else None
            if message:
                notices.add(message, *source.place(match.start()))
            if notices.is_full:
                break
        return notices


def _has_field(data: bytes, headers: list[re.Match[bytes]]) -> bool:
    """Return whether a TOON text has a line ``key: value``; rows of a keyed table do not count.

    ``headers`` are the matches of all headers of arrays and tables in the text.
    """
    place = 0
    for header in headers:
        if not header[2]:
            continue
        if _FIELD.search(data, place, header.start()):
            return True
        place = data.find(b"\n", header.end())
        rows = int(header[1])
        while rows and place >= 0:
            place, rows = data.find(b"\n", place + 1), rows - 1
        if place < 0:
            return False
    return _FIELD.search(data, place) is not None


_TAB, _PIPE = DELIMITER_NAMES["\t"], DELIMITER_NAMES["|"]
TOON: Final = ToonFormat("toon", "TOON", ",")
TOON_TAB: Final = ToonFormat("toon-tab", f"TOON, {_TAB}", "\t")
TOON_PIPE: Final = ToonFormat("toon-pipe", f"TOON, {_PIPE}", "|")
TOON_3: Final = ToonFormat("toon-3", f"TOON {LEGACY_VERSION}", ",", spec=LEGACY_VERSION)
FORMATS: Final = (TOON, TOON_TAB, TOON_PIPE, TOON_3)

#: The names of the formats by the names of their delimiters.
TOON_BY_DELIMITER: Final = {
    DELIMITER_NAMES[format.delimiter]: format.name for format in (TOON, TOON_TAB, TOON_PIPE)
}
