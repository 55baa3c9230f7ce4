"""The dashboard without a browser: what it shows, what it opens, and what it survives."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.dashboard.open_run import SAMPLE_RUN, OpenRun
from tests.pages.conftest import new_session, open_tab, table_with
from tests.pages.static import cards, details, verdict
from tests.words import BADGES, COMPACT, ROUND_TRIPS
from toon.measuring.run import measure
from toon.traffic.payload import BadRecord, Payload

pytestmark = pytest.mark.rest

PAGE = "dashboard.py"
TIMED = [
    {"time": f"2026-03-0{day}T10:00:00Z", "tool": tool, "payload": payload}
    for day in (1, 2, 3)
    for tool, payload in (
        ("rows", [{"id": n, "name": "Ada"} for n in range(12)]),
        ("config", {"a": {"b": {"c": [1, [2]]}}, "d": {"e": None}}),
    )
]
TABS = ["Tools", "Time", "Calls", "Definitions", "Context"]
RANKED = {
    "Tool": "GET /v1/metrics/{id}", "A month": 310.8157286044718, "Share": 19.330355901270984,
    "Send as": "TOON", "Calls": 256, "Tokens": 201_564,
}  # fmt: skip
LINES = "\n".join(map(json.dumps, TIMED)).encode()


def open_form(app: AppTest) -> None:
    """Opens the form that measures, which is drawn only then."""
    app.session_state.dashboard_source = True
    app.run()


def upload(app: AppTest, name: str, data: bytes) -> None:
    app.file_uploader(key="dashboard_upload").set_value((name, data, "")).run()


def finish(app: AppTest) -> None:
    """Waits for the thread that an upload has started, and runs the page again."""
    if "dashboard_job" in app.session_state:
        app.session_state.dashboard_job.wait()
    app.run()
    assert not app.exception


def show(app: AppTest, tmp_path: Path, payloads: Any, **options: Any) -> None:
    path = tmp_path / "run.parquet"
    measure(payloads, path, workers=1, **options)
    upload(app, "mine.parquet", path.read_bytes())
    assert not app.exception


def captions(app: AppTest) -> list[str]:
    """The captions above the tabs, and then those in each of them."""
    above = len(app.caption) - sum(len(tab.caption) for tab in app.tabs)
    texts = [read(item) for item in app.caption[:above]]
    for tab in [tab.label for tab in app.tabs]:
        open_tab(app, tab, "dashboard")
        texts += [read(item) for item in app.caption[above:]]
    open_tab(app, "Tools", "dashboard")
    return texts


def key_of(app: AppTest, name: str) -> str:
    return f"dashboard_{name}_{app.session_state.dashboard_run.number}"


def read(element: Any) -> str:
    """A message as shown, without the escapes that keep it from being Markdown."""
    return tidy(str(element.value).replace("\\", ""))


def tidy(text: str) -> str:
    return text.replace("\u202f", " ")


def headline(app: AppTest) -> str:
    return tidy(verdict(app)[0])


def metric(app: AppTest, label: str) -> tuple[str, str]:
    card = next(card for card in cards(app) if card.name.startswith(label))
    return tidy(card.figure), tidy(card.change)


def notes(app: AppTest) -> list[str]:
    """What stands below the figures of the totals."""
    return [tidy(note) for card in cards(app) for note in card.notes]


def test_the_sample_is_there_at_first_open_with_losses_and_a_rate_that_decides_the_money(
    app: AppTest,
) -> None:
    assert tuple(map(tidy, verdict(app)[:2])) == (
        "Switch 6 of 10 tools: saves $262.51 a month (−16.3 %)",
        "An example, a made-up shop's four weeks. Agents lost 9 points of accuracy with TOON in "
        "one study. Nothing leaves this machine unasked.",
    )
    assert verdict(app)[2] == [
        ("$1,607.92", "a month, at 1,000,000 calls"),
        ("$1,345.41", "a month, switched"),
    ]
    assert metric(app, "Payloads") == ("2,594", "0 bad records")
    assert metric(app, "Today") == ("$1,607.92 a month", "sent today")
    assert metric(app, "Minified") == ("$1,530.16 a month", "−4.8 %")
    assert metric(app, "Recommended mix") == ("$1,345.41 a month", "−16.3 %")
    assert metric(app, "All TOON") == ("$1,612.67 a month", "+0.3 %")
    expected = {"saving $262.51, $184.75 of it by the formats", "1,000,000 a month, as given"}
    assert expected <= set(notes(app))
    ranked = table_with(app, "Send as")
    assert ranked.iloc[0].to_dict() == RANKED | {"Saves": ranked["Saves"][0]}
    stay = ranked[ranked["Send as"] == "as today"]
    assert stay["Saves"].isna().all()
    assert [tab.label for tab in app.tabs] == TABS
    boxes = {title: len(lines) for title, lines in details(app).items()}
    assert boxes == {"4 caveats": 4, "What the files were read as": 1}
    app.number_input(key=key_of(app, "monthly")).set_value(2_594).run()
    assert "2,594 a month, as given" in notes(app)
    assert "saves 68.1 cents a month" in headline(app)


def test_the_assumption_of_all_figures_stands_once_below_the_headline(app: AppTest) -> None:
    alone = "Note to the model included, payloads in a prompt: 1"
    assert sum(alone in text for text in captions(app)) == 1

    app.number_input(key="explained_together").set_value(20).run()
    assert metric(app, "Recommended mix") == ("$1,257.06 a month", "−21.8 %")
    assert not any(f"{alone}." in text for text in captions(app))
    assert sum("payloads in a prompt: 20" in text for text in captions(app)) == 1

    app.toggle(key="explained_none").set_value(True).run()
    assert metric(app, "Recommended mix") == ("$1,251.64 a month", "−22.2 %")
    assert sum("The model needs no note" in text for text in captions(app)) == 1


def test_the_best_format_of_a_shown_payload_follows_the_setting(app: AppTest) -> None:
    def best() -> set[tuple[str, str]]:
        rows = table_with(app, "Send alone")
        return set(zip(rows["Group"], rows["Send alone"], strict=True))

    open_tab(app, "Calls", "dashboard")
    app.text_input(key=key_of(app, "search")).input("customers").run()
    assert ("GET /v1/customers", COMPACT) in best()
    app.toggle(key="explained_none").set_value(True).run()
    assert ("GET /v1/customers", COMPACT) not in best()
    assert ("GET /v1/customers", "TOON") in best()


def choose_tool(app: AppTest, tool: str) -> None:
    """Filters by a tool, as a click on its row does."""
    app.session_state[key_of(app, "groups")] = [tool]
    app.run()


def test_a_tool_that_was_clicked_and_days_filter_everything_until_they_are_cleared(
    app: AppTest,
) -> None:
    choose_tool(app, "GET /v1/events")
    assert metric(app, "Payloads") == ("275", "0 bad records")
    assert table_with(app, "Send as")["Tool"].tolist() == ["GET /v1/events"]
    assert app.button(key="dashboard_clear").label == "Clear filter: GET /v1/events"
    app.button(key="dashboard_clear").click().run()
    assert metric(app, "Payloads")[0] == "2,594"

    days = app.date_input(key=key_of(app, "days"))
    days.set_value((date(2026, 3, 2), date(2026, 3, 3))).run()
    app.number_input(key=key_of(app, "monthly")).set_value(None).run()
    assert metric(app, "Payloads")[0] == "252"
    assert any("observed over 46.1 hours" in note for note in notes(app))
    app.button(key="dashboard_clear").click().run()
    assert metric(app, "Payloads")[0] == "2,594"


def test_a_corpus_is_measured_and_shown(app: AppTest) -> None:
    open_form(app)
    app.text_input(key="dashboard_payload").input("payload").run()
    app.text_input(key="dashboard_group").input("tool").run()
    upload(app, "log.jsonl", LINES + b"\n{broken")
    finish(app)

    assert "log.jsonl is measured: 6 payloads, 1 bad record." in map(read, app.caption)
    assert headline(app).startswith("Switch 2 of 2 tools: ")
    open_tab(app, "Calls", "dashboard")
    assert table_with(app, "Reason")["Record"].tolist() == [7]


def test_an_invalid_path_is_reported_before_anything_starts(app: AppTest) -> None:
    open_form(app)
    app.text_input(key="dashboard_payload").input("a..b[").run()
    upload(app, "log.jsonl", LINES)

    assert len(app.error) == 1
    assert "dashboard_job" not in app.session_state


def test_a_run_is_opened_at_once_and_others_are_refused(app: AppTest, tmp_path: Path) -> None:
    payloads = [
        Payload("a.jsonl", 1, "=danger | <b>*g*</b>", '[{"a":1},{"a":2}]'),
        BadRecord("a.jsonl", 2, "<script>alert(1)</script>"),
    ]
    show(app, tmp_path, payloads)

    assert metric(app, "Payloads") == ("1", "1 bad record")
    assert any("give the payloads a month" in note for note in notes(app))

    upload(app, "other.parquet", b"PAR1 and then nothing")
    assert not app.exception
    assert "other.parquet cannot be opened: it is not a Parquet file" in read(app.error[0])
    assert metric(app, "Payloads") == ("1", "1 bad record")

    open_form(app)
    app.button(key="dashboard_sample").click().run()
    assert metric(app, "Payloads") == ("2,594", "0 bad records")


def test_a_run_without_figures_says_why_and_does_not_blame_the_filters(
    app: AppTest, tmp_path: Path
) -> None:
    show(app, tmp_path, [BadRecord("a.jsonl", 1, "no payload")])

    assert app.info[0].value == "This run holds no payload with figures."
    open_tab(app, "Calls", "dashboard")
    assert table_with(app, "Reason")["Record"].tolist() == [1]

    show(app, tmp_path, [Payload("a", n, "g", text) for n, text in enumerate(("[]", "{}", "5"))])
    assert app.info[0].value == "Nothing to compare: every payload is empty or a single value."
    assert not cards(app)


def test_times_past_what_widgets_and_nanoseconds_hold_are_shown(
    app: AppTest, tmp_path: Path
) -> None:
    times = (0.0, 1_760_000_000.0, 20_000_000_000.0, 253_402_300_799.0, None)
    show(app, tmp_path, [Payload("a", n, "g", "[1]", time) for n, time in enumerate(times)])

    open_tab(app, "Calls", "dashboard")
    shown = table_with(app, "Time, UTC")["Time, UTC"]
    assert [None if moment is pd.NaT else str(moment)[:16] for moment in shown] == [
        "1970-01-01 00:00", "2025-10-09 08:53", "2603-10-11 11:33", "9999-12-31 23:59", None,
    ]  # fmt: skip
    assert app.date_input(key=key_of(app, "days")).value == ()


def test_groups_that_no_chart_draws_are_counted(app: AppTest, tmp_path: Path) -> None:
    show(app, tmp_path, [Payload("a", n, f"g{n}", '[{"a":1},{"a":2}]') for n in range(30)])

    texts = captions(app)
    assert "Left out: 5 groups with fewer tokens." in texts
    assert any(text.endswith("Left out: 5 groups with smaller changes.") for text in texts)


def test_a_format_that_stands_apart_has_its_reason_and_no_money(
    app: AppTest, tmp_path: Path
) -> None:
    payloads = [Payload("a", n, "g", '[{"a":1,"b":2},{"a":3,"b":4}]') for n in range(3)]
    show(app, tmp_path, payloads, formats=["toon", "csv"])
    app.number_input(key=key_of(app, "monthly")).set_value(1_000).run()
    app.selectbox(key=key_of(app, "format")).select("csv").run()

    why = f"{ROUND_TRIPS['lossy']}: 3 of 3 payloads did not come back"
    (card,) = (note for note in notes(app) if "so no money" in note)
    assert card == f"{BADGES['not-recommended']}, so no money: {why}"
    assert "$" not in card


def test_choices_survive_another_page(app: AppTest) -> None:
    app.selectbox(key=key_of(app, "format")).select("json-pretty").run()
    choose_tool(app, "GET /v1/events")
    app.switch_page("compare.py").run()
    app.switch_page("dashboard.py").run()

    assert not app.exception
    assert metric(app, "Payloads")[0] == "275"
    assert app.selectbox(key=key_of(app, "format")).value == "json-pretty"


def test_sessions_do_not_see_each_other(app: AppTest, tmp_path: Path) -> None:
    show(app, tmp_path, [Payload("a.jsonl", 1, "g", "[1,2]")])
    other = new_session().switch_page(PAGE).run()

    assert metric(app, "Payloads")[0] == "1"
    assert metric(other, "Payloads")[0] == "2,594"


# -- below the page --------------------------------------------------------------------------


def test_a_payload_comes_from_the_run_or_from_the_sample_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.measuring.checkpoints.GROUP_ROWS", 2)
    monkeypatch.setattr("toon.measuring.run.CHUNK_RECORDS", 2)
    texts = [f"[{number}]" for number in range(7)]
    payloads = [Payload("a", number, "g", text) for number, text in enumerate(texts, 1)]
    measure(payloads, tmp_path / "kept.parquet", workers=1, keep_payloads=True)
    measure(payloads, tmp_path / "bare.parquet", workers=1)
    kept, bare = (OpenRun(name, tmp_path / f"{name}.parquet") for name in ("kept", "bare"))
    sample = OpenRun("sample", SAMPLE_RUN)

    assert [kept.payload(place) for place in range(7)] == texts
    assert not bare.holds_payloads
    assert bare.payload(0) is None
    place = int(np.flatnonzero(~sample.rows.bad)[-1])
    text = sample.payload(place)
    assert text is not None
    assert len(text.encode()) == sample.rows.bytes[place]
