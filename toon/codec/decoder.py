"""TOON lines to value (SPEC 4.4 §4-§14).

A recursive reader over prepared lines. Each method reads one construct that starts on the line at
``self.pos`` and leaves ``self.pos`` at the first line after it. A field after a hyphen is read by
rewriting its line in place without the hyphen, one level deeper (§10). A block of table rows is
first read by columns (:mod:`toon.codec.columns`); if that gives up, it is read row by row, which
also finds any error. Items of a list that are alike are read by columns too
(:mod:`toon.codec.item_reader`).
"""

from typing import Any

from toon.codec.columns import FEW_ROWS, Rows, build_rows, read_block
from toon.codec.header import Header, find_bracket, find_colon, is_header
from toon.codec.item_reader import PLAIN_KEY, Items, read_items
from toon.codec.lines import Lines
from toon.codec.problems import guess_format
from toon.codec.text import (
    DELIMITER_NAMES,
    MAX_DEPTH,
    TYPED_HEADS,
    TokenError,
    find_token_end,
    parse_token,
    split_outside_quotes,
)


class Decoder(Lines):
    """A decoder of a TOON 4.4 text, given to the constructor; ``document`` returns its value."""

    # -- root (§5) -------------------------------------------------------------------------

    def document(self) -> Any:
        if not self.contents:
            return {}
        if self.depths[0]:
            self.fail("over-indented", 0)
        first, header = self.contents[0], self.root_header()
        if header is not None:
            value = self.headed_value(header, 0)
            return self.complete(value, "object" if header.keyed else "array")
        if first == "[]":
            self.pos = 1
            return self.complete(self.field_value(first, 0), "array")
        if len(self.contents) == 1 and find_colon(first) < 0:
            return self.value(first, 0)
        return self.fields(0)

    def root_header(self) -> Header | None:
        """Return the first line's header if a TOON document is one array or table, else None."""
        first = self.contents[0]
        header = self.header(first) if first[0] == "[" and is_header(first) else None
        return header if header is not None and header.key is None else None

    def complete(self, value: Any, kind: str) -> Any:
        """Return a TOON document's root ``value``; raise ToonDecodeError if a line follows (§5)."""
        if self.depths[self.pos] > 0:
            self.fail("over-indented", self.pos)
        if self.pos < len(self.contents):
            self.fail("trailing", self.pos, found=kind)
        return value

    # -- objects (§8) ----------------------------------------------------------------------

    def fields(self, depth: int, known: dict[str, Any] | None = None) -> dict[str, Any]:
        """Read a TOON object's lines at a depth into ``known``, or else a new dict; return it."""
        if depth > MAX_DEPTH:
            self.fail("too-deep", self.pos, expected=MAX_DEPTH)
        contents, depths, keys = self.contents, self.depths, self.bare_keys
        is_bare = PLAIN_KEY.match
        parse_float, at, token = self.parse_float, self.pos, ""
        result: dict[str, Any] = {} if known is None else known
        try:
            while depths[at] == depth:
                key, colon, token = contents[at].partition(": ")
                if not colon and key[-1] == ":":
                    key = key[:-1]
                    colon = ":"
                if key not in keys or not colon:
                    if not colon or is_bare(key) is None:
                        self.pos = at
                        if key[-1:] != "]" or not self.plain_array(key, token, result):
                            self.field(result, depth)
                        at = self.pos
                        continue
                    keys.add(key)
                if key in result:
                    self.refuse_duplicate(key, at)
                at += 1
                if not token:
                    self.pos = at
                    opens = depths[at] > depth and self.opens(depth + 1)
                    result[key] = self.fields(depth + 1) if opens else {}
                    at = self.pos
                elif token[0] not in TYPED_HEADS:
                    result[key] = token
                else:
                    token = token.lstrip(" ")
                    result[key] = parse_token(token, parse_float) if token != "[]" else []
        except TokenError as error:
            error.offset += len(contents[at - 1]) - len(token)
            self.fail_token(error, at - 1)
        self.pos = at
        if depths[at] > depth:
            self.fail("over-indented", at)
        return result

    def field(self, result: dict[str, Any], depth: int) -> None:
        """Read one field of a TOON object, of any form, into the dict ``result`` (§5.2)."""
        at, content = self.pos, self.contents[self.pos]
        header = self.field_header(content, at)
        if header is not None:
            if header.key is None:
                self.fail("keyless", at)
            if header.key in result:
                self.refuse_duplicate(header.key, at)
            result[header.key] = self.headed_value(header, depth)
            return
        colon = find_colon(content)
        key = self.key(content[:colon].rstrip(" "), at)
        if key in result:
            self.refuse_duplicate(key, at)
        self.pos = at + 1
        token = content[colon + 1 :].lstrip(" ")
        if token:
            result[key] = self.field_value(token, at)
        else:
            opens = self.opens(depth + 1)
            result[key] = self.fields(depth + 1) if opens else self.empty_object(at, colon)

    def plain_array(self, key: str, token: str, result: dict[str, Any]) -> bool:
        """Read a TOON line ``name[2]: a,b`` into the dict ``result``; return whether it is one."""
        name, _, length = key[:-1].partition("[")
        commas = token.count(",")
        if not token or str(commas + 1) != length or not name.isidentifier() or name in result:
            return False
        values = self.values(token, ",", self.pos)
        if len(values) <= commas:  # some are in quotes
            return False
        result[name] = values
        self.pos += 1
        return True

    def field_header(self, content: str, at: int) -> Header | None:
        """Return the array header of a TOON line, as in ``a[2]{x}:``, or None for ``key: value``.

        Raise ToonDecodeError for a line without a colon.
        """
        header = self.header(content) if is_header(content) else None
        if header is None and find_colon(content) < 0:
            following = "".join(self.contents[at + 1 : at + 2])
            self.fail("not-a-field", at, likely=guess_format(content, following))
        return header

    def field_value(self, token: str, at: int) -> Any:
        """Read the scalar after a key or hyphen in TOON, where ``[]`` is the empty array (§9.1)."""
        return [] if token == "[]" else self.value(token, at)

    def empty_object(self, at: int, offset: int) -> Any:
        """Return an empty dict; the colon or hyphen at ``offset`` of a TOON line stands for it."""
        return {}

    def refuse_duplicate(self, key: str, at: int) -> None:
        """Raise ToonDecodeError, if strict, for a ``key`` that a TOON object has twice."""
        if self.strict:
            self.fail("key-twice", at, found=repr(key))

    # -- arrays and keyed objects (§9) -----------------------------------------------------

    def headed_value(self, header: Header, depth: int) -> Any:
        """Read the TOON array or table headed by the current line to a list, or a dict if keyed."""
        at, content = self.pos, self.contents[self.pos]
        rest = content[header.end :].lstrip(" ")
        self.pos = at + 1
        if header.fields is not None:
            if rest:
                self.fail("fields-inline", at, len(content) - len(rest))
            return self.table(header, depth + 1, at)
        if rest:  # §9.1
            result = self.values(rest, header.delimiter, at)
            self.check_count("value-count", header, len(result), at)
            return result
        result = self.items(depth + 1) if self.opens(depth + 1) else []
        self.check_count("item-count", header, len(result), at)
        self.refuse_blanks(at, self.pos, "the list")
        return result

    def items(self, depth: int) -> list[Any]:
        """Read the ``- `` lines of a TOON list at ``depth``, at least one; return their values."""
        if depth > MAX_DEPTH:
            self.fail("too-deep", self.pos, expected=MAX_DEPTH)
        contents, depths = self.contents, self.depths
        result: list[Any] = []
        alike = self.read_alike(depth)
        while depths[self.pos] == depth:
            at = self.pos
            if at in alike:
                value, self.pos = alike[at]
                result.append(value)
                continue
            content = contents[at]
            if content == "-":
                result.append(self.empty_object(at, 0))
                self.pos = at + 1
                continue
            if not content.startswith("- "):
                break
            contents[at] = content = content[2:].lstrip(" ")
            colon = content.find(":")
            if content[0] == "[" or colon < 0:
                result.append(self.item(content, depth))
            elif '"' not in content[:colon] or find_colon(content) >= 0:
                depths[at] = depth + 1  # §10: the first field stands one level deeper
                result.append(self.fields(depth + 1))
            else:
                result.append(self.item(content, depth))
        if depths[self.pos] >= depth:
            problem = "not-an-item" if depths[self.pos] == depth else "over-indented"
            self.fail(problem, self.pos)
        return result

    def read_alike(self, depth: int) -> Items:
        """Read those items of a TOON list that have the same fields, by columns.

        Return by the index of an item's first line its dict and the index of the line after it.
        """
        return read_items(self, self.pos, depth, self.rules, self.parse_float)

    def item(self, content: str, depth: int) -> Any:
        """Return a TOON list item's value, an array or scalar, from the text after its hyphen."""
        at = self.pos
        if content[0] == "[" and is_header(content):
            header = self.header(content)
            if header is not None:
                if header.fields is not None:
                    self.fail("keyless", at)
                return self.headed_value(header, depth)
        self.pos = at + 1
        return self.field_value(content, at)

    def table(self, header: Header, depth: int, at: int) -> Any:
        """Read the rows below a TOON table header to a list of dicts, if keyed a dict of dicts."""
        keys: list[str] = []
        result: list[dict[str, Any]] = []
        if self.opens(depth):
            keys, result = self.block(header, depth) or self.rows(header, depth)
        if self.depths[self.pos] >= depth:
            problem = "not-a-row" if self.depths[self.pos] == depth else "over-indented"
            self.fail(problem, self.pos)
        problem = "entry-count" if header.keyed else "row-count"
        self.check_count(problem, header, len(result), at)
        self.refuse_blanks(at, self.pos, "the table")
        return dict(zip(keys, result, strict=True)) if header.keyed else result

    def block(self, header: Header, depth: int) -> Rows | None:
        """Read the rows of a TOON table by columns; return their keys, if keyed, and their dicts.

        Return None, without an error, where they must be read line by line.
        """
        start, length = self.pos, header.length
        stop = start + length
        if length < FEW_ROWS or stop > len(self.contents) or self.depths[stop] >= depth:
            return None
        if self.depths[start:stop] != [depth] * length:
            return None
        read = read_block(self.contents[start:stop], header, self.parse_float)
        if read is not None:
            self.pos = stop
        return read

    def rows(self, header: Header, depth: int) -> Rows:
        """Read a TOON table's rows line by line; return their keys, if keyed, and their dicts."""
        assert header.fields is not None
        keys: list[str] = []
        width, delimiter, names = header.width, header.delimiter, header.names
        contents, depths, at = self.contents, self.depths, self.pos
        result: list[Any] = []
        seen: set[str] = set()
        while depths[at] == depth:
            content = contents[at]
            colon = find_colon(content) if ":" in content else -1
            if header.keyed:
                if colon < 0:
                    self.fail("not-an-entry", at)
                key = self.key(content[:colon].rstrip(" "), at)
                if key in seen:
                    self.refuse_duplicate(key, at)
                seen.add(key)
                keys.append(key)
                content = content[colon + 1 :].lstrip(" ")
            elif 0 <= colon <= find_token_end(content, delimiter):
                break  # §9.3: a row has a delimiter before its first unquoted colon
            cells = self.values(content, delimiter, at) if content else []
            if len(cells) != width:  # fail at the first cell too many, or after the last cell
                more, offset = len(cells) > width, len(contents[at])
                if more:
                    beyond = split_outside_quotes(content, delimiter)[width:]
                    offset -= len(delimiter.join(beyond).lstrip(" "))
                facts = {"found": len(cells), "expected": width}
                problem = "row-width-more" if more else "row-width-less"
                self.fail(problem, at, offset, **facts, delimiter=DELIMITER_NAMES[delimiter])
            result.append(dict(zip(names, cells, strict=True)) if names else cells)
            at += 1
        self.pos = at
        if names or not result:
            return keys, result
        return keys, build_rows(header.fields, list(zip(*result, strict=True)))

    # -- checks ----------------------------------------------------------------------------

    def opens(self, depth: int) -> bool:
        """Return whether the current TOON line starts a block at ``depth`` (§8).

        A deeper line is an error if strict; else its block is moved up to ``depth``.
        """
        actual = self.depths[self.pos]
        if actual <= depth:
            return actual == depth
        if self.strict:
            self.fail("depth-jump", self.pos, found=actual, expected=depth)
        self.shift(self.pos, depth, actual - depth)
        return True

    def check_count(self, problem: str, header: Header, count: int, at: int) -> None:
        """Raise ToonDecodeError, if strict, unless a TOON header declares the number of members."""
        if not self.strict or count == header.length:
            return
        first, last = self.numbers[at], self.numbers[min(self.pos, len(self.contents) - 1)]
        likely = "the text may be cut off"
        if count > header.length:
            likely = "correct the length in the brackets"
        elif any(first < number <= last for number in self.comments):
            likely = "written by a 3.x encoder? Since 4.0 a line that starts with # is a comment"
        elif problem == "value-count":
            likely += f", or not separated by {DELIMITER_NAMES[header.delimiter]}"
        elif not count and self.pos < len(self.contents):
            likely = "what belongs to a header stands one level deeper than its key"
        bracket = find_bracket(self.contents[at])
        self.fail(problem, at, bracket, expected=header.length, found=count, likely=likely)
