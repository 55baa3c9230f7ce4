"""The pipeline page without a browser: bundled runs, uploads good and bad, and the controls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.markdown import escape_markdown
from tests.conftest import ROOT
from toon.context import ExecutionTrace
from toon.context import replay as pipeline
from toon.costs.explanation import explanation_tokens
from toon.values.json_text import parse_json

pytestmark = pytest.mark.slow

PAGE = "pipeline.py"
RUNS = {path.stem: path for path in (ROOT / "samples" / "pipelines").glob("*.json")}


def upload(app: AppTest, name: str, data: bytes) -> None:
    app.file_uploader(key="run_upload").set_value((name, data, "application/json")).run()


def small_run() -> ExecutionTrace:
    trace = ExecutionTrace("mine")
    trace.task("A", "Look", "Look it up.")
    trace.tool_call("A", "search", {"hits": [{"id": i, "ok": True} for i in range(9)]}, {"q": "x"})
    return trace


def totals_of(app: AppTest) -> Any:
    return app.dataframe[0].value.set_index("Format")


def steps_of(app: AppTest) -> Any:
    return app.dataframe[1].value


@pytest.mark.parametrize(
    ("run", "headline"),
    [
        ("react-loop", "saves 1,000 o200k_base tokens of context against compact JSON (−22.2 %)"),
        ("three-tasks", "saves 533 o200k_base tokens of context against compact JSON (−27.4 %)"),
        ("incident", "costs 334 o200k_base tokens of context more than compact JSON (+19.5 %)"),
    ],
)
def test_a_bundled_run_is_replayed(app: AppTest, run: str, headline: str) -> None:
    app.selectbox(key="run").select(run).run()
    rows = pipeline.replay(parse_json(RUNS[run].read_text(encoding="utf-8")).value)
    totals = pipeline.totals(rows)

    assert app.subheader[0].value == f"TOON {headline}"
    table = totals_of(app)
    assert table["Context, tokens"].tolist() == [
        totals["context"][name] for name in pipeline.COLUMNS
    ]
    assert table["TOON against it"].tolist()[:2] == [
        totals["context"]["vs_json"],
        totals["context"]["vs_pretty"],
    ]
    assert table[f"Billed tokens, {len(rows)} calls"].tolist() == [
        totals["billed"][name] for name in pipeline.COLUMNS
    ]
    assert steps_of(app)["+ TOON"].tolist() == [row["toon_added"] for row in rows]
    assert len(app.get("vega_lite_chart")) == 2


def test_what_is_passed_through_is_named_and_has_no_difference(app: AppTest) -> None:
    steps = steps_of(app).set_index("Step")

    assert steps.loc[7, "Sent"] == "unchanged: an empty array: nothing to convert"
    assert steps["vs compact"].isna().tolist() == [
        sent.startswith("unchanged") for sent in steps["Sent"]
    ]
    notes = "\n".join(item.value for item in app.markdown)
    assert "Of 12 steps 7 were converted, 5 passed through unchanged, 0 failed." in notes
    assert "- plain text: steps 1, 5, 12" in notes
    extra = explanation_tokens("toon", "o200k_base")
    assert any(f"+{extra * 12:,} of billed input here" in item.value for item in app.caption)


def test_the_text_of_a_step_is_shown_in_both_formats(app: AppTest) -> None:
    row = pipeline.replay(parse_json(RUNS["react-loop"].read_text(encoding="utf-8")).value)[5]
    app.selectbox(key="step_of_react-loop").select(6).run()

    shown = [item.value for item in app.code]
    assert shown[-3:] == [row["arguments"], row["json_text"], row["toon_text"]]


def test_the_controls_reach_the_figures_and_hold_across_pages(app: AppTest) -> None:
    before = steps_of(app)["+ TOON"].tolist()
    app.segmented_control(key="delimiter").set_value("tab").run()
    tabs = steps_of(app)["+ TOON"].tolist()
    app.toggle(key="smaller").set_value(True).run()
    steps = steps_of(app)
    app.switch_page("playground.py").run()
    delimiter = app.segmented_control(key="delimiter").value
    app.switch_page("pipeline.py").run()

    assert tabs != before
    assert "+ TOON where smaller" in steps
    assert all(steps["+ TOON where smaller"] <= steps["+ compact JSON"])
    assert steps["Sent"][3].startswith("as JSON: TOON is not smaller: ")
    assert delimiter == "tab"
    assert steps_of(app).equals(steps)


def test_an_estimate_is_marked(app: AppTest) -> None:
    app.selectbox(key="tokenizer").select("chars4").run()

    assert "saves ≈ " in app.subheader[0].value
    assert any(item.value.startswith("≈ Tokens are estimates") for item in app.caption)
    assert any("Our explanation takes ≈ +" in item.value for item in app.caption)


@pytest.mark.parametrize("suffix", ["json", "toon"])
def test_an_uploaded_run_is_replayed_and_kept(app: AppTest, suffix: str) -> None:
    text = small_run().to_toon() if suffix == "toon" else small_run().to_json()
    upload(app, f"mine.{suffix}", text.encode())

    assert not app.exception
    assert not app.error
    assert app.selectbox(key="run").value == f"mine.{suffix}"
    assert steps_of(app)["What"].tolist() == ["Look", "search"]
    app.selectbox(key="run").select("incident").run()
    app.selectbox(key="run").select(f"mine.{suffix}").run()
    assert len(steps_of(app)) == 2


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.json", b'{"name": ', "line 1, column 10: expected a value, found the end of the text"),
        ("x.json", b'{"name": "x", "steps": []}', "$.steps: there are no steps to replay"),
        ("x.json", b"[1]", "$: expected an object, found a list"),
        ("x.toon", b"name: x\nsteps[2]:\n  - 1", "line 2"),
        ("x.json", b"\xff\xfe", "it is not UTF-8: byte 0"),
    ],
)
def test_a_bad_upload_says_why_and_loses_nothing(
    app: AppTest, name: str, data: bytes, message: str
) -> None:
    before = steps_of(app)
    upload(app, name, data)

    words = f"{escape_markdown(name)} was not opened. The run below was open before."
    assert app.error[0].value == words
    assert any(item.value.startswith(message) for item in app.code)
    assert app.selectbox(key="run").value == "react-loop"
    assert steps_of(app).equals(before)


def test_a_run_that_no_format_carries_says_so(app: AppTest) -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    step = {"kind": "task", "agent": "A", "task": "t", "content": deep}
    upload(app, "deep.json", json.dumps({"name": "deep", "steps": [step]}).encode())

    assert app.error[0].value.startswith(f"{escape_markdown('deep.json')} cannot be replayed. \\$")
    assert app.error[0].value.endswith("nested deeper than 256 levels")


def test_a_large_run_is_replayed_only_when_asked(app: AppTest) -> None:
    trace = ExecutionTrace("large")
    trace.task("A", "t", "word " * 210_000)
    upload(app, "large.json", trace.to_json().encode())

    assert not app.exception
    assert not app.dataframe
    app.button(key="replay_large").click().run()
    assert len(steps_of(app)) == 1
    app.toggle(key="smaller").set_value(True).run()
    assert len(steps_of(app)) == 1  # it was asked for, and stays
