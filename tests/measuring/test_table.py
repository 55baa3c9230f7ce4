"""A run's columns and metadata, for pandas and for pyarrow."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.measuring.corpora import flip_bits
from toon.analysis import load
from toon.costs.explanation import Explaining
from toon.errors import RunError
from toon.measuring.measure import Settings
from toon.measuring.run import measure
from toon.measuring.table import KEY, measure_part, open_run, read_explaining
from toon.traffic.payload import BadRecord, Payload

SETTINGS = Settings.of(["chars4", "o200k_base"], ["toon", "csv"], keep_payloads=True)
RECORDS = [
    Payload("a.jsonl", 1, "GET /a", '[{"a":1},{"a":2}]', 1_700_000_000.25),
    BadRecord("a.jsonl", 2, "no payload here"),
    Payload("a.jsonl", 3, "GET /b", "{"),
    Payload("b\udcff.jsonl", 1, "GET /a", '{"a":{}}'),
]


@pytest.fixture
def table(tmp_path: Path) -> pa.Table:
    path = tmp_path / "part.parquet"
    path.write_bytes(measure_part(RECORDS, SETTINGS))
    return pq.read_table(path)


def test_the_columns_and_their_types(table: pa.Table) -> None:
    texts = "dictionary<values=string, indices=int32, ordered=0>"
    counted = ["as-typed", *SETTINGS.formats]
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("source", "string"), ("record", "int64"), ("group", texts),
        ("time", "timestamp[us, tz=UTC]"), ("model", texts), ("turn", "int32"),
        ("bytes", "int64"), ("error", "string"), ("skipped", "int64"),
        *((f"chars4.{name}", "int64") for name in counted),
        *((f"o200k_base.{name}", "int64") for name in counted),
        *((kind, "double") for kind in ["names", "punctuation", "whitespace", "values"]),
        ("comparable", "bool"), ("best", "string"),
        *((f"round_trips.{name}", "bool") for name in SETTINGS.formats),
        *((f"uses.{name}", texts) for name in SETTINGS.formats), ("text", "string"),
    ]  # fmt: skip


def test_pandas_reads_the_rows(tmp_path: Path, table: pa.Table) -> None:
    frame = pd.read_parquet(tmp_path / "part.parquet")

    assert frame["source"].tolist() == ["a.jsonl", "a.jsonl", "a.jsonl", "b���.jsonl"]
    assert frame["group"].tolist()[::3] == ["GET /a", "GET /a"]
    assert frame["group"].isna().tolist() == [False, True, False, False]
    assert frame["time"][0] == pd.Timestamp("2023-11-14T22:13:20.25Z")
    expected = ["no payload here", 'line 1, column 2: expected a "name", found the end of the text']
    assert frame["error"].dropna().tolist() == expected
    assert frame["chars4.csv"].isna().tolist() == [False, True, True, True]
    assert frame["text"].tolist()[2:] == ["{", '{"a":{}}']


@pytest.mark.parametrize("time", [float("nan"), float("inf"), -1e300, 1e18, -5.0])
def test_a_time_outside_of_dates_is_left_out(time: float) -> None:
    part = measure_part([Payload("a", 1, "g", "1", time)], SETTINGS)

    assert pq.read_table(pa.BufferReader(part))["time"].to_pylist() == [None]


def test_a_run_says_how_it_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    explaining = Explaining(3, (("toon", "TOON."),))
    options: Any = {"tokenizers": SETTINGS.tokenizers, "formats": ["csv"], "explaining": explaining}
    measure(RECORDS, path, workers=1, **options)

    about = open_run(path).about
    assert about["explaining"] == {
        "together": 3, "wordings": {"toon": "TOON."}, "cached": 0.0, "rate": 1.0,
    }  # fmt: skip
    assert read_explaining(about) == explaining
    assert about["tokenizers"] == {"chars4": {"exact": False}, "o200k_base": {"exact": True}}
    assert about["formats"]["csv"] == {"lossless": False}
    assert about["formats"]["json-compact"] == {"lossless": True}
    assert (about["records"], about["errors"], about["bytes"]) == (4, 2, 25)
    assert set(about["versions"]) == {"splintr-rs", "orjson", "toon-spec"}


def test_other_files_are_refused(tmp_path: Path) -> None:
    text, other = tmp_path / "a.txt", tmp_path / "a.parquet"
    later, older = tmp_path / "b.parquet", tmp_path / "c.parquet"
    text.write_text("nothing of the kind")
    rows = pa.table({"a": [1]})
    pq.write_table(rows, other)
    for path, version in ((later, 99), (older, 2)):
        pq.write_table(rows.replace_schema_metadata({KEY: json.dumps({"version": version})}), path)

    for path, message in [
        (text, "is not a Parquet file"),
        (other, "is not a run: toon measure did not write it"),
        (later, "is a run of version 99; this reads up to 5: update"),
        (older, "run of version 2, measured by older rules: measure again$"),
    ]:
        with pytest.raises(RunError, match=message):
            open_run(path)
    with pytest.raises(FileNotFoundError):
        open_run(tmp_path / "gone.parquet")


@pytest.mark.parametrize("about", ["{", "[]", "{}", '{"version":"x"}', '{"version":null}'])
def test_a_run_with_unreadable_metadata_is_refused(tmp_path: Path, about: str) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata({KEY: about}), path)

    with pytest.raises(RunError, match="is not a run: it does not say how it was measured"):
        open_run(path)


@pytest.mark.rest
def test_a_changed_bit_of_a_run_changes_no_row(tmp_path: Path) -> None:
    path, damaged = tmp_path / "run.parquet", tmp_path / "damaged.parquet"
    measure(RECORDS, path, tokenizers=SETTINGS.tokenizers, workers=1, keep_payloads=True)
    whole = open_run(path)
    rows = whole.table()

    reasons = []
    for data in flip_bits(path.read_bytes()):
        damaged.write_bytes(data)
        try:
            run = open_run(damaged)
            load(run)
            assert (run.table(), run.about) == (rows, whole.about)
        except RunError as error:
            reasons.append(str(error))
    assert len(reasons) > 100
    assert all(damaged.name in reason for reason in reasons)
