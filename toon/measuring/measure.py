"""Measuring of one payload: its row of figures, which are those of ``toon.costs.compare``.

Two things make it fast: only compact JSON is broken down by kind of text, and a text that several
formats share is counted once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final, TypeAlias

from toon import formats as format_table
from toon import tokenizers as tokenizer_table
from toon.codec.text import SPEC_VERSION
from toon.costs.document import Document, Typed
from toon.costs.explanation import ALONE, Explaining
from toon.costs.worth import COMPACT, find_cheapest
from toon.formats import RECOMMENDED
from toon.layout.spans import KINDS
from toon.secrets import mask
from toon.traffic.payload import BadRecord, Payload, Record

#: One value in a run's table.
Cell: TypeAlias = str | int | float | bool | None
#: One record in a run's table, by the names of the columns (:mod:`.table`). A missing
#: column is null.
Row: TypeAlias = dict[str, Cell]

#: Formats that are always measured: savings are stated against them.
ALWAYS: Final = (COMPACT, "json-pretty")
#: Formats that are measured if none is named: all that may be recommended.
DEFAULT_FORMATS: Final = (*ALWAYS, *(name for name in RECOMMENDED if name not in ALWAYS))

_LIBRARIES: Final = ("splintr-rs", "orjson")


def tokens_column(tokenizer: str, text: str) -> str:
    """Return the name of a run's column of counts by a tokenizer, for a format or ``as-typed``."""
    return f"{tokenizer}.{text}"


def round_trips_column(format: str) -> str:
    """Return the name of the column of a run that says if payloads came back from a format."""
    return f"round_trips.{format}"


def uses_column(format: str) -> str:
    """Return the name of the column of a run that lists a format's constructs in each payload."""
    return f"uses.{format}"


class VersionsDifferError(RuntimeError):
    """The error of a worker whose libraries differ in version from those of the run's settings."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run: tokenizers and formats by name, versions of libraries, and whether it
    keeps the payloads' texts. :meth:`of` checks the names.

    ``explaining`` says how notes that explain formats are counted to find each payload's best one.
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
        """Return a run's settings with the named tokenizers and formats, each once; compact and
        indented JSON are always added.

        Raises:
            ValueError: There is no tokenizer, or a name is unknown.
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


@functools.cache
def versions() -> tuple[tuple[str, str], ...]:
    """Return (name, version) of what counts depend on: libraries and TOON's specification."""
    libraries = ((name, version(name)) for name in _LIBRARIES)
    return (*libraries, ("toon-spec", SPEC_VERSION))


def measure_records(records: Sequence[Record], settings: Settings) -> list[Row]:
    """Measure records of a log; return a row of figures for each, in order.

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
    """Measure one record of a log; return its row of figures for a run.

    A record that is bad or not JSON has an ``error`` in place of figures. If a reader kept the text
    of a bad one, its tokens are ``skipped``.
    """
    if isinstance(record, BadRecord):
        row = bad_row(record, record.reason, settings)
        if record.text:
            text = record.text.encode(errors="replace").decode()  # no surrogates
            row["skipped"] = tokenizer_table.get(settings.tokenizers[0]).count(text)
        return row
    try:
        return _place(record, settings) | measure_text(record.text, settings)
    except RecursionError:
        return bad_row(record, "nested too deeply to be measured", settings)
    except ValueError as problem:
        return bad_row(record, str(problem), settings)


def bad_row(record: Record, error: str, settings: Settings) -> Row:
    """Return the row of a record that has no figures, with ``error`` as the reason, masked."""
    return _place(record, settings) | {"error": mask(error)}


#: Many records have one source and one group.
_masked: Final = functools.lru_cache(1 << 10)(mask)


def _place(record: Record, settings: Settings) -> Row:
    """Return the columns of a record that need no measuring, such as its source; mask secrets."""
    row: Row = {"source": _masked(record.source), "record": record.record, "time": record.time}
    row |= {"group": _masked(record.group) or None, "turn": record.turn}
    if isinstance(record, Payload):
        row["model"] = record.model
        row["bytes"] = len(record.text.encode(errors="surrogatepass"))
        row["text"] = mask(record.text, record.path) if settings.keep_payloads else None
    return row


def measure_text(text: str, settings: Settings) -> Row:
    """Measure a JSON text; return as columns its tokens by tokenizer and format and by kind of
    text, whether it comes back from each format, and the best format.

    The best format is that of :func:`toon.costs.answer.answer` by the first tokenizer.

    Raises:
        ValueError: The text is not JSON, or has no UTF-8 form.
    """
    document, first, explaining = read_typed(text), settings.tokenizers[0], settings.explaining
    names = document.list_writable(dict.fromkeys((COMPACT, *settings.formats)))
    kinds = document.figures(COMPACT, first)["breakdown"]
    row: Row = {kind: kinds[kind] for kind in KINDS}
    for tokenizer in settings.tokenizers:
        row |= {tokens_column(tokenizer, name): document.tokens(name, tokenizer) for name in names}
    for name in names[1:]:  # the text as typed needs no proof and no explanation
        row[round_trips_column(name)] = document.proof(name, first).ok
        row[uses_column(name)] = " ".join(sorted(document.uses(name, first)))
    row["comparable"], costs = document.explain_nothing() is None, dict[str, float]()
    if row["comparable"]:
        for name in filter(names.__contains__, RECOMMENDED):
            note = explaining.share(document.explanation(name, first, explaining))
            costs[name] = document.tokens(name, first) + note
    row["best"] = best_format(costs, lambda name: document.proof(name, first).ok)
    return row


def read_typed(text: str) -> Document:
    """Read a JSON text into a Document that keeps the text too; raise ValueError if damaged."""
    typed = Typed(text)
    return Document(typed.read_json(), typed)


def best_format(
    costs: Mapping[str, float], proven: Callable[[str], bool], payloads: int = 1
) -> str:
    """Return the name of the format to send a payload in, or ``payloads`` of the same average cost.

    Args:
        costs: Tokens with explanations by format; if empty, the answer is compact JSON.
        proven: Tells of a format whether every payload came back from it.
    """
    return find_cheapest(costs, proven, payloads=payloads) if costs else COMPACT
