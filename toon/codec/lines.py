"""A document as prepared lines (SPEC 4.4 §12), which the decoder reads.

Byte-order mark, line ends, trailing spaces, comments and blank lines are removed here, so the
decoder sees only lines with content.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import sub
from typing import Final, NoReturn

from toon.codec.problems import phrase
from toon.errors import ToonDecodeError

END: Final = -1  # the depth of the end of the document: shallower than any line


class Lines:
    """Prepared lines.

    Attributes:
        contents: each line without indentation and trailing spaces; never empty.
        depths: the depth of each line, then END.
        numbers: the 1-based number of each line in the document.
        blanks: the numbers of the blank lines.
        comments: the numbers of the comment lines.
    """

    def __init__(self, text: str, indent_size: int, strict: bool, comments: bool = True) -> None:
        self.raw = text.removeprefix("\ufeff").split("\n")
        self.indent_size = indent_size
        self.strict = strict
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
        if "" in self.contents or (comments and "#" in text):
            self._drop(comments)
        tabs = "\t" in text and any(content[0] == "\t" for content in self.contents)
        if strict:
            self.depths = self._strict_depths(tabs)
        elif tabs:
            self.depths = self._lenient_depths()
        else:
            self.depths = [width // indent_size for width in self.widths]
        self.depths.append(END)

    def _drop(self, comments: bool) -> None:
        """Drop blank lines and comments; keep their numbers (§5.1)."""
        contents = self.contents
        mark = "#" if comments else ""
        kept = [i for i, content in enumerate(contents) if content[:1] not in ("", mark)]
        self.blanks = [i + 1 for i, content in enumerate(contents) if not content]
        self.comments = [i + 1 for i, content in enumerate(contents) if content[:1] == mark != ""]
        self._keep(kept)

    def _keep(self, kept: list[int]) -> None:
        self.contents = [self.contents[i] for i in kept]
        self.widths = [self.widths[i] for i in kept]
        self.numbers = [self.numbers[i] for i in kept]

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
        stripped = [content.lstrip(" \t") for content in self.contents]
        depths = []
        for width, content, rest in zip(self.widths, self.contents, stripped, strict=True):
            indent = " " * width + content[: len(content) - len(rest)]
            depths.append(depth_of(indent, self.indent_size))
        self.contents = stripped
        kept = [i for i, content in enumerate(stripped) if content]
        if len(kept) < len(stripped):
            self.blanks = sorted(
                [*self.blanks, *(self.numbers[i] for i, rest in enumerate(stripped) if not rest)]
            )
            self._keep(kept)
            depths = [depths[i] for i in kept]
        return depths

    def shift(self, at: int, depth: int, by: int) -> None:
        """Move the block that starts at line ``at``, which is too deep, ``by`` levels up."""
        while self.depths[at] >= depth:
            if self.depths[at] < depth + by:
                self.fail("too-shallow", at)
            self.depths[at] -= by
            at += 1

    def blank_between(self, first: int, last: int) -> int | None:
        """Return the number of a blank line between two prepared lines, or None."""
        index = bisect_right(self.blanks, self.numbers[first])
        if index < len(self.blanks) and self.blanks[index] < self.numbers[last]:
            return self.blanks[index]
        return None

    def refuse_blanks(self, header: int, end: int, what: str) -> None:
        """Fail in strict mode at a blank line after the line ``header``, before ``end`` (§12)."""
        if not self.strict or not self.blanks or end <= header + 1:
            return
        blank = self.blank_between(header + 1, end - 1)
        if blank is not None:
            self.fail_at("blank-line", blank, 1, found=what)

    def fail(self, problem: str, at: int, offset: int = 0, **facts: object) -> NoReturn:
        """Fail with ``problem`` at the prepared line ``at``, ``offset`` characters into it."""
        number = self.numbers[min(at, len(self.contents) - 1)]
        source = self.raw[number - 1].removesuffix("\r")
        start = len(source.rstrip(" ")) - len(self.contents[at]) if at < len(self.contents) else 0
        self.fail_at(problem, number, max(start, 0) + offset + 1, **facts)

    def fail_at(self, problem: str, number: int, column: int, **facts: object) -> NoReturn:
        """Fail with ``problem`` at a line number and column of the document, both 1-based."""
        message, hint = phrase(problem, facts)
        source = self.raw[number - 1].removesuffix("\r")
        raise ToonDecodeError(message, line=number, column=column, source=source, hint=hint)


def depth_of(indent: str, indent_size: int) -> int:
    """Return the depth of an indentation: tabs plus spaces by the indent, rounded down (§14.4)."""
    tabs = indent.count("\t")
    return tabs + (len(indent) - tabs) // indent_size
