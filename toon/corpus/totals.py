"""What a run adds up to: tokens by tokenizer and format, always beside the same payloads as JSON.

A format that cannot carry some payloads is compared on those it can carry, and says how many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc

from toon.corpus.measuring import ALWAYS
from toon.formats import AS_TYPED
from toon.values.fractions import fraction


@dataclass(slots=True)
class Total:
    """One format's sums. ``baselines``: tokens of the same ``payloads`` by JSON format."""

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

    ``records`` are all rows, ``errors`` those without figures, ``bytes`` those of the texts of all
    others. ``formats[tokenizer][format]`` includes ``as-typed``, which has nothing to prove.
    ``mix`` sends every payload in its own best format, by the first tokenizer; ``chosen`` says how
    many go in which.
    """

    formats: dict[str, dict[str, Total]]
    mix: Total = field(default_factory=Total)
    chosen: dict[str, int] = field(default_factory=dict)
    records: int = 0
    errors: int = 0
    bytes: int = 0

    @classmethod
    def of(cls, about: dict[str, Any], tables: Iterable[Any] = ()) -> Totals:
        """The sums of ``tables``, whose run says ``about`` of itself."""
        names = (AS_TYPED, *about["formats"])
        totals = cls({tokenizer: {n: Total() for n in names} for tokenizer in about["tokenizers"]})
        for table in tables:
            totals.add(table)
        return totals

    def add(self, table: Any) -> None:
        """Adds the rows of a ``pyarrow.Table``."""
        measured = table.filter(pc.is_null(table["error"]))
        self.records += table.num_rows
        self.errors += table.num_rows - measured.num_rows
        self.bytes += _sum(measured["bytes"])
        for tokenizer, formats in self.formats.items():
            for name, total in formats.items():
                _add(total, measured, tokenizer, name)
        self._add_mix(measured)

    def _add_mix(self, measured: Any) -> None:
        first = next(iter(self.formats))
        for entry in pc.value_counts(measured["best"]).to_pylist():
            name = entry["values"]
            self.chosen[name] = self.chosen.get(name, 0) + entry["counts"]
            _add(self.mix, measured.filter(pc.equal(measured["best"], name)), first, name)

    @property
    def payloads(self) -> int:
        """How many have figures."""
        return self.records - self.errors


def _add(total: Total, measured: Any, tokenizer: str, name: str) -> None:
    tokens = measured[f"{tokenizer}.{name}"]
    carried = pc.is_valid(tokens)
    total.payloads += _sum(carried)
    total.tokens += _sum(tokens)
    for baseline in ALWAYS:
        total.baselines[baseline] += _sum(measured[f"{tokenizer}.{baseline}"].filter(carried))
    if name != AS_TYPED:
        total.unproven += _sum(pc.equal(measured[f"round_trips.{name}"], False))


def _sum(column: Any) -> int:
    return pc.sum(column).as_py() or 0
