"""The reader of templates: settings, one per line, and patterns of text, fields and parts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

from toon.compact.templates.formatters import FORMATTERS, Args, Formatter
from toon.compact.templates.parts import Condition, Field, Node, Nodes, Part, Path, Value
from toon.compact.templates.scanner import MAX_LENGTH, Scanner, TemplateError
from toon.compact.templates.template import Template
from toon.text import Source, surrogate_in
from toon.wording import quoted

#: The deepest nesting of parts.
MAX_NESTING: Final = 8

#: The most values in a pattern, formatters of a value, and characters of an argument. They bound
#: the time of a line to a multiple of its record; ``TEMPLATE_CHARACTERS`` bounds its length.
MAX_VALUES: Final = 100
MAX_FORMATTERS: Final = 8
MAX_ARGUMENT: Final = 100

_SETTINGS: Final = ("rows", "id", "summary", "line")
_SETTING: Final = re.compile(r"([^\W\d][\w-]*+)[^\S\n]*+:[^\S\n]*+")
_LITERAL: Final = re.compile(r"(?:[^{}<>\\]|\\[{}<>\\])++")
_ESCAPE: Final = re.compile(r"\\(.)", re.S)
_WORD: Final = re.compile(r'[^\s|:,{}<>"\\]++')
_NUMBER: Final = re.compile(r"-?[0-9]++")
_OR: Final = re.compile(r"\s++or(?=\s)\s*+")

#: Digits of an argument that are read; a longer number is out of every range.
_DIGITS: Final = 9


def parse(text: str) -> Template:
    """Read a template, in the grammar of :mod:`toon.compact.templates`.

    Raises:
        TemplateError: The text is not a template; with line and column.
    """
    text = text.removeprefix("\ufeff")
    _check(text)
    paths: dict[str, Path] = {}
    summary: Nodes | None = None
    at = 0
    while at < len(text):
        break_at = text.find("\n", at)
        end = len(text) if break_at < 0 else break_at
        scanner = Scanner(text, at, end)
        scanner.skip_blanks()
        if not scanner.done and scanner.next != "#":
            start = scanner.at
            name = _setting(scanner)
            if name in paths or (name == "summary" and summary is not None):
                raise scanner.error(f"{name} is set twice", at=start)
            if name == "line":
                scanner.end = len(text)
                pattern = _pattern(scanner)
                return Template(pattern, paths.get("rows"), paths.get("id"), summary)
            if name == "summary":
                summary = _pattern(scanner)
            else:
                paths[name] = _whole_path(scanner)
        at = end + 1
    message, hint = "there is no line: setting", "write line: before the pattern"
    raise Source(text).error(TemplateError, message, len(text), hint)


def _check(text: str) -> None:
    if len(text) > MAX_LENGTH:
        message = f"template is longer than {MAX_LENGTH:,} characters"
        raise Source(text).error(TemplateError, message, MAX_LENGTH)
    surrogate = surrogate_in(text)
    if surrogate is not None:
        raise Source(text).error(TemplateError, "a surrogate is not a character", surrogate)


def _setting(scanner: Scanner) -> str:
    """Read the name of the setting at the start of a line."""
    start = scanner.at
    match = scanner.match(_SETTING)
    if match is None:
        hint = 'begin the pattern with "line:"'
        raise scanner.error("expected a setting: rows:, id:, summary: or line:", hint)
    if match[1] not in _SETTINGS:
        hint = _nearest(match[1], _SETTINGS) or "there are rows, id, summary and line"
        raise scanner.error(f"unknown setting {quoted(match[1])}", hint, start)
    return match[1]


def _whole_path(scanner: Scanner) -> Path:
    """Read a path with nothing after it."""
    path = scanner.path()
    scanner.skip_blanks()
    if not scanner.done:
        raise scanner.error(f"expected the end of the line, found {scanner.next_text()}")
    return path


def _pattern(scanner: Scanner) -> Nodes:
    """Read a pattern, which must not be blank."""
    start = scanner.at
    nodes = _nodes(scanner, 0)
    if not any(not isinstance(node, str) or node.strip() for node in nodes):
        raise scanner.error("expected a pattern", "a pattern looks like {title} <[{place}]>", start)
    return nodes


def _nodes(scanner: Scanner, depth: int) -> Nodes:
    """Read nodes up to the end, or inside a part up to its ``>``."""
    nodes: list[Node] = []
    while not scanner.done:
        if literal := scanner.match(_LITERAL):
            nodes.append(_ESCAPE.sub(r"\1", literal[0]))
        elif scanner.next == "{":
            nodes.append(_field(scanner, depth))
        elif scanner.next == "<":
            nodes.append(_part(scanner, depth + 1))
        elif scanner.next == ">" and depth:
            break
        elif scanner.next == "\\":
            raise scanner.error("unknown escape", "only \\{ \\} \\< \\> and \\\\ are escapes")
        else:
            mark = scanner.next
            raise scanner.error(f"{mark} closes nothing", f"write \\{mark} for the character")
    return tuple(nodes)


def _part(scanner: Scanner, depth: int) -> Part:
    start = scanner.at
    if depth > MAX_NESTING:
        raise scanner.error(f"more than {MAX_NESTING} levels of parts")
    scanner.take("<")
    nodes = _nodes(scanner, depth)
    if not scanner.take(">"):
        hint = "add the closing >, or write \\< for the character"
        raise scanner.error("part is not closed", hint, start)
    if all(isinstance(node, str) for node in nodes):
        hint = "a part needs a field: add one, or write \\< for the character"
        raise scanner.error("part without a field", hint, start)
    return Part(nodes)


def _field(scanner: Scanner, depth: int) -> Field | Condition:
    start = scanner.at
    scanner.take("{")
    scanner.skip_blanks()
    mark = scanner.next if scanner.next and scanner.next in "?!" else ""
    if mark and not depth:
        hint = f"write <{{{mark}x}} …>: the part shows if the condition holds"
        raise scanner.error("condition outside a part", hint)
    scanner.take(mark)
    scanner.skip_blanks()
    values, otherwise = [_value(scanner)], ""
    while scanner.match(_OR):
        if scanner.next == '"' and not mark:
            otherwise = scanner.string()
            break
        values.append(_value(scanner))
    scanner.skip_blanks()
    if not scanner.take("}"):
        raise _unclosed(scanner, start, bool(otherwise))
    return Condition(tuple(values), mark == "?") if mark else Field(tuple(values), otherwise)


def _unclosed(scanner: Scanner, start: int, complete: bool) -> TemplateError:
    if scanner.done or scanner.next in "{<":
        hint = "add the closing }, or write \\{ for the character"
        return scanner.error("field is not closed", hint, start)
    expected = "}" if complete else "|, or or }"
    hint = 'a key with blanks or signs is quoted: ["full name"]'
    return scanner.error(f"expected {expected}, found {scanner.next_text()}", hint)


def _value(scanner: Scanner) -> Value:
    scanner.values += 1
    if scanner.values > MAX_VALUES:
        raise scanner.error(f"more than {MAX_VALUES} fields in a pattern")
    path = scanner.path()
    calls: list[tuple[Formatter, Args]] = []
    while True:
        before = scanner.at
        scanner.skip_blanks()
        if not scanner.take("|"):
            scanner.at = before
            return Value(path, tuple(calls))
        scanner.skip_blanks()
        if len(calls) == MAX_FORMATTERS:
            raise scanner.error(f"more than {MAX_FORMATTERS} formatters for one field")
        calls.append(_call(scanner))


def _call(scanner: Scanner) -> tuple[Formatter, Args]:
    start = scanner.at
    word = scanner.match(_WORD)
    if word is None:
        hint = f"there are {', '.join(FORMATTERS)}"
        raise scanner.error(f"expected a formatter, found {scanner.next_text()}", hint)
    if word[0] not in FORMATTERS:
        hint = _nearest(word[0], FORMATTERS) or f"there are {', '.join(FORMATTERS)}"
        raise scanner.error(f"unknown formatter {quoted(word[0])}", hint, start)
    formatter = FORMATTERS[word[0]]
    begin = scanner.at
    args: list[str | int] = []
    mark = ":"
    while scanner.take(mark):
        scanner.skip_blanks()
        begin = begin if args else scanner.at
        args.append(_argument(scanner, formatter))
        mark = ","
    if not formatter.accepts(tuple(args)):
        message = f"{formatter.name} takes {formatter.takes}"
        raise scanner.error(message, f"write {formatter.usage}", begin)
    return formatter, tuple(args)


def _argument(scanner: Scanner, formatter: Formatter) -> str | int:
    if scanner.next == '"':
        start = scanner.at
        text = scanner.string()
        if len(text) > MAX_ARGUMENT:
            raise scanner.error(f"text is longer than {MAX_ARGUMENT} characters", at=start)
        return text
    number = scanner.match(_NUMBER)
    if number is None:
        message = f"expected a number or a quoted text, found {scanner.next_text()}"
        raise scanner.error(message, f"write {formatter.usage}")
    return int(number[0]) if len(number[0]) <= _DIGITS else 10**_DIGITS


def _nearest(word: str, known: Iterable[str]) -> str | None:
    near = difflib.get_close_matches(word.lower()[:40], list(known), n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else None
