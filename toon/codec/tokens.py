"""The tokens on the lines of a document: keys, headers and primitive values, and their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from toon.codec.header import Header, Rules, parse_header
from toon.codec.lines import Lines
from toon.codec.text import TYPED_HEADS, TokenError, primitive, read_key, split_outside_quotes


class Tokens:
    """A reader of the tokens on prepared lines; ``pos`` is the line at which a decoder is."""

    comments = True

    def __init__(
        self, text: str, indent_size: int, strict: bool, parse_float: Callable[[str], Any]
    ) -> None:
        self.lines = Lines(text, indent_size, strict, self.comments)
        self.contents = self.lines.contents
        self.depths = self.lines.depths
        self.strict = strict
        self.rules = Rules(strict)
        self.parse_float = parse_float
        self.pos = 0
        # Keys and header lines already checked and parsed, in case they appear again.
        self.bare_keys: set[str] = set()
        self.headers: dict[str, Header | None] = {}

    def values(self, text: str, delimiter: str, at: int) -> list[Any]:
        """Read the primitive values of delimited ``text``, the tail of line ``at`` (§11.2)."""
        quoted = '"' in text
        tokens = split_outside_quotes(text, delimiter) if quoted else text.split(delimiter)
        parse_float = self.parse_float
        result: list[Any] = []
        try:
            for token in tokens:
                if token[:1] in TYPED_HEADS or token[-1:] == " ":
                    result.append(primitive(token.strip(" "), parse_float))
                else:
                    result.append(token)
        except TokenError as error:
            read = len(result)
            token = tokens[read]
            before = sum(map(len, tokens[:read])) + read + len(token) - len(token.lstrip(" "))
            error.offset += len(self.contents[at]) - len(text) + before
            self.fail_token(error, at)
        return result

    def value(self, token: str, at: int) -> Any:
        """Read the primitive ``token``, the tail of line ``at``."""
        try:
            return primitive(token, self.parse_float)
        except TokenError as error:
            error.offset += len(self.contents[at]) - len(token)
            self.fail_token(error, at)

    def key(self, token: str, at: int) -> str:
        try:
            return read_key(token, self.rules.mark_quoted)
        except TokenError as error:
            self.fail_token(error, at)

    def header(self, content: str) -> Header | None:
        """Read the header on the line at ``self.pos``; None if its brackets are part of a key."""
        try:
            return parse_header(content, self.rules)
        except TokenError as error:
            self.fail_token(error, self.pos)

    def fail(self, problem: str, at: int, offset: int = 0, **facts: object) -> NoReturn:
        self.lines.fail(problem, at, offset, **facts)

    def fail_token(self, error: TokenError, at: int) -> NoReturn:
        self.lines.fail(error.problem, at, error.offset, **error.facts)
