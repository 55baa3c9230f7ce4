"""The answer: the ladder, the recommendation, when it pays, and the sentence that says it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import words
from tests.conftest import ROOT
from tests.strategies import values
from toon.costs.answer import answer
from toon.costs.compare import compare, cost
from toon.costs.document import Document, Proof, Typed
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Verdict
from toon.costs.worth import CANDIDATES, COMPACT, is_worth, pick_offer
from toon.formats import FORMATS, label
from toon.values.json_text import parse_json
from toon.wording import count_tested, signed_percent

O200K = "o200k_base"
ROWS = [{"id": i, "name": f"name {i}", "active": i % 2 == 0} for i in range(40)]
WEATHER = (ROOT / "samples" / "weather.json").read_text(encoding="utf-8")


def judge(
    value: Any,
    explaining: Explaining = ALONE,
    typed: Typed | None = None,
    formats: Sequence[str] = tuple(FORMATS),
) -> Verdict:
    return answer(Document.of(value, typed), O200K, explaining, tuple(formats))


def judge_text(
    text: str, explaining: Explaining = ALONE, formats: Sequence[str] = tuple(FORMATS)
) -> Verdict:
    return judge(parse_json(text).value, explaining, Typed(text), formats)


def test_the_ladder_credits_each_step_with_its_own_saving() -> None:
    verdict = judge_text(json.dumps(ROWS, indent=1))
    rungs = verdict["ladder"]

    assert [rung["format"] for rung in rungs] == ["as-typed", "json-compact", verdict["format"]]
    assert verdict["format"] == "toon"
    assert rungs[0]["change"] == 0 > rungs[1]["change"]
    assert rungs[2]["explanation"] > 0 > rungs[2]["change"]
    for rung in rungs:
        assert rung["cost"] == rung["tokens"] + rung["explanation"]
    assert sum(rung["change"] for rung in rungs) == -verdict["saved"]
    assert verdict["vs_today"] == rungs[-1]["vs_today"] == -verdict["saved"] / rungs[0]["cost"]


def test_an_untested_format_is_offered_beside_the_recommendation() -> None:
    verdict = judge_text((ROOT / "samples" / "emails.json").read_text(encoding="utf-8"))

    assert (verdict["format"], verdict["cost"]) == ("json-compact", 1_292)
    assert verdict["untested"] == {
        "format": "json-columns",
        "tokens": 983,
        "explanation": 25,
        "cost": 1_008,
        "saved": 284,
        "vs": -284 / 1_292,
    }
    offer = "JSON by columns would be 284 fewer (−22 %), not tested with any model"
    assert verdict["reasons"][-2] == offer


@pytest.mark.parametrize(
    ("columns", "chosen", "is_offered"),
    [(450, 500, True), (451, 500, False), (1_801, 2_000, False), (40, 89, False), (40, 90, True)],
)
def test_an_offer_saves_a_tenth_and_fifty_tokens(
    columns: float, chosen: float, is_offered: bool
) -> None:
    offer = pick_offer({"json-columns": columns, "toon": 1}, lambda _: True, chosen)

    assert offer == ("json-columns" if is_offered else None)
    assert pick_offer({"json-columns": columns}, lambda _: False, chosen) is None


def test_a_break_even_is_where_the_answer_changes() -> None:
    alone, three = (judge_text(WEATHER, how, ["toon"]) for how in (ALONE, Explaining(3)))

    assert alone["break_even"] == {
        "format": "toon", "saved": 31, "explanation": 57, "payloads": 3,
    }  # fmt: skip
    assert (alone["format"], three["format"]) == ("json-compact", "toon")
    assert alone["sentence"].startswith(
        f"Send {words.COMPACT}: 130 tokens fewer than your JSON (−40.9 %). "
        f"TOON saves 31 tokens a payload against {words.COMPACT} (−16.5 %); "
        "its note to the model takes 57 once: worth it from 3 payloads in a prompt. "
        f"{words.first(words.COMPACT)} is the cheapest of {count_tested(len(alone['tried']))}. "
    )
    assert three["sentence"].startswith(
        f"Send TOON: 12 tokens fewer than {words.COMPACT} (−6.4 %), "
        "142 tokens fewer than your JSON (−44.7 %), note included. "
        "Its note to the model takes 57 once: worth it from 3 payloads in a prompt. "
        f"TOON is the cheapest of {count_tested(len(three['tried']))}. "
    )


def test_an_explanation_that_is_read_from_the_cache_counts_at_its_price() -> None:
    verdict = judge_text(WEATHER, Explaining(cached=1.0, rate=0.1), ["toon"])

    assert (verdict["format"], verdict["tokens"]) == ("toon", 157)
    assert verdict["cost"] == pytest.approx(162.7)
    assert (verdict["cached"], verdict["explanation_price"]) == (1.0, pytest.approx(0.1))
    assert verdict["break_even"] == {
        "format": "toon", "saved": 31, "explanation": 57, "payloads": 1,
    }  # fmt: skip
    assert verdict["sentence"].startswith(
        f"Send TOON: 25.3 tokens fewer than {words.COMPACT} (−13.5\u202f%), "
        "155.3 tokens fewer than your JSON (−48.8\u202f%), note included at what the "
        "cache costs. Its note to the model takes 57 once, 5.7 at what the cache costs: "
        "worth it from 1 payload in a prompt. "
    )


@given(values, st.sampled_from([1, 3]), st.sampled_from([0.0, 0.5, 1.0]))
def test_a_cache_never_makes_what_to_send_dearer(value: Any, together: int, cached: float) -> None:
    document = Document.of(value)
    full = answer(document, O200K, Explaining(together))
    verdict = answer(document, O200K, Explaining(together, cached=cached, rate=0.1))
    unknown = answer(document, O200K, Explaining(together, cached=cached))

    assert verdict["cost"] <= full["cost"]
    assert {**unknown, "cached": 0.0} == full


def test_the_break_even_is_of_the_format_that_pays_first() -> None:
    long = Explaining(1, (("toon", "x " * 300),))
    verdict = judge(ROWS[:6], long, formats=("toon", "toon-pipe"))

    assert verdict["break_even"] == {
        "format": "toon-pipe", "saved": 16, "explanation": 38, "payloads": 7,
    }  # fmt: skip
    assert verdict["reasons"][0] == (
        f"{label('toon-pipe')} saves 16 tokens a payload against {words.COMPACT} (−18.6 %); "
        "its note to the model takes 38 once: worth it from 7 payloads in a prompt"
    )


def test_a_model_that_needs_no_explanation() -> None:
    verdict = judge_text(WEATHER, Explaining(None))

    assert (verdict["format"], verdict["explanation"]) == ("toon", 0)
    assert verdict["together"] is None
    assert ". The model needs no note. " in verdict["sentence"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("5", "Nothing to compare: the payload is a single number."),
        ('""', "Nothing to compare: the payload is a single text."),
        ("true", "Nothing to compare: the payload is a single boolean."),
        ("null", "Nothing to compare: the payload is a single null."),
        (" [ ] ", "Nothing to compare: the payload is an empty array."),
        ("{}", "Nothing to compare: the payload is an empty object."),
    ],
)
def test_where_nothing_is_comparable_one_sentence_says_so(text: str, sentence: str) -> None:
    assert judge_text(text)["sentence"] == sentence


def test_where_all_formats_refuse_one_sentence_says_so() -> None:
    verdict = judge([{"a": [1]}], formats=["json-compact", "csv", "ticket"])

    assert verdict["sentence"] == (
        "Nothing to compare: CSV, Ticket (TOON/1) cannot carry this payload."
    )
    assert verdict["format"] == "json-compact"


def test_no_difference_worth_a_change() -> None:
    text = (ROOT / "samples" / "mcp-tool-result.json").read_text(encoding="utf-8")
    verdict = judge_text(text, formats=["toon"])

    assert verdict["format"] == "json-compact"
    assert verdict["reasons"][0] == (
        f"TOON saves 7 tokens a payload against {words.COMPACT} (−0.6 %) "
        "without its note, no difference worth a change"
    )


def test_a_text_that_is_as_short_as_any_is_kept() -> None:
    verdict = judge_text('{"a":[1e9,1e9,1e9]}')

    assert (verdict["switch"], verdict["saved"]) == (False, 0)
    assert verdict["sentence"].startswith(
        f"Keep your JSON. {words.first(words.COMPACT)} has the fewest tokens of "
        f"{count_tested(len(CANDIDATES))}. "
    )


def test_toon_that_was_typed_is_what_is_sent_today() -> None:
    text = FORMATS["toon"].dumps(ROWS)
    verdict = judge(ROWS, Explaining(None), typed=Typed(text, FORMATS["toon"]))

    assert verdict["ladder"][0]["tokens"] == verdict["ladder"][-1]["tokens"]
    assert verdict["sentence"].startswith("Keep your TOON. ")


@pytest.mark.rest
@given(values, st.sampled_from([1, 2, 3, 10, 1000, None]))
def test_the_recommendation_costs_least_of_what_may_be_recommended(
    value: Any, together: int | None
) -> None:
    explaining = Explaining(together)
    document = Document.of(value)
    rows = compare(document)
    verdict = answer(document, O200K, explaining)
    costs = {
        row["format"]: row["tokens"]
        + explaining.share(explaining.tokens(row["format"], frozenset(row["uses"]), O200K))
        for row in rows
        if row["tokens"] is not None and row["round_trips"] and row["format"] in CANDIDATES
    }

    assert verdict["cost"] == costs[verdict["format"]]
    if verdict["nothing"]:
        assert verdict["format"] == "json-compact"
    elif verdict["format"] != "json-compact":
        assert verdict["cost"] == min(costs.values())
        assert is_worth(verdict["cost"], costs["json-compact"])
    else:
        assert not any(is_worth(cost, costs["json-compact"]) for cost in costs.values())


@pytest.mark.rest
@given(values, st.sampled_from([1, 7, None]))
def test_what_is_said_to_be_tried_was(value: Any, together: int | None) -> None:
    document, explaining = Document.of(value), Explaining(together)
    verdict = answer(document, O200K, explaining)
    carried = {row["format"]: row for row in compare(document) if row["round_trips"]}
    costs = {name: cost(carried[name], explaining) for name in CANDIDATES if name in carried}

    assert verdict["tried"] == ({} if verdict["nothing"] else costs)
    among, best = count_tested(len(costs)), words.first(label(verdict["format"]))
    cheaper = [tokens for tokens in costs.values() if tokens < verdict["cost"]]
    if f"{best} is the cheapest of {among}" in verdict["reasons"]:
        assert not cheaper
    elif f"None of {among} is worth a change" in verdict["reasons"]:
        assert cheaper
        assert not any(is_worth(tokens, verdict["ladder"][0]["cost"]) for tokens in costs.values())
    elif f"{best} has the fewest tokens of {among}" in verdict["reasons"]:
        assert verdict["tokens"] == min(carried[name]["tokens"] for name in costs)
    else:
        assert verdict["nothing"]


def test_a_format_that_did_not_come_back_is_none_of_those_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    best = judge(ROWS)["format"]
    document = Document.of(ROWS)
    proof = document.proof
    monkeypatch.setattr(
        document, "proof", lambda name, by: Proof(False) if name == best else proof(name, by)
    )
    verdict = answer(document, O200K)

    assert verdict["format"] != best
    assert list(verdict["tried"]) == [name for name in CANDIDATES if name != best]
    assert verdict["reasons"][1].endswith(f" of {count_tested(len(CANDIDATES) - 1)}")


@pytest.mark.rest
@given(values)
def test_the_break_even_is_where_the_recommendation_changes(value: Any) -> None:
    document = Document.of(value)
    even = answer(document, O200K)["break_even"]
    if even is None:  # never worth it, or nothing to compare
        assert answer(document, O200K, Explaining(10**6))["format"] == "json-compact"
        return
    number = even["payloads"]
    assert answer(document, O200K, Explaining(number))["format"] != "json-compact"
    if number > 1:
        fewer = answer(document, O200K, Explaining(number - 1))
        assert fewer["format"] == "json-compact"


def test_a_typed_dialect_is_never_recommended() -> None:
    rows = ROWS[:6]
    verdict = judge(rows, typed=Typed(FORMATS["vibemcp"].dumps(rows), FORMATS["vibemcp"]))

    assert not verdict["switch"]
    assert verdict["lead"] == "Sent today as VibeMCP"
    assert verdict["reasons"][0] == f"It may lose data, so it is {words.BADGES['not-recommended']}"
    assert verdict["reasons"][1].startswith(f"The best of {count_tested(len(CANDIDATES))} is ")


@given(values, st.sampled_from([1, 7, None]))
def test_the_sentence_says_what_the_ladder_says(value: Any, together: int | None) -> None:
    verdict = judge(value, Explaining(together), typed=Typed(json.dumps(value, indent=1)))
    change = signed_percent(verdict["vs_today"])

    assert verdict["sentence"] == ". ".join([verdict["lead"], *verdict["reasons"]]) + "."
    if verdict["lead"].startswith(("Send ", "Try ")):
        today, compact = verdict["ladder"][:2]
        is_one = today["cost"] == compact["cost"]  # two baselines of one cost are said once
        against = label(COMPACT) if is_one else "your JSON"
        assert f"fewer than {against} ({change})" in verdict["lead"]
        assert ": 0 tokens" not in verdict["lead"]
