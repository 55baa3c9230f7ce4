"""The payload in every format, as more than one page shows it."""

from __future__ import annotations

from pages.parts.caches import cached
from pages.parts.payload import Payload
from toon.costs.compare import Row, compare


@cached
def compare_formats(data: Payload, tokenizers: tuple[str, ...]) -> list[Row]:
    """Rows of every format under these tokenizers: see :func:`toon.costs.compare.compare`."""
    return compare(data.value, tokenizers=tokenizers)
