"""The compare page without a browser."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_payload, open_sample, table_with
from toon.costs.compare import compare, label, why_not

pytestmark = pytest.mark.slow


def test_what_may_be_recommended_is_ranked_and_all_else_says_why_not(app: AppTest) -> None:
    value = open_sample(app, "tickets", "compare")

    assert app.subheader[0].value.startswith("Send compact JSON: 408 tokens fewer")
    ranking = table_with(app, "Cost")
    assert ranking["Cost"].tolist() == sorted(ranking["Cost"])
    refused = {label(row): why_not(row) for row in compare(value) if why_not(row)}
    assert set(ranking["Format"]).isdisjoint(refused)
    assert {"JSON as typed", "compact JSON", "TOON"} <= set(ranking["Format"])
    (words,) = (item.value for item in app.markdown if item.value.startswith("- **"))
    assert [line.split("**")[1] for line in words.split("\n")] == list(refused)
    assert "- **VibeMCP**, " in words
    assert refused["VibeMCP"].startswith("loses ")
    assert set(app.dataframe[4].value["Format"]) == set(ranking["Format"])  # the priced


@pytest.mark.parametrize("sample", ["event-log", "edge-numbers", "world-text", "long-text"])
def test_losing_and_odd_payloads_have_every_panel(app: AppTest, sample: str) -> None:
    open_sample(app, sample, "compare")

    assert app.subheader[0].value
    assert len(app.dataframe) == 5


def test_the_answer_is_the_playgrounds(app: AppTest) -> None:
    app.number_input(key="explained_together").set_value(3).run()
    shown = [(step.label, step.value, step.delta) for step in app.metric]
    lead = app.subheader[0].value
    app.switch_page("compare.py").run().run()  # here, not in a browser, a page's controls lag

    assert [(step.label, step.value, step.delta) for step in app.metric] == shown
    assert app.subheader[0].value == lead
    ranking = table_with(app, "Cost").set_index("Format")
    assert ranking.loc["TOON", "Cost"] == 157 + 57 / 3


def test_an_own_explanation_is_carried_through_every_figure(app: AppTest) -> None:
    app.switch_page("compare.py").run()
    ours = app.text_area[0].value
    assert ours.startswith("The data is TOON")
    app.text_area[0].set_value("The data is TOON.").run()

    assert app.metric[2].value == "158 tokens"
    explanations = table_with(app, "Wording").set_index("Format")
    assert explanations.loc["TOON", "Explanation, once"] == 1
    assert explanations["Wording"].tolist().count("yours") == 1
    assert table_with(app, "Cost").set_index("Format").loc["TOON", "Cost"] == 158
    assert table_with(app, "Per call").set_index("Format").loc["TOON", "Tokens a call"] == "158"
    app.switch_page("playground.py").run()
    assert app.metric[2].value == "158 tokens"

    app.switch_page("compare.py").run()
    app.button(key="wording_back").click().run()
    assert app.text_area[0].value == ours
    assert app.metric[2].value == "214 tokens"


def test_the_fewest_tokens_of_a_delimiter_are_named_once_for_what_may_be_recommended(
    app: AppTest,
) -> None:
    open_sample(app, "uniform-rows", "compare")

    rows = table_with(app, "Delimiter")
    assert set(rows["Tokens"][rows[""] == "fewest"]) == {rows["Tokens"].min()}


def test_the_break_even_says_why_there_is_none_in_rows(app: AppTest) -> None:
    app.switch_page("compare.py").run()
    words = "With 1 such payload in a prompt, all rows of its table are too few."
    assert any(item.value.endswith(words) for item in app.markdown)

    open_payload(app, json.dumps([{"id": i, "name": f"n{i}"} for i in range(60)]), "compare")
    assert any("One payload is worth it from " in item.value for item in app.markdown)


def test_money_names_its_calls_and_both_baselines(app: AppTest) -> None:
    app.switch_page("compare.py").run()
    assert any(
        item.value.startswith(
            "For 100,000 calls a month, one payload each. "
            "Every call pays for its explanation of the format."
        )
        for item in app.caption
    )
    bills = table_with(app, "Per call").set_index("Format")
    assert bills.loc["TOON", "Saved a month vs JSON as typed"] == "+$13.00"
    assert bills.loc["TOON", "Saved a month vs compact JSON"] == "−$3.25"


def test_what_other_readers_would_change_stands_below_the_ranking(app: AppTest) -> None:
    open_sample(app, "edge-numbers", "compare")

    ranking = table_with(app, "Cost").set_index("Format")
    assert ranking.loc["TOON", "Round trip"] == "✓ proven by our reader"
    (words,) = (item.value for item in app.markdown if item.value.startswith("Other readers"))
    assert (
        " · TOON, tab**: toon-format refuses it: 1 number beyond 64-bit floats; JavaScript "
        "changes 3 integers beyond 2^53"
    ) in words


def test_a_format_that_does_not_apply_says_why(app: AppTest) -> None:
    app.switch_page("compare.py").run()

    words = "- **CSV**: not applicable: this is an object of 6 keys"
    assert any(words in item.value for item in app.markdown)


@pytest.mark.parametrize("text", ["{}", "[]", '"x"'])
def test_nothing_to_compare_is_one_sentence(app: AppTest, text: str) -> None:
    open_payload(app, text, "compare")

    assert app.info[0].value.startswith("Nothing to compare: the payload is ")
    assert not app.dataframe
    assert not app.tabs


def test_a_payload_that_cannot_be_read_sends_back_to_the_playground(app: AppTest) -> None:
    open_payload(app, "{", "compare")

    assert "Correct it in the playground first" in app.info[0].value


@pytest.mark.usefixtures("llama3_without_its_library")
@pytest.mark.parametrize("page", ["compare", "compact", "pipeline"])
def test_a_tokenizer_that_cannot_load_says_how_and_the_rest_work(app: AppTest, page: str) -> None:
    app.switch_page(f"{page}.py").run()

    assert not app.exception
    if page == "compare":
        assert any("pip install splintr-rs" in item.value for item in app.caption)
    app.selectbox(key="tokenizer").select("llama3").run()
    assert "pip install splintr-rs" in app.error[0].value


def test_an_unknown_price_is_unknown(app: AppTest) -> None:
    app.switch_page("compare.py").run()
    app.selectbox(key="model").select("aws/deepseek.r1-v1:0").run()
    app.toggle(key="batch").set_value(True).run()

    assert set(app.dataframe[4].value["Per call"]) == {"unknown"}
