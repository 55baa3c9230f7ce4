"""The tab Send less: fields and steps that are ticked, what they take, and what is opened."""

import json
from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from pages.parts.markdown import escape_markdown
from tests.advisor.shapes import advise, best_combination
from tests.conftest import ROOT
from tests.pages.conftest import open_payload, open_sample, table_with
from tests.pages.static import details
from tests.pages.test_compare import read as shown
from toon.advisor import STEPS, STRUCTURE, field_costs
from toon.costs.document import Document, Typed
from toon.playground.panes import Options, Pane
from toon.wording import signed_count, signed_percent

LESS = "Send less"

HOSTILE = "![x](http://a.example/b.png) *b* $c$ <i>"

ROWS = [{"n": n, "name": f"name {n}"} for n in range(40)]


def tick(app: AppTest, fields: Sequence[str]) -> None:
    """Ticks these fields alone."""
    (table,) = (frame for frame in app.dataframe if "Without it" in frame.value.columns)
    names = table.value["Field"].tolist()
    _, _, key = table.proto.id.split("-", 2)
    rows = [names.index(field) for field in fields]
    app.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    app.run()


def step_box(app: AppTest, step: str) -> Checkbox:
    (box,) = (box for box in app.checkbox if box.key.startswith(f"step_{step}_"))
    return box


@pytest.mark.parametrize("sample", ["uniform-rows", "calendar-events", "deep-config"])
def test_the_headline_says_how_many_tokens_are_enough(app: AppTest, sample: str) -> None:
    value = open_sample(app, sample, "compare", LESS)
    typed = Typed((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))
    best = best_combination(Document.of(value, typed))

    today, share = best["ladder"][0]["cost"], signed_percent(best["ladder"][-1]["vs_today"])
    words = f"{best['cost']:,.0f} of {today:,.0f} tokens are enough ({share}"
    assert app.header[0].value.startswith(words)
    ticked = {box.key.split("_")[1] for box in app.checkbox if box.value}
    assert ticked == set(best["steps"])


def test_each_step_that_applies_says_what_it_saves_and_takes_alone_and_with_its_result(
    app: AppTest,
) -> None:
    value = open_sample(app, "calendar-events", "compare", LESS)
    rows = {row["steps"][0]: row for row in advise(Document.of(value))}

    boxes = {box.key.split("_")[1]: box.label for box in app.checkbox}
    assert boxes == {
        name: f"{STEPS[name].label} ({signed_count(-row['saved'])})" for name, row in rows.items()
    }
    for name in rows:
        if STEPS[name].unanswerable:
            assert f"a model can no longer say {STEPS[name].unanswerable}" in shown(app)
    ((title, lines),) = details(app).items()
    assert title == f"Nothing to do here: {len(lines)} steps"
    assert len(lines) == len(STEPS) - len(rows)
    assert all(line.startswith(tuple(step.label for step in STEPS.values())) for line in lines)

    step_box(app, "epoch").check().run()

    assert "Proven: all of it comes back, with the map you keep" in shown(app)
    label, unanswerable = STEPS["epoch"].label, STEPS["epoch"].unanswerable
    assert f"{label}: a model can no longer say {unanswerable}." in shown(app)
    assert "are seconds since 1970-01-01T00:00:00Z." in app.code[0].value


def test_fields_stand_with_their_share_of_all_tokens(app: AppTest) -> None:
    value = open_sample(app, "repo-search", "compare", LESS)
    costs = [row for row in field_costs(value) if row["field"] != STRUCTURE]

    table = table_with(app, "Without it")
    assert table["Field"].tolist() == [row["field"] for row in costs]
    assert table["Tokens"].tolist() == [row["tokens"] for row in costs]
    assert table["Share"].tolist() == [100 * row["share"] for row in costs]


def test_only_what_is_ticked_opens_in_the_playground_and_stays_ticked(app: AppTest) -> None:
    open_sample(app, "weather", "compare", LESS)
    tick(app, [])
    assert app.info[0].value == "Tick at least one field."
    tick(app, ["city", "now.temperature"])
    app.button(key="apply").click().run()

    shaped = json.loads(app.session_state.source["text"])
    assert shaped == {"city": "Port Almery", "now": {"temperature": 16.4}}
    assert app.session_state.document["name"] == "shaped payload"

    open_sample(app, "weather", "compare", LESS)
    assert "Lost: " in shown(app)
    app.button(key="apply").click().run()
    assert json.loads(app.session_state.source["text"]) == shaped


@pytest.mark.rest
def test_steps_that_were_ticked_stay_so_for_this_payload_alone(app: AppTest) -> None:
    open_sample(app, "weather", "compare", LESS)
    step_box(app, "dates").check().run()

    app.switch_page("playground.py").run()
    app.session_state.compare_tab = LESS
    app.switch_page("compare.py").run()
    assert step_box(app, "dates").value
    open_payload(app, '{"city": "x", "at": 1, "z": null}', "compare", LESS)
    assert not any(box.key.startswith("step_dates") for box in app.checkbox)


def test_names_never_become_markup(app: AppTest) -> None:
    open_payload(app, json.dumps([{HOSTILE: 1, "k": 2}] * 3), "compare", LESS, name=HOSTILE)
    tick(app, ["[].k"])

    assert "Lost: 1 field" in shown(app)
    assert HOSTILE not in shown(app)
    assert escape_markdown(HOSTILE) in shown(app)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("rows", "indent", "side"),
    [
        ({f"k{row['n']}": row for row in ROWS}, 2, "toon"),
        ({f"k{row['n']}": row for row in ROWS}, 4, "json"),
    ],
)
def test_what_is_opened_can_be_read_there(
    app: AppTest, rows: object, indent: int, side: str
) -> None:
    value = {"at": {"rows": rows}}
    app.segmented_control(key="indent").set_value(indent).run()
    open_payload(app, json.dumps(value), "compare", LESS)
    step_box(app, "format").check().run()
    app.button(key="apply").click().run()

    source = app.session_state.source
    assert source["side"] == side
    pane = Pane(source["side"], source["text"], Options(indent=indent))
    assert pane.document.value == value


def test_a_large_payload_once_asked_for_stays_measured(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The page's own first: what imports its module here would keep the limit of the library.
    monkeypatch.setattr("pages.parts.compare.less.LIVE_ADVICE_CHARACTERS", 20)
    monkeypatch.setattr("toon.limits.LIVE_ADVICE_CHARACTERS", 20)
    open_payload(app, json.dumps([{"id": number} for number in range(9)]), "compare", LESS)
    assert not app.header

    app.button[0].click().run()
    assert app.header
    app.number_input(key="explained_together").set_value(3).run()
    assert app.header
    open_payload(app, json.dumps([{"id": number} for number in range(10)]), "compare", LESS)
    assert not app.header
