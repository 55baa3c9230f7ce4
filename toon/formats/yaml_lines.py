"""A fast reader of YAML of simple lines, as our writer and most others write it.

A simple line holds hyphens, a key and a value, or some of them; nothing goes on in the next line
but objects and arrays, indented as :mod:`toon.formats.yaml` writes them. Every other text, broken
YAML too, is left to a parser.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final

from toon.codec.text import MAX_DEPTH
from toon.layout.spans import UnusualText, require

# No character that a parser refuses, skips, or takes for a space or a line break.
_SAFE: Final = "\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_PLAIN: Final = (  # it holds neither ": " nor " #" and ends without a space
    rf"(?:[$()+./0-9;<=A-Z\\^_a-z~{_SAFE}]|-(?=[.0-9]))"
    rf"(?:[!-9;-~{_SAFE}]++|:(?=[^ \n])|\ (?=[^ #:\n]|:[^ \n]))*+"
)
_QUOTED: Final = rf"'(?:[ -&(-~{_SAFE}]++|'')*+'"
_ESCAPED: Final = rf'"(?:[ !#-\[\]-~{_SAFE}]++|\\["\\nrt])*+"'  # as in JSON
_LINE: Final = re.compile(
    rf"^( *+)((?:- )*+)(?:({_PLAIN}|{_QUOTED}):(?:\ (?=[^ \n])|$))?"
    rf"({_PLAIN}|{_QUOTED}|{_ESCAPED}|\[\]|{{}}|)$",
    re.MULTILINE,
)
_LONGEST_KEY: Final = 1000  # a parser refuses much longer ones


def read_lines(text: str, scalar: Callable[[str], Any]) -> Any:
    """Read a YAML text of simple lines into a dict or list; ``scalar`` converts unquoted scalars.

    Raises:
        UnusualText: The text has other lines or is a single scalar: a full parser must read it.
    """
    lines = _LINE.findall(text)
    require(len(lines) == text.count("\n") + 1 and not lines[0][0])
    values = _Values(scalar)
    stack = _Stack([] if lines[0][1] else {})
    name = None  # the key whose value starts on the next line
    for indent, hyphens, key, value in lines:
        column, is_item = len(indent), bool(hyphens)
        if name is not None:
            require(column == stack.column + (0 if is_item else 2))
            below: Any = [] if is_item else {}
            stack.top[name] = below
            stack.open(below, column)
        elif is_item or column != stack.column or isinstance(stack.top, list):
            stack.close(column, is_item)
        if is_item:  # a hyphen before another is an array in an array
            arrays: list[Any] = [[] for _ in range(2, len(hyphens), 2)]
            for container in [*arrays, {}] if key else arrays:
                stack.top.append(container)
                stack.open(container, stack.column + 2)
        name, top = None, stack.top
        if key:
            name = key if key[0] != "'" else values[key]
            if len(key) > _LONGEST_KEY or name in top:
                raise UnusualText
            if value:
                top[name] = values[value]
                name = None
        else:
            require(hyphens and value)
            top.append(values[value])
    require(name is None)
    return stack.root


class _Stack:
    """The open objects and arrays while lines of YAML are read: the innermost (``top``) with the
    column of its keys or hyphens, and those around it.
    """

    def __init__(self, root: Any) -> None:
        self.root = self.top = root
        self.column = 0
        self.around: list[tuple[Any, int]] = []  # all but the innermost

    def open(self, container: Any, column: int) -> None:
        require(len(self.around) < MAX_DEPTH)
        self.around.append((self.top, self.column))
        self.top, self.column = container, column

    def close(self, column: int, is_item: bool) -> None:
        """Close open YAML containers until a key, or a hyphen, in ``column`` fits the innermost.

        Raises:
            UnusualText: No open container fits.
        """
        while self.around and self.column > column:
            self.top, self.column = self.around.pop()
        if self.around and isinstance(self.top, list) and not is_item:
            self.top, self.column = self.around.pop()  # its hyphens stand below the keys around it
        require(self.column == column and isinstance(self.top, list) == is_item)


class _Values(dict[str, Any]):
    """A dict of YAML scalars by text, read when first asked for; ``scalar`` reads unquoted ones."""

    def __init__(self, scalar: Callable[[str], Any]) -> None:
        super().__init__()
        self.scalar = scalar

    def __missing__(self, text: str) -> Any:
        if text in ("[]", "{}"):
            return [] if text == "[]" else {}
        if text[0] == "'":
            value: Any = text[1:-1].replace("''", "'")
        else:
            try:
                value = json.loads(text) if text[0] == '"' else self.scalar(text)
            except ValueError:
                raise UnusualText from None
        self[text] = value
        return value
