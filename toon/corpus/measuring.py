"""One payload to one row of figures: those of ``toon.costs.compare`` that a run has columns for.

Only compact JSON is broken down by kinds of text; every text is counted once however many formats
share it; and JSON is proven by a fast reader where that reader's answer is sure.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from toon import tokenizers as tokenizer_table
from toon.codec.api import SPEC_VERSION
from toon.corpus.payload import BadRecord, Payload
from toon.costs.choice import COMPACT, cheapest
from toon.costs.proof import Prover
from toon.formats import AS_TYPED, FORMATS
from toon.formats.base import NotApplicable
from toon.layout.breakdown import breakdown
from toon.layout.spans import KINDS
from toon.tokenizers import Tokenizer
from toon.tokenizers.fast_openai import quick
from toon.values.json_text import parse_json

Row = dict[str, Any]
Record = Payload | BadRecord

#: Measured whatever else is: savings are given against them.
ALWAYS: Final = (COMPACT, "json-pretty")
#: What is measured if nothing else is asked for.
DEFAULT_FORMATS: Final = (*ALWAYS, "json-python", "toon", "toon-tab")

_LIBRARIES: Final = ("tiktoken", "splintr-rs", "orjson")


class VersionsDifferError(RuntimeError):
    """A worker has other versions of what decides the figures than whoever sent it the work."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is measured, and by which versions. Made by :meth:`of`, which checks the names."""

    tokenizers: tuple[str, ...]
    formats: tuple[str, ...]
    keep_payloads: bool
    versions: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls, tokenizers: Iterable[str], formats: Iterable[str], keep_payloads: bool = False
    ) -> Settings:
        """Settings for these names, each once; compact and indented JSON come first, asked or not.

        Raises:
            ValueError: No tokenizer, or a name that is in neither table.
        """
        names = tuple(dict.fromkeys(tokenizers))
        if not names:
            raise ValueError("no tokenizer to count with")
        for name in names:
            tokenizer_table.get(name)
        wanted = tuple(dict.fromkeys([*ALWAYS, *formats]))
        for name in wanted:
            if name not in FORMATS:
                raise ValueError(f"no format {name!r}; there are {', '.join(FORMATS)}")
        return cls(names, wanted, keep_payloads, versions())


@functools.cache
def versions() -> tuple[tuple[str, str], ...]:
    """What figures depend on, and its version: the libraries, and TOON's specification."""
    return (*((name, version(name)) for name in _LIBRARIES), ("toon-spec", SPEC_VERSION))


def measure_records(records: Sequence[Record], settings: Settings) -> list[Row]:
    """A row for each record, in order.

    Raises:
        VersionsDifferError: The settings were made where other versions are installed.
    """
    if versions() != settings.versions:
        raise VersionsDifferError(
            f"a worker has {_listed(versions())}; "
            f"this run is measured with {_listed(settings.versions)}"
        )
    return [measure_record(record, settings) for record in records]


def _listed(found: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(map(" ".join, found))


def measure_record(record: Record, settings: Settings) -> Row:
    """The row of one record: the run's columns by name; those left out are null.

    A bad record, and a payload that is not JSON, has ``error`` and no figures.
    """
    if isinstance(record, BadRecord):
        return {"source": record.source, "record": record.record, "error": record.reason}
    row: Row = {
        "source": record.source,
        "record": record.record,
        "group": record.group,
        "time": record.time,
        "bytes": len(record.text.encode(errors="surrogatepass")),
    }
    if settings.keep_payloads:
        row["text"] = record.text
    try:
        return row | figures(record.text, settings)
    except RecursionError:
        return row | {"error": "nested too deeply to be measured"}
    except ValueError as error:
        return row | {"error": str(error)}


def figures(text: str, settings: Settings) -> Row:
    """What ``text`` costs under every tokenizer and format, as ``toon.costs.compare`` counts it.

    Raises:
        ValueError: The text is not JSON, or has no UTF-8 form.
    """
    value = parse_json(text).value
    texts = _texts(value, settings.formats)
    row: Row = {}
    for name in settings.tokenizers:
        counts = _Counts(quick(name))
        if not row:
            compact = texts[COMPACT]
            assert compact is not None
            row |= counts.break_down(compact)
        row[f"{name}.{AS_TYPED}"] = counts.of(text)
        for format, written in texts.items():
            row[f"{name}.{format}"] = None if written is None else counts.of(written)
    proofs = _proofs(value, texts)
    row |= {f"round_trips.{name}": proof for name, proof in proofs.items()}
    first = settings.tokenizers[0]
    carried = [name for name, text in texts.items() if text is not None]
    tokens = {name: int(row[f"{first}.{name}"]) for name in carried}
    row["best"] = cheapest(tokens, lambda name: proofs[name] is True)
    return row


class _Counts:
    """One tokenizer's counts of one payload's texts, each counted once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._counts: dict[str, int] = {}

    def of(self, text: str) -> int:
        if text not in self._counts:
            self._counts[text] = self._tokenizer.count(text)
        return self._counts[text]

    def break_down(self, compact: str) -> dict[str, float]:
        """The tokens of compact JSON by kind of text."""
        parts = breakdown(compact, FORMATS[COMPACT].layout(compact), self._tokenizer)
        self._counts[compact] = parts.tokens
        return dict(zip(KINDS, parts.shares, strict=True))


def _texts(value: Any, formats: Iterable[str]) -> dict[str, str | None]:
    """The value in every format; None in those that cannot carry it."""
    texts: dict[str, str | None] = {}
    for name in formats:
        try:
            texts[name] = FORMATS[name].dumps(value)
        except NotApplicable:
            texts[name] = None
    return texts


def _proofs(value: Any, texts: dict[str, str | None]) -> dict[str, bool | None]:
    """By format: whether the value comes back from its text, None where there is no text."""
    prover = Prover(value)
    return {
        name: None if text is None else prover.prove(FORMATS[name], text).ok
        for name, text in texts.items()
    }
