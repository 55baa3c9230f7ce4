"""The page of what to leave out: steps alone and together, fields, and what apply does."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.advisor.charts import step_bars
from pages.parts.markdown import escape_markdown
from tests.pages.conftest import open_payload, open_sample, table_with
from toon.advisor import advise, best_combination, field_costs
from toon.advisor.steps.base import STEP_KINDS
from toon.playground.panes import Options, read

pytestmark = pytest.mark.slow


def test_steps_are_ranked_and_the_best_together_is_the_headline(app: AppTest) -> None:
    value = open_sample(app, "orders-with-items", "advisor")
    rows = [row for row in advise(value) if row["saved"] is not None]
    best = best_combination(value)

    table = table_with(app, "Step")
    assert table["Step"].tolist() == [row["label"] for row in rows]
    assert table["vs today"].tolist() == [-row["saved"] for row in rows]
    assert app.subheader[0].value.startswith(f"{best['saved']:,} fewer of {best['before']:,} ")


def test_fields_add_up_to_the_whole(app: AppTest) -> None:
    value = open_sample(app, "repo-search", "advisor")
    costs = field_costs(value)

    table = table_with(app, "Removing it")
    assert sum(table["Tokens"]) == costs[0]["baseline_tokens"]
    assert table["Field"].tolist() == [row["field"] for row in costs]


@pytest.mark.parametrize("sample", ["edge-numbers", "world-text", "arrays-of-arrays"])
def test_payloads_with_little_to_do_have_every_panel(app: AppTest, sample: str) -> None:
    open_sample(app, sample, "advisor")


def test_chosen_fields_and_steps_open_in_the_playground(app: AppTest) -> None:
    open_sample(app, "weather", "advisor")
    (fields,) = (box for box in app.multiselect if box.key.startswith("fields_chosen"))
    fields.set_value(["city", "now.temperature"]).run()

    assert not app.exception
    app.button(key="apply").click().run()

    shaped = json.loads(app.session_state.source["text"])
    assert shaped == {"city": "Port Almery", "now": {"temperature": 16.4}}
    assert app.session_state.document["name"] == "shaped payload"


def test_what_is_sent_today_is_the_measure(app: AppTest) -> None:
    value = open_sample(app, "weather", "advisor")
    app.selectbox(key="sent_as").select("json-pretty").run()

    rows = {row["label"]: row for row in advise(value, format="json-pretty")}
    table = table_with(app, "Step").set_index("Step")
    assert table["vs today"]["Minify"] == -rows["Minify"]["saved"]


def shown(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.caption, *app.markdown, *app.error])


def test_a_large_payload_once_asked_for_stays_measured(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.limits.LIVE_ADVICE_CHARACTERS", 20)
    open_payload(app, json.dumps([{"id": number} for number in range(9)]), "advisor")
    assert not app.subheader

    app.button[0].click().run()
    app.selectbox(key="sent_as").select("json-pretty").run()

    assert "today" in app.subheader[0].value
    open_payload(app, json.dumps([{"id": number} for number in range(10)]), "advisor")
    assert not app.subheader


HOSTILE = "![x](http://a.example/b.png) *b* $c$ <i>"


def test_names_never_become_markup(app: AppTest) -> None:
    open_payload(app, json.dumps([{HOSTILE: 1, "k": 2}] * 3), "advisor", HOSTILE)
    (fields,) = (box for box in app.multiselect if box.key.startswith("fields_chosen"))
    fields.set_value(["[].k"]).run()

    assert "Lost: 1 field" in shown(app)
    assert HOSTILE not in shown(app)
    assert escape_markdown(HOSTILE) in shown(app)


def test_estimates_are_marked_in_every_panel(app: AppTest) -> None:
    open_sample(app, "orders-with-items", "advisor")
    assert "≈ " not in shown(app)

    app.selectbox(key="tokenizer").select("claude").run()

    assert all(metric.value.startswith("≈ ") for metric in app.metric)
    assert app.subheader[0].value.startswith("About ")
    for words in ("≈ All tokens here are estimates.", "≈ An estimate."):
        assert words in shown(app)


@pytest.mark.parametrize(("indent", "side"), [(2, "toon"), (4, "json")])
def test_what_is_opened_can_be_read_there(app: AppTest, indent: int, side: str) -> None:
    value = {"at": {"rows": [{"n": n, "name": f"name {n}"} for n in range(40)]}}
    app.segmented_control(key="indent").set_value(indent).run()
    open_payload(app, json.dumps(value), "advisor")
    app.multiselect[0].set_value(["format"]).run()
    app.button(key="apply").click().run()

    source = app.session_state.source
    assert source["side"] == side
    assert read(source["side"], source["text"], Options(indent=indent)).value == value


def test_what_explaining_the_format_takes_is_said_beside_the_headline(app: AppTest) -> None:
    open_payload(app, json.dumps([{"n": n, "name": f"name {n}"} for n in range(60)]), "advisor")

    words = "Explaining TOON to a model takes 73 tokens more than explaining today's format"
    assert words in shown(app)


@pytest.mark.parametrize("text", ["{}", "[]", '""', "1", "null", "[[]]", '{"":{}}'])
def test_the_least_payloads_have_every_panel(app: AppTest, text: str) -> None:
    open_payload(app, text, "advisor")

    assert app.subheader[0].value.endswith((" today", "comes back"))
    assert not app.error


def test_what_was_chosen_is_still_there_after_a_look_at_the_playground(app: AppTest) -> None:
    open_sample(app, "weather", "advisor")
    app.multiselect[0].set_value(["dates"]).run()
    app.multiselect[1].set_value(["city"]).run()

    app.switch_page("playground.py").run()
    app.switch_page("advisor.py").run()

    assert [box.value for box in app.multiselect] == [["dates"], ["city"]]
    open_payload(app, '{"city": "x", "at": 1}', "advisor")
    assert app.multiselect[1].value == []


def test_a_kind_has_one_colour_whatever_others_there_are() -> None:
    row = {"label": "a", "tokens": -1}
    charts = [step_bars([row | {"kind": kind}], "").to_dict() for kind in STEP_KINDS]

    scales = [chart["layer"][0]["encoding"]["color"]["scale"] for chart in charts]
    assert [set(scale["domain"]) for scale in scales] == [set(STEP_KINDS)] * 3
    assert scales[0] == scales[1] == scales[2]
