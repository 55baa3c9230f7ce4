"""Tokens by kind of text, in each group of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from toon.analysis import Comparison, Filter, Rows, analyse
from toon.analysis.filters import select
from toon.analysis.sums import sum_groups, sum_kinds
from toon.costs.explanation import ALONE

GROUPS = ("GET /orders", "GET /users", "tool: search")
O200K = "o200k_base"


@pytest.mark.parametrize("groups", [GROUPS, GROUPS[:1]], ids=["all", "few"])
def test_kinds_by_group_are_those_of_its_rows(
    rows: Rows, lines: list[dict[str, Any]], groups: tuple[str, ...]
) -> None:
    measured = select(rows, Filter(groups)).measured
    names = sum_groups(rows, measured, O200K, ALONE).groups
    mine = [[x for x in lines if x["group"] == name and not x["error"]] for name in names]

    for kind, tokens in sum_kinds(rows, measured).items():
        assert tokens.dtype == np.float64
        np.testing.assert_allclose(tokens, [sum(line[kind] for line in each) for each in mine])


def test_kinds_add_up_to_compact_json(rows: Rows) -> None:
    measured = select(rows, Filter()).measured
    found = analyse(rows, Comparison(O200K, "as-typed", "toon")).kinds
    compact = sum_groups(rows, measured, O200K, ALONE).columns["json-compact"].tokens

    np.testing.assert_allclose(sum(found.values()), compact)
