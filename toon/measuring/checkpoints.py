"""Checkpoints of a run that is being measured: small files in a folder beside it.

A checkpoint holds the rows of one chunk, as a checksum and Parquet. Its name is the chunk's number
and a digest of the records and settings. So a checkpoint with the right name and checksum is of the
same records and settings, whenever it was made, and its chunk need not be measured again.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.errors import HeldError
from toon.files import LockedFolder, replacing, write_file
from toon.measuring import table
from toon.measuring.measure import Settings
from toon.measuring.run_file import WRITING, seal
from toon.measuring.totals import Totals
from toon.traffic.payload import Payload, Record

#: The rows and the bytes at which a row group of the finished run is closed.
GROUP_ROWS: Final = 50_000
GROUP_BYTES: Final = 64_000_000

_CHECKSUM: Final = 16  # bytes


class Checkpoints:
    """The folder ``<output>.parts`` of a run that is being measured: one file of rows per chunk.

    No other process can open it until it is closed or removed.
    """

    def __init__(self, output: Path, settings: Settings) -> None:
        """Create or open the folder of checkpoints beside ``output``, the run's file.

        Raises:
            OSError: The run could not be written here, or another process measures it.
        """
        if output.is_dir():
            raise IsADirectoryError(f"{output} is a folder; a run is a file")
        if output.exists() and not output.is_file():
            raise OSError(f"{output} is a device or a pipe; a run is a file")
        self.folder = output.with_name(f"{output.name}.parts")
        self._settings = settings
        self._found = 0
        self._kept: list[str] = []
        try:
            self._lock = LockedFolder(self.folder)
        except HeldError as error:
            reason = f"{output} is being measured by {error.holder}: wait, or name another output"
            raise OSError(reason) from None

    def find(self, records: Iterable[Record]) -> tuple[str, bool]:
        """Return the name of the next chunk's checkpoint, and whether it is there undamaged."""
        name = f"{self._found:08d}-{_digest(records, self._settings)}.part"
        self._found += 1
        return name, self._rows(name) is not None

    def keep(self, name: str, rows: bytes | None) -> None:
        """Add a chunk's checkpoint to the run; write its Parquet ``rows`` unless they are None."""
        if rows is not None:
            write_file(self.folder / name, _checksum(rows) + rows)
        self._kept.append(name)

    def remove(self) -> None:
        """Delete the folder of checkpoints with everything in it, those of other inputs too.

        Raises:
            OSError: The folder cannot be removed.
        """
        try:
            self._lock.remove()
        except OSError as error:
            reason = f"{self.folder} cannot be removed: {error.strerror}"
            raise OSError(f"the run is complete, but {reason}") from error

    def close(self) -> None:
        """Release the folder of checkpoints, which stays for resuming if it was not removed."""
        self._lock.close()

    def join(
        self,
        path: Path,
        *,
        complete: bool,
        started: str,
        finished: str,
        noted: table.LogNotes,
    ) -> Totals:
        """Write the rows of all kept checkpoints and metadata to the run ``path``; return totals.

        The draft lies among the checkpoints, so a process that is killed leaves it only there.
        """
        method = table.describe(self._settings)
        totals = Totals.of(method)
        columns = table.schema(self._settings)
        with (
            replacing(path, self.folder) as draft,
            pq.ParquetWriter(draft, columns, **WRITING) as writer,
        ):
            for rows in self._row_groups():
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
                **noted,
            }
            facts = {table.KEY: json.dumps(about).encode()}
            writer.add_key_value_metadata(seal(facts, columns))
        return totals

    def _rows(self, name: str) -> bytes | None:
        """Return the rows of a checkpoint as Parquet bytes; None if it is missing or damaged."""
        with suppress(OSError):
            data = (self.folder / name).read_bytes()
            checksum, rows = data[:_CHECKSUM], data[_CHECKSUM:]
            if checksum == _checksum(rows):
                return rows
        return None

    def _row_groups(self) -> Iterator[pa.Table]:
        """Yield the rows of the kept checkpoints in order, as Arrow tables of bounded size."""
        tables: list[pa.Table] = []
        rows = size = 0
        for name in self._kept:
            part = self._rows(name)
            if part is None:
                raise OSError(f"{self.folder} was changed meanwhile: the same command mends it")
            tables.append(pq.read_table(pa.BufferReader(part)))
            rows += tables[-1].num_rows
            size += tables[-1].nbytes
            if rows >= GROUP_ROWS or size >= GROUP_BYTES:
                yield pa.concat_tables(tables).unify_dictionaries()
                tables, rows, size = [], 0, 0
        if tables:
            yield pa.concat_tables(tables).unify_dictionaries()


def _checksum(rows: bytes) -> bytes:
    return hashlib.blake2b(rows, digest_size=_CHECKSUM).digest()


def _digest(records: Iterable[Record], settings: Settings) -> str:
    """Return a hash, as hex digits, of the records of a chunk and the settings of its run."""
    digest = hashlib.blake2b(repr((table.VERSION, settings)).encode(), digest_size=16)
    for record in records:
        if isinstance(record, Payload):
            text = record.text.encode(errors="surrogatepass")
            facts = (
                record.source,
                record.record,
                record.group,
                record.time,
                record.model,
                record.turn,
                len(text),
            )
            digest.update(repr(facts).encode())
            digest.update(text)
        else:
            digest.update(repr(record).encode())
    return digest.hexdigest()
