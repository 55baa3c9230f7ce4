"""Measuring a corpus: ``python -m tests.benchmarks.corpus``.

Measures one core against bare tiktoken on the same texts (JSON three ways and TOON, o200k_base) in
turns, which is to be at least as fast, and two processes against one at 20 and 60 MB, which are to
be 1.8 times as fast on an otherwise idle machine.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from tiktoken import Encoding

from tests.benchmarks.timing import Ratios, geometric_mean, in_turns, payloads
from toon.formats import FORMATS
from toon.measuring.measure import Settings, measure_records
from toon.measuring.run import measure
from toon.measuring.workers import cores
from toon.tokenizers.openai import encoding_of
from toon.traffic import read
from toon.traffic.payload import Payload

FORMATS_MEASURED: Final = ("json-compact", "json-pretty", "json-python", "toon")
#: Rows of one answer: a tool returns a few rows, not a data set.
ROWS: Final = 20
SIZES = (20_000_000, 60_000_000)
TURNS: Final = 3


def answers() -> Iterator[tuple[str, Any]]:
    """The official benchmark's payloads, cut into pieces of at most ``ROWS`` rows or keys."""
    for name, value in payloads():
        only = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
        rows = list(only.items() if isinstance(only, dict) else only)
        for start in range(0, min(len(rows), 10 * ROWS), ROWS):
            yield name, type(only)(rows[start : start + ROWS])


def _tokenize(encoding: Encoding, texts: list[str]) -> None:
    for text in texts:
        encoding.encode_ordinary(text)


def per_core() -> list[float]:
    """The speed of one core against bare tiktoken, payload by payload."""
    encoding = encoding_of("o200k_base")
    settings = Settings.of(["o200k_base"], FORMATS_MEASURED)
    by_name: dict[str, list[Any]] = {}
    for name, value in answers():
        by_name.setdefault(name, []).append(value)
    ratios = []
    for name, values in by_name.items():
        texts = [FORMATS[format].dumps(value) for value in values for format in FORMATS_MEASURED]
        records = [Payload(name, 1, name, json.dumps(value)) for value in values]
        alone, whole = in_turns(
            partial(_tokenize, encoding, texts), partial(measure_records, records, settings)
        )
        ratios.append(alone / whole)
        size = sum(len(record.text) for record in records) / 1e6
        print(f"{name:16}{alone * 1e3:9.1f} ms tiktoken{whole * 1e3:9.1f} ms measure", end="")
        print(f"{alone / whole:7.2f}{size / whole:7.1f} MB/s")
    print(f"bare tiktoken / measure per core, geometric mean: {geometric_mean(ratios):.2f}")
    return ratios


def write_log(path: Path, size: int) -> None:
    """Writes ``size`` bytes of JSON Lines: the answers over and over, each with its number."""
    pieces = [json.dumps({"answer": value}, ensure_ascii=False) for _, value in answers()]
    written = 0
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while written < size:
            number += 1
            piece = pieces[number % len(pieces)]
            written += file.write(f'{{"n":{number},{piece[1:]}\n')


def seconds(log: Path, workers: int) -> float:
    """The seconds that so many processes take for a log."""
    start = time.perf_counter()
    measure(
        read(log, log.name), log.with_suffix(".parquet"), formats=FORMATS_MEASURED, workers=workers
    )
    return time.perf_counter() - start


def two_against_one(folder: Path) -> list[float]:
    """How many times as fast two processes are at each size.

    The ways take turns, because the speed of a machine changes.
    """
    log = folder / "small.jsonl"
    write_log(log, 1_000_000)
    seconds(log, 1)  # loads what every turn needs
    gains = []
    for size in SIZES:
        write_log(log, size)
        turns = [[seconds(log, workers) for workers in (1, 2)] for _ in range(TURNS)]
        one, two = map(median, zip(*turns, strict=True))
        gains.append(one / two)
        print(f"{size / 1e6:.0f} MB of JSON Lines, {cores()} cores, medians of {TURNS} turns: ")
        print(f"{one:5.1f} s in one process, {two:5.1f} s in two, {gains[-1]:.2f} times as fast")
    return gains


def main() -> Ratios:
    ratios = per_core()
    with tempfile.TemporaryDirectory() as folder:
        gains = two_against_one(Path(folder))
    return [ratios, gains]


if __name__ == "__main__":
    main()
