"""The parts of a run that is being measured: small Parquet files in a folder beside it.

A part is named by its place and by a digest of what it was measured from and how. So a part that
is there was measured from the same records with the same settings, whenever that was, and need not
be measured again; and what is in the folder tells how far an interrupted run came.
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
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.corpus import table
from toon.corpus.measuring import Record, Settings
from toon.corpus.payload import Payload
from toon.corpus.totals import Totals

#: Rows are written in groups of about so many, or of so many bytes.
_GROUP_ROWS: Final = 50_000
_GROUP_BYTES: Final = 64_000_000


class Parts:
    """The folder of parts of the run at ``output``."""

    def __init__(self, output: Path, settings: Settings, resume: bool) -> None:
        """Takes up the folder that is there, or starts a new one.

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

    def name(self, records: Sequence[Record]) -> str:
        """The name of the next part, which is of these records."""
        name = f"{len(self._names):08d}-{_digest(records, self._settings)}.parquet"
        self._names.append(name)
        return name

    def holds(self, name: str, rows: int) -> bool:
        """Whether the part is there, whole and of so many rows."""
        try:
            return bool(pq.read_metadata(self.folder / name).num_rows == rows)
        except (OSError, pa.ArrowException):
            return False

    def write(self, name: str, part: bytes) -> None:
        with self._replacing(self.folder / name) as draft:
            draft.write_bytes(part)

    def remove(self) -> None:
        """Removes the folder with all parts in it, those of other inputs too."""
        with suppress(FileNotFoundError):
            shutil.rmtree(self.folder)

    def join(self, count: int, path: Path, about: dict[str, Any]) -> Totals:
        """Writes the first ``count`` parts as one run, which adds its counts to ``about``."""
        about = table.description(self._settings) | about
        totals = Totals.of(about)
        with (
            self._replacing(path) as draft,
            pq.ParquetWriter(draft, table.schema(self._settings), compression="zstd") as writer,
        ):
            for rows in self._groups(count):
                totals.add(rows)
                writer.write_table(rows, row_group_size=max(1, rows.num_rows))
            counts = {
                "records": totals.records,
                "errors": totals.errors,
                "bytes": totals.bytes,
            }
            writer.add_key_value_metadata({table.KEY: json.dumps(about | counts)})
        return totals

    @contextmanager
    def _replacing(self, path: Path) -> Iterator[Path]:
        """A path to write to that becomes ``path`` once all is written, and is removed otherwise.

        It lies among the parts, so that nothing else is left where no time is given to remove it.
        """
        draft = self.folder / f"{path.name}.{secrets.token_hex(4)}.tmp"
        try:
            yield draft
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def _groups(self, count: int) -> Iterator[Any]:
        """The rows of the first parts, some parts at a time."""
        held: list[Any] = []
        for name in self._names[:count]:
            held.append(pq.read_table(self.folder / name))
            if (
                sum(rows.num_rows for rows in held) >= _GROUP_ROWS
                or sum(rows.nbytes for rows in held) >= _GROUP_BYTES
            ):
                yield pa.concat_tables(held).unify_dictionaries()
                held = []
        if held:
            yield pa.concat_tables(held).unify_dictionaries()


def _digest(records: Iterable[Record], settings: Settings) -> str:
    """Of everything that decides the rows."""
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
