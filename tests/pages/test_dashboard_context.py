"""The tab of context without a browser: a session of a log, bundled runs, and recorded ones."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import toon
from tests.conftest import ROOT
from tests.context.traces import call, replay, task, trace
from tests.pages.conftest import editor_options, open_tab, table_with
from tests.pages.static import short_tables
from tests.pages.test_dashboard import finish, read
from tests.pages.test_dashboard import upload as drop
from tests.traffic.reading import session
from tests.words import COMPACT, VS_COMPACT
from toon.context.replay import COLUMNS
from toon.limits import PAGE_CHARACTERS
from toon.values.json_text import parse_json

PAGE = "dashboard.py"
RUNS = {path.stem: path for path in (ROOT / "samples" / "pipelines").glob("*.json")}
HITS = {"hits": [{"id": i, "ok": True} for i in range(9)]}
SMALL_RUN = trace(task("A", "Look", "Look it up."), call("search", HITS, {"q": "x"}))


def upload(app: AppTest, name: str, data: bytes) -> None:
    """Drops a recorded run, which opens the tab."""
    drop(app, name, data)
    assert app.session_state.dashboard_tab == "Context"


def sessions(app: AppTest) -> Any:
    """The box of sessions in the open tab."""
    open_tab(app, "Context", "dashboard")
    return next(box for box in app.selectbox if box.label == "Session")


def headlines(app: AppTest) -> list[str]:
    return [read(item) for item in app.header]


def totals_of(app: AppTest) -> Any:
    return next(table for table in short_tables(app) if "TOON vs it" in table).set_index("Format")


def steps_of(app: AppTest) -> Any:
    open_tab(app, "Context", "dashboard")
    return table_with(app, "Sent")


@pytest.mark.rest
@pytest.mark.parametrize(
    ("run", "once", "headline", "worth"),
    [
        ("react-loop", 67, f"saves 933 tokens of context against {COMPACT} (−20.7\u202f%)",
         "is worth it from step 3 on"),
        ("incident", 129, f"costs 463 tokens of context more than {COMPACT} (+27.0\u202f%)",
         "is not worth it at the end"),
    ],
)  # fmt: skip
def test_a_bundled_run_is_replayed_with_toon_explained_once_and_shows_each_step(
    app: AppTest, run: str, once: int, headline: str, worth: str
) -> None:
    sessions(app).select(run).run()
    rows = replay(parse_json(RUNS[run].read_text(encoding="utf-8")).value)
    for row in rows:
        row["context"]["toon"] += once
        row["billed"]["toon"] += once * row["step"]
    context, billed = rows[-1]["context"], rows[-1]["billed"]

    assert app.markdown[-1].value == (
        f"The whole run is one prompt, so one note to the model tells how to read TOON. It takes "
        f"{once} tokens, which every call reads again. TOON's contexts and bills below include the "
        f"note, its single steps do not. In this run TOON {worth}."
    )
    headline += ", note included"
    assert f"TOON {headline}".replace("\u202f", " ") in headlines(app)
    table = totals_of(app)
    assert table["Context, tokens"].tolist() == [context[name] for name in COLUMNS]
    shown = [context["toon"] / context[name] - 1 for name in ("json", "pretty")]
    assert table["TOON vs it"].tolist()[:2] == pytest.approx(shown, abs=5e-4)  # as it is rounded
    assert table[f"Billed tokens, {len(rows)} calls"].tolist() == [billed[name] for name in COLUMNS]
    assert len(app.get("vega_lite_chart")) == 1
    steps = steps_of(app)
    assert steps["+ TOON"].tolist() == [row["added"]["toon"] for row in rows]
    passed = [row["outcome"] != "converted" for row in rows]
    assert [sent.startswith("unchanged") for sent in steps["Sent"]] == passed
    assert steps[VS_COMPACT].isna().tolist() == passed
    app.selectbox(key=f"step_of_{run}").select(6).run()
    texts = rows[5]["arguments"], rows[5]["json_text"], rows[5]["toon_text"]
    assert [item.value for item in app.code][-3:] == [text for text in texts if text is not None]


@pytest.mark.rest
def test_the_controls_reach_the_figures_and_hold_across_pages(app: AppTest) -> None:
    app.switch_page("dashboard.py").run()
    before = steps_of(app)["+ TOON"].tolist()
    app.segmented_control(key="delimiter").set_value("tab").run()
    tabs = steps_of(app)["+ TOON"].tolist()
    app.toggle(key="smaller").set_value(True).run()
    steps = steps_of(app)
    app.switch_page("playground.py").run()
    delimiter = editor_options(app)["delimiter"]
    app.switch_page("dashboard.py").run()

    assert tabs != before
    assert "+ TOON where smaller" in steps
    assert all(steps["+ TOON where smaller"] <= steps[f"+ {COMPACT}"])
    assert steps["Sent"][3] == "as JSON"
    assert delimiter == "tab"
    assert steps_of(app).equals(steps)


def test_a_model_that_needs_no_explanation_pays_none(app: AppTest) -> None:
    app.toggle(key="explained_none").set_value(True).run()
    sessions(app)

    words = f"TOON saves 1,000 tokens of context against {COMPACT} (−22.2 %), note not included"
    assert words in headlines(app)
    assert app.markdown[-1].value == (
        "The model needs no note about TOON. In this run TOON is worth it from step 3 on."
    )


@pytest.mark.rest
def test_a_run_that_sends_no_toon_explains_nothing(app: AppTest) -> None:
    content = {"text": ["a", {"b": [[1], [2]]}]}
    upload(app, "small.json", json.dumps(trace(task("A", "Look", content))).encode())
    app.toggle(key="smaller").set_value(True).run()

    assert steps_of(app)["Sent"][0] == "as JSON"
    assert f"TOON where smaller fills as many tokens of context as {COMPACT}" in headlines(app)
    assert app.markdown[-1].value == (
        "No step is sent as TOON, so there is no note. "
        "In this run TOON where smaller is not worth it at the end."
    )


def test_an_explanation_of_the_delimiter_is_counted_in_the_users_words(app: AppTest) -> None:
    app.session_state.wordings = {"toon-tab": "The data is TOON."}
    sessions(app)
    assert "takes 67 tokens" in app.markdown[-1].value
    app.segmented_control(key="delimiter").set_value("tab").run()
    assert "takes 1 token," in app.markdown[-1].value


@pytest.mark.rest
def test_a_run_without_structured_data_is_one_sentence(app: AppTest) -> None:
    upload(app, "words.json", json.dumps(trace(task("A", "Look", "Look it up."))).encode())

    assert app.info[-1].value == "Nothing to compare: no step holds structured data."


def test_a_dropped_session_is_replayed_from_its_own_first_results(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("context", "open_run"):
        monkeypatch.setattr(f"pages.parts.dashboard.{name}.MOST_STEPS", 3)
    drop(app, "session.jsonl", session(*["claude-opus-4-8"] * 4))
    finish(app)

    assert sessions(app).options[0] == "session.jsonl"
    steps = steps_of(app)
    assert steps[["What", "Sent"]].to_numpy().tolist() == [["list_orders", "as TOON"]] * 3
    assert "Of this session the first 3 results are replayed." in map(read, app.caption)


@pytest.mark.rest
@pytest.mark.parametrize("suffix", ["json", "toon"])
def test_a_recorded_run_is_replayed_and_kept_beside_what_is_open(app: AppTest, suffix: str) -> None:
    text = toon.encode(SMALL_RUN) if suffix == "toon" else json.dumps(SMALL_RUN)
    upload(app, f"mine.{suffix}", text.encode())

    assert read(app.caption[0]).startswith(f"mine.{suffix} is a recorded run")
    assert not app.error
    assert steps_of(app)["What"].tolist() == ["Look", "search"]
    sessions(app).select("incident").run()
    sessions(app).select(f"mine.{suffix}").run()
    assert len(steps_of(app)) == 2


def test_a_run_that_no_format_carries_says_so(app: AppTest) -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    step = {"kind": "task", "agent": "A", "task": "t", "content": deep}
    upload(app, "deep.json", json.dumps({"name": "deep", "steps": [step]}).encode())

    assert read(app.error[0]).startswith("deep.json cannot be replayed. $")
    assert read(app.error[0]).endswith("nested deeper than 256 levels")


@pytest.mark.rest
def test_a_large_run_is_replayed_only_when_asked(app: AppTest) -> None:
    content = ["word " * (PAGE_CHARACTERS // 4)]
    upload(app, "large.json", json.dumps(trace(task("A", "t", content))).encode())

    assert not [frame for frame in app.dataframe if "Sent" in frame.value]
    app.button(key="replay_large").click().run()
    assert len(steps_of(app)) == 1
    app.toggle(key="smaller").set_value(True).run()
    assert len(steps_of(app)) == 1  # it was asked for, and stays
