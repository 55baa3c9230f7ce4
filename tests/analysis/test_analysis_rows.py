"""Loading runs: unusual ones are read, damaged ones are refused."""

import json
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.analysis.conftest import rows_of
from tests.measuring.corpora import records
from toon.analysis import Comparison, analyse, load
from toon.analysis.rows import _uses
from toon.errors import RunError
from toon.measuring.run import measure
from toon.measuring.run_file import RunFile
from toon.measuring.table import KEY, open_run
from toon.traffic.payload import Payload

O200K = "o200k_base"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.parquet"
    measure(records(20), path, workers=1, formats=["toon"])
    return path


def test_measured_rows_without_a_group_form_a_group(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    measure([Payload("a", n, "g", "[1]") for n in (1, 2)], path, workers=1)
    rows = load(open_run(written(path, replace(path, "group", [None, "g"]), path)))

    assert [rows.names[code] for code in rows.group] == ["(none)", "g"]


def replace(path: Path, name: str, cells: list[Any], kind: pa.DataType | None = None) -> pa.Table:
    """The table of a run with other cells in one column, again from the first where they end."""
    table = open_run(path).table()
    array = pa.array(islice(cycle(cells), len(table)), kind or table.schema.field(name).type)
    return table.set_column(table.schema.get_field_index(name), name, array)


def written(path: Path, table: pa.Table, to: Path, **changed: Any) -> Path:
    """A run of this table that says of itself what another says."""
    metadata = {KEY: json.dumps(open_run(path).about | changed)}
    pq.write_table(table.replace_schema_metadata(metadata), to)
    return to


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"tokenizers": {}}, "a tokenizer, json-compact and json-pretty"),
        ({"formats": {"toon": {"lossless": True}}}, "a tokenizer, json-compact and json-pretty"),
        ({"tokenizers": {"o200k_base": 1}}, "'int' object is not subscriptable"),
        ({"versions": "1"}, "versions is not a table"),
        ({"tokenizers": {"![x](//e.com)": {"exact": True}}}, "names no tokenizer and no format"),
        ({"explaining": {"together": 0, "wordings": {}}}, "payloads in a prompt must be 1 or more"),
        ({"explaining": {"together": 1, "wordings": {"toon": 5}}}, "an explanation is not a text"),
        ({"explaining": {"together": 1, "wordings": {"tonl": "x"}}}, "No format is named 'tonl'"),
        ({"tokenizers": {"other": {"exact": True}}}, "no column other.as-typed"),
    ],
)
def test_a_run_with_damaged_metadata_names_what_is_missing(
    tmp_path: Path, path: Path, changed: dict[str, Any], reason: str
) -> None:
    broken = written(path, open_run(path).table(), tmp_path / "broken.parquet", **changed)

    with pytest.raises(RunError, match=r"broken.parquet is not a whole run") as caught:
        load(open_run(broken))
    assert reason in str(caught.value)


@pytest.mark.parametrize("column", [f"{O200K}.json-compact", "values"])
def test_a_payload_without_figures_is_refused(tmp_path: Path, path: Path, column: str) -> None:
    broken = written(path, replace(path, column, [None]), tmp_path / "broken.parquet")

    with pytest.raises(RunError, match=f"a payload has no {column}"):
        load(open_run(broken)).kinds["values"]  # kinds are read when they are asked for


def test_two_columns_of_one_name_are_refused(tmp_path: Path, path: Path) -> None:
    table = open_run(path).table()
    twice = written(path, table.append_column("values", table["values"]), tmp_path / "run.parquet")

    with pytest.raises(RunError, match="not a whole run: values"):
        load(open_run(twice)).kinds["values"]


@pytest.mark.parametrize("count", [1, 127, 128, 129, 40_000])
def test_codes_of_constructs_hold_any_number_of_sets(count: int) -> None:
    words = [f"use{number}" for number in range(count)]

    codes, sets = _uses(pa.chunked_array([[*words, None]]))
    assert codes.tolist() == [*range(count), -1]
    assert [set(uses) for uses in sets] == [{word} for word in words]


def test_the_first_and_last_times_of_python_are_read(tmp_path: Path) -> None:
    times = (0.0, 20_000_000_000.0, 253_402_300_799.0)
    payloads = [Payload("a", n, "g", "[1]", time) for n, time in enumerate(times)]
    rows = rows_of(tmp_path / "run.parquet", payloads)

    assert rows.time.tolist() == list(times)
    assert analyse(rows, Comparison(O200K, "json-compact", "toon")).series is not None


def test_a_format_that_is_not_known_here_is_shown_and_not_recommended(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    measure([Payload("a", 1, "g", '[{"a":1},{"a":2}]')], path, workers=1, formats=["csv"])
    table = open_run(path).table()
    names = [name.replace("csv", "tonl") for name in table.column_names]
    facts = {"json-compact": {"lossless": True}, "json-pretty": {"lossless": True}}
    facts["tonl"] = {"lossless": True}
    written(path, table.rename_columns(names), path, formats=facts)

    analysis = analyse(load(open_run(path)), Comparison(O200K, "as-typed", "tonl"))

    assert analysis.apart == "not known here"
    assert analysis.policy.switches == ()


def test_a_small_file_of_too_many_rows_is_refused_before_it_is_read(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_run(path).table()
    many = table.take(pa.array([0] * 100_000))
    large = written(path, many, tmp_path / "run.parquet")
    monkeypatch.setattr("toon.analysis.rows.RUN_BYTES", 15_000_000)
    monkeypatch.setattr(RunFile, "read", None)

    assert large.stat().st_size < 100_000
    words = r"the rows of this run would take \d\d MB of memory; TOON_RUN_BYTES sets the limit of "
    with pytest.raises(RunError, match=f"{words}15 MB"):
        load(open_run(large))


def test_a_long_text_that_is_repeated_is_held_once(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repeated = replace(path, "error", ["x" * 50_000]).take(pa.array([0] * 2_000))
    large = written(path, repeated, tmp_path / "run.parquet")
    monkeypatch.setattr("toon.analysis.rows.RUN_BYTES", 50_000_000)

    assert large.stat().st_size < 1_000_000
    loaded = load(open_run(large))

    assert loaded.errors.nbytes < 100_000
    assert set(loaded.errors.to_pylist()) == {"x" * 50_000}
    assert analyse(loaded, Comparison(O200K, "as-typed", "toon")).payloads == 0


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run by two tokenizers; the counts of the second are read when they are asked for."""
    path = tmp_path_factory.mktemp("run") / "run.parquet"
    measure(records(20), path, workers=1, formats=["toon"], tokenizers=[O200K, "chars4"])
    return path


def with_counts(two: Path, to: Path, counts: list[int | None]) -> Path:
    return written(two, replace(two, "chars4.as-typed", counts, pa.int64()), to)


@pytest.mark.parametrize("counts", [[None], [1, -1], [1, -(2**32) + 1]])
def test_damaged_counts_of_another_tokenizer_are_refused_when_they_are_asked_for(
    two: Path, tmp_path: Path, counts: list[int | None]
) -> None:
    rows = load(open_run(with_counts(two, tmp_path / "run.parquet", counts)))

    assert analyse(rows, Comparison(O200K, "json-compact", "toon")).payloads
    with pytest.raises(RunError, match=r"not a whole run: a payload has no chars4\.as-typed"):
        analyse(rows, Comparison("chars4", "json-compact", "toon"))


@pytest.mark.parametrize(
    ("cell", "kind"), [("x", pa.string()), ([1], pa.list_(pa.int64()))], ids=["texts", "lists"]
)
def test_counts_of_another_tokenizer_that_are_no_numbers_are_refused(
    two: Path, tmp_path: Path, cell: Any, kind: pa.DataType
) -> None:
    table = replace(two, "chars4.toon", [cell, *[None] * 19], kind)
    rows = load(open_run(written(two, table, tmp_path / "run.parquet")))

    with pytest.raises(RunError, match=r"not a whole run: chars4"):
        analyse(rows, Comparison("chars4", "json-compact", "toon"))


def test_counts_beyond_32_bits_are_kept(two: Path, tmp_path: Path) -> None:
    rows = load(open_run(with_counts(two, tmp_path / "run.parquet", [2**40, 1])))

    assert rows.tokens["chars4"]["as-typed"][:2].tolist() == [2**40, 1]


def test_counts_of_another_tokenizer_of_a_file_that_is_gone_are_refused(
    two: Path, tmp_path: Path
) -> None:
    path = with_counts(two, tmp_path / "run.parquet", [1])
    rows = load(open_run(path))
    path.unlink()

    with pytest.raises(RunError, match=r"run\.parquet cannot be read"):
        analyse(rows, Comparison("chars4", "json-compact", "toon"))
