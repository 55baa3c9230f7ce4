"""The compare page without a browser."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.markdown import escape_markdown
from pages.parts.marks import heatmap
from tests.conftest import ROOT
from tests.pages.conftest import (
    asked_of_the_editors,
    open_payload,
    open_sample,
    open_tab,
    table_with,
)
from tests.pages.static import cards, short_table_with, short_tables
from tests.words import COMPACT, ROUND_TRIPS, first
from toon.costs.compare import compare, cost, label, why_not
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.limits import PAGE_CHARACTERS
from toon.tokenizers import get
from toon.wording import round_trip

LESS = "names once, less punctuation"

TABS = (
    "Ranking",
    "Where the tokens go",
    "All tokenizers",
    "Delimiters and indents",
    "Note to the model",
    "Money",
)


def colors_of(app: AppTest) -> list[str]:
    """The colours of the changes in the answer."""
    return [step.colour for step in cards(app)]


def test_what_may_be_recommended_is_ranked_and_all_else_says_why_not(app: AppTest) -> None:
    value = open_sample(app, "tickets", "compare")

    assert app.header[0].value.startswith(f"Send {COMPACT}: 408 tokens fewer")
    ranking = short_table_with(app, "Cost")
    assert ranking["Cost"].tolist() == sorted(ranking["Cost"])
    refused = {label(row): why_not(row) for row in compare(Document.of(value)) if why_not(row)}
    assert set(ranking["Format"]).isdisjoint(refused)
    assert {"your JSON", COMPACT, "TOON"} <= set(ranking["Format"])
    (words,) = (item.value for item in app.markdown if item.value.startswith("- **"))
    assert [line.split("**")[1] for line in words.split("\n")] == list(refused)
    assert "- **VibeMCP**, " in words
    assert refused["VibeMCP"].startswith("loses ")
    open_tab(app, "Money")
    assert set(app.dataframe[0].value["Format"]) == set(ranking["Format"])


@pytest.mark.rest
@pytest.mark.parametrize("sample", ["edge-numbers", "long-text"])
def test_losing_and_odd_payloads_have_every_panel(app: AppTest, sample: str) -> None:
    open_sample(app, sample, "compare")

    for name in TABS:
        open_tab(app, name)
        assert app.header[0].value
        is_chart_alone = name == "Where the tokens go"
        with_winners = name in ("All tokenizers", "Delimiters and indents")
        tables = 0 if is_chart_alone else 1 + with_winners
        assert len([*app.dataframe, *short_tables(app)]) == tables, name
        assert not is_chart_alone or app.get("vega_lite_chart")


@pytest.mark.rest
def test_a_large_payload_is_compared_once_asked_for_here(app: AppTest) -> None:
    text = json.dumps({"text": "word " * (PAGE_CHARACTERS // 4)})
    app.session_state.measure_large_for = text  # as the editors' button does
    open_payload(app, text, "compare")
    assert not app.header

    app.button[0].click().run()

    assert app.header[0].value


def test_the_steps_of_the_answer_have_their_change_and_what_it_is_owed_to(app: AppTest) -> None:
    open_sample(app, "weather", "compare")
    assert [(step.name, step.figure, step.change) for step in cards(app)] == [
        ("Your JSON", "318 tokens", "sent today"),
        (first(COMPACT), "188 tokens", "−40.9\u202f%"),
        ("JSON by columns", "178 tokens", "−44.0\u202f%"),
        ("TOON", "214 tokens", "−32.7\u202f%"),
    ]
    assert [step.notes for step in cards(app)] == [
        (),
        ("Minifying saves 130: any JSON library does that.",),
        (f"JSON by columns saves 10 more, −5\u202f% vs {COMPACT}: {LESS}.",),
        ("TOON takes 214, 36 more than JSON by columns: +32 for its note, +4 for its text.",),
    ]
    assert colors_of(app) == ["gray", "green", "green", "gray"]

    app.number_input(key="explained_together").set_value(5).run()
    assert cards(app)[2].figure == "158 tokens"
    assert cards(app)[2].change == "−50.3\u202f%"
    assert cards(app)[2].notes == (
        f"JSON by columns saves 30 more, −16\u202f% vs {COMPACT}: {LESS}.",
    )
    assert cards(app)[2].beside == "153 + 5 note, shared by 5 payloads"


@pytest.mark.rest
def test_an_own_explanation_is_carried_through_every_figure(app: AppTest) -> None:
    open_sample(app, "weather", "compare")
    open_tab(app, "Note to the model")
    app.selectbox(key="explanation_of").select("toon").run()
    ours = app.text_area[0].value
    assert ours.startswith("The data is TOON")
    app.text_area[0].set_value("The data is TOON.").run()

    assert cards(app)[2].figure == "158 tokens"
    explanations = table_with(app, "Wording").set_index("Format")
    assert explanations.loc["TOON", "Note, once"] == 1
    assert explanations["Wording"].tolist().count("yours") == 1
    open_tab(app, "Ranking")
    assert short_table_with(app, "Cost").set_index("Format").loc["TOON", "Cost"] == 158
    open_tab(app, "Money")
    assert table_with(app, "Per call").set_index("Format").loc["TOON", "Tokens a call"] == "158"
    app.switch_page("playground.py").run()
    assert asked_of_the_editors(app)["explain"] == ["toon=The data is TOON."]

    app.switch_page("compare.py").run()
    open_tab(app, "Note to the model")
    app.button(key="wording_back").click().run()
    assert app.text_area[0].value == ours
    assert cards(app)[2].figure == "178 tokens"


@pytest.mark.rest
def test_the_fewest_tokens_of_a_delimiter_are_named_once_for_what_may_be_recommended(
    app: AppTest,
) -> None:
    open_sample(app, "uniform-rows", "compare")
    open_tab(app, "Delimiters and indents")

    rows = table_with(app, "Delimiter")
    assert set(rows["Tokens"][rows["Note"] == "fewest"]) == {rows["Tokens"].min()}
    bars, *_ = json.loads(app.get("vega_lite_chart")[-1].proto.spec)["layer"]
    _, end = bars["encoding"]["x"]["scale"]["domain"]
    assert end > 1_318  # where the line of minified JSON stands


def test_what_other_readers_would_change_stands_below_the_ranking(app: AppTest) -> None:
    open_sample(app, "edge-numbers", "compare")

    ranking = short_table_with(app, "Cost").set_index("Format")
    assert ranking.loc["TOON", "Round trip"] == round_trip(ROUND_TRIPS["by-our-reader"], ok=True)
    (words,) = (item.value for item in app.markdown if item.value.startswith("Other readers"))
    assert (
        " · TOON, tab**: toon-format refuses it: 1 number beyond 64-bit floats; JavaScript "
        "changes 3 integers beyond 2^53"
    ) in words


@pytest.mark.parametrize("together", [1, 3, None])
def test_the_heat_map_colours_a_saving_only_where_the_cost_is_one(together: int | None) -> None:
    value = json.loads((ROOT / "samples" / "weather.json").read_text(encoding="utf-8"))
    explaining = Explaining(together)
    rows = compare(Document.of(value), tokenizers=("o200k_base", "cl100k_base"))
    (cells,) = heatmap(rows, explaining).to_dict()["datasets"].values()

    compact = {row["tokenizer"]: row["tokens"] for row in rows if row["format"] == "json-compact"}
    for row, cell in zip(rows, cells, strict=True):
        if why_not(row) is not None:
            assert cell["fraction"] is None
            continue
        paid = cost(row, explaining) - compact[row["tokenizer"]]
        assert cell["fraction"] == pytest.approx(paid / compact[row["tokenizer"]])
    toon = next(cell for cell in cells if cell["format"] == "TOON")
    assert (toon["fraction"] < 0) is (together != 1)


def test_nothing_to_compare_is_one_sentence(app: AppTest) -> None:
    open_payload(app, "{}", "compare")

    assert app.info[0].value == "Nothing to compare: the payload is an empty object."
    assert not [*app.dataframe, *short_tables(app)]
    assert not app.tabs


def test_a_payload_that_cannot_be_read_sends_back_to_the_playground(app: AppTest) -> None:
    open_payload(app, "{", "compare")

    assert app.error[0].value == "The payload of the playground cannot be read."
    assert app.code[0].value.splitlines() == [
        'line 1, column 2: expected a "name", found the end of the text',
        "  {",
        "   ^",
        "hint: the text may be cut off: } would close what is open",
    ]


@pytest.mark.rest
@pytest.mark.usefixtures("llama3_without_its_library")
@pytest.mark.parametrize("page", ["compare", "compact"])
def test_a_tokenizer_that_cannot_load_says_how_and_the_rest_work(app: AppTest, page: str) -> None:
    app.switch_page(f"{page}.py").run()

    assert not app.exception
    if page == "compare":
        open_tab(app, "All tokenizers")
        assert any("pip install splintr-rs" in item.value for item in app.caption)
    app.selectbox(key="model").select("llama-3").run()
    assert "pip install splintr-rs" in app.error[0].value


@pytest.mark.parametrize("page", ["compare", "compact", "dialects", "advisor"])
def test_a_model_that_nobody_can_count_says_why(app: AppTest, page: str) -> None:
    app.switch_page(f"{page}.py").run()
    app.selectbox(key="model").select("grok-4.5").run()

    (error,) = app.error
    assert error.value == escape_markdown(get("ask-service").evidence)
    assert not [*app.header, *app.dataframe, *short_tables(app), *cards(app)]
