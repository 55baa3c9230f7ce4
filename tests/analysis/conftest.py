"""A measured run of made-up records, and that of the sample corpus."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.measuring.corpora import records
from toon.analysis import Rows, load
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.traffic.payload import Record

FORMATS = ("json-python", "toon", "toon-tab", "csv", "yaml")


def rows_of(path: Path, records: Iterable[Record], **options: Any) -> Rows:
    """The rows of a run of these records, which is written there."""
    measure(records, path, workers=1, **options)
    return load(open_run(path))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.parquet"
    measure(records(300), path, workers=1, tokenizers=["o200k_base", "chars4"], formats=FORMATS)
    return path


@pytest.fixture(scope="module")
def rows(path: Path) -> Rows:
    return load(open_run(path))


@pytest.fixture(scope="module")
def lines(path: Path) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = open_run(path).table().to_pylist()
    return table


@pytest.fixture(scope="module")
def sample() -> Rows:
    return load(open_run(ROOT / "samples" / "corpus.parquet"))
