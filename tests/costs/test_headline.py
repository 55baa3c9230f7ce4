"""The answer as one picture: what it draws is the verdict's, and its parts add up."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.strategies import values
from tests.words import BADGES, COMPACT
from toon.costs.answer import answer
from toon.costs.choice import CANDIDATES
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.headline import Headline, headline, look_of, winner
from toon.costs.models import MODELS, choose
from toon.costs.prices import Traffic, at_prices_of
from toon.costs.typed import Typed
from toon.formats import FORMATS, label
from toon.values.json_text import parse_json
from toon.wording import COMES_BACK, decimal, dollars, formats_tried, signed_percent

WEATHER = (ROOT / "samples" / "weather.json").read_text(encoding="utf-8")
TOOL_RESULT = (ROOT / "samples" / "mcp-tool-result.json").read_text(encoding="utf-8")


def shown(text: str, model: str = "gpt-5", together: int | None = 1, calls: int = 0) -> Headline:
    value = parse_json(text).value
    return headline(
        Document.of(value, Typed(text)), choose(model), Explaining(together), Traffic(calls)
    )


@given(value=values, together=st.sampled_from([1, 2, 100, None]))
def test_the_bars_are_the_ladder_of_the_answer(value: Any, together: int | None) -> None:
    typed = Typed(json.dumps(value))
    explaining = Explaining(together)
    verdict = answer(Document.of(value, typed), "o200k_base", explaining)
    found = headline(Document.of(value, typed), choose("gpt-5"), explaining)

    assert found["nothing"] == verdict["nothing"]
    if found["nothing"]:
        assert (found["lead"], found["bars"]) == (f"{verdict['nothing']}.", [])
        return
    assert found["lead"] == verdict["lead"]
    rungs = verdict["ladder"]
    drawn = [bar for bar in found["bars"] if bar["look"] != "apart"]
    assert [(bar["format"], bar["cost"]) for bar in drawn] == [
        (rung["format"], rung["cost"]) for rung in rungs
    ]
    for bar in found["bars"]:
        assert sum(bar["kinds"]) + bar["explanation"] == pytest.approx(bar["cost"])


def test_money_has_the_explanation_at_the_price_of_the_cache() -> None:
    document = Document.of(parse_json(WEATHER).value, Typed(WEATHER))
    cached = at_prices_of(MODELS["gpt-5"], Explaining(cached=1.0))
    verdict = answer(document, "o200k_base", cached)
    found = headline(document, choose("gpt-5"), cached, Traffic(100_000))

    assert verdict["break_even"] is not None
    once = verdict["break_even"]["explanation"] / 10
    assert verdict["explanation"] == pytest.approx(once)
    saved = (verdict["ladder"][0]["tokens"] - verdict["tokens"] - once) * 100_000 * 1.25e-6
    cache = "100\u202f% of notes read from cache"
    assert found["money"] == f"saves {dollars(Decimal(saved))} a month at 100,000 calls, {cache}"
    bar = found["bars"][-1]
    assert (bar["format"], bar["parts"][-1]) == (verdict["format"], decimal(once))


def test_what_was_tried_is_listed_with_its_costs_the_cheapest_first() -> None:
    found = shown(WEATHER)
    tried = answer(Document.of(parse_json(WEATHER).value, Typed(WEATHER)))["tried"]

    assert found["among"] == formats_tried(len(CANDIDATES))
    assert found["tried"] == [
        f"{label(name)} {tried[name]:.0f}" for name in sorted(tried, key=lambda name: tried[name])
    ]
    assert list(tried) == list(CANDIDATES)
    assert shown("5")["tried"] == []


def test_parts_are_in_words_and_add_up_as_shown() -> None:
    assert [bar["parts"] for bar in shown(WEATHER)["bars"]] == [
        ["46", "86.5", "117.5", "68", "0"],
        ["46", "74", "0", "68", "0"],
        ["24", "61", "0", "68", "25"],
    ]
    estimated = shown(WEATHER, "claude-haiku-4.5")["bars"]
    parts = [part for bar in estimated for part in bar["parts"]]
    assert all(part == "0" or part.startswith("≈") for part in parts)


def test_the_opening_payload() -> None:
    found = shown(WEATHER, calls=100_000)

    assert found["figure"] == "−44.0\u202f%"
    assert found["against"] == "JSON by columns against your JSON"
    assert found["look"] == "saves"
    assert found["proof"] == f"{COMES_BACK} comes back exactly from JSON by columns"
    assert found["money"] == "saves $17.50 a month at 100,000 calls"
    bars = [
        (
            bar["label"],
            bar["figure"],
            bar["step"].replace("\u202f", " "),
            bar["credit"],
            bar["look"],
        )
        for bar in found["bars"]
    ]
    assert bars == [
        ("your JSON", "318", "", "", "same"),
        (COMPACT, "188", "−40.9 %", "by minifying", "saves"),
        ("JSON by columns", "178", "−5.3 %", "by the format", "saves"),
    ]


@pytest.mark.parametrize(
    ("typed", "figure", "look"),
    [
        ('{"a": 1}', "no difference", "same"),
        ('{"a":1}', "no difference", "same"),
        (json.dumps(list(range(9)), indent=1), "−34.5\u202f%", "saves"),
    ],
)
def test_a_change_of_a_token_is_no_difference_however_large_its_share(
    typed: str, figure: str, look: str
) -> None:
    found = shown(typed, calls=100_000)

    assert (found["figure"], found["look"]) == (figure, look)
    assert bool(found["money"]) == (look == "saves")


@pytest.mark.parametrize(
    ("typed", "credit"),
    [
        (Typed('{"a": [1.5, 2], "b": "é"}'), "by minifying"),
        (Typed('{"a": [1.50, 2], "b": "é"}'), "by minifying, shorter numbers and escapes"),
        (Typed('{"a": [1.5, 2], "b": "\\u00e9"}'), "by minifying, shorter numbers and escapes"),
        (Typed('{"a": 1, "a": 1}'), "by minifying, shorter numbers and escapes"),
        (Typed('{"a": 1e15}'), "by minifying"),
        (Typed("a: 1.5", FORMATS["toon"]), "by writing it as JSON"),
    ],
)
def test_minifying_is_credited_with_whitespace_alone(typed: Typed, credit: str) -> None:
    value = typed.format.loads(typed.text)

    assert headline(Document.of(value, typed), choose("gpt-5"))["bars"][1]["credit"] == credit


def test_more_payloads_in_a_prompt_make_the_rival_the_answer() -> None:
    alone, three = (shown(TOOL_RESULT, together=number)["bars"] for number in (1, 3))

    assert [(bar["format"], bar["look"]) for bar in alone] == [
        ("as-typed", "same"),
        ("json-compact", "saves"),
        ("json-columns", "apart"),
    ]
    assert alone[2]["credit"] == f"{BADGES['not-recommended']} here"
    assert [(bar["format"], bar["look"]) for bar in three][2:] == [("json-columns", "saves")]


def test_estimates_are_marked_and_their_money_says_within_what() -> None:
    long = json.dumps([json.loads(WEATHER)] * 8, indent=2)
    found = shown(long, "claude-haiku-4.5", calls=100_000)

    assert found["figure"].startswith("≈\u00a0−")
    assert all(bar["figure"].startswith("≈\u00a0") for bar in found["bars"])
    assert found["money"].startswith("saves ≈\u00a0$")
    assert " ±$" in found["money"]
    row = json.dumps([{"id": 0, "name": "part 0", "active": True}], indent=4)
    short = shown(row, "claude-haiku-4.5", calls=100_000)
    assert short["money"].endswith("(error unknown) a month at 100,000 calls")


def test_money_says_what_is_cached_and_batched() -> None:
    value, typed = json.loads(WEATHER), Typed(WEATHER)
    found = headline(Document.of(value, typed), choose("gpt-5"), traffic=Traffic(1_000, 0.5, True))

    assert found["money"] == (
        "saves $0.0481 a month at 1,000 calls, 50\u202f% read from cache, in batches"
    )


@pytest.mark.parametrize(("model", "calls"), [("llama-3", 10), ("gemma3", 10), ("gpt-5", 0)])
def test_money_is_left_out_without_a_price_a_model_or_a_call(model: str, calls: int) -> None:
    assert shown(WEATHER, model, calls=calls)["money"] == ""


@pytest.mark.parametrize(
    ("text", "model", "nothing"),
    [
        ("{}", "gpt-5", "Nothing to compare: the payload is an empty object"),
        ('["Привет, мир"]', "grok-4.5", "No estimate within "),
    ],
)
def test_where_there_are_no_figures_the_reason_stands_alone(
    text: str, model: str, nothing: str
) -> None:
    found = shown(text, model)

    assert str(found["nothing"]).startswith(nothing)
    assert (found["figure"], found["money"], found["bars"]) == ("", "", [])


def test_a_refused_estimate_says_what_to_choose() -> None:
    assert shown('["Привет, мир"]', "claude-haiku-4.5")["lead"] == (
        "No estimate within ±12\u202f% for this text: 60\u202f% of it is Cyrillic letters. "
        "Choose a model whose tokens are counted, such as GPT-5."
    )


@pytest.mark.parametrize(
    ("cost", "before", "look"), [(90, 100, "saves"), (100, 90, "costs"), (999, 1000, "same")]
)
def test_a_difference_below_one_per_cent_and_ten_tokens_is_none(
    cost: float, before: float, look: str
) -> None:
    assert look_of(cost, before) == look


@given(value=values, together=st.sampled_from([1, 100, None]))
def test_the_winner_is_the_one_the_answer_sends(value: Any, together: int | None) -> None:
    verdict = answer(
        Document.of(value, Typed(json.dumps(value))), "o200k_base", Explaining(together)
    )
    last = verdict["ladder"][-1]

    if verdict["nothing"]:
        assert winner(verdict) == "nothing to compare"
    elif verdict["format"] == "json-compact":
        assert winner(verdict) == f"{COMPACT} wins"
    else:
        assert winner(verdict) == f"{last['label']} {signed_percent(last['vs_before'])}"
