"""Parquet as a container of any records."""

import datetime
import decimal
import gzip
import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.traffic.envelopes import traces as t
from tests.traffic.reading import kind, read_all, short, zipped
from toon.traffic.parquet import RUN_KEY

WHEN = datetime.datetime.fromtimestamp(t.TIME, datetime.UTC)


def parquet(*rows: dict[str, Any], schema: pa.Schema | None = None, **options: Any) -> bytes:
    target = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), target, **options)
    return target.getvalue()


def langfuse() -> bytes:
    tool = {**t.observation("TOOL", output=t.ANSWER, model=None), "startTime": WHEN}
    sent = json.dumps({"messages": t.ANSWERED})
    model = {**t.observation("GENERATION", input=sent), "startTime": WHEN}
    return parquet(tool, model)


def test_rows_of_a_tool_are_read_as_its_records_in_any_wrapping() -> None:
    data = langfuse()
    expected = [(2, "find", t.ANSWER)]

    assert kind(data).startswith("Langfuse observations")
    assert short(data) == short(gzip.compress(data)) == short(zipped({"x": data})) == expected
    (item,) = read_all(data)
    assert (item.time, item.model, item.path) == (t.TIME, t.MODEL, "input.messages[].content")  # type: ignore[union-attr]


def test_rows_of_data_are_payloads_and_a_path_leads_into_columns() -> None:
    kinds = pa.schema([
        ("n", pa.int64()), ("m", pa.map_(pa.string(), pa.int64())), ("t", pa.timestamp("us")),
        ("d", pa.decimal128(5, 2)), ("b", pa.binary()),
        ("l", pa.list_(pa.struct([("x", pa.int8())]))),
    ])  # fmt: skip
    row = {"n": 1, "m": {"k": 2}, "t": datetime.datetime(2026, 3, 2), "d": decimal.Decimal("1.50"),
           "b": b"ab", "l": [{"x": 7}]}  # fmt: skip
    text = '{"n":1,"m":{"k":2},"t":"2026-03-02T00:00:00","d":"1.50","b":"ab","l":[{"x":7}]}'

    assert short(parquet(row, schema=kinds)) == [(1, "log", text)]
    assert short(parquet(row, schema=kinds), payload_path="l") == [(1, "log", '[{"x":7}]')]
    held = parquet({"tool": "a", "payload": '{"x": 1.0}'}, {"tool": "b", "payload": "[2]"})
    assert short(held) == [(1, "a", '{"x": 1.0}'), (2, "b", "[2]")]


def test_a_run_of_this_project_is_refused_by_name() -> None:
    table = pa.table({"a": [1]}).replace_schema_metadata({RUN_KEY: b"{}"})
    target = io.BytesIO()
    pq.write_table(table, target)

    reason = "a run that measure wrote, not a log: open it as a run"
    assert short(target.getvalue()) == [(1, reason)]


@pytest.mark.parametrize("at", [4, 40, 200, -60, -9, -5])
def test_damage_gives_bad_records_and_keeps_what_was_read(at: int) -> None:
    data = bytearray(langfuse())
    data[at] ^= 0xFF
    assert read_all(bytes(data))
    assert [item.record for item in read_all(bytes(data[:at]))] == [1]


def test_all_rows_are_read_in_order_and_a_file_of_none_says_so() -> None:
    rows = parquet(*({"n": n} for n in range(100)), row_group_size=30)

    assert [item[2] for item in short(rows)] == [f'{{"n":{n}}}' for n in range(100)]
    empty = parquet(schema=pa.schema([("a", pa.int64())]))
    assert short(empty) == [(1, "no record in it")]
