"""The reader of templates: settings, one per line, and patterns of text, fields and parts."""

import difflib
import re
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from toon.compact.templates import template
from toon.compact.templates.formatters import FORMATTERS, Args, Formatter
from toon.errors import TextError
from toon.text import Source, find_surrogate
from toon.values.paths import IN_TEMPLATE, PathError, read_path, read_string
from toon.wording import excerpt

Read = TypeVar("Read")

#: The most characters of a template, and the deepest nesting of its parts.
MAX_LENGTH: Final = 20_000
MAX_NESTING: Final = 8

#: The most values in a pattern, formatters of a value, and characters of an argument. They bound
#: the time of a line to a multiple of its record; ``TEMPLATE_CHARACTERS`` bounds its length.
MAX_VALUES: Final = 100
MAX_FORMATTERS: Final = 8
MAX_ARGUMENT: Final = 100

_SETTINGS: Final = ("rows", "id", "summary", "line")
_SETTING: Final = re.compile(r"([^\W\d][\w-]*+)[^\S\n]*+:[^\S\n]*+")
_BLANKS: Final = re.compile(r"\s*+")
_LITERAL: Final = re.compile(r"(?:[^{}<>\\]|\\[{}<>\\])++")
_ESCAPE: Final = re.compile(r"\\(.)", re.S)
_WORD: Final = re.compile(r'[^\s|:,{}<>"\\]++')
_NUMBER: Final = re.compile(r"-?[0-9]++")
_OR: Final = re.compile(r"\s++or(?=\s)\s*+")

#: Digits of an argument that are read; a longer number is out of every range.
_DIGITS: Final = 9


class TemplateError(TextError):
    """An error in a template for compact lines; its line and column are always set."""


def parse(text: str) -> template.Template:
    """Read the text of a template to a Template; its grammar is in :mod:`toon.compact.templates`.

    Raises:
        TemplateError: The text is not a template; with line and column.
    """
    return _Parser(text.removeprefix("\ufeff")).read_all()


class _Parser:
    """A reader of one template, at the offset ``at``; it reads up to the offset ``end``.

    ``values`` counts the values of the pattern that is being read.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.values = 0
        self.end = len(text)

    def read_all(self) -> template.Template:
        if self.end > MAX_LENGTH:
            raise self.error(f"template is longer than {MAX_LENGTH:,} characters", at=MAX_LENGTH)
        surrogate = find_surrogate(self.text)
        if surrogate is not None:
            raise self.error("a surrogate is not a character", at=surrogate)
        paths: dict[str, template.Path] = {}
        summary: template.Nodes | None = None
        while self.at < len(self.text):
            line_end = self.text.find("\n", self.at)
            self.end = len(self.text) if line_end < 0 else line_end
            self.match(_BLANKS)
            if not self.at_end and self.next != "#":
                start, match = self.at, self.match(_SETTING)
                if match is None:
                    hint = 'begin the pattern with "line:"'
                    raise self.error("expected a setting: rows:, id:, summary: or line:", hint)
                name = match[1]
                if name not in _SETTINGS:
                    hint = _suggest(name, _SETTINGS) or "there are rows, id, summary and line"
                    raise self.error(f"unknown setting {excerpt(name)}", hint, start)
                if name in paths or (name == "summary" and summary is not None):
                    raise self.error(f"{name} is set twice", at=start)
                if name == "line":
                    self.end = len(self.text)
                    pattern = self.pattern()
                    return template.Template(pattern, paths.get("rows"), paths.get("id"), summary)
                if name == "summary":
                    summary = self.pattern()
                else:
                    paths[name] = self.read(read_path, IN_TEMPLATE)
                    self.match(_BLANKS)
                    if not self.at_end:
                        message = f"expected the end of the line, found {self.next_text()}"
                        raise self.error(message)
            self.at = self.end + 1
        message, hint = "there is no line: setting", "write line: before the pattern"
        raise self.error(message, hint, len(self.text))

    # -- patterns --------------------------------------------------------------------------------

    def pattern(self) -> template.Nodes:
        """Read the pattern of a template's line or summary, which must not be blank."""
        start, self.values = self.at, 0
        nodes = self.nodes(0)
        if not any(not isinstance(node, str) or node.strip() for node in nodes):
            raise self.error(
                "expected a pattern", "a pattern looks like {title} <[{place}]>", start
            )
        return nodes

    def nodes(self, depth: int) -> template.Nodes:
        """Read a template's texts, fields and parts up to the pattern's end, or a part's ``>``."""
        nodes: list[template.Node] = []
        while not self.at_end:
            if literal := self.match(_LITERAL):
                nodes.append(_ESCAPE.sub(r"\1", literal[0]))
            elif self.next == "{":
                nodes.append(self.field(depth))
            elif self.next == "<":
                nodes.append(self.part(depth + 1))
            elif self.next == ">" and depth:
                break
            elif self.next == "\\":
                raise self.error("unknown escape", "only \\{ \\} \\< \\> and \\\\ are escapes")
            else:
                hint = f"write \\{self.next} for the character"
                raise self.error(f"{self.next} closes nothing", hint)
        return tuple(nodes)

    def part(self, depth: int) -> template.Nodes:
        start = self.at
        if depth > MAX_NESTING:
            raise self.error(f"more than {MAX_NESTING} levels of parts")
        self.at += 1
        nodes = self.nodes(depth)
        if not self.take(">"):
            hint = "add the closing >, or write \\< for the character"
            raise self.error("part is not closed", hint, start)
        if all(isinstance(node, str) for node in nodes):
            hint = "a part needs a field: add one, or write \\< for the character"
            raise self.error("part without a field", hint, start)
        return nodes

    def field(self, depth: int) -> template.Field | template.Condition:
        start = self.at
        self.at += 1
        self.match(_BLANKS)
        mark = self.next if self.next and self.next in "?!" else ""
        if mark and not depth:
            hint = f"write <{{{mark}x}} …>: the part shows if the condition holds"
            raise self.error("condition outside a part", hint)
        self.take(mark)
        self.match(_BLANKS)
        values, otherwise = [self.value()], ""
        while self.match(_OR):
            if self.next == '"' and not mark:
                otherwise = self.read(read_string)
                break
            values.append(self.value())
        self.match(_BLANKS)
        if self.take("}"):
            if mark:
                return template.Condition(tuple(values), mark == "?")
            return template.Field(tuple(values), otherwise)
        if self.at_end or self.next in "{<":
            hint = "add the closing }, or write \\{ for the character"
            raise self.error("field is not closed", hint, start)
        expected = "}" if otherwise else "|, or or }"
        hint = 'a key with blanks or signs is quoted: ["full name"]'
        raise self.error(f"expected {expected}, found {self.next_text()}", hint)

    def value(self) -> template.Value:
        self.values += 1
        if self.values > MAX_VALUES:
            raise self.error(f"more than {MAX_VALUES} fields in a pattern")
        path = self.read(read_path, IN_TEMPLATE)
        calls: list[tuple[Formatter, Args]] = []
        while True:
            before = self.at
            self.match(_BLANKS)
            if not self.take("|"):
                self.at = before
                return template.Value(path, tuple(calls))
            self.match(_BLANKS)
            if len(calls) == MAX_FORMATTERS:
                raise self.error(f"more than {MAX_FORMATTERS} formatters for one field")
            calls.append(self.call())

    def call(self) -> tuple[Formatter, Args]:
        """Read a formatter in a template, as in ``preview:60``; return it and its arguments."""
        start, names = self.at, f"there are {', '.join(FORMATTERS)}"
        word = self.match(_WORD)
        if word is None:
            raise self.error(f"expected a formatter, found {self.next_text()}", names)
        if word[0] not in FORMATTERS:
            hint = _suggest(word[0], FORMATTERS) or names
            raise self.error(f"unknown formatter {excerpt(word[0])}", hint, start)
        formatter, begin, mark = FORMATTERS[word[0]], self.at, ":"
        hint = f"write {formatter.usage}"
        args: list[str | int] = []
        while self.take(mark):
            self.match(_BLANKS)
            at = self.at
            begin = begin if args else at
            if self.next == '"':
                args.append(self.read(read_string))
                if len(str(args[-1])) > MAX_ARGUMENT:
                    raise self.error(f"text is longer than {MAX_ARGUMENT} characters", at=at)
            elif number := self.match(_NUMBER):
                args.append(int(number[0]) if len(number[0]) <= _DIGITS else 10**_DIGITS)
            else:
                message = f"expected a number or a quoted text, found {self.next_text()}"
                raise self.error(message, hint)
            mark = ","
        if not formatter.accepts(tuple(args)):
            raise self.error(f"{formatter.name} takes {formatter.takes}", hint, begin)
        return formatter, tuple(args)

    # -- the text --------------------------------------------------------------------------------

    @property
    def at_end(self) -> bool:
        return self.at >= self.end

    @property
    def next(self) -> str:
        """The next character of the template; "" at the end of what is read."""
        return "" if self.at_end else self.text[self.at]

    def next_text(self) -> str:
        """Return the next character of the template, or the end, in words for a message."""
        return "the end" if self.at_end or self.next == "\n" else repr(self.next)

    def error(self, message: str, hint: str | None = None, at: int | None = None) -> TemplateError:
        """Return a TemplateError that points to an offset of the template, or the current."""
        offset = self.at if at is None else at
        return Source(self.text).error(TemplateError, message, offset, hint)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Skip what a regular expression matches next in the template; return the match or None."""
        match = pattern.match(self.text, self.at, self.end)
        if match:
            self.at = match.end()
        return match

    def take(self, mark: str) -> bool:
        """Skip a mark such as ``}`` if the template goes on with it; return whether it did."""
        is_next = self.text.startswith(mark, self.at, self.end)
        if is_next:
            self.at += len(mark)
        return is_next

    def read(self, reader: Callable[..., tuple[Read, int]], *form: object) -> Read:
        """Read a path or string of a template with ``reader``, go on after it, and return what it
        read. A PathError of ``reader`` becomes a TemplateError at its place.
        """
        try:
            value, self.at = reader(self.text, *form, self.at, self.end)
        except PathError as error:
            raise self.error(error.message, error.hint, error.at) from None
        return value


def _suggest(word: str, names: Iterable[str]) -> str | None:
    near = difflib.get_close_matches(word.lower()[:40], list(names), n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else None
