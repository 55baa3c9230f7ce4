"""A run's totals: tokens by tokenizer and format, always beside the same payloads as JSON.

A format that cannot carry every payload is compared on those it can carry; its total counts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from toon.corpus.measuring import ALWAYS
from toon.corpus.table import Method
from toon.formats import AS_TYPED
from toon.values.fractions import fraction


@dataclass(slots=True)
class Total:
    """One format's sums over the ``payloads`` that it can carry.

    ``unproven`` of them did not come back. ``baselines``: tokens of the same payloads by JSON
    format.
    """

    payloads: int = 0
    tokens: int = 0
    unproven: int = 0
    baselines: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ALWAYS, 0))

    def vs(self, baseline: str) -> float | None:
        """The signed fraction of tokens against a JSON format; negative is fewer."""
        return fraction(self.tokens, self.baselines[baseline])


@dataclass(slots=True)
class Totals:
    """A run's sums.

    ``records`` counts all rows, ``errors`` those without figures, ``bytes`` the texts of all
    others. ``formats[tokenizer][format]`` includes ``as-typed``, which needs no proof. ``mix``
    sends every payload in its best format, by the first tokenizer; ``chosen`` counts the payloads
    by that format.
    """

    formats: dict[str, dict[str, Total]]
    mix: Total = field(default_factory=Total)
    chosen: dict[str, int] = field(default_factory=dict)
    records: int = 0
    errors: int = 0
    bytes: int = 0

    @classmethod
    def of(cls, about: Method, tables: Iterable[pa.Table] = ()) -> Totals:
        """The sums of ``tables``, which were measured as ``about`` says."""
        names = (AS_TYPED, *about["formats"])
        totals = cls({tokenizer: {n: Total() for n in names} for tokenizer in about["tokenizers"]})
        for table in tables:
            totals.add(table)
        return totals

    def add(self, table: pa.Table) -> None:
        """Adds the rows of a table."""
        measured = table.filter(pc.is_null(table["error"]))
        self.records += table.num_rows
        self.errors += table.num_rows - measured.num_rows
        self.bytes += _sum(measured["bytes"])
        for tokenizer, formats in self.formats.items():
            for name, total in formats.items():
                _add(total, measured, tokenizer, name)
        first = next(iter(self.formats))
        for entry in pc.value_counts(measured["best"]).to_pylist():
            name = entry["values"]
            self.chosen[name] = self.chosen.get(name, 0) + entry["counts"]
            _add(self.mix, measured.filter(pc.equal(measured["best"], name)), first, name)

    @property
    def payloads(self) -> int:
        """How many records have figures."""
        return self.records - self.errors


def _add(total: Total, measured: pa.Table, tokenizer: str, name: str) -> None:
    tokens = measured[f"{tokenizer}.{name}"]
    carried = pc.is_valid(tokens)
    total.payloads += _sum(carried)
    total.tokens += _sum(tokens)
    for baseline in ALWAYS:
        total.baselines[baseline] += _sum(measured[f"{tokenizer}.{baseline}"].filter(carried))
    if name != AS_TYPED:
        total.unproven += _sum(pc.equal(measured[f"round_trips.{name}"], False))


def _sum(column: pa.ChunkedArray) -> int:
    return pc.sum(column).as_py() or 0
