"""The most that a template may write, checked while it writes."""

from __future__ import annotations

from collections.abc import Iterable

from toon.compact.errors import QueryError
from toon.limits import TEMPLATE_CHARACTERS


def check_size(size: int, most: int = TEMPLATE_CHARACTERS) -> None:
    """Refuses to write on.

    Raises:
        QueryError: ``size`` characters are more than ``most``, what is left of the limit.
    """
    if size > most:
        limit = f"{TEMPLATE_CHARACTERS:,} characters"
        message = f"the template writes more than {limit}, the limit TOON_TEMPLATE_CHARACTERS"
        raise QueryError(message, hint="shorten its fields, as in {tags|first:3} or {note|short}")


def joined(texts: Iterable[str], between: str = "", most: int = TEMPLATE_CHARACTERS) -> str:
    """The ``texts`` with ``between`` between them; QueryError as for :func:`check_size`."""
    kept, size = list[str](), -len(between)
    for text in texts:
        size += len(text) + len(between)
        check_size(size, most)
        kept.append(text)
    return between.join(kept)
