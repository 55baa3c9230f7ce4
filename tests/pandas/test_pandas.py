"""The accessor of pandas: rows as TOON, and what they cost."""

from __future__ import annotations

import pandas as pd
import pytest

import toon
import toon.pandas
from toon.costs import answer as answers
from toon.costs.document import Document

FRAME = pd.DataFrame(
    {"sku": ["A1", "B2"], "price": [1.5, None], "at": pd.to_datetime(["2026-03-02", None])}
)


def test_a_frame_is_its_rows_and_a_series_its_values() -> None:
    rows = [
        {"sku": "A1", "price": 1.5, "at": "2026-03-02T00:00:00"},
        {"sku": "B2", "price": None, "at": None},
    ]

    assert toon.decode(FRAME.toon.encode()) == rows
    assert FRAME.toon.encode(delimiter="\t") == toon.encode(rows, delimiter="\t")
    assert FRAME["sku"].toon.encode() == "[2]: A1,B2"


@pytest.mark.filterwarnings("error")
def test_columns_of_one_name_are_refused_not_dropped() -> None:
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])

    with pytest.raises(ValueError, match="two columns of the DataFrame are named 'a'"):
        frame.toon.encode()


def test_stats_are_the_one_answer() -> None:
    frame = pd.DataFrame({"id": range(30), "name": ["left", "right"] * 15})
    found = frame.toon.stats(model="gpt-5")

    expected = answers.answer(Document(toon.default(frame)), "o200k_base")
    assert {**found.verdict} == {**expected, "model": "gpt-5"}
    assert expected["sentence"] in repr(found)
    with pytest.raises(ValueError, match="No model is named 'gpt-99'"):
        frame.toon.stats(model="gpt-99")
