"""The formats a value can be sent in, behind one protocol and one table.

Adding a format is one file here and one line in the table.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from toon.formats.compact import COMPACT
from toon.formats.cortex import CORTEX
from toon.formats.csv import CSV
from toon.formats.json import JSON_COMPACT, JSON_PRETTY, JSON_PYTHON
from toon.formats.pipe import PIPE
from toon.formats.ticket import TICKET
from toon.formats.toon import TOON, TOON_3, TOON_PIPE, TOON_TAB
from toon.formats.vibemcp import VIBEMCP, VIBEMCP_LOSSLESS
from toon.formats.xml import XML
from toon.formats.yaml import YAML
from toon.layout.spans import Layout, Span


class Format(Protocol):
    """One way to write a value as text.

    Laws: ``loads(dumps(value))`` equals ``value`` where ``lossless``; ``spans`` and ``layout``
    tile the text.
    """

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def lossless(self) -> bool: ...

    def dumps(self, value: Any) -> str:
        """The text of ``value``; NotApplicable if the format cannot carry it."""

    def loads(self, text: str) -> Any:
        """The value of ``text``; a ValueError if it is not of this format, OneWay if none is."""

    def layout(self, text: str) -> Layout:
        """One kind code per UTF-8 byte of ``text``."""

    def spans(self, text: str) -> list[Span]:
        """The runs of one kind in ``text``, in order and without gaps."""

    def losses(self, value: Any) -> list[str]:
        """What writing ``value`` drops or changes, named one by one, where the format knows it."""


#: name -> format, in the order they are shown.
FORMATS: Final[dict[str, Format]] = {
    format.name: format
    for format in (
        JSON_PRETTY,
        JSON_PYTHON,
        JSON_COMPACT,
        YAML,
        XML,
        CSV,
        TOON,
        TOON_TAB,
        TOON_PIPE,
        TOON_3,
        TICKET,
        PIPE,
        CORTEX,
        VIBEMCP,
        VIBEMCP_LOSSLESS,
        COMPACT,
    )
}

#: The name for each payload's own text, as it was logged: no format, but counted beside them.
AS_TYPED: Final = "as-typed"


def label(name: str) -> str:
    """What a format is called: ``compact JSON``. A name that is not in the table is returned."""
    if name == AS_TYPED:
        return "JSON as typed"
    return FORMATS[name].label if name in FORMATS else name


#: What may be recommended: lossless by promise, and readable by public libraries of its own.
RECOMMENDED: Final = tuple(
    format.name
    for format in (JSON_PRETTY, JSON_PYTHON, JSON_COMPACT, YAML, TOON, TOON_TAB, TOON_PIPE, TOON_3)
)

#: What savings are measured against, most honest first.
BASELINES: Final = ("json-compact", "json-pretty", "json-python")
