"""Checkpoints of a run that is being measured: small Parquet files in a folder beside it.

A checkpoint holds the rows of one chunk. Its name is the chunk's number and a digest of the records
and settings. A checkpoint with the right name was therefore made from the same records in the same
way, whenever that was, and its chunk need not be measured again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.corpus import table
from toon.corpus.measuring import Settings
from toon.corpus.payload import Payload, Record
from toon.corpus.totals import Totals

#: A row group of the finished run is closed at so many rows, or so many bytes.
GROUP_ROWS: Final = 50_000
GROUP_BYTES: Final = 64_000_000


class Checkpoints:
    """The folder ``<output>.parts``, with the checkpoints of the run at ``output``."""

    def __init__(self, output: Path, settings: Settings, resume: bool) -> None:
        """Opens the folder, or makes it. Without ``resume`` its old content is removed.

        Raises:
            OSError: The run could not be written here.
        """
        if output.is_dir():
            raise IsADirectoryError(f"{output} is a folder; a run is a file")
        if output.exists() and not output.is_file():
            raise OSError(f"{output} is a device or a pipe; a run is a file")
        self.folder = output.with_name(f"{output.name}.parts")
        self._settings = settings
        self._names: list[str] = []
        if not resume:
            self.remove()
        self.folder.mkdir(parents=True, exist_ok=True)

    def add(self, records: Sequence[Record]) -> str:
        """Registers the next chunk and returns the file name of its checkpoint."""
        name = f"{len(self._names):08d}-{_digest(records, self._settings)}.parquet"
        self._names.append(name)
        return name

    def exists(self, name: str, rows: int) -> bool:
        """Whether the checkpoint is already there, undamaged and with so many rows."""
        try:
            return bool(pq.read_metadata(self.folder / name).num_rows == rows)
        except (OSError, pa.ArrowException):
            return False

    def write(self, name: str, rows: bytes) -> None:
        with self._replace(self.folder / name) as draft:
            draft.write_bytes(rows)

    def remove(self) -> None:
        """Removes the folder with everything in it, checkpoints of other inputs too."""
        with suppress(FileNotFoundError):
            shutil.rmtree(self.folder)

    def join(
        self, count: int, path: Path, *, complete: bool, started: str, finished: str
    ) -> Totals:
        """Joins the first ``count`` checkpoints into the run at ``path``; returns its totals."""
        method = table.describe(self._settings)
        totals = Totals.of(method)
        with (
            self._replace(path) as draft,
            pq.ParquetWriter(draft, table.schema(self._settings), compression="zstd") as writer,
        ):
            for rows in self._row_groups(count):
                totals.add(rows)
                writer.write_table(rows, row_group_size=max(1, rows.num_rows))
            about: table.About = {
                **method,
                "complete": complete,
                "started": started,
                "finished": finished,
                "records": totals.records,
                "errors": totals.errors,
                "bytes": totals.bytes,
            }
            writer.add_key_value_metadata({table.KEY: json.dumps(about)})
        return totals

    @contextmanager
    def _replace(self, path: Path) -> Iterator[Path]:
        """Yields a draft path. The draft replaces ``path`` on success and is removed on failure.

        Drafts lie in the folder of checkpoints, so a process that is killed leaves them only there.
        """
        draft = self.folder / f"{path.name}.{secrets.token_hex(4)}.tmp"
        try:
            yield draft
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def _row_groups(self, count: int) -> Iterator[pa.Table]:
        """The rows of the first ``count`` checkpoints, joined into tables of bounded size."""
        tables: list[pa.Table] = []
        for name in self._names[:count]:
            tables.append(pq.read_table(self.folder / name))
            if (
                sum(rows.num_rows for rows in tables) >= GROUP_ROWS
                or sum(rows.nbytes for rows in tables) >= GROUP_BYTES
            ):
                yield pa.concat_tables(tables).unify_dictionaries()
                tables = []
        if tables:
            yield pa.concat_tables(tables).unify_dictionaries()


def _digest(records: Iterable[Record], settings: Settings) -> str:
    """A digest of everything that decides the rows."""
    digest = hashlib.blake2b(repr((table.VERSION, settings)).encode(), digest_size=16)
    for record in records:
        if isinstance(record, Payload):
            text = record.text.encode(errors="surrogatepass")
            facts = (record.source, record.record, record.group, record.time, len(text))
            digest.update(repr(facts).encode())
            digest.update(text)
        else:
            digest.update(repr(record).encode())
    return digest.hexdigest()
