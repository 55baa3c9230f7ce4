"""The answer as one picture: what it draws is the verdict's, and its parts add up."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.strategies import values
from tests.words import COMPACT
from toon.costs.answer import answer
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.headline import Headline, Nothing, headline
from toon.costs.models import MODELS, choose
from toon.costs.prices import Traffic, use_prices
from toon.formats import FORMATS
from toon.values.json_text import parse_json
from toon.wording import COMES_BACK, decimal, dollars

WEATHER = (ROOT / "samples" / "weather.json").read_text(encoding="utf-8")
ORDERS = (ROOT / "samples" / "uniform-rows.json").read_text(encoding="utf-8")
EVENTS = (ROOT / "samples" / "event-log.json").read_text(encoding="utf-8")
#: A table that the note outweighs in one prompt alone.
SMALL_TABLE = json.dumps([{"a": n, "b": str(n) * 4, "c": None} for n in range(4)], indent=2)


def head_of(text: str, model: str = "gpt-5", together: int | None = 1, calls: int = 0) -> Headline:
    document = Document.of(parse_json(text).value, Typed(text))
    head = headline(document, choose(model), Explaining(together), Traffic(calls))
    assert "bars" in head
    return head


@pytest.mark.rest
@given(value=values, together=st.sampled_from([1, 2, 100, None]))
def test_the_bars_are_the_ladder_of_the_answer(value: Any, together: int | None) -> None:
    typed = Typed(json.dumps(value))
    explaining = Explaining(together)
    verdict = answer(Document.of(value, typed), "o200k_base", explaining)
    head = headline(Document.of(value, typed), choose("gpt-5"), explaining)

    assert head["nothing"] == verdict["nothing"]
    if "bars" not in head:
        return
    assert head["lead"] == verdict["lead"]
    rungs = verdict["ladder"]
    drawn = [bar for bar in head["bars"] if bar["look"] != "apart"]
    assert [(bar["format"], bar["cost"]) for bar in drawn] == [
        (rung["format"], rung["cost"]) for rung in rungs
    ]
    for bar in head["bars"]:
        assert sum(bar["kinds"]) + bar["explanation"] == pytest.approx(bar["cost"])


def test_money_has_the_explanation_at_the_price_of_the_cache() -> None:
    document = Document.of(parse_json(WEATHER).value, Typed(WEATHER))
    cached = use_prices(MODELS["gpt-5"], Explaining(cached=1.0))
    verdict = answer(document, "o200k_base", cached)
    head = headline(document, choose("gpt-5"), cached, Traffic(100_000))

    assert verdict["break_even"] is not None
    once = verdict["break_even"]["explanation"] / 10
    assert verdict["explanation"] == pytest.approx(once)
    saved = (verdict["ladder"][0]["tokens"] - verdict["tokens"] - once) * 100_000 * 1.25e-6
    cache = "100\u202f% of notes read from cache"
    amount = dollars(Decimal(saved))  # with cents, as the smaller of its parts is below ten
    assert head["money"] == f"saves {amount} a month in input"
    rate = "$1.25 a million tokens"
    assert head["assumed"] == f"100,000 payloads a month, {rate}, {cache}"
    bar = next(bar for bar in head["bars"] if bar["format"] == verdict["format"])
    assert bar["exactly"][-1] == decimal(once)


@pytest.mark.rest
def test_parts_are_whole_and_add_up_as_shown() -> None:
    bars = head_of(WEATHER)["bars"]

    assert [bar["parts"] for bar in bars] == [
        ["46", "87", "117", "68", "0"],
        ["46", "74", "0", "68", "0"],
        ["21", "39", "31", "66", "57"],
    ]
    assert [bar["exactly"][1] for bar in bars] == ["86.5", "74", "39.5"]
    for bar in bars:
        assert sum(int(part) for part in bar["parts"]) == int(bar["figure"])


def test_the_opening_payload() -> None:
    head = head_of(ORDERS, calls=100_000)

    assert (head["act"], head["today"], head["cost"]) == ("Send TOON", "2,128", "858")
    assert (head["figure"], head["look"]) == ("−60\u202f%", "saves")
    assert head["proof"] == f"{COMES_BACK} comes back exactly from TOON, tab"
    assert head["money"] == "saves $159 a month in input"
    assert head["months"] == ["$266", "$165", "$107"]
    assert head["month"] == "$159"
    assert head["shared"] == "Minifying saves 38\u202f% without risk, TOON 22 points more."
    assert head["assumed"] == ("100,000 payloads a month, $1.25 a million tokens, uncached")
    assert (head["best"], head["copy"]) == ("toon-tab", "Copy TOON and note")
    assert head["delimiter"] == "tab"
    assert head["delimiters"]["tab"] == {"tokens": "820", "note": "38", "cost": "858"}
    assert (head["why"], head["untested"]) == ([], "")
    assert [bar["credit"] for bar in head["bars"]] == [
        "",
        "Minifying saves 810: any JSON library does that.",
        "TOON saves 460 more, −35\u202f% vs minified JSON: names once, less punctuation.",
    ]
    assert [bar["how"] for bar in head["bars"]] == ["", "", "names once, less punctuation"]
    assert {bar["told"] for bar in head["bars"]} == {""}
    assert bar_words(head) == [
        ("your JSON", "2,128", "", "", "same"),
        (COMPACT, "1,318", "", "−38 %", "saves"),
        ("TOON, tab", "858", "820 + 38 note", "−60 %", "saves"),
    ]


def test_where_another_format_wins_the_share_of_toon_is_said() -> None:
    head = head_of(json.dumps([{"html": '<a href="x"><b class="y">"hi"</b></a>' * 9}] * 9))

    assert (head["act"], head["copy"]) == ("Send YAML", "Copy YAML")
    assert head["bars"][-1]["credit"] == (
        "TOON takes 1,526, 113 more than YAML: +44 for its note, +69 for its text."
    )
    assert bar_words(head)[-1] == ("TOON", "1,526", "1,482 + 44 note", "+1 %", "apart")


def test_what_an_untested_format_would_save_stands_beside_the_answer() -> None:
    head = head_of((ROOT / "samples" / "emails.json").read_text(encoding="utf-8"))

    assert head["act"] == "Minify it, and keep JSON"
    assert head["shared"] == "The same JSON, only without whitespace."
    assert head["untested"] == (
        "JSON by columns would be 284 fewer (−22\u202f%), not tested with any model"
    )


def test_where_minified_json_wins_the_reason_is_in_numbers() -> None:
    head = head_of(EVENTS)

    assert (head["act"], head["copy"]) == ("Minify it, and keep JSON", f"Copy {COMPACT}")
    assert [bar["credit"] for bar in head["bars"]] == [
        "",
        "Minifying saves 693: any JSON library does that.",
        "TOON costs 285 more than minified JSON: it adds 452 for line ends and indentation and 54 "
        "for its note, and saves only 40 for names, 153 for punctuation and 28 for values.",
    ]
    assert 452 + 54 - 40 - 153 - 28 == 285


def test_a_condition_is_said_with_both_totals() -> None:
    condition = head_of(SMALL_TABLE)["bars"][-1]["credit"]

    match = re.search(r"from (\d+) payloads in a prompt: ([\d,]+) against ([\d,]+)", condition)
    assert match
    payloads, toon, compact = (int(figure.replace(",", "")) for figure in match.groups())
    assert toon < compact
    *_, sent = head_of(SMALL_TABLE, together=payloads)["bars"]
    assert sent["cost"] == pytest.approx(toon / payloads, abs=1)
    assert (sent["label"], sent["look"]) == ("TOON", "saves")


def test_what_is_minified_already_is_kept() -> None:
    head = head_of(json.dumps(json.loads(EVENTS), separators=(",", ":")))

    assert (head["act"], head["copy"], head["best"]) == ("Keep your JSON", "Copy it", "as-typed")
    assert (head["shared"], head["assumed"]) == ("", "")
    assert head["bars"][1]["credit"] == head["bars"][1]["told"] == "It is minified already."


def bar_words(head: Headline) -> list[tuple[str, ...]]:
    """The bars in words."""
    names = ("label", "figure", "sum", "vs_today", "look")
    return [
        tuple(str(bar[name]).replace("\u202f", " ") for name in names)  # type: ignore[literal-required]
        for bar in head["bars"]
    ]


@pytest.mark.parametrize(
    ("typed", "figure", "look"),
    [
        ('{"a": 1}', "not worth a change", "same"),
        ('{"a":1}', "not worth a change", "same"),
        (json.dumps(list(range(9)), indent=1), "−34\u202f%", "saves"),
    ],
)
def test_a_change_of_a_token_is_no_difference_however_large_its_share(
    typed: str, figure: str, look: str
) -> None:
    head = head_of(typed, calls=100_000)

    assert (head["figure"], head["look"]) == (figure, look)
    assert bool(head["money"]) == (look == "saves")


@pytest.mark.parametrize(
    ("typed", "credit"),
    [
        (Typed('{"a": [1.5, 2], "b": "é"}'), "Minifying saves 4: any JSON library does that."),
        (Typed('{"a": [1.50, 2], "b": "é"}'), "Minifying saves 4."),
        (Typed('{"a": [1.5, 2], "b": "\\u00e9"}'), "Minifying saves 7."),
        (Typed('{"a": 1, "a": 1}'),
         "Minifying saves 7: of keys that come again the last counts, as for JSON readers."),
        (Typed('{"a": 1e15}'), "Minifying saves 1: any JSON library does that."),
        (Typed("a: 1.5", FORMATS["toon"]), "Minified JSON adds 1."),
    ],
)  # fmt: skip
def test_minifying_is_credited_with_whitespace_alone(typed: Typed, credit: str) -> None:
    head = headline(Document.of(typed.format.loads(typed.text), typed), choose("gpt-5"))

    assert "bars" in head
    assert head["bars"][1]["credit"] == credit


def test_money_says_what_is_cached_and_batched() -> None:
    value, typed = json.loads(WEATHER), Typed(WEATHER)
    head = headline(Document.of(value, typed), choose("gpt-5"), traffic=Traffic(1_000, 0.5, True))

    assert head["money"] == "saves 4.5 cents a month in input"
    assert head["assumed"] == (
        "1,000 payloads a month, 34.4 cents a million tokens, 50\u202f% read from cache, in batches"
    )


@pytest.mark.parametrize(("model", "calls"), [("llama-3", 10), ("gemma3", 10), ("gpt-5", 0)])
def test_money_is_left_out_without_a_price_a_model_or_a_call(model: str, calls: int) -> None:
    assert head_of(WEATHER, model, calls=calls)["money"] == ""


def test_where_there_are_no_figures_the_reason_stands_alone() -> None:
    why = "Nothing to compare: the payload is an empty object"

    nothing = headline(Document.of({}), choose("gpt-5"))
    assert nothing == Nothing(nothing=why, lead=f"{why}.", best="")


def test_a_payload_longer_than_the_model_reads_has_no_month() -> None:
    rows = [{"id": n, "name": f"Customer {n}", "city": "Graz"} for n in range(500)]
    document = Document.of(rows, Typed(json.dumps(rows, indent=2)))
    head = headline(document, choose("gpt-4"), traffic=Traffic(100_000))

    assert head["money"] == ""
    assert head["why"][0] == "Your JSON does not fit: GPT-4 reads at most 8,192 tokens."
