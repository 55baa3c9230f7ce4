"""Measuring one payload: its row of figures, the same that ``toon.costs.compare`` gives.

Two things make it fast: only compact JSON is broken down by kind of text, and a text that several
formats share is counted once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Final, TypeAlias

from toon import formats as format_table
from toon import tokenizers as tokenizer_table
from toon.codec.api import SPEC_VERSION
from toon.costs.choice import COMPACT, cheapest
from toon.costs.explanation import ALONE, Explaining
from toon.costs.proof import Prover
from toon.costs.typed import Typed, no_estimate, nothing_to_compare, shortest_json
from toon.formats import AS_TYPED, FORMATS, RECOMMENDED, write_each
from toon.layout.breakdown import breakdown
from toon.layout.spans import KINDS
from toon.tokenizers import Tokenizer
from toon.tokenizers.fast_openai import get_fast
from toon.tokenizers.fitted import ESTIMATORS_VERSION
from toon.traffic.payload import BadRecord, Payload, Record

#: One value in a run's table.
Cell: TypeAlias = str | int | float | bool | None

#: Always measured, because savings are given against them.
ALWAYS: Final = (COMPACT, "json-pretty")
#: Measured if no format is named: all that may be recommended, as in every other comparison.
DEFAULT_FORMATS: Final = (*ALWAYS, *(name for name in RECOMMENDED if name not in ALWAYS))

_LIBRARIES: Final = ("tiktoken", "splintr-rs", "orjson")


class VersionsDifferError(RuntimeError):
    """Worker and coordinator have different versions of the libraries that decide the figures."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is measured, and with which versions. :meth:`of` makes settings from checked names.

    ``explaining`` decides each payload's best format.
    """

    tokenizers: tuple[str, ...]
    formats: tuple[str, ...]
    keep_payloads: bool
    versions: tuple[tuple[str, str], ...]
    explaining: Explaining = ALONE

    @classmethod
    def of(
        cls,
        tokenizers: Iterable[str],
        formats: Iterable[str],
        keep_payloads: bool = False,
        explaining: Explaining = ALONE,
    ) -> Settings:
        """Settings for these names without duplicates; compact and indented JSON come first.

        Raises:
            ValueError: There is no tokenizer, or a name is in neither table.
        """
        names = tuple(dict.fromkeys(tokenizers))
        if not names:
            raise ValueError("no tokenizer to count with")
        for name in names:
            tokenizer_table.get(name)
        wanted = tuple(dict.fromkeys([*ALWAYS, *formats]))
        for name in wanted:
            format_table.get(name)
        return cls(names, wanted, keep_payloads, versions(), explaining)

    @property
    def estimators(self) -> tuple[str, ...]:
        """The tokenizers that estimate."""
        return tuple(name for name in self.tokenizers if not tokenizer_table.get(name).exact)


@functools.cache
def versions() -> tuple[tuple[str, str], ...]:
    """Name and version of everything that figures depend on: libraries and TOON's specification."""
    libraries = ((name, version(name)) for name in _LIBRARIES)
    return (*libraries, ("toon-spec", SPEC_VERSION), ("estimators", ESTIMATORS_VERSION))


@dataclass(frozen=True, slots=True)
class Figures:
    """What one payload costs.

    ``tokens[tokenizer][format]`` includes ``as-typed``; None where the format cannot carry the
    value. ``kinds`` are tokens of compact JSON by kind of text, by the first tokenizer.
    ``round_trips[format]`` says whether the value came back, ``uses[format]`` which constructs the
    text has that its explanation must name; None where there is no text. ``no_estimate`` says for
    each estimator whether the payload is unlike those that it was made for. ``comparable`` is False
    where formats have nothing to write differently. ``best`` is the format to send, by the first
    tokenizer, as in :func:`toon.costs.answer.verdict`.
    """

    tokens: Mapping[str, Mapping[str, int | None]]
    kinds: Mapping[str, float]
    round_trips: Mapping[str, bool | None]
    uses: Mapping[str, frozenset[str] | None]
    no_estimate: Mapping[str, bool]
    comparable: bool
    best: str


@dataclass(frozen=True, slots=True)
class Row:
    """The row of one record: where it lay, and its figures or the error that explains why not.

    ``bytes`` is the UTF-8 size of the payload as typed; ``time`` is seconds since 1970.
    """

    source: str
    record: int
    group: str | None = None
    time: float | None = None
    bytes: int | None = None
    error: str | None = None
    text: str | None = None
    figures: Figures | None = None

    def cells(self) -> dict[str, Cell]:
        """The row by the names of the run's columns. Columns that are missing are null."""
        cells: dict[str, Cell] = {
            "source": self.source,
            "record": self.record,
            "group": self.group,
            "time": self.time,
            "bytes": self.bytes,
            "error": self.error,
            "text": self.text,
        }
        if self.figures is None:
            return cells
        for tokenizer, counts in self.figures.tokens.items():
            cells |= {f"{tokenizer}.{name}": tokens for name, tokens in counts.items()}
        cells |= {f"round_trips.{name}": ok for name, ok in self.figures.round_trips.items()}
        for name, uses in self.figures.uses.items():
            cells[f"uses.{name}"] = None if uses is None else " ".join(sorted(uses))
        cells |= {f"no_estimate.{name}": no for name, no in self.figures.no_estimate.items()}
        cells |= self.figures.kinds
        return cells | {"comparable": self.figures.comparable, "best": self.figures.best}


def measure_records(records: Sequence[Record], settings: Settings) -> list[Row]:
    """A row for each record, in order.

    Raises:
        VersionsDifferError: The settings were made with other versions than are installed here.
    """
    if versions() != settings.versions:
        raise VersionsDifferError(
            f"a worker has {_list_versions(versions())}; "
            f"this run is measured with {_list_versions(settings.versions)}"
        )
    return [measure_record(record, settings) for record in records]


def _list_versions(names: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(map(" ".join, names))


def measure_record(record: Record, settings: Settings) -> Row:
    """The row of one record. A bad record, or a payload that is not JSON, has only an error."""
    if isinstance(record, BadRecord):
        return bad_row(record, record.reason, settings)
    try:
        return _row(record, settings, figures=measure_text(record.text, settings))
    except RecursionError:
        return bad_row(record, "nested too deeply to be measured", settings)
    except ValueError as problem:
        return bad_row(record, str(problem), settings)


def bad_row(record: Record, error: str, settings: Settings) -> Row:
    """The row of a record without figures, and why it has none."""
    if isinstance(record, BadRecord):
        return Row(record.source, record.record, error=error)
    return _row(record, settings, error=error)


def _row(
    record: Payload, settings: Settings, figures: Figures | None = None, error: str | None = None
) -> Row:
    return Row(
        source=record.source,
        record=record.record,
        group=record.group,
        time=record.time,
        bytes=len(record.text.encode(errors="surrogatepass")),
        error=error,
        text=record.text if settings.keep_payloads else None,
        figures=figures,
    )


def measure_text(text: str, settings: Settings) -> Figures:
    """What the JSON ``text`` costs under every tokenizer and format.

    Raises:
        ValueError: The text is not JSON, or has no UTF-8 form.
    """
    typed = Typed(text)
    value = typed.read_json()
    counters = {name: _Counter(get_fast(name)) for name in settings.tokenizers}
    compact = {
        name: shortest_json(value, typed, counter.count) for name, counter in counters.items()
    }
    first = settings.tokenizers[0]
    others = [name for name in settings.formats if name != COMPACT]
    texts = {COMPACT: compact[first], **write_each(value, others)}
    kinds = counters[first].break_down(compact[first])
    tokens = {
        name: counter.count_all({AS_TYPED: text, **texts, COMPACT: compact[name]})
        for name, counter in counters.items()
    }
    prover = Prover(value)
    round_trips: dict[str, bool | None] = {}
    uses: dict[str, frozenset[str] | None] = {}
    for name, written in texts.items():
        format = FORMATS[name]
        round_trips[name] = None if written is None else prover.prove(format, written).ok
        uses[name] = None if written is None else format.uses(written)
    unlike = {
        name: no_estimate(value, typed, get_fast(name)) is not None for name in settings.estimators
    }
    comparable = nothing_to_compare(value) is None
    explaining = settings.explaining
    costs = {
        name: count + explaining.share(explanation_tokens(explaining, name, found, first))
        for name in RECOMMENDED
        if comparable
        and not unlike.get(first)
        and (found := uses.get(name)) is not None
        and (count := tokens[first][name]) is not None
    }
    best = best_format(costs, lambda name: bool(round_trips[name]))
    return Figures(tokens, kinds, round_trips, uses, unlike, comparable, best)


@functools.lru_cache(maxsize=1024)
def explanation_tokens(
    explaining: Explaining, format: str, uses: frozenset[str], tokenizer: str
) -> int:
    """As :meth:`Explaining.tokens`, by the counter that a worker has loaded anyway."""
    return explaining.counted(format, uses, partial(_count_sentences, tokenizer))


@functools.lru_cache(maxsize=1024)
def _count_sentences(tokenizer: str, text: str) -> int:
    return get_fast(tokenizer).count(text)


def best_format(
    costs: Mapping[str, float], proven: Callable[[str], bool], payloads: int = 1
) -> str:
    """The format to send a payload in, or a group of ``payloads`` by its averages.

    Args:
        costs: Tokens with explanations by candidate; empty if there is nothing to compare.
        proven: Whether every payload came back from a format.
    """
    return cheapest(costs, proven, payloads=payloads) if costs else COMPACT


class _Counter:
    """Counts the texts of one payload with one tokenizer, each text once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._counts: dict[str, int] = {}

    def count(self, text: str) -> int:
        if text not in self._counts:
            self._counts[text] = self._tokenizer.count(text)
        return self._counts[text]

    def count_all(self, texts: Mapping[str, str | None]) -> dict[str, int | None]:
        return {name: None if text is None else self.count(text) for name, text in texts.items()}

    def break_down(self, compact: str) -> dict[str, float]:
        """The tokens of compact JSON by kind of text."""
        parts = breakdown(compact, FORMATS[COMPACT].layout(compact), self._tokenizer)
        self._counts[compact] = parts.tokens
        return dict(zip(KINDS, parts.shares, strict=True))
