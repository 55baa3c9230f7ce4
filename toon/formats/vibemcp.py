"""VibeMCP's tabular output as two formats: as deployed, which loses much, and lossless."""

import re
from contextlib import suppress
from typing import Any, Final

from toon.dialects import vibemcp
from toon.errors import DialectError
from toon.formats.base import Format, NotApplicable
from toon.layout.spans import Layout
from toon.text import QUOTED, Parsed

# A label with a backslash is a command of LaTeX.
_HEADER: Final = re.compile(
    rf'(?:{QUOTED}|[^\s\[\]{{}}:"\\]++)\[(?P<count>[0-9]++)\]\{{(?P<columns>.*)\}}[^\S\n]*(?:\n|\Z)'
)
_QUOTED: Final = re.compile(QUOTED)


class VibeMcpFormat(Format):
    """The text that VibeMCP's tools send, as a format that loses data."""

    name = "vibemcp"
    label = "VibeMCP"
    lossless = False
    dialect = True
    beginning = _HEADER
    about = "What VibeMCP's tools send: a header with a count, then rows with tabs."
    explanation = (
        "The data is a list: `rows[2]{id,name}` says how many lines follow and names their "
        "cells, which tabs separate."
    )

    def dumps(self, value: Any) -> str:
        try:
            return vibemcp.encode(value)
        except vibemcp.Unfit as error:
            raise NotApplicable(str(error)) from None

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Read VibeMCP's output; return its value and notices. If its tools cannot have sent the
        text, try to read it as the lossless variant.
        """
        try:
            return vibemcp.read(text, strict=strict)
        except DialectError:
            with suppress(DialectError):
                return VIBEMCP_LOSSLESS.read(text, strict=strict)
            raise

    def recognises(self, text: str) -> bool:
        """Return whether a text begins with a header like ``rows[2]{id}`` and a possible row."""
        first, *rows = text[:100_000].split("\n", 2)[:2]
        header = _HEADER.match(first)
        if header is None:
            return False
        if not rows:
            return not header["count"].strip("0")
        several = "," in _QUOTED.sub("", header["columns"])
        return "\t" in rows[0] if several else not rows[0].startswith(" ")

    def layout(self, text: str) -> Layout:
        return vibemcp.layout(text)

    def losses(self, value: Any) -> list[str]:
        try:
            return vibemcp.losses(value)
        except vibemcp.Unfit as error:
            raise NotApplicable(str(error)) from None


class LosslessVibeMcpFormat(Format):
    """The lossless variant of VibeMCP's text as a format: it has quotes and JSON in its cells."""

    name = "vibemcp-lossless"
    label = "VibeMCP, lossless"
    lossless = True
    dialect = True
    about = "The same with quotes and JSON in its cells, so that it loses nothing."
    explanation = (
        "The data is a list: `rows[2]{id,name}` says how many lines follow and "
        "names their cells, which tabs separate. An empty cell is an absent key, nested values are "
        "JSON, quoted text is a string."
    )

    def dumps(self, value: Any) -> str:
        return vibemcp.encode(value, profile=vibemcp.LOSSLESS)

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        return vibemcp.read(text, profile=vibemcp.LOSSLESS, strict=strict)

    def layout(self, text: str) -> Layout:
        return vibemcp.layout(text, profile=vibemcp.LOSSLESS)


VIBEMCP: Final = VibeMcpFormat()
VIBEMCP_LOSSLESS: Final = LosslessVibeMcpFormat()
FORMATS: Final = (VIBEMCP, VIBEMCP_LOSSLESS)
