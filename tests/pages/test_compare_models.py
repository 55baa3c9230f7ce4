"""The tab Models: what to send for each tokenizer, and the map of all formats."""

import json
from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.compare.models import heatmap
from tests.conftest import ROOT
from tests.pages.conftest import open_sample, table_with
from tests.pages.static import short_table_with
from tests.words import VS_COMPACT
from toon.costs.compare import compare, cost, objection
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.tokenizers import EXACT, TOKENIZERS

FOLDS = ("heatmap",)


def test_what_is_sent_to_most_tokenizers_is_named_and_each_has_its_line(app: AppTest) -> None:
    open_sample(app, "uniform-rows", "compare", "Models")

    table = short_table_with(app, "Tokenizer")
    assert sorted(table["Tokenizer"]) == sorted(TOKENIZERS[name].label for name in EXACT)
    sent = Counter(table["Send"]).most_common()
    words = [f"{name} for {many}" for name, many in sent]
    assert app.header[0].value == f"{', '.join(words[:-1])} and {words[-1]} of 15 tokenizers"
    assert table["Send"].tolist() == [name for name, many in sent for _ in range(many)]
    assert any(VS_COMPACT in caption.value for caption in app.caption)
    assert set(EXACT) <= set(table_with(app, "cl100k_base").columns)


@pytest.mark.parametrize("together", [1, 3, None])
def test_the_heat_map_colours_a_saving_only_where_the_cost_is_one(together: int | None) -> None:
    value = json.loads((ROOT / "samples" / "weather.json").read_text(encoding="utf-8"))
    explaining = Explaining(together)
    rows = compare(Document.of(value), tokenizers=("o200k_base", "cl100k_base"))
    (cells,) = heatmap(rows, explaining).to_dict()["datasets"].values()

    compact = {row["tokenizer"]: row["tokens"] for row in rows if row["format"] == "json-compact"}
    for row, cell in zip(rows, cells, strict=True):
        if objection(row) is not None:
            assert cell["fraction"] is None
            continue
        paid = cost(row, explaining) - compact[row["tokenizer"]]
        assert cell["fraction"] == pytest.approx(paid / compact[row["tokenizer"]])
    toon = next(cell for cell in cells if cell["format"] == "TOON")
    assert (toon["fraction"] < 0) is (together != 1)
