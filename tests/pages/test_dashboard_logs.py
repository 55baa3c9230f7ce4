"""Logs of tools on the dashboard: their groups, what is no JSON, and wrappers nobody knows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_tab
from tests.pages.static import short_table_with
from tests.pages.test_dashboard import measured, metric, said, upload
from tests.traffic.reading import entry, har

pytestmark = pytest.mark.rest


PAGE = "dashboard.py"


def test_a_har_names_its_groups_shortly_and_counts_what_is_no_json_apart(app: AppTest) -> None:
    def answered(path: str, kind: str, text: str) -> dict[str, Any]:
        return entry(f"https://api.acme.io/v2/{path}", mimeType=kind, text=text)

    rows = json.dumps([{"id": i, "name": "Ada"} for i in range(20)], indent=2)
    log = har(
        *(answered(path, "application/json", rows) for path in ("users", "orders", "users")),
        *(answered("app.js", "text/javascript", "let a = 1") for _ in range(3)),
        answered("users", "application/json", '{"a": '),
    )
    upload(app, "a.har", json.dumps(log).encode())
    measured(app)

    words = "a.har is measured: 3 payloads, 1 bad record, 3 skipped: not JSON."
    assert said(app.success[0]) == words
    assert metric(app, "Payloads") == ("3", "1 bad record")
    assert app.session_state.dashboard_source is False
    assert set(short_table_with(app, "Send")["Group"]) == {"/users", "/orders"}
    assert any("as in GET api.acme.io/v2/" in said(item) for item in app.caption)
    open_tab(app, "Payloads", "dashboard")
    reasons = [frame.value["Reason"] for frame in app.dataframe if "Reason" in frame.value]
    assert [reason.size for reason in reasons] == [1, 3]
    assert set(reasons[1]) == {"skipped: not JSON: GET api.acme.io/v2/app.js: text/javascript"}


def test_an_unknown_wrapper_waits_for_the_path_that_one_clicks(app: AppTest) -> None:
    rows = json.dumps([{"id": 1, "city": "Bern"}, {"id": 2, "city": "Graz"}])
    log = "".join(json.dumps({"at": number, "out": {"raw": rows}}) + "\n" for number in range(3))
    upload(app, "agent.jsonl", log.encode())

    assert said(app.warning[0]).startswith("agent.jsonl wraps its payloads")
    assert app.button(key="dashboard_measure").disabled
    app.button(key="dashboard_path_out.raw").click().run()
    assert not app.warning
    measured(app)

    assert said(app.success[0]) == "agent.jsonl is measured: 3 payloads."
    shown = [item.proto.body for item in app.get("html")]
    assert any("read as JSON Lines, at out.raw: 3 payloads; the first begins" in s for s in shown)
