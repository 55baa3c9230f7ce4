"""The base class of every format, and the rules that formats share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from toon.codec.numbers import is_finite
from toon.codec.text import LITERAL_TEXTS, write_int
from toon.layout.spans import Layout
from toon.text import Parsed


class NotApplicable(ValueError):
    """A value that the format cannot carry; the message says why."""


class OneWay(ValueError):
    """A format that is written for a reader and cannot be read back."""


class Format(ABC):
    """One way to write a value as text, with everything the product knows about it.

    Laws: ``loads(dumps(value))`` equals ``value`` where ``lossless``; ``layout`` tiles the text.
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

    @property
    def recommendable(self) -> bool:
        """Whether it promises to lose nothing and public libraries read it."""
        return self.lossless and self.public

    @property
    @abstractmethod
    def explanation(self) -> str:
        """The sentences that explain all of the format to a model, starting with "The data is"."""

    def uses(self, text: str) -> frozenset[str]:
        """Return the constructs of a text that its explanation must name, in most formats none."""
        return frozenset()

    def explain(self, uses: frozenset[str]) -> str:
        """Return the explanation of texts with these constructs."""
        return self.explanation

    @abstractmethod
    def dumps(self, value: Any) -> str:
        """Write ``value``; raise NotApplicable if the format cannot carry it."""

    def dumps_beside(self, value: Any, texts: Mapping[Any, str | None]) -> str:
        """Write ``value``, from its ``texts`` by name of other formats where that is faster."""
        return self.dumps(value)

    def loads(self, text: str) -> Any:
        """Read ``text``; raise ValueError for another format, OneWay if no text can be read."""
        return self.read(text).value

    def skim(self, text: str) -> Any:
        """Read a text that the format wrote, faster than :meth:`loads`; ValueError without a way.

        Numbers may lose digits, and of duplicate keys the last counts: what was read is compared.
        """
        raise ValueError(f"{self.name} has one reader")

    @abstractmethod
    def layout(self, text: str) -> Layout:
        """Return one kind code per UTF-8 byte of ``text``."""

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Read ``text``; return its value and notices. Errors are those of :meth:`loads`.

        ``strict`` False accepts what the format's readers can repair, and each repair is a notice.
        A format has this or :meth:`loads`, which is for a reader without repairs and notices.
        """
        return Parsed(self.loads(text))

    def recognises(self, text: str) -> bool:
        """Return whether ``text`` begins like this dialect; only its reader is certain."""
        return False

    def losses(self, value: Any) -> list[str]:
        """Return a phrase for each thing that writing ``value`` drops or changes."""
        return []

    def stock_changes(self, value: Any, text: str) -> str | None:
        """Describe what other readers change or refuse of ``text``, the text of ``value``.

        One phrase that names them: ``PyYAML turns 1 number into infinity``. None where the stock
        reader, and JavaScript's where the format keeps types, give the value that ours gives.
        """
        return None


def first_lines(text: str) -> list[str]:
    """Return the first 200 lines without blank lines and comments, which no dialect has."""
    lines = text[:100_000].split("\n", 200)[:200]
    return [line for line in lines if line.strip() and line.lstrip()[0] != "#"]


def plain_text(value: Any) -> str:
    """Write a literal or a number as Python's JSON does, with all of its digits.

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
