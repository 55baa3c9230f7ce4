"""VibeMCP's tabular output as a format: as deployed, which loses much, and with nothing lost."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from toon.dialects.vibemcp import (
    LOSSLESS,
    LOSSY,
    Encoded,
    Unfit,
    encode,
    lossless_encode,
    read,
    vibemcp_layout,
)
from toon.dialects.vibemcp import decode as read_value
from toon.dialects.vibemcp.grammar import DETAIL_LABEL, LIST_LABEL
from toon.errors import DialectError
from toon.formats.base import Format, NotApplicable, first_lines
from toon.layout.spans import Layout
from toon.text import QUOTED, Parsed

_HEADER: Final = re.compile(rf"(?:{QUOTED}|[^\s\[]++)\[\d+\]\{{.*\}}\s*\Z")


@dataclass(frozen=True, slots=True)
class VibeMcpFormat(Format):
    """VibeMCP's output as its tools send it."""

    name: str = "vibemcp"
    label: str = "VibeMCP"
    lossless: bool = False
    dialect: bool = True
    explanation: str = (
        "The data is a list: `rows[2]{id,name}` says how many lines follow and names their "
        "cells, which tabs separate."
    )

    def dumps(self, value: Any) -> str:
        return _encoded(value).text

    def loads(self, text: str) -> Any:
        """The value of ``text``; the label that stands for no name is dropped.

        Raises:
            DialectError: ``text`` is not VibeMCP's.
        """
        return _without_label(read_value(text))

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """As deployed; what only the lossless profile has is read by that."""
        try:
            parsed = read(text, strict=strict)
        except DialectError:
            with suppress(DialectError):
                return VIBEMCP_LOSSLESS.read(text, strict=strict)
            raise
        return replace(parsed, value=_without_label(parsed.value))

    def recognises(self, text: str) -> bool:
        lines = first_lines(text)
        return bool(lines) and _HEADER.match(lines[0]) is not None

    def layout(self, text: str) -> Layout:
        return vibemcp_layout(text, LOSSY)

    def losses(self, value: Any) -> list[str]:
        return list(_encoded(value).losses)


@dataclass(frozen=True, slots=True)
class LosslessVibeMcpFormat(Format):
    """VibeMCP's forms with nothing lost."""

    name: str = "vibemcp-lossless"
    label: str = "VibeMCP, lossless"
    lossless: bool = True
    dialect: bool = True
    explanation: str = (
        "The data is a list: `rows[2]{id,name}` says how many lines follow and "
        "names their cells, which tabs separate. An empty cell is an absent key, nested values are "
        "JSON, quoted text is a string."
    )

    def dumps(self, value: Any) -> str:
        return lossless_encode(value)

    def loads(self, text: str) -> Any:
        return read_value(text, profile=LOSSLESS)

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        return read(text, profile=LOSSLESS, strict=strict)

    def layout(self, text: str) -> Layout:
        return vibemcp_layout(text, LOSSLESS)


def _without_label(value: Any) -> Any:
    """The data alone where its label only stands for a missing name."""
    if isinstance(value, dict):
        ((label, data),) = value.items()
        if label == (LIST_LABEL if isinstance(data, list) else DETAIL_LABEL):
            return data
    return value


def _encoded(value: Any) -> Encoded:
    try:
        return encode(value)
    except Unfit as error:
        raise NotApplicable(str(error)) from None


VIBEMCP: Final = VibeMcpFormat()
VIBEMCP_LOSSLESS: Final = LosslessVibeMcpFormat()
