"""The payload in every format, as more than one page shows it."""

from __future__ import annotations

from pages.parts.caches import cached_for_payload
from toon.costs.compare import compare

compare_formats = cached_for_payload(compare)
