"""A document as prepared lines (SPEC 4.4 §12), and the tokens on them, which the decoder reads.

Byte-order mark, line ends, trailing spaces, comments and blank lines are removed here, so the
decoder sees only lines with content.
"""

from bisect import bisect_right
from collections.abc import Callable
from operator import sub
from typing import Any, Final, NoReturn

from toon.codec.header import Header, Rules, parse_header
from toon.codec.problems import describe
from toon.codec.text import TYPED_HEADS, TokenError, parse_token, read_key, split_outside_quotes
from toon.errors import ToonDecodeError

END: Final = -1  # the depth of the end of the document: shallower than any line


class Lines:
    """The lines of a TOON document for its decoder, without blank lines and comments.

    Attributes:
        contents: each line without indentation and trailing spaces; never empty.
        depths: the depth of each line, then END.
        numbers: the 1-based number of each line in the document.
        blanks: the numbers of the blank lines.
        comments: the numbers of the comment lines.
        pos: the index of the line at which the decoder is.
    """

    has_comments = True  # a line that starts with # is one, new in 4.0
    nested, mark_quoted = True, False  # see Rules

    def __init__(
        self, text: str, indent_size: int, strict: bool, parse_float: Callable[[str], Any]
    ) -> None:
        self.raw = text.removeprefix("\ufeff").split("\n")
        self.indent_size = indent_size
        self.strict = strict
        self.rules = Rules(strict, self.nested, self.mark_quoted)
        self.parse_float = parse_float
        self.pos = 0
        self.bare_keys: set[str] = set()  # already checked, in case they appear again
        lines = self.raw
        carriage_returns = "\r" in text
        if carriage_returns:
            lines = [line.removesuffix("\r") for line in lines]
        if carriage_returns or " \n" in text or text.endswith(" "):
            lines = [line.rstrip(" ") for line in lines]
        self.contents = [line.lstrip(" ") for line in lines]
        self.widths = list(map(sub, map(len, lines), map(len, self.contents)))
        self.numbers: range | list[int] = range(1, len(lines) + 1)
        self.blanks: list[int] = []
        self.comments: list[int] = []
        if "" in self.contents or (self.has_comments and "#" in text):  # §5.1
            mark = "#" if self.has_comments else ""
            heads = [content[:1] for content in self.contents]
            self.blanks = [number for number, head in enumerate(heads, 1) if not head]
            self.comments = [number for number, head in enumerate(heads, 1) if head == mark != ""]
            self._keep([at for at, head in enumerate(heads) if head not in ("", mark)])
        tabs = "\t" in text and any(content[0] == "\t" for content in self.contents)
        if strict:
            self.depths = self._strict_depths(tabs)
        elif tabs:
            self.depths = self._lenient_depths()
        else:
            self.depths = [width // indent_size for width in self.widths]
        self.depths.append(END)

    def _keep(self, places: list[int]) -> None:
        self.contents = [self.contents[i] for i in places]
        self.widths = [self.widths[i] for i in places]
        self.numbers = [self.numbers[i] for i in places]

    def _strict_depths(self, tabs: bool) -> list[int]:
        size = self.indent_size
        if tabs:
            at = next(i for i, content in enumerate(self.contents) if content[0] == "\t")
            self.fail("tab-indent", at, expected=size)
        depth_of = {width: width // size for width in set(self.widths)}
        if any(width % size for width in depth_of):
            at = next(i for i, width in enumerate(self.widths) if width % size)
            self.fail("indent", at, found=self.widths[at], expected=size)
        return list(map(depth_of.__getitem__, self.widths))

    def _lenient_depths(self) -> list[int]:
        """Return each TOON line's depth: its tabs plus its spaces by the indent, rounded down.

        Strip tabs from the lines, and drop those that hold nothing else.
        """
        depths, blanks, places = [], [], []
        for at, (width, content) in enumerate(zip(self.widths, self.contents, strict=True)):
            self.contents[at] = rest = content.lstrip(" \t")
            indent = content[: len(content) - len(rest)]
            tabs = indent.count("\t")
            if rest:
                places.append(at)
                depths.append(tabs + (width + len(indent) - tabs) // self.indent_size)
            else:
                blanks.append(self.numbers[at])
        self.blanks = sorted([*self.blanks, *blanks])
        self._keep(places)
        return depths

    def shift(self, at: int, depth: int, by: int) -> None:
        """Move a block of TOON lines that is indented too deep, from ``at`` on, some levels up."""
        while self.depths[at] >= depth:
            if self.depths[at] < depth + by:
                self.fail("too-shallow", at)
            self.depths[at] -= by
            at += 1

    def find_blank(self, first: int, last: int) -> int | None:
        """Return the number of the first blank line between two lines of TOON, or None."""
        index = bisect_right(self.blanks, self.numbers[first])
        if index < len(self.blanks) and self.blanks[index] < self.numbers[last]:
            return self.blanks[index]
        return None

    def refuse_blanks(self, header: int, end: int, block: str) -> None:
        """Raise ToonDecodeError, if strict, at a blank line inside an array of TOON (§12)."""
        if not self.strict or not self.blanks or end <= header + 1:
            return
        blank = self.find_blank(header + 1, end - 1)
        if blank is not None:
            self.fail_at("blank-line", blank, 1, found=block)

    def values(self, text: str, delimiter: str, at: int) -> list[Any]:
        """Return the scalars between delimiters in a TOON text, the end of line ``at`` (§11.2)."""
        quoted = '"' in text
        tokens = split_outside_quotes(text, delimiter) if quoted else text.split(delimiter)
        parse_float = self.parse_float
        result: list[Any] = []
        try:
            for token in tokens:
                if token[:1] in TYPED_HEADS or token[-1:] == " ":
                    result.append(parse_token(token.strip(" "), parse_float))
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
        """Return the scalar that a TOON token, the end of line ``at``, spells."""
        try:
            return parse_token(token, self.parse_float)
        except TokenError as error:
            error.offset += len(self.contents[at]) - len(token)
            self.fail_token(error, at)

    def key(self, token: str, at: int) -> str:
        try:
            return read_key(token, self.rules.mark_quoted)
        except TokenError as error:
            self.fail_token(error, at)

    def header(self, content: str) -> Header | None:
        """Parse the TOON array header on the current line; None if its brackets are a 3.3 key's."""
        try:
            return parse_header(content, self.rules)
        except TokenError as error:
            self.fail_token(error, self.pos)

    def fail_token(self, error: TokenError, at: int) -> NoReturn:
        """Raise ToonDecodeError for a TokenError whose offset is from the start of line ``at``."""
        self.fail(error.problem, at, error.offset, **error.facts)

    def fail(self, problem: str, at: int, offset: int = 0, **facts: object) -> NoReturn:
        """Raise ToonDecodeError for a named problem ``offset`` characters into the line ``at``."""
        number = self.numbers[min(at, len(self.contents) - 1)]
        source = self.raw[number - 1].removesuffix("\r")
        start = len(source.rstrip(" ")) - len(self.contents[at]) if at < len(self.contents) else 0
        self.fail_at(problem, number, max(start, 0) + offset + 1, **facts)

    def fail_at(self, problem: str, number: int, column: int, **facts: object) -> NoReturn:
        """Raise ToonDecodeError for a problem at a line and column of the document, both from 1."""
        message, hint = describe(problem, facts)
        source = self.raw[number - 1].removesuffix("\r")
        raise ToonDecodeError(message, line=number, column=column, source=source, hint=hint)
