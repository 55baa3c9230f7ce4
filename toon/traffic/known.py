"""The kinds of files that are read, for people who look for theirs."""

from __future__ import annotations

from toon.traffic import archive, bru, csv, har, json_texts, parquet
from toon.traffic.envelopes import ENVELOPES
from toon.traffic.kinds import Kind


def known_kinds() -> tuple[Kind, ...]:
    """Every kind of file: logs of tools first, then files that anything may be in."""
    texts = (har.KIND, bru.KIND, json_texts.LINES, json_texts.ITEMS, json_texts.DOCUMENTS, csv.KIND)
    return (*ENVELOPES, *texts, parquet.KIND, archive.KIND)
