"""The page of what to leave out: steps alone and together, fields, and what apply does."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import table_with
from tests.conftest import ROOT
from toon.advisor import advise, best_combination, field_costs


def opened(app: AppTest, sample: str) -> object:
    app.selectbox(key="sample").select(sample).run()
    app.switch_page("advisor.py").run()
    assert not app.exception
    return json.loads((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))


def test_steps_are_ranked_and_the_best_together_is_the_headline(app: AppTest) -> None:
    value = opened(app, "orders-with-items")
    rows = [row for row in advise(value) if row["saved"] is not None]
    best = best_combination(value)

    table = table_with(app, "Step")
    assert table["Step"].tolist() == [row["label"] for row in rows]
    assert table["vs today"].tolist() == [-row["saved"] for row in rows]
    assert app.subheader[0].value.startswith(f"{best['saved']:,} fewer of {best['before']:,} ")


def test_fields_add_up_to_the_whole(app: AppTest) -> None:
    value = opened(app, "repo-search")
    costs = field_costs(value)

    table = table_with(app, "Removing it")
    assert sum(table["Tokens"]) == costs[0]["baseline_tokens"]
    assert table["Field"].tolist() == [row["field"] for row in costs]


@pytest.mark.parametrize("sample", ["edge-numbers", "world-text", "arrays-of-arrays"])
def test_payloads_with_little_to_do_have_every_panel(app: AppTest, sample: str) -> None:
    opened(app, sample)


def test_chosen_fields_and_steps_open_in_the_playground(app: AppTest) -> None:
    opened(app, "weather")
    (fields,) = (box for box in app.multiselect if box.key.startswith("fields_chosen"))
    fields.set_value(["city", "now.temperature"]).run()

    assert not app.exception
    app.button(key="apply").click().run()

    shaped = json.loads(app.session_state.source["text"])
    assert shaped == {"city": "Port Almery", "now": {"temperature": 16.4}}
    assert app.session_state.document["name"] == "shaped payload"


def test_what_is_sent_today_is_the_measure(app: AppTest) -> None:
    value = opened(app, "weather")
    app.selectbox(key="sent_as").select("json-pretty").run()

    rows = {row["label"]: row for row in advise(value, format="json-pretty")}
    table = table_with(app, "Step").set_index("Step")
    assert table["vs today"]["Minify"] == -rows["Minify"]["saved"]
