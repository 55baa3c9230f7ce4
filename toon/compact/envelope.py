"""The envelope of a page of lines."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

#: Records per page if a query does not say.
DEFAULT_LIMIT: Final = 20


class Place(TypedDict):
    """The place of a page in its list: ``limit`` records from ``offset`` on, of ``total``."""

    total: int
    limit: int
    offset: int
    has_more: bool


class Envelope(TypedDict):
    """A page of lines. ``lines`` and ``ids`` belong together one by one; ids are in full."""

    format: Literal["compact"]
    summary: str
    lines: list[str]
    ids: list[str]
    meta: Place
