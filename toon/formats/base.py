"""What the formats share."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, Protocol

from toon.codec.text import int_text
from toon.layout.spans import Layout, Span, spans_of


class NotApplicable(ValueError):
    """A value that a format cannot carry; the text says why, in words for a person."""


class OneWay(ValueError):
    """A format that is written for a reader and cannot be read back."""


class HasLayout(Protocol):
    def layout(self, text: str) -> Layout: ...


class FormatBase:
    """Gives a format with a ``layout`` its ``spans``, and one that says nothing no named losses."""

    def spans(self: HasLayout, text: str) -> list[Span]:
        return spans_of(text, self.layout(text))

    def losses(self, value: Any) -> list[str]:
        return []


def plain_text(value: Any) -> str:
    """A literal or a number as Python's JSON writes it, with all of its digits.

    Raises:
        NotApplicable: NaN or an infinity.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int_text(value)
    is_decimal = isinstance(value, Decimal)
    if not (value.is_finite() if is_decimal else math.isfinite(value)):
        raise NotApplicable(f"{value} has no JSON form")
    return str(value) if is_decimal else repr(value)
