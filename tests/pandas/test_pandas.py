"""The accessor of pandas: rows as TOON, and what they cost."""

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


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (FRAME.groupby("sku").size(), "[2]{sku,values}:\n  A1,1\n  B2,1"),
        (FRAME["sku"].value_counts(), "[2]{sku,count}:\n  A1,1\n  B2,1"),
        (FRAME.groupby(["sku", "price"])["at"].count(), "[1]{sku,price,at}:\n  A1,1.5,1"),
        (pd.Series({2025: 7, 2027: 8}), "[2]{index,values}:\n  2025,7\n  2027,8"),
        (FRAME.groupby("sku")[["price"]].max(), "[2]{sku,price}:\n  A1,1.5\n  B2,null"),
        (FRAME[["price"]].rename_axis("row"), "[2]{row,price}:\n  0,1.5\n  1,null"),
        (pd.DataFrame([[1]], ["x"], pd.CategoricalIndex(["k"])), "[1]{index,k}:\n  x,1"),
        (FRAME[["sku"]][1:], "[1]{index,sku}:\n  1,B2"),
        (FRAME["sku"].set_axis([False, True]), "[2]{index,sku}:\n  false,A1\n  true,B2"),
        (FRAME["sku"].set_axis([0, 1]), "[2]: A1,B2"),
    ],
)  # fmt: skip
def test_an_index_that_holds_data_is_columns(data: pd.DataFrame | pd.Series, text: str) -> None:
    assert data.toon.encode() == toon.encode(data, default=toon.default) == text


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("frame", [
    pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
    pd.DataFrame({"a": [1, 2]}).set_index("a", drop=False),
])  # fmt: skip
def test_columns_of_one_name_are_refused_not_dropped(frame: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="columns, or one and the index, are named 'a'"):
        frame.toon.encode()


def test_stats_are_the_one_answer() -> None:
    frame = pd.DataFrame({"id": range(30), "name": ["left", "right"] * 15})
    answer = frame.toon.stats(model="gpt-5")

    expected = answers.answer(Document(toon.default(frame)), "o200k_base")
    assert {**answer.verdict} == {**expected, "model": "gpt-5"}
    assert expected["sentence"] in repr(answer)
    with pytest.raises(ValueError, match="No model is named 'gpt-99'"):
        frame.toon.stats(model="gpt-99")
