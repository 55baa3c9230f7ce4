"""A run's totals: tokens by tokenizer and format, always beside the same payloads as JSON.

A format that cannot carry every payload is compared on those it can carry; its total counts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from toon.corpus.measuring import ALWAYS, explanation_tokens
from toon.corpus.table import Method, explaining_of
from toon.costs.answer import Rung, climb
from toon.costs.choice import COMPACT
from toon.costs.explanation import ALONE, Explaining
from toon.formats import AS_TYPED, FORMATS, RECOMMENDED
from toon.values.fractions import fraction
from toon.wording import plural

#: What is said of payloads in which no format has anything to write differently.
NOTHING: Final = "Nothing to compare: every payload is empty or a single value"
NO_PAYLOADS: Final = "Nothing to compare: there is no payload with figures"

#: What sending every payload in its best format is called, among the names of formats.
BEST_OF_EACH: Final = "best of each"


@dataclass(slots=True)
class Total:
    """One format's sums over the ``payloads`` that it can carry.

    ``unproven`` of them did not come back. ``baselines``: tokens of the same payloads by JSON
    format. ``explanation`` is what the payloads bear of explaining the format, where it is counted.
    """

    payloads: int = 0
    tokens: int = 0
    explanation: float = 0.0
    unproven: int = 0
    baselines: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ALWAYS, 0))

    @property
    def cost(self) -> float:
        return self.tokens + self.explanation

    def vs(self, baseline: str) -> float | None:
        """The cost against a JSON format as a signed fraction; negative is fewer tokens."""
        return fraction(self.cost, self.baselines[baseline])


def apart_reason(name: str, total: Total) -> str:
    """Why a format stands apart and is not recommended for all payloads; "" if it may be."""
    if name == AS_TYPED or (name in RECOMMENDED and not total.unproven):
        return ""
    all_of_them = plural(total.payloads, "payload")
    lost = f"{total.unproven:,} of {all_of_them} did not come back"
    if name in RECOMMENDED:
        return lost
    if name not in FORMATS:
        return "not known here"
    promises = FORMATS[name].lossless
    reason = "no public library reads it" if promises else "lossy"
    came_back = "" if promises else f", though {all_of_them} came back"
    return f"{reason}: {lost}" if total.unproven else f"{reason}{came_back}"


@dataclass(slots=True)
class Totals:
    """A run's sums.

    ``records`` counts all rows, ``errors`` those without figures, ``bytes`` the texts of all
    others; ``comparable`` of the payloads can differ by format. ``formats[tokenizer][format]``
    includes ``as-typed``, which needs no proof. ``mix`` sends every payload in its best format, by
    the first tokenizer and with its share of ``explaining``; ``chosen`` counts the payloads by that
    format.
    """

    formats: dict[str, dict[str, Total]]
    explaining: Explaining = ALONE
    mix: Total = field(default_factory=Total)
    chosen: dict[str, int] = field(default_factory=dict)
    records: int = 0
    errors: int = 0
    bytes: int = 0
    comparable: int = 0

    @classmethod
    def of(cls, about: Method, tables: Iterable[pa.Table] = ()) -> Totals:
        """The sums of ``tables``, which were measured as ``about`` says."""
        names = (AS_TYPED, *about["formats"])
        totals = cls(
            {tokenizer: {n: Total() for n in names} for tokenizer in about["tokenizers"]},
            explaining_of(about),
        )
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
        self.comparable += _sum(measured["comparable"])
        first = next(iter(self.formats))
        for entry in pc.value_counts(measured["best"]).to_pylist():
            name = entry["values"]
            self.chosen[name] = self.chosen.get(name, 0) + entry["counts"]
            sent = measured.filter(pc.equal(measured["best"], name))
            _add(self.mix, sent, first, name)
            self.mix.explanation += self._explanations(sent[f"uses.{name}"], name, first)

    def _explanations(self, uses: pa.ChunkedArray, name: str, tokenizer: str) -> float:
        """What payloads with these constructs bear of explaining the format ``name``."""
        total = 0.0
        for entry in pc.value_counts(uses.cast(pa.string())).to_pylist():
            found = frozenset(entry["values"].split())
            once = explanation_tokens(self.explaining, name, found, tokenizer)
            total += entry["counts"] * self.explaining.share(once)
        return total

    @property
    def ladder(self) -> list[Rung]:
        """From the texts as typed over compact JSON to the mix, by the first tokenizer."""
        formats = next(iter(self.formats.values()))
        return climb(
            [
                (AS_TYPED, "as typed", formats[AS_TYPED].tokens, formats[AS_TYPED].tokens),
                (COMPACT, "minified", formats[COMPACT].tokens, formats[COMPACT].tokens),
                (BEST_OF_EACH, BEST_OF_EACH, self.mix.tokens, self.mix.cost),
            ]
        )

    @property
    def nothing(self) -> str | None:
        """Why there is nothing to compare, or None."""
        if not self.payloads:
            return NO_PAYLOADS
        return None if self.comparable else NOTHING

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
