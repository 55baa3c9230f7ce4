"""The run of measured payloads that the dashboard shows: its file, its rows, its payloads."""

import io
import json
import runpy
import time
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from toon.analysis import Rows, load
from toon.analysis.columns import Floats, as_codes
from toon.analysis.money import Named, find_named
from toon.measuring.table import open_run
from toon.records.store import SAMPLES
from toon.secrets import mask
from toon.server import SERVER
from toon.tap.growing_run import Snapshot
from toon.traffic import read
from toon.traffic.account import Account
from toon.traffic.payload import Payload
from toon.traffic.sniff import list_kinds

#: The most results of a session that are replayed.
MOST_STEPS: Final = 500

SAMPLE_RUN = SAMPLES / "corpus.parquet"
#: The log that the sample run was measured of; a script writes the same text each time.
SAMPLE_NAME = "corpus.jsonl.gz"
#: Where a record of the sample corpus holds its payload and its group.
SAMPLE_PATHS = "payload", "endpoint"


class OpenRun:
    """A measured run on the dashboard: its name, the ``path`` of its Parquet file, and its rows.

    ``number`` sets its widgets' keys apart. ``token`` names a run that the server keeps; the sample
    is always there, and has none. ``snapshot`` keeps the file of a growing run while it is shown.

    Raises:
        OSError: The file cannot be read.
        RunError: It is not a run.
    """

    def __init__(self, name: str, path: Path) -> None:
        run = open_run(path)
        self.name = name
        self.path = path
        self.rows: Rows = load(run)
        self._file = run.file
        self._file.name = name  # errors of columns that are read later show no path
        self.number = time.time_ns()
        self.token: str | None = None
        self.snapshot: Snapshot | None = None

    def look(self) -> bool:
        """Return whether the server still keeps this run; asking makes it keep the run longer."""
        return self.token is None or SERVER.runs.get(self.token) is not None

    @property
    def payloads(self) -> int:
        """The number of a run's payloads that were measured without an error."""
        return int((~self.rows.bad).sum())

    @cached_property
    def models(self) -> list[Named]:
        """The models that the records of a measured log name, those with most tokens first."""
        return find_named(self.rows, np.flatnonzero(~self.rows.bad))

    @cached_property
    def priced_tokenizers(self) -> list[str]:
        """The run's tokenizers, by name, that belong to a priced model which the log names."""
        return [name for name in self.rows.tokenizers if self.count_payloads(name)]

    @cached_property
    def main_model(self) -> Named | None:
        """The priced model with most tokens in a measured log, or None."""
        priced = (model for model in self.models if any(map(model.is_priced, self.rows.tokenizers)))
        return next(priced, None)

    def count_payloads(self, tokenizer: str) -> int:
        """Return how many payloads of the run name a priced model with this tokenizer."""
        return sum(model.payloads for model in self.models if model.is_priced(tokenizer))

    @property
    def is_sample(self) -> bool:
        return self.path == SAMPLE_RUN

    @property
    def title(self) -> str:
        """The run's name, and in words whether its payloads are an example's or measured ones."""
        example = "an example, a made-up shop's four weeks"
        return f"{self.name}: {example if self.is_sample else 'measured payloads'}"

    @property
    def holds_payloads(self) -> bool:
        """Whether the run has its payloads' texts, so that they can be opened."""
        return self.is_sample or bool(self.rows.about.get("keep_payloads"))

    @cached_property
    def sessions(self) -> list[str]:
        """The agents' session files in a run that can be replayed, most tool results first."""
        if self.is_sample or not self.holds_payloads:
            return []
        kinds = {kind.name for kind in list_kinds() if "tools answered" in kind.records}
        read = Account.from_facts(self.rows.about.get("read_as"))
        counts = {
            row.source: row.payloads
            for row in read
            if row.source and row.kind in kinds and row.payloads  # without: many files in one row
        }
        return sorted(counts, key=lambda source: -counts[source])

    def session(self, source: str) -> str:
        """Return the first tool results of session file ``source`` as JSON of an agent's run."""
        code = self.rows.sources.dictionary.to_pylist().index(source)
        places = np.flatnonzero(as_codes(self.rows.sources) == code)
        places = places[~self.rows.bad[places]][:MOST_STEPS]
        names = [self.rows.names[code] for code in self.rows.group[places]]
        steps = [
            {"kind": "tool_call", "agent": "agent", "tool": name, "content": text}
            for name, text in zip(names, self._texts(places), strict=True)
            if text is not None
        ]
        return json.dumps({"name": source, "steps": steps}, ensure_ascii=False)

    def payload(self, place: int) -> str | None:
        """Return the text of the payload in a row of the run; None if the run has no texts."""
        if not self.is_sample:
            return next(self._texts([place]))
        payload_path, group_path = SAMPLE_PATHS
        records = read(
            io.BytesIO(_sample_corpus()),
            "corpus.jsonl",
            payload_path=payload_path,
            group_path=group_path,
        )
        record = int(self.rows.record[place])
        payloads = (payload for payload in records if isinstance(payload, Payload))
        return next((payload.text for payload in payloads if payload.record == record), None)

    def _texts(self, places: Iterable[int]) -> Iterator[str | None]:
        """Yield the masked texts of payloads at ascending rows of a run; None for one not held."""
        start, texts, index = 0, pa.array([], pa.string()), 0
        for place in places:
            while place >= start + len(texts) and "text" in self._file.columns:
                start += len(texts)
                texts = self._file.read(["text"], [index])["text"]
                index += 1
            text = texts[place - start].as_py() if len(texts) else None
            yield None if text is None else mask(text)


def to_datetimes(seconds: Floats) -> Any:
    """Convert seconds since 1970 to numpy times in UTC without a zone; NaN becomes NaT.

    The times are in milliseconds: nanoseconds would end in the year 2262.
    """
    known = np.where(np.isnan(seconds), 0, seconds * 1_000).astype("datetime64[ms]")
    return np.where(np.isnan(seconds), np.datetime64("NaT", "ms"), known)


@cache
def _sample_corpus() -> bytes:
    text: bytes = runpy.run_path(str(SAMPLES / "make_corpus.py"))["corpus"]()
    return text
