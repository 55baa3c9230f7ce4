"""The ready ``default``: what Python programs hold beside JSON's types."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import Enum
from typing import Any, ClassVar
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from pydantic import BaseModel

import toon


@dataclass
class Point:
    unit: ClassVar[str] = "m"
    x: int
    others: list[Point] = field(default_factory=list)


class Colour(Enum):
    RED = "red"


class Stay(BaseModel):
    guest: str
    since: date


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (datetime(2026, 3, 2, 9, 30, tzinfo=UTC), "2026-03-02T09:30:00+00:00"),
        (date(2026, 3, 2), "2026-03-02"),
        (time(9, 30), "09:30:00"),
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (Colour.RED, "red"),
        (Point(1, [Point(2)]), {"x": 1, "others": [{"x": 2, "others": []}]}),
        (Stay(guest="Ada", since=date(2026, 3, 2)), {"guest": "Ada", "since": "2026-03-02"}),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        (np.float32(1.5), 1.5),
        (np.bool_(True), True),
        (np.array(["2026-03-02", "NaT"], "datetime64[D]"), ["2026-03-02", None]),
        (pd.DataFrame({"a": [1, 2], "b": ["x", None]}), [{"a": 1, "b": "x"}, {"a": 2, "b": None}]),
        (pd.Series([1.5, 2.0]), [1.5, 2]),
        (pd.array([1, None], dtype="Int64"), [1, None]),
        (pd.Timestamp("2026-03-02"), "2026-03-02T00:00:00"),
        (pd.NaT, None),
        (pd.NA, None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_type_has_one_plain_form(value: Any, plain: Any) -> None:
    assert toon.decode(toon.encode({"a": value}, default=toon.default)) == {"a": plain}
    assert json.loads(json.dumps({"a": value}, default=toon.default)) == {"a": plain}


@pytest.mark.parametrize(
    "value",
    [{1}, b"x", object(), Point, np.timedelta64(1, "s"), np.complex64(1), np.longdouble("0.1")],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_plain_form_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{type(value).__name__} is not a JSON value"):
        toon.encode([value], default=toon.default)


def test_files_are_written_and_read_like_texts() -> None:
    written = io.StringIO()
    toon.dump({"a": [1, 2]}, written, delimiter="|")

    assert written.getvalue() == "a[2|]: 1|2"
    assert toon.load(io.StringIO(written.getvalue())) == {"a": [1, 2]}
    assert toon.load(io.BytesIO(b"a: 1.50"), parse_float=str) == {"a": "1.50"}
