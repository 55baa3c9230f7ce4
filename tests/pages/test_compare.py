"""The compare page without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_payload, open_sample
from toon.costs.compare import compare

pytestmark = pytest.mark.slow


def test_the_payload_of_the_playground_is_ranked(app: AppTest) -> None:
    value = open_sample(app, "uniform-rows", "compare")

    assert app.subheader[0].value.startswith("Send TOON, tab: 498 o200k_base tokens fewer")
    tokens = app.dataframe[0].value["Tokens"].tolist()
    assert tokens == sorted(row["tokens"] for row in compare(value) if row["tokens"] is not None)


@pytest.mark.parametrize("sample", ["event-log", "edge-numbers", "world-text", "long-text"])
def test_losing_and_odd_payloads_have_every_panel(app: AppTest, sample: str) -> None:
    open_sample(app, sample, "compare")

    assert app.subheader[0].value
    assert len(app.dataframe) == 5


def test_a_format_that_does_not_apply_says_why(app: AppTest) -> None:
    app.switch_page("compare.py").run()

    assert any("CSV: not applicable, this is an object" in item.value for item in app.caption)


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
