"""Parquet files of runs, read so that a changed bit is an error and never another figure.

Their pages carry checksums; so do the names of their columns and their metadata (:func:`seal`).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.errors import RunError

#: The options of ``pyarrow.parquet.ParquetWriter`` for the files.
WRITING: Final[dict[str, Any]] = {"compression": "zstd", "write_page_checksum": True}
_ADVICE: Final = "take another copy, or measure again"
_SEAL: Final = b"toon.seal"


def seal(facts: Mapping[bytes, bytes], columns: pa.Schema) -> dict[bytes, bytes]:
    """Return a run's metadata with a checksum over itself and its columns' names and types."""
    values = {key: value for key, value in facts.items() if key not in (_SEAL, b"ARROW:schema")}
    described = [(column.name, str(column.type), column.nullable) for column in columns]
    digest = blake2b(repr((sorted(values.items()), described)).encode(), digest_size=16)
    return {**values, _SEAL: digest.hexdigest().encode()}


class RunFile:
    """A Parquet file, read with verified checksums where it has any; damage raises RunError.

    ``columns`` names all columns. ``name`` stands for the file in errors.

    Raises:
        OSError: The file cannot be opened.
        RunError: The file is damaged, or no Parquet file.
    """

    def __init__(self, source: Path | BinaryIO, name: str) -> None:
        self._source, self.name = source, name
        if isinstance(source, Path):
            source.open("rb").close()
        with self._explained("is not a Parquet file"):
            self.metadata = pq.read_metadata(source)
            columns = self.metadata.schema.to_arrow_schema()
            self.columns: list[str] = columns.names
            facts = self.metadata.metadata or {}
            if _SEAL in facts and facts[_SEAL] != seal(facts, columns)[_SEAL]:
                raise ValueError("its columns or its metadata were changed")

    def read(
        self,
        columns: Sequence[str] | None = None,
        groups: Sequence[int] | None = None,
        repeated: Sequence[str] = (),
    ) -> pa.Table:
        """Read rows into an Arrow table: all row groups or ``groups``, all columns or those named.

        Args:
            repeated: Columns of text that are read as dictionaries.

        Raises:
            RunError: What is asked for is damaged, or the file is gone.
        """
        groups = range(self.metadata.num_row_groups) if groups is None else groups
        with self._explained("cannot be read"):
            options = {"metadata": self.metadata, "read_dictionary": list(repeated)}
            with pq.ParquetFile(self._source, page_checksum_verification=True, **options) as file:
                table = file.read_row_groups(list(groups), columns)
                table.validate(full=True)  # a dictionary's header has no checksum
                return table if columns is None else table.select(columns)

    @contextmanager
    def _explained(self, fault: str) -> Iterator[None]:
        """As a context manager, turn errors of Arrow and the system into RunErrors of the file."""
        try:
            yield
        except (OSError, ValueError, pa.ArrowException) as error:
            reason = str(error).replace(str(self._source), "it")
            raise RunError(f"{self.name} {fault}: {reason}; {_ADVICE}") from None
