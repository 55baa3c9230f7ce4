"""The base class of every format, and the rules that formats share."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from toon.codec.numbers import is_finite
from toon.codec.text import LITERAL_TEXTS, write_int
from toon.layout.spans import Layout
from toon.text import Parsed


class NotApplicable(ValueError):
    """The error for a JSON value that a format cannot carry; the message says why."""


class OneWay(ValueError):
    """The error for a text that its format cannot read back into a JSON value."""


class Format(ABC):
    """The base class of formats: a way to write JSON values as text and read them back, with its
    names, its properties, and the sentences that explain it to a model.

    Law: ``loads(dumps(value))`` equals ``value`` where ``lossless``.
    """

    #: The key in ``toon.formats.FORMATS``, and what people read instead.
    name: str
    label: str
    #: Whether every value comes back from its text.
    lossless: bool
    #: Whether public libraries of its own read it; only such formats are recommended.
    public: bool = False
    #: Whether published answers of models tell how well they read it (``toon.reading.known``).
    tested: bool = False
    #: Whether people use it under the name of TOON, or instead of TOON.
    dialect: bool = False
    #: A line that says what the format is.
    about: str
    media_type: str = "text/plain; charset=utf-8"
    #: The library that most Python programs read the format with; "" where there is none.
    stock_reader: str = ""
    #: How texts of this dialect begin; None if texts are never taken for this format.
    beginning: re.Pattern[str] | None = None

    @property
    def recommendable(self) -> bool:
        """Whether the format promises to lose nothing and public libraries read it."""
        return self.lossless and self.public

    @property
    @abstractmethod
    def explanation(self) -> str:
        """The sentences that explain the whole format to a model, starting with "The data is"."""

    def uses(self, text: str) -> frozenset[str]:
        """Return the names of the constructs in a text of this format that its explanation to a
        model must cover, such as ``tables``; by default none.
        """
        return frozenset()

    def explain(self, uses: frozenset[str]) -> str:
        """Return the sentences that explain this format to a model. Formats may override it to
        cover only the constructs that ``uses`` names; this method always explains the whole.
        """
        return self.explanation

    @abstractmethod
    def dumps(self, value: Any) -> str:
        """Write a JSON value in this format; raise NotApplicable if the format cannot carry it."""

    def dumps_beside(self, value: Any, texts: Mapping[Any, str | None]) -> str:
        """Write a JSON value as a text of this format, made from its ``texts`` in other formats (by
        name, None where there is none) if that is faster.
        """
        return self.dumps(value)

    def loads(self, text: str) -> Any:
        """Read a text of this format into a JSON value; raise ValueError if it is malformed, OneWay
        if the format cannot be read back.
        """
        return self.read(text).value

    def skim(self, text: str) -> Any:
        """Read a text, which this format's writer has made, into a JSON value, fast, to compare it
        with the original; raise ValueError if there is no fast reader.

        Numbers may lose digits, and of duplicate keys the last counts.
        """
        raise ValueError(f"{self.name} has one reader")

    @abstractmethod
    def layout(self, text: str) -> Layout:
        """Return an array: each UTF-8 byte of a text as name, punctuation, whitespace or value."""

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Read a text of this format; return its value and notices. Errors are those of ``loads``.

        With ``strict`` False, accept what the reader can repair, with a notice for each repair. A
        format defines this method, or ``loads`` if its reader has no repairs and notices.
        """
        return Parsed(self.loads(text))

    def recognises(self, text: str) -> bool:
        """Return whether a text whose start matches ``beginning`` goes on like this format."""
        return True

    def losses(self, value: Any) -> list[str]:
        """List what this format drops or changes of a JSON value, a phrase each; [] by default."""
        return []

    def stock_changes(self, value: Any, text: str) -> str | None:
        """Say what other libraries change or refuse when they read a value's text in this format.

        Return one phrase that names them, as in ``PyYAML turns 1 number into infinity``; None where
        the stock reader, and JavaScript's where the format keeps types, give the same value.
        """
        return None


def first_lines(text: str) -> list[str]:
    """Return the first 200 lines of a text at most, without blank ones and those that begin with
    ``#``; only 100,000 characters are looked at.
    """
    lines = text[:100_000].split("\n", 200)[:200]
    return [line for line in lines if line.strip() and line.lstrip()[0] != "#"]


def plain_text(value: Any) -> str:
    """Write null, a boolean or a number as Python's JSON does, with all of its digits.

    Raises:
        NotApplicable: NaN or an infinity.
    """
    if value is None or isinstance(value, bool):
        return LITERAL_TEXTS[value]
    if isinstance(value, int):
        return write_int(value)
    if not is_finite(value):
        raise NotApplicable(f"{value} has no JSON form")
    return str(value) if isinstance(value, Decimal) else repr(value)
