"""What the formats share."""

from __future__ import annotations

from typing import Protocol

from toon.spans import Layout, Span, spans_of


class NotApplicable(ValueError):
    """A value that a format cannot carry; the text says why, in words for a person."""


class HasLayout(Protocol):
    def layout(self, text: str) -> Layout: ...


class SpansFromLayout:
    """Gives a format with a ``layout`` its ``spans``."""

    def spans(self: HasLayout, text: str) -> list[Span]:
        return spans_of(text, self.layout(text))
