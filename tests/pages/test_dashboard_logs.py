"""Logs on the dashboard: how an upload is measured, groups, and wrappers that nobody knows."""

import json
import threading
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_tab, table_with
from tests.pages.static import cards, short_table_with, verdict
from tests.pages.test_dashboard import LINES, finish, metric, open_form, read, upload
from tests.reports.test_noted import define, request
from tests.traffic.reading import entry, har, lines, session

pytestmark = pytest.mark.rest

PAGE = "dashboard.py"


def test_a_har_names_its_groups_shortly_and_counts_what_is_no_json_apart(app: AppTest) -> None:
    def answer(path: str, kind: str, text: str) -> dict[str, Any]:
        return entry(f"https://api.acme.io/v2/{path}", mimeType=kind, text=text)

    rows = json.dumps([{"id": i, "name": "Ada"} for i in range(20)], indent=2)
    log = har(
        *(answer(path, "application/json", rows) for path in ("users", "orders", "users")),
        *(answer("app.js", "text/javascript", "let a = 1") for _ in range(3)),
        answer("users", "application/json", '{"a": '),
    )
    upload(app, "a.har", json.dumps(log).encode())
    finish(app)

    words = "a.har is measured: 3 payloads, 1 bad record, 3 skipped: no JSON payload."
    assert read(app.caption[0]) == words
    assert metric(app, "Payloads") == ("3", "1 bad record")
    assert set(table_with(app, "Send as")["Tool"]) == {"/users", "/orders"}
    open_tab(app, "Calls", "dashboard")
    reasons = [frame.value["Reason"] for frame in app.dataframe if "Reason" in frame.value]
    assert [reason.size for reason in reasons] == [1, 3]
    assert set(reasons[1]) == {"skipped: not JSON: GET api.acme.io/v2/app.js: text/javascript"}


def test_an_unknown_wrapper_waits_for_the_path_that_one_clicks(app: AppTest) -> None:
    rows = json.dumps([{"id": 1, "city": "Bern"}, {"id": 2, "city": "Graz"}])
    log = "".join(json.dumps({"at": number, "out": {"raw": rows}}) + "\n" for number in range(3))
    upload(app, "agent.jsonl", log.encode())

    assert read(app.warning[0]).startswith("agent.jsonl wraps its payloads")
    assert not cards(app)  # those of the example
    app.button(key="dashboard_path_out.raw").click().run()
    assert not app.warning
    finish(app)

    assert read(app.caption[0]) == "agent.jsonl is measured: 3 payloads."
    shown = [item.proto.body for item in app.get("html")]
    assert any("read as JSON Lines, at out.raw: 3 payloads; the first begins" in s for s in shown)


def test_an_upload_is_measured_by_itself_and_anew_with_other_settings(app: AppTest) -> None:
    upload(app, "log.jsonl", LINES)
    finish(app)
    assert read(app.caption[0]) == "log.jsonl is measured: 6 payloads."

    open_form(app)
    app.multiselect(key="dashboard_models").select("gpt-4").run()
    app.button(key="dashboard_measure").click().run()
    finish(app)
    assert app.session_state.dashboard_run.rows.tokenizers == ("cl100k_base",)


def test_files_that_are_added_are_measured_with_those_that_were_there_and_no_figures_stay_meanwhile(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def endless(records: Any, output: Path, *, cancelled: Any, **_: Any) -> None:
        begun.set()
        while not cancelled():
            time.sleep(0.005)

    with monkeypatch.context() as patch:  # or the page may show what is measured already
        patch.setattr("pages.parts.dashboard.job.measure", endless)
        upload(app, "log.jsonl", LINES)
        job = app.session_state.dashboard_job
        assert begun.wait(60)
        assert [*cards(app), *app.header] == []  # those of the example
    both = [("log.jsonl", LINES, ""), ("more.jsonl", LINES, "")]
    app.file_uploader(key="dashboard_upload").set_value(both).run()
    finish(app)

    assert job.cancelled
    assert read(app.caption[0]) == "log.jsonl and 1 more is measured: 12 payloads."


# -- what readers noted beside payloads -------------------------------------------------------


def test_definitions_and_the_bill_have_a_tab(app: AppTest) -> None:
    upload(app, "log.jsonl", lines(*(request(day, 0.00252) for day in (1, 2, 3))).encode())
    finish(app)
    open_tab(app, "Definitions", "dashboard")

    tools = short_table_with(app, "Called")
    assert list(tools["Called"]) == ["never", "yes"]
    assert list(tools["Requests"]) == [3, 3]
    servers = short_table_with(app, "Tools called")
    assert list(servers["Server"]) == ["<b>|x", "own tools"]
    assert any("1 of 2 tools was never called" in text.value for text in app.markdown)

    open_tab(app, "Time", "dashboard")
    bill = short_table_with(app, "To cache")
    assert list(bill["From cache"]) == [3_120]
    assert list(bill["Price"]) == ["$0.007560"]


def test_many_tools_stand_in_a_table_that_scrolls(app: AppTest) -> None:
    many = {**request(1, 0.1), "tools": [define(f"t{number}") for number in range(40)]}
    upload(app, "log.jsonl", lines(many).encode())
    finish(app)
    open_tab(app, "Definitions", "dashboard")

    assert len(table_with(app, "Called")) == 40


def test_what_was_billed_stands_above_what_is_projected_from_a_few_minutes(app: AppTest) -> None:
    upload(app, "session.jsonl", session(*["claude-opus-4-8"] * 3))
    finish(app)

    assert verdict(app) == (
        "Send list_orders as TOON: saves < $0.01",
        "Formats can touch 22\u202f% of this bill. Agents lost 9 points of accuracy with TOON in "
        "one study.",
        [("$0.03", "spent, as billed"), ("< $0.01", "saved: 14\u202f% of the bill")],
    )
    assert not any("$" in card.figure for card in cards(app))


def test_a_run_without_them_says_so_and_compares_tools_before_a_day_and_since(app: AppTest) -> None:
    open_tab(app, "Definitions", "dashboard")
    assert "This log holds no definitions of tools." in map(read, app.caption)
    open_tab(app, "Time", "dashboard")
    assert "This log names no usage, so nothing is said as billed." in map(read, app.caption)

    app.date_input(key="dashboard_since").set_value(date(2026, 3, 16)).run()

    compared = short_table_with(app, "Calls then").set_index("Tool")
    assert compared.loc["GET /v1/products", ["Calls then", "Calls"]].tolist() == [235, 227]
    app.date_input(key="dashboard_since").set_value(date(1999, 1, 1)).run()
    assert "No tool of this run is in the calls before 1999-01-01." in app.markdown[-1].value
