"""A growing run: rows are added, and the run is written as a file from time to time.

Each file is a whole run, and is removed once nothing refers to it: a reader keeps its file while
the next one is written.
"""

import json
import os
import weakref
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.files import replacing
from toon.measuring import table
from toon.measuring.checkpoints import GROUP_ROWS
from toon.measuring.definitions import note
from toon.measuring.measure import Settings
from toon.measuring.run_file import WRITING, seal
from toon.measuring.totals import Totals
from toon.traffic.account import Account

_NAME: Final = "so-far"


class Snapshot:
    """A growing run's Parquet file as of one moment, removed when nothing refers to this object."""

    def __init__(self, path: Path) -> None:
        self.path = path
        weakref.finalize(self, _remove, path)


def _remove(path: Path) -> None:
    with suppress(OSError):  # the interpreter ends, or the folder is gone: nobody can be told
        path.unlink()


class GrowingRun:
    """A measured run that grows by tables of rows, written as whole Parquet files in ``folder``.

    ``totals`` sums all rows. Memory is bounded.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder, self._settings = folder, settings
        self._method = table.describe(settings)
        self._started = datetime.now(UTC)
        self._number = 0
        self._last: Snapshot | None = None
        self._new: list[pa.Table] = []
        self.totals = Totals.of(self._method)

    @property
    def new_bytes(self) -> int:
        """Bytes of memory of the rows that were added and are not yet written to a file."""
        return sum(each.nbytes for each in self._new)

    def add(self, rows: pa.Table) -> None:
        self._new.append(rows)
        self.totals.add(rows)

    def write(self, account: Account, *, complete: bool = False) -> Snapshot:
        """Write all rows so far as a run in a new Parquet file; return its Snapshot.

        ``account``, and whether the run is ``complete``, go into the metadata.

        Raises:
            OSError: The file cannot be written.
        """
        path = self._folder / f"{_NAME}-{self._number}.parquet"
        columns = table.schema(self._settings)
        with (
            replacing(path, self._folder) as draft,
            pq.ParquetWriter(draft, columns, **WRITING) as writer,
        ):
            for rows in self._row_groups():
                writer.write_table(rows, row_group_size=max(1, rows.num_rows))
            totals = self.totals
            about = {
                **self._method,
                "complete": complete,
                "started": self._started.isoformat(timespec="seconds"),
                "finished": datetime.now(UTC).isoformat(timespec="seconds"),
                "records": totals.records,
                "errors": totals.errors,
                "bytes": totals.bytes,
                **note(account, self._settings.tokenizers[0]),
            }
            facts = {table.KEY: json.dumps(about).encode()}
            writer.add_key_value_metadata(seal(facts, columns))
        self._number += 1
        self._new.clear()
        self._last = Snapshot(path)
        return self._last

    def link(self, path: Path) -> None:
        """Give the last written file of the run a second name, ``path``, as a hard link."""
        assert self._last is not None
        draft = path.with_suffix(".link")
        os.link(self._last.path, draft)
        draft.replace(path)

    def _row_groups(self) -> Iterator[pa.Table]:
        """Yield all rows of the run in tables of bounded size, into which small ones are joined."""
        ahead: list[pa.Table] = []
        written = table.open_run(self._last.path).batches() if self._last else ()
        for rows in chain(written, self._new):
            if ahead and sum(each.num_rows for each in ahead) + rows.num_rows > GROUP_ROWS:
                yield pa.concat_tables(ahead).unify_dictionaries()
                ahead = []
            ahead.append(rows)
        if ahead:
            yield pa.concat_tables(ahead).unify_dictionaries()
