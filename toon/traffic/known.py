"""The list of the kinds of files that are read."""

from __future__ import annotations

from toon.traffic import archive, csv, har, json_texts, parquet
from toon.traffic.envelopes import ENVELOPES, collection
from toon.traffic.kinds import Kind


def known_kinds() -> tuple[Kind, ...]:
    """Return every kind of file: tools' logs first, then general kinds."""
    texts = (
        har.KIND,
        collection.BRUNO,
        json_texts.LINES,
        json_texts.ITEMS,
        json_texts.DOCUMENTS,
        csv.KIND,
    )
    return (*ENVELOPES, *texts, parquet.KIND, archive.KIND)
