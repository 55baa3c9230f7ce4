"""Totals of a run: tokens by tokenizer and format, always beside the same payloads as JSON.

A format that cannot carry every payload is compared on those it can carry; its total counts them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import fsum
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Rung, climb
from toon.costs.worth import COMPACT
from toon.formats import AS_TYPED, FORMATS, RECOMMENDED, label
from toon.measuring.measure import ALWAYS, round_trips_column, tokens_column, uses_column
from toon.measuring.table import Method, read_explaining
from toon.traffic.payload import SKIPPED
from toon.values.fractions import fraction
from toon.wording import ROUND_TRIPS, plural

#: The sentence where every format writes the payloads alike.
NOTHING: Final = "Nothing to compare: every payload is empty or a single value"
NO_PAYLOADS: Final = "Nothing to compare: there is no payload with figures"
#: The most groups that have a note of their own.
MAX_GROUPS: Final = 20_000

#: The name, among those of formats, of sending every payload in its best format.
AS_RECOMMENDED: Final = "each as recommended"


@dataclass(slots=True)
class Total:
    """The tokens of a run's payloads in one format, over the ``payloads`` that it can carry.

    ``unproven`` of them did not come back. ``explanation`` is the payloads' share of explaining the
    format. ``baselines``: tokens of the same payloads by JSON format, which needs no explanation.
    """

    payloads: int = 0
    tokens: int = 0
    explanation: float = 0.0
    unproven: int = 0
    baselines: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ALWAYS, 0))

    @property
    def cost(self) -> float:
        return self.tokens + self.explanation

    def change(self, baseline: str) -> float | None:
        """Return the change of tokens, explanation included, from a JSON format to this one, as a
        signed fraction; negative is fewer. None without tokens.
        """
        return fraction(self.cost, self.baselines[baseline])


def exclusion(name: str, total: Total) -> str:
    """Say why a format is not recommended for all payloads of a run; "" if it may be.

    In the words of :func:`toon.costs.compare.objection`, which judges one payload.
    """
    if name == AS_TYPED or (name in RECOMMENDED and total.payloads and not total.unproven):
        return ""
    if not total.payloads:
        return "carries none of the payloads"
    lost = f"{total.unproven:,} of {plural(total.payloads, 'payload')} did not come back"
    if name in RECOMMENDED:
        return lost
    if name not in FORMATS:
        return "not known here"
    if FORMATS[name].lossless:
        reason = "no public library reads it"
        return f"{reason}: {lost}" if total.unproven else reason
    if total.unproven:
        return f"{ROUND_TRIPS['lossy']}: {lost}"
    return f"comes back {ROUND_TRIPS['not-promised' if total.payloads == 1 else 'none-promised']}"


@dataclass(slots=True)
class Notes:
    """The notes that explain one format in a run: a note per group of payloads (one tool or
    endpoint), which names all constructs in its texts.

    ``groups`` has the constructs and the number of payloads of each, ``payloads`` counts payloads
    by the constructs that their note names. Beyond ``MAX_GROUPS`` all other groups share a note.
    """

    groups: dict[str, tuple[frozenset[str], int]] = field(default_factory=dict)
    payloads: Counter[frozenset[str]] = field(default_factory=Counter)

    def add(self, measured: pa.Table, name: str) -> None:
        """Add rows of a run to the notes of the format ``name``, as far as it carries them."""
        for group, uses, number in _count_uses(measured, name):
            key = group if group in self.groups or len(self.groups) < MAX_GROUPS else ""
            before, known = self.groups.get(key, (frozenset(), 0))
            self.groups[key] = united, size = before | uses, known + number
            self.payloads[before] -= known
            self.payloads[united] += size


def _count_uses(measured: pa.Table, name: str) -> Iterator[tuple[str, frozenset[str], int]]:
    """Yield each group and set of a format's constructs that occur together, with their count."""
    columns = (measured[column].cast(pa.string()) for column in ("group", uses_column(name)))
    pairs = pc.binary_join_element_wise(*columns, "\n").drop_null()
    for entry in pc.value_counts(pairs).to_pylist():
        group, _, uses = entry["values"].rpartition("\n")
        yield group, frozenset(uses.split()), entry["counts"]


@dataclass(slots=True)
class Totals:
    """The sums of a run over all its records.

    ``records`` counts all rows, ``errors`` the bad records and ``skipped`` those that are not JSON;
    both have no figures. ``skipped_tokens`` are in the skipped texts that were read; ``uncounted``
    were not. ``bytes`` counts the texts of all others; ``comparable`` payloads can differ by
    format. ``formats[tokenizer][format]`` includes ``as-typed``, which needs no proof. Its payloads
    bear a share of ``explaining`` for the constructs of their group, as in a report. ``mix`` sends
    every payload in its best format by the first tokenizer, with a note of its own; ``chosen``
    counts the payloads by that format.
    """

    formats: dict[str, dict[str, Total]]
    explaining: Explaining = ALONE
    mix: Total = field(default_factory=Total)
    chosen: dict[str, int] = field(default_factory=dict)
    records: int = 0
    errors: int = 0
    skipped: int = 0
    skipped_tokens: int = 0
    uncounted: int = 0
    bytes: int = 0
    comparable: int = 0
    _notes: dict[tuple[str, str], Notes] = field(default_factory=lambda: defaultdict(Notes))

    @classmethod
    def of(cls, method: Method, tables: Iterable[pa.Table] = ()) -> Totals:
        """Return the sums of a run's Arrow tables; ``method`` says how they were measured."""
        names = (AS_TYPED, *method["formats"])
        totals = cls(
            {tokenizer: {n: Total() for n in names} for tokenizer in method["tokenizers"]},
            read_explaining(method),
        )
        for table in tables:
            totals.add(table)
        return totals

    def add(self, table: pa.Table) -> None:
        """Add the rows of an Arrow table of a run to the sums."""
        measured = table.filter(pc.is_null(table["error"]))
        self.records += table.num_rows
        skipped = _sum(pc.starts_with(table["error"], SKIPPED))
        self.skipped += skipped
        self.skipped_tokens += _sum(table["skipped"])
        self.uncounted += skipped - _sum(pc.is_valid(table["skipped"]))
        self.errors += table.num_rows - measured.num_rows - skipped
        self.bytes += _sum(measured["bytes"])
        for tokenizer, formats in self.formats.items():
            for name, total in formats.items():
                self._add(total, measured, tokenizer, name)
                if name != AS_TYPED:
                    notes = self._notes[tokenizer, name]
                    notes.add(measured, name)
                    total.explanation = self._note_tokens(notes.payloads.items(), tokenizer, name)
            if tokenizer == next(iter(self.formats)):
                self._add_best(measured, tokenizer)

    def _add_best(self, known: pa.Table, tokenizer: str) -> None:
        """Add measured rows to ``mix``, each in its best format, and count those formats."""
        self.comparable += _sum(known["comparable"])
        for entry in pc.value_counts(known["best"]).to_pylist():
            name = entry["values"]
            self.chosen[name] = self.chosen.get(name, 0) + entry["counts"]
            sent = known.filter(pc.equal(known["best"], name))
            self._add(self.mix, sent, tokenizer, name)
            alone = ((uses, number) for _, uses, number in _count_uses(sent, name))
            self.mix.explanation += self._note_tokens(alone, tokenizer, name)

    def _add(self, total: Total, measured: pa.Table, tokenizer: str, name: str) -> None:
        tokens = measured[tokens_column(tokenizer, name)]
        carried = pc.is_valid(tokens)
        total.payloads += _sum(carried)
        total.tokens += _sum(tokens)
        for baseline in ALWAYS:
            total.baselines[baseline] += _sum(
                measured[tokens_column(tokenizer, baseline)].filter(carried)
            )
        if name != AS_TYPED:
            total.unproven += _sum(pc.equal(measured[round_trips_column(name)], False))

    def _note_tokens(
        self, noted: Iterable[tuple[frozenset[str], int]], tokenizer: str, name: str
    ) -> float:
        """Return the tokens that notes on a format add to all payloads, each bearing its share;
        ``noted`` has pairs of the constructs to explain and the number of payloads.
        """
        explaining = self.explaining
        if explaining.together is None:
            return 0.0
        return fsum(
            number * explaining.share(explaining.tokens(name, uses, tokenizer))
            for uses, number in noted
        )

    @property
    def ladder(self) -> list[Rung]:
        """The tokens of a run's payloads by its first tokenizer in three steps: as typed, minified,
        each in its best format.
        """
        formats = next(iter(self.formats.values()))
        return climb(
            [
                (AS_TYPED, label(AS_TYPED), formats[AS_TYPED].tokens, formats[AS_TYPED].tokens),
                (COMPACT, "minified", formats[COMPACT].tokens, formats[COMPACT].tokens),
                (AS_RECOMMENDED, AS_RECOMMENDED, self.mix.tokens, self.mix.cost),
            ]
        )

    @property
    def nothing(self) -> str | None:
        """A sentence on why formats cannot differ on a run's payloads, or None if they can."""
        if not self.payloads:
            return NO_PAYLOADS
        return None if self.comparable else NOTHING

    @property
    def payloads(self) -> int:
        """The number of records of a run that have figures."""
        return self.records - self.errors - self.skipped


def _sum(column: pa.ChunkedArray) -> int:
    return pc.sum(column).as_py() or 0
