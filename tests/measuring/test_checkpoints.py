"""Checkpoints of a run, joined at its end."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.measuring.corpora import records
from toon.measuring import checkpoints as module
from toon.measuring.checkpoints import Checkpoints
from toon.measuring.definitions import note
from toon.measuring.measure import Settings
from toon.measuring.table import measure_part
from toon.traffic.account import Account

SETTINGS = Settings.of(["o200k_base"], ["toon"])


def test_joining_asks_each_checkpoint_for_its_size_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding up all sizes after each one would take a night's run hours."""
    asked = []
    read, concat = module.pq.read_table, module.pa.concat_tables

    class Sized:
        def __init__(self, source: Any) -> None:
            self.table = read(source)
            self.num_rows = self.table.num_rows

        @property
        def nbytes(self) -> int:
            asked.append(self)
            return int(self.table.nbytes)

    def concat_sized(tables: list[Sized]) -> Any:
        return concat([each.table for each in tables])

    monkeypatch.setattr(module.pq, "read_table", Sized)
    monkeypatch.setattr(module.pa, "concat_tables", concat_sized)
    chunk = list(records(1))
    part = measure_part(chunk, SETTINGS)
    with closing(Checkpoints(tmp_path / "run.parquet", SETTINGS)) as checkpoints:
        for _ in range(30):
            checkpoints.keep(checkpoints.find(chunk)[0], part)
        totals = checkpoints.join(
            tmp_path / "run.parquet",
            complete=True,
            started="",
            finished="",
            noted=note(Account(), "o200k_base"),
        )

    assert totals.records == 30
    assert len(asked) == 30
