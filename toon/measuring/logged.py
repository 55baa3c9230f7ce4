"""The model that a log names, found before measuring: its tokenizer is the one to count by."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import Final

from toon.costs.named import nearest_model
from toon.traffic.payload import Payload, Record

#: Records that are examined in all files, and in each file at least.
_LOOKED_AT: Final = 2_000
_AT_LEAST: Final = 20


def find_logged_model(
    files: Iterable[Iterable[Record]], number: int = 1, limit: int = _LOOKED_AT
) -> str | None:
    """Return the model that most of a log's payload text was sent to; None if no record names one.

    Read at most ``limit`` records of ``number`` files, the first of each, and skip models without
    counts (:func:`.nearest_model`).
    """
    share, sizes = max(_AT_LEAST, limit // max(1, number)), Counter[str]()
    first = chain.from_iterable(islice(records, share) for records in files)
    for record in islice(first, limit):
        if isinstance(record, Payload) and record.model and nearest_model(record.model):
            sizes[record.model] += len(record.text)
    return sizes.most_common(1)[0][0] if sizes else None
