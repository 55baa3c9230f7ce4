"""A fast reader of TRON as our writer makes it: it becomes JSON, which Python reads."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import numpy as np

from toon.codec.text import LITERALS
from toon.layout.spans import inside_strings, require
from toon.text import QUOTED, surrogate_in
from toon.values.json_text import Reader

#: Words that are neither the name of a class nor a key without quotes.
RESERVED: Final = ("class", *LITERALS)
WORD: Final = r"[A-Za-z_][A-Za-z0-9_]*+"

_KEY: Final = rf"(?:{WORD}|{QUOTED})"
_KEYS: Final = re.compile(_KEY, re.S)
_DEFINITION: Final = re.compile(rf"class ({WORD}): ({_KEY}(?:,{_KEY})*+)", re.S)
_INSTANCE: Final = re.compile(rb"([A-Z][0-9]*+)\(")
_PARENTHESES: Final = bytes(byte in b"()" for byte in range(256))
_TO_MASKS: Final = bytes.maketrans(b"()", b"\xfe\xff")  # in no UTF-8
_FROM_MASKS: Final = bytes.maketrans(b"\xfe\xff", b"()")
#: Starts the keys that stand for an instance; a text that may hold it is read token by token.
_MARK: Final = "\uffff"
_ESCAPED_MARK: Final = re.compile(r"\\u[fF]{4}")


def read_canonical(text: str) -> Any:
    """Read a text without blanks, comments and named arguments in its data.

    Raises:
        UnusualText: The text has another form. Errors of Python's reader may mean the same.
    """
    require(_MARK not in text and surrogate_in(text) is None and not _ESCAPED_MARK.search(text))
    header, _, body = text.partition("\n\n") if text.startswith("class ") else ("", "", text)
    classes: dict[str, list[str]] = {}
    for line in header.split("\n") if header else ():
        match = _DEFINITION.fullmatch(line)
        require(match)
        assert match is not None
        keys = [json.loads(key) if key[0] == '"' else key for key in _KEYS.findall(match[2])]
        require(match[1] not in classes and len(set(keys)) == len(keys))
        require(not set(RESERVED).intersection([match[1], *_KEYS.findall(match[2])]))
        classes[match[1]] = keys
    return Reader(body, _Objects(classes)).decoder.decode(_as_json(body))


def _as_json(body: str) -> str:
    """Write each instance in ``body`` as an object of two marked keys, as ``_Objects`` reads it."""
    data = body.encode()
    quoted_ones = np.frombuffer(data.translate(_PARENTHESES), np.bool_) & inside_strings(data)
    has_quoted = bool(quoted_ones.any())
    if has_quoted:
        raw = np.frombuffer(data, np.uint8)
        masked = np.frombuffer(data.translate(_TO_MASKS), np.uint8)
        data = np.where(quoted_ones, masked, raw).tobytes()
    mark = _MARK.encode()
    data = _INSTANCE.sub(b'{"' + mark + rb'\1":[', data).replace(b")", b'],"' + mark + b'":0}')
    return (data.translate(_FROM_MASKS) if has_quoted else data).decode()


class _Objects:
    """A maker of the objects of such a text; the second marked key stands for a parenthesis."""

    def __init__(self, classes: dict[str, list[str]]) -> None:
        self.keys = {_MARK + name: keys for name, keys in classes.items()}

    def __call__(self, items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if items and (_MARK in result or items[0][0].startswith(_MARK)):
            name, values = items[0]
            keys = self.keys.get(name)
            require(keys and len(result) == 2 and _MARK in result and len(keys) == len(values))
            return dict(zip(keys or (), values, strict=True))
        require(len(result) == len(items))
        return result
