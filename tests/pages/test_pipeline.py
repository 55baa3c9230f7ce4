"""The pipeline page without a browser: bundled runs, uploads good and bad, and the controls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import toon
from pages.parts.markdown import escape_markdown
from tests.conftest import ROOT
from tests.context.traces import call, task, trace
from tests.pages.conftest import asked_of_the_editors, open_tab
from tests.pages.static import short_tables
from tests.words import COMPACT, VS_COMPACT
from toon.context import replay as pipeline
from toon.limits import PAGE_CHARACTERS
from toon.values.json_text import parse_json

PAGE = "pipeline.py"
RUNS = {path.stem: path for path in (ROOT / "samples" / "pipelines").glob("*.json")}


def upload(app: AppTest, name: str, data: bytes) -> None:
    app.file_uploader(key="run_upload").set_value((name, data, "application/json")).run()


HITS = {"hits": [{"id": i, "ok": True} for i in range(9)]}
SMALL_RUN = trace(task("A", "Look", "Look it up."), call("search", HITS, {"q": "x"}))


def totals_of(app: AppTest) -> Any:
    return short_tables(app)[0].set_index("Format")


def steps_of(app: AppTest) -> Any:
    open_tab(app, "Every step", "pipeline")
    return app.dataframe[0].value


@pytest.mark.rest
@pytest.mark.parametrize(
    ("run", "once", "headline", "worth"),
    [
        (
            "react-loop",
            67,
            f"saves 933 tokens of context against {COMPACT} (−20.7\u202f%)",
            "is worth it from step 3 on",
        ),
        (
            "incident",
            129,
            f"costs 463 tokens of context more than {COMPACT} (+27.0\u202f%)",
            "is not worth it at the end",
        ),
    ],
)
def test_a_bundled_run_is_replayed_with_toon_explained_once(
    app: AppTest, run: str, once: int, headline: str, worth: str
) -> None:
    app.selectbox(key="run").select(run).run()
    rows = pipeline.replay(parse_json(RUNS[run].read_text(encoding="utf-8")).value)
    for row in rows:
        row["context"]["toon"] += once
        row["billed"]["toon"] += once * row["step"]
    totals = pipeline.totals(rows)

    assert app.markdown[0].value == (
        f"The whole run is one prompt, so one note to the model tells how to read TOON. It takes "
        f"{once} tokens, which every call reads again. TOON's contexts and bills below include the "
        f"note, its single steps do not. In this run TOON {worth}."
    )
    headline += ", note included"
    assert app.header[0].value == f"TOON {headline}"
    table = totals_of(app)
    assert table["Context, tokens"].tolist() == [
        totals["context"]["tokens"][name] for name in pipeline.COLUMNS
    ]
    shown = [totals["context"]["vs"][name] for name in ("json", "pretty")]
    assert table["TOON vs it"].tolist()[:2] == pytest.approx(shown, abs=5e-4)  # as it is rounded
    assert table[f"Billed tokens, {len(rows)} calls"].tolist() == [
        totals["billed"]["tokens"][name] for name in pipeline.COLUMNS
    ]
    for name in ("Context after each step", "Input billed so far"):
        open_tab(app, name, "pipeline")
        assert len(app.get("vega_lite_chart")) == 1
    assert steps_of(app)["+ TOON"].tolist() == [row["added"]["toon"] for row in rows]


@pytest.mark.rest
def test_what_is_passed_through_is_named_and_has_no_difference(app: AppTest) -> None:
    steps = steps_of(app).set_index("Step")

    assert steps.loc[7, "Sent"] == "unchanged"
    assert steps[VS_COMPACT].isna().tolist() == [
        sent.startswith("unchanged") for sent in steps["Sent"]
    ]
    notes = "\n".join(item.value for item in app.markdown)
    assert "Of 12 steps 7 were converted, 5 passed through unchanged, 0 failed." in notes
    assert "- plain text: steps 1, 5, 12" in notes


@pytest.mark.rest
def test_the_text_of_a_step_is_shown_in_both_formats(app: AppTest) -> None:
    row = pipeline.replay(parse_json(RUNS["react-loop"].read_text(encoding="utf-8")).value)[5]
    open_tab(app, "Every step", "pipeline")
    app.selectbox(key="step_of_react-loop").select(6).run()

    shown = [item.value for item in app.code]
    assert shown[-3:] == [row["arguments"], row["json_text"], row["toon_text"]]


@pytest.mark.rest
def test_the_controls_reach_the_figures_and_hold_across_pages(app: AppTest) -> None:
    before = steps_of(app)["+ TOON"].tolist()
    app.segmented_control(key="delimiter").set_value("tab").run()
    tabs = steps_of(app)["+ TOON"].tolist()
    app.toggle(key="smaller").set_value(True).run()
    steps = steps_of(app)
    app.switch_page("playground.py").run()
    delimiter = asked_of_the_editors(app)["delimiter"]
    app.switch_page("pipeline.py").run()

    assert tabs != before
    assert "+ TOON where smaller" in steps
    assert all(steps["+ TOON where smaller"] <= steps[f"+ {COMPACT}"])
    assert steps["Sent"][3] == "as JSON"
    assert delimiter == "tab"
    assert steps_of(app).equals(steps)


def test_a_model_that_needs_no_explanation_pays_none(app: AppTest) -> None:
    app.toggle(key="explained_none").set_value(True).run()

    assert app.header[0].value == (
        f"TOON saves 1,000 tokens of context against {COMPACT} (−22.2\u202f%), note not included"
    )
    assert app.markdown[0].value == (
        "The model needs no note about TOON. In this run TOON is worth it from step 3 on."
    )


@pytest.mark.rest
def test_a_run_that_sends_no_toon_explains_nothing(app: AppTest) -> None:
    content = {"text": ["a", {"b": [[1], [2]]}]}
    upload(app, "small.json", json.dumps(trace(task("A", "Look", content))).encode())
    app.toggle(key="smaller").set_value(True).run()

    assert steps_of(app)["Sent"][0] == "as JSON"
    assert app.header[0].value == (
        f"TOON where smaller fills as many tokens of context as {COMPACT}"
    )
    assert app.markdown[0].value == (
        "No step is sent as TOON, so there is no note. "
        "In this run TOON where smaller is not worth it at the end."
    )


def test_an_explanation_of_the_delimiter_is_counted_in_the_users_words(app: AppTest) -> None:
    app.session_state.wordings = {"toon-tab": "The data is TOON."}
    app.run()
    assert "takes 67 tokens" in app.markdown[0].value
    app.segmented_control(key="delimiter").set_value("tab").run()
    assert "takes 1 token," in app.markdown[0].value


def test_a_run_without_structured_data_is_one_sentence(app: AppTest) -> None:
    upload(app, "words.json", json.dumps(trace(task("A", "Look", "Look it up."))).encode())

    assert app.info[0].value == "Nothing to compare: no step holds structured data."
    assert not [*app.dataframe, *short_tables(app)]


@pytest.mark.rest
@pytest.mark.parametrize("suffix", ["json", "toon"])
def test_an_uploaded_run_is_replayed_and_kept(app: AppTest, suffix: str) -> None:
    text = toon.encode(SMALL_RUN) if suffix == "toon" else json.dumps(SMALL_RUN)
    upload(app, f"mine.{suffix}", text.encode())

    assert not app.exception
    assert not app.error
    assert app.selectbox(key="run").value == f"mine.{suffix}"
    assert steps_of(app)["What"].tolist() == ["Look", "search"]
    app.selectbox(key="run").select("incident").run()
    app.selectbox(key="run").select(f"mine.{suffix}").run()
    assert len(steps_of(app)) == 2


@pytest.mark.rest
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


@pytest.mark.rest
def test_a_large_run_is_replayed_only_when_asked(app: AppTest) -> None:
    content = ["word " * (PAGE_CHARACTERS // 4)]
    upload(app, "large.json", json.dumps(trace(task("A", "t", content))).encode())

    assert not app.exception
    assert not [*app.dataframe, *short_tables(app)]
    app.button(key="replay_large").click().run()
    assert len(steps_of(app)) == 1
    app.toggle(key="smaller").set_value(True).run()
    assert len(steps_of(app)) == 1  # it was asked for, and stays
