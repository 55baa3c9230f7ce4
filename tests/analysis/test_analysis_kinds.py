"""Tokens by kind of text, in each group of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toon.analysis import Comparison, Filter, Rows, analyse, load
from toon.analysis.filters import select
from toon.analysis.sums import sum_groups, sum_kinds
from toon.costs.explanation import ALONE
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.traffic.payload import Payload

GROUPS = ("GET /orders", "GET /users", "tool: search")
O200K = "o200k_base"


@pytest.mark.parametrize("groups", [GROUPS, GROUPS[:1]], ids=["all", "few"])
def test_kinds_by_group_are_those_of_its_rows(
    rows: Rows, lines: list[dict[str, Any]], groups: tuple[str, ...]
) -> None:
    measured = select(rows, Filter(groups), O200K).measured
    names = sum_groups(rows, measured, O200K, ALONE).groups
    mine = [[x for x in lines if x["group"] == name and not x["error"]] for name in names]

    for kind, tokens in sum_kinds(rows, measured).items():
        assert tokens.dtype == np.float64
        np.testing.assert_allclose(tokens, [sum(line[kind] for line in each) for each in mine])


def test_kinds_leave_out_what_the_first_tokenizer_has_no_estimate_of(tmp_path: Path) -> None:
    alike = json.dumps([{"id": number, "name": f"part {number}"} for number in range(160)])
    unlike = json.dumps([{"имя": "Анна", "город": "Москва"}] * 3, ensure_ascii=False)
    texts = [("g", alike), ("g", unlike), ("h", unlike)]
    records = [Payload("a", number, *each) for number, each in enumerate(texts)]
    measure(records, tmp_path / "run.parquet", workers=1, tokenizers=["claude_haiku_4_5", O200K])
    rows = load(open_run(tmp_path / "run.parquet"))

    for kind, tokens in sum_kinds(rows, select(rows, Filter(), O200K).measured).items():
        assert tokens.tolist() == [rows.kinds[kind][0], 0]


def test_kinds_add_up_to_compact_json(rows: Rows) -> None:
    measured = select(rows, Filter(), O200K).measured
    found = analyse(rows, Comparison(O200K, "as-typed", "toon")).kinds
    compact = sum_groups(rows, measured, O200K, ALONE).columns["json-compact"].tokens

    np.testing.assert_allclose(sum(found.values()), compact)
