"""The dashboard's tabs of tools' definitions and of the log's own bill."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_tab, table_with
from tests.pages.static import short_table_with
from tests.pages.test_dashboard import measured, opened, said, upload
from tests.reports.test_noted import define, request
from tests.traffic.reading import lines, session
from toon.traffic.payload import Payload

pytestmark = pytest.mark.rest


PAGE = "dashboard.py"


def test_definitions_and_the_bill_have_a_tab(app: AppTest) -> None:
    upload(app, "log.jsonl", lines(*(request(day, 0.00252) for day in (1, 2, 3))).encode())
    measured(app)
    open_tab(app, "Tool definitions", "dashboard")

    tools = short_table_with(app, "Called")
    assert list(tools["Called"]) == ["never", "yes"]
    assert list(tools["Requests"]) == [3, 3]
    servers = short_table_with(app, "Tools called")
    assert list(servers["Server"]) == ["<b>|x", "own tools"]
    assert any("1 of 2 tools was never called" in text.value for text in app.markdown)

    open_tab(app, "As billed", "dashboard")
    bill = short_table_with(app, "From cache")
    assert list(bill["From cache"]) == [3_120]
    assert list(bill["Price"]) == ["$0.007560"]


def test_many_tools_stand_in_a_table_that_scrolls(app: AppTest) -> None:
    many = {**request(1, 0.1), "tools": [define(f"t{number}") for number in range(40)]}
    upload(app, "log.jsonl", lines(many).encode())
    measured(app)
    open_tab(app, "Tool definitions", "dashboard")

    assert len(table_with(app, "Called")) == 40


def test_a_run_without_them_has_no_such_tab(app: AppTest, tmp_path: Path) -> None:
    opened(app, tmp_path, [Payload("a", 1, "g", '[{"a":1},{"a":2}]')])

    assert "Tool definitions" not in [tab.label for tab in app.tabs]
    assert "As billed" not in [tab.label for tab in app.tabs]


def test_what_was_billed_stands_above_what_is_projected_from_a_few_minutes(app: AppTest) -> None:
    upload(app, "session.jsonl", session(*["claude-opus-4-8"] * 3))
    measured(app)

    billed, projected = (said(item) for item in app.header[:2])
    assert billed == "As billed: 3 cents for 3 calls"
    about = "30,030 tokens of input, 100 % of them read from the cache; 600 tokens of output."
    assert about in map(said, app.caption)
    assert projected == (
        "Switch it: saves $3.05 a month (−62.8 %, projected from 58 minutes, uncached)"
    )
