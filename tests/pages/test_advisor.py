"""The page of what to leave out: steps alone and together, fields, and what apply does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pages.parts.advisor.panels import step_bars
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from pages.parts.markdown import escape_markdown
from tests.advisor.shapes import advise, best_combination
from tests.conftest import ROOT
from tests.pages.conftest import open_payload, open_sample, open_tab, table_with
from tests.pages.static import cards, short_table_with
from tests.words import COMPACT, PRETTY, VS_COMPACT, VS_PRETTY
from toon.advisor import STEPS, field_costs
from toon.advisor.steps.base import STEP_KINDS
from toon.costs.document import Document
from toon.costs.typed import Typed
from toon.costs.verdict import Rung
from toon.playground.panes import Options, Pane
from toon.wording import capitalised, signed_percent

TOGETHER = "Steps together"


def change(rung: Rung) -> str:
    return signed_percent(rung["vs_today"])


def typed(sample: str) -> Typed:
    return Typed((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))


@pytest.mark.rest
def test_steps_are_ranked_within_their_classes(app: AppTest) -> None:
    value = open_sample(app, "calendar-events", "advisor")
    rows = sorted(advise(Document.of(value)), key=lambda row: STEP_KINDS.index(row["kind"]))

    table = short_table_with(app, "Step")
    assert table["Step"].tolist() == [STEPS[row["step"]].label for row in rows]
    assert table[VS_COMPACT].tolist() == [-row["saved"] for row in rows]
    assert table["Class"].tolist() == [
        *["Self-contained"] * 2,
        *["With a map you keep"] * 3,
        *["Lossy"] * 2,
    ]


@pytest.mark.parametrize(
    ("sample", "owed"),
    [
        ("uniform-rows", ["TOON saves 460 more, −35\u202f% vs minified JSON."]),
        ("calendar-events", ["TRON saves 77 more, −6\u202f% vs minified JSON."]),
        ("deep-config", []),
    ],
)
def test_the_headline_has_a_rung_for_each_step_that_a_reader_can_undo(
    app: AppTest, sample: str, owed: list[str]
) -> None:
    value = open_sample(app, sample, "advisor")
    best = best_combination(Document.of(value, typed(sample)))
    first, *rungs = best["ladder"]

    share = signed_percent(rungs[-1]["vs_today"])
    words = f"{best['cost']:,.0f} of {first['cost']:,.0f} tokens are enough ({share}"
    assert app.header[0].value.startswith(words)
    drawn = cards(app)[: len(best["ladder"])]
    assert [(card.name, card.figure, card.change) for card in drawn] == [
        ("Your JSON", f"{first['tokens']:,} tokens", "sent today"),
        *[
            (capitalised(rung["label"]), f"{rung['cost']:,.0f} tokens", change(rung))
            for rung in rungs
        ],
    ]
    saved = f"{first['cost'] - rungs[0]['cost']:,.0f}"
    assert [note for card in drawn for note in card.notes] == [
        f"Minifying saves {saved}: any JSON library does that.",
        *owed,
    ]
    assert len(rungs) == 1 + len(best["steps"])


def test_only_the_best_self_contained_steps_are_ticked(app: AppTest) -> None:
    value = open_sample(app, "uniform-rows", "advisor")
    open_tab(app, TOGETHER, "advisor")

    ticked = [box.label for box in app.checkbox if box.value]
    assert ticked == ["Switch format and delimiter (−460 alone)"]
    assert best_combination(Document.of(value))["steps"] == ["format"]
    for step in STEPS.values():
        if step.unanswerable and step.name != "keep-fields":
            assert f"A model can no longer say {step.unanswerable}." in shown(app)


def test_what_a_step_takes_is_said_with_its_result(app: AppTest) -> None:
    open_sample(app, "calendar-events", "advisor")
    open_tab(app, TOGETHER, "advisor")
    step_box(app, "epoch").check().run()

    assert "Proven: all of it comes back, with the map you keep" in shown(app)
    label, unanswerable = STEPS["epoch"].label, STEPS["epoch"].unanswerable
    assert f"{label}: a model can no longer say {unanswerable}." in shown(app)
    assert "are seconds since 1970-01-01T00:00:00Z." in app.code[0].value


def test_fields_add_up_to_the_whole(app: AppTest) -> None:
    value = open_sample(app, "repo-search", "advisor")
    costs = field_costs(value)
    open_tab(app, "What each field costs", "advisor")

    table = table_with(app, "Removing it")
    assert sum(table["Tokens"]) == costs[0]["baseline_tokens"]
    assert table["Field"].tolist() == [row["field"] for row in costs]


def test_chosen_fields_and_steps_open_in_the_playground(app: AppTest) -> None:
    open_sample(app, "weather", "advisor")
    open_tab(app, TOGETHER, "advisor")
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

    rows = {row["step"]: row for row in advise(Document.of(value), format="json-pretty")}
    table = short_table_with(app, "Step").set_index("Step")
    assert table[VS_PRETTY]["Minify"] == -rows["minify"]["saved"]
    assert cards(app)[0].name == capitalised(PRETTY)


def step_box(app: AppTest, step: str) -> Checkbox:
    (box,) = (box for box in app.checkbox if box.key.startswith(f"step_{step}_"))
    return box


def shown(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.caption, *app.markdown, *app.error])


def test_a_large_payload_once_asked_for_stays_measured(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.limits.LIVE_ADVICE_CHARACTERS", 20)
    open_payload(app, json.dumps([{"id": number} for number in range(9)]), "advisor")
    assert not app.header

    app.button[0].click().run()
    app.selectbox(key="sent_as").select("json-pretty").run()

    assert "tokens are enough" in app.header[0].value
    open_payload(app, json.dumps([{"id": number} for number in range(10)]), "advisor")
    assert not app.header


HOSTILE = "![x](http://a.example/b.png) *b* $c$ <i>"


def test_names_never_become_markup(app: AppTest) -> None:
    open_payload(app, json.dumps([{HOSTILE: 1, "k": 2}] * 3), "advisor", HOSTILE)
    open_tab(app, TOGETHER, "advisor")
    (fields,) = (box for box in app.multiselect if box.key.startswith("fields_chosen"))
    fields.set_value(["[].k"]).run()

    assert "Lost: 1 field" in shown(app)
    assert HOSTILE not in shown(app)
    assert escape_markdown(HOSTILE) in shown(app)


ROWS = [{"n": n, "name": f"name {n}"} for n in range(40)]


@pytest.mark.rest
@pytest.mark.parametrize(
    ("rows", "indent", "side"),
    [
        ({f"k{row['n']}": row for row in ROWS}, 2, "toon"),
        ({f"k{row['n']}": row for row in ROWS}, 4, "json"),
        (ROWS, 2, "json"),  # sent as JSON by columns
    ],
)
def test_what_is_opened_can_be_read_there(
    app: AppTest, rows: object, indent: int, side: str
) -> None:
    value = {"at": {"rows": rows}}
    app.segmented_control(key="indent").set_value(indent).run()
    open_payload(app, json.dumps(value), "advisor")
    open_tab(app, TOGETHER, "advisor")
    step_box(app, "format").check().run()
    app.button(key="apply").click().run()

    source = app.session_state.source
    assert source["side"] == side
    pane = Pane(source["side"], source["text"], Options(indent=indent))
    assert pane.document.value == value


@pytest.mark.parametrize(
    ("sent", "owed"), [("toon", "Minified JSON saves "), ("json-pretty", "Minifying saves ")]
)
def test_where_compact_json_is_the_best_there_is_no_third_rung(
    app: AppTest, sent: str, owed: str
) -> None:
    open_payload(app, '{"a": {"b": [1, 2, {"c": 3}]}, "d": "x"}', "advisor")
    app.selectbox(key="sent_as").select(sent).run()

    assert [card.name for card in cards(app)[1:2]] == [capitalised(COMPACT)]
    assert len(cards(app)) == 2
    (note,) = (note for card in cards(app) for note in card.notes)
    assert note.startswith(owed)
    assert "tokens are enough (−" in app.header[0].value


@pytest.mark.rest
def test_a_text_on_the_toon_side_is_what_is_sent_today(app: AppTest) -> None:
    app.session_state.source = {"side": "toon", "text": "a: 1\nb: 2"}
    app.switch_page("advisor.py").run()

    first = cards(app)[0]
    assert (first.name, first.figure) == ("Your TOON", "9 tokens")


def test_a_payload_with_nothing_to_leave_out_gets_one_sentence(app: AppTest) -> None:
    open_payload(app, "null", "advisor")

    sentence = "Nothing to compare: the payload is a single null."
    assert [info.value for info in app.info] == [sentence]
    assert not [*app.error, *app.header, *app.tabs, *cards(app)]


@pytest.mark.parametrize("text", ["[[]]", '{"":{}}'])
def test_the_least_payloads_have_every_panel(app: AppTest, text: str) -> None:
    open_payload(app, text, "advisor")

    assert app.header[0].value.startswith("No self-contained step saves enough here: ")
    assert len(app.tabs) == 3
    assert not app.error


def test_a_payload_that_no_step_makes_smaller_keeps_its_tokens(app: AppTest) -> None:
    open_payload(app, json.dumps({"text": "word " * 400}, separators=(",", ":")), "advisor")

    words = "No self-contained step saves enough here: 404 tokens"
    assert app.header[0].value == words


def test_what_was_chosen_is_still_there_after_a_look_at_the_playground(app: AppTest) -> None:
    open_sample(app, "weather", "advisor")
    open_tab(app, TOGETHER, "advisor")
    step_box(app, "dates").check().run()
    app.multiselect[0].set_value(["city"]).run()

    app.switch_page("playground.py").run()
    app.switch_page("advisor.py").run()
    open_tab(app, TOGETHER, "advisor")

    assert [box.value for box in app.multiselect] == [["city"]]
    assert step_box(app, "dates").value
    open_payload(app, '{"city": "x", "at": 1}', "advisor")
    open_tab(app, TOGETHER, "advisor")
    assert app.multiselect[0].value == []
    assert not step_box(app, "dates").value


def test_a_kind_has_one_pattern_whatever_others_there_are() -> None:
    row: Any = {"step": "drop-nulls", "saved": 1}
    charts = [step_bars([row | {"kind": kind}], [""]).to_dict() for kind in STEP_KINDS]

    scales = [chart["layer"][0]["encoding"]["color"]["scale"] for chart in charts]
    fills: dict[str, str] = {}
    for scale in scales:
        assert len(scale["domain"]) == 1  # the legend names what is there, and nothing else
        fills |= dict(zip(scale["domain"], scale["range"], strict=True))
    assert len(set(fills.values())) == 3
    drawn = [next(iter(chart["datasets"].values()))[0]["meaning"] for chart in charts]
    assert [fills[meaning] for meaning in drawn] == [f"url(#fewer-{place})" for place in range(3)]


@pytest.mark.rest
def test_payloads_that_share_an_explanation_change_what_is_recommended(app: AppTest) -> None:
    """TOON is not worth its explanation in one payload of these rows alone."""
    open_payload(app, json.dumps([{"n": n, "name": f"name {n}"} for n in range(10)]), "advisor")
    open_tab(app, TOGETHER, "advisor")
    assert [box.label for box in app.checkbox if box.value] == []

    app.number_input(key="explained_together").set_value(10).run()

    assert step_box(app, "format").value
    assert app.header[0].value.endswith(", note included)")
    open_tab(app, "Each step alone", "advisor")
    assert "shared by 10 payloads" in shown(app)
    open_tab(app, TOGETHER, "advisor")
    app.toggle(key="explained_none").set_value(True).run()
    assert step_box(app, "format").value
    assert not app.header[0].value.endswith(", note included)")
