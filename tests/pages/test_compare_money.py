"""What a month of calls costs, on the compare page without a browser."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_payload, open_sample, open_tab, table_with
from tests.pages.static import short_table_with
from tests.words import COMPACT, VS_COMPACT
from toon.costs import prices
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import MODELS
from toon.formats import FORMATS

PAGE = "compare.py"


@pytest.fixture(autouse=True)
def opened(app: AppTest) -> None:
    """The tab is open on the weather, as after a click on it."""
    app.switch_page("playground.py").run()
    open_sample(app, "weather", "compare")
    open_tab(app, "Money")


def test_money_names_its_calls_and_both_baselines(app: AppTest) -> None:
    assert any(
        item.value.startswith(f"For 100,000 calls a month, one payload each. {ALONE.paid} ")
        for item in app.caption
    )
    bills = table_with(app, "Per call").set_index("Format")
    assert bills.index[0] == "JSON by columns"  # best first
    tokens = [float(cell) for cell in bills["Tokens a call"]]
    assert tokens == sorted(tokens)
    assert bills.loc["TOON", "Saved vs your JSON"] == "+$41.60"
    assert bills.loc["TOON", f"Saved {VS_COMPACT}"] == "−$10.40"


USERS = [{"id": i, "name": f"user{i}", "active": i % 2 == 0} for i in range(6)]
TICKETS = [{"id": f"T-{i}", "title": f"Title {i}"} for i in range(6)]


def test_money_says_what_a_cached_explanation_would_change(app: AppTest) -> None:
    open_payload(app, json.dumps(USERS), "compare")
    open_tab(app, "Money")
    hint = f"With the note {Explaining(cached=1.0, rate=0.1).cached_words}: Send TOON"
    assert any(item.value.startswith(hint) for item in app.caption)
    before = table_with(app, "Per call").set_index("Format")

    app.slider(key="explained_cached").set_value(100).run()
    assert not any(item.value.startswith(hint) for item in app.caption)
    assert any("100\u202f% read from the cache at 10" in item.value for item in app.caption)
    after = table_with(app, "Per call").set_index("Format")
    assert (before.index[0], after.index[0]) == (COMPACT, "TOON")
    assert before.loc["TOON", f"Saved {VS_COMPACT}"].startswith("−")
    assert after.loc["TOON", f"Saved {VS_COMPACT}"].startswith("+")
    assert after.loc["TOON", "Context window"] == before.loc["TOON", "Context window"]
    app.selectbox(key="model").select("gpt-4").run()
    assert any("at a price that is not known: counted in full." in c.value for c in app.caption)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("dialect", "value", "read_as"),
    [
        ("pipe", USERS, "your Pipe tables"),
        ("ticket", TICKETS, "your Ticket (TOON/1)"),
    ],
)
def test_a_typed_dialect_has_its_price_even_where_it_is_not_recommended(
    app: AppTest, dialect: str, value: list[object], read_as: str
) -> None:
    open_payload(app, FORMATS[dialect].dumps(value), "compare", side="toon")

    bills = table_with(app, "Per call").set_index("Format")
    assert read_as in bills.index
    assert bills.loc[read_as, f"Saved vs {read_as}"] == "$0"
    assert bills.loc[read_as, "Per month"].startswith("$")


def test_an_unknown_price_is_unknown(app: AppTest) -> None:
    app.selectbox(key="model").select("deepseek-chat").run()
    app.toggle(key="batch").set_value(True).run()

    assert set(table_with(app, "Per call")["Per call"]) == {"unknown"}


@pytest.mark.rest
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("claude-opus-4.7", "A call has 11 tokens more, its frame. It is the same for every format"
         " and not included above: \\$5.50 a month."),
        ("gpt-5.4-nano", "A call has 6 tokens more, its frame. It is the same for every format and"
         " not included above: 12 cents a month."),
    ],
)  # fmt: skip
def test_the_frame_of_a_call_has_its_price(app: AppTest, name: str, words: str) -> None:
    app.selectbox(key="model").select(name).run()

    assert words in [item.value for item in app.caption]


@pytest.mark.rest
@pytest.mark.parametrize("name", ["llama-3", "llama3"])
def test_without_a_price_tokens_alone_are_shown(app: AppTest, name: str) -> None:
    app.selectbox(key="model").select(name).run()

    said = prices.unpriced(MODELS[name]) if name in MODELS else (
        "A tokenizer alone has no price: choose a model. Tokens alone are shown."
    )  # fmt: skip
    assert said in [item.value for item in app.info]
    assert not any("Per call" in frame.value.columns for frame in app.dataframe)
    costs = table_with(app, "Tokens a call").set_index("Format")
    about = ALONE.paid
    assert about in [item.value for item in app.caption]
    open_tab(app, "Ranking")
    ranking = short_table_with(app, "Cost").set_index("Format")
    assert costs["Tokens a call"].to_dict() == ranking["Cost"].to_dict()
    shown = costs[VS_COMPACT].round(3)  # as the ranking writes it
    assert shown.to_dict() == pytest.approx(ranking[VS_COMPACT].to_dict())
    assert list(costs.index) == list(ranking.index)
