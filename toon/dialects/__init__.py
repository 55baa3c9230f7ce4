"""Dialects in the field: formats that other products call TOON, or use in its place.

Every dialect is a package with the same five functions, in modules of the same names: ``grammar``
has the rules for tokens, ``encoder`` writes and names losses, ``decoder`` reads with the one
:class:`toon.dialects.scanner.Scanner`, ``kinds`` is the layout. A layout has patterns of its own
over the bytes: it is of damaged text, too, and takes a quarter of the time of reading.
"""

from __future__ import annotations

from typing import Any, Protocol

from toon.layout.spans import Layout
from toon.text import Parsed


class Dialect(Protocol):
    """The functions of a dialect's package."""

    def encode(self, value: Any) -> str:
        """Writes a JSON value; EncodeError if the dialect has no form for it."""

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Reads a text and reports what is odd about it; DialectError if it cannot be read."""

    def decode(self, text: str, *, strict: bool = True) -> Any:
        """Reads a text: the value of :meth:`read`, without its notices."""

    def layout(self, text: str) -> Layout:
        """The kind of each UTF-8 byte of ``text``; never raises on text that UTF-8 can carry."""

    def losses(self, value: Any) -> list[str]:
        """What :meth:`encode` drops or changes, one phrase for each; it raises the same errors."""
