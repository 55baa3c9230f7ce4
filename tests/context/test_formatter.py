"""Formatters for agents, and the savings of a run: examples, laws and errors."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toon
from tests.strategies import strings, values
from toon.codec.numbers import exact_number
from toon.context import ContextConfig, Run, Savings
from toon.errors import EncodeError
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.tokenizers import get
from toon.values.json_text import parse_json

TOON = Run(ContextConfig("toon"))
JSON = Run(ContextConfig())
SMALLER = Run(ContextConfig("toon", fallback="smaller"))

ITEMS = (
    '{"items":[{"sku":"A1","qty":2,"price":9.99},{"sku":"B2","qty":1,"price":14.5}]}',
    "items[2]{sku,qty,price}:\n  A1,2,9.99\n  B2,1,14.5",
)
PERSON = '{"name":"Ada","age":30}', "name: Ada\nage: 30"
FINDINGS = (
    '{"findings":[{"area":"tools","players":["Ada","Bob"]},{"growth":"62%"}],"size":"$4.2B"}',
    "findings[2]:\n  - area: tools\n    players[2]: Ada,Bob\n  - growth: 62%\nsize: $4.2B",
)
DEEP = "[" * 300 + "]" * 300

# -- formatting ------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "expected"), [ITEMS, PERSON, FINDINGS])
def test_containers_are_converted_from_values_and_from_text(text: str, expected: str) -> None:
    for result in (TOON.format(json.loads(text)), TOON.format_json(text)):
        assert result.text == expected
        assert result.converted
        assert result.reason is None


@pytest.mark.parametrize(("text", "compact", "sent"), [(ITEMS[0], 35, 30), (FINDINGS[0], 30, 34)])
def test_the_figures_of_a_saving_and_of_a_loss(text: str, compact: int, sent: int) -> None:
    result = TOON.format_json(text)

    assert (result.json_tokens, result.toon_tokens, result.sent_tokens) == (compact, sent, sent)
    assert result.pretty_tokens == get("o200k_base").count(JSON_PRETTY.dumps(json.loads(text)))
    assert result.saved_tokens == compact - sent
    assert result.tokenizer == "o200k_base"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("this is not json", "plain text"),
        ("", "blank"),
        ("  ", "blank"),
        ('"hi"', "a scalar: nothing to convert"),
        ("42", "a scalar: nothing to convert"),
        (" true\n", "a scalar: nothing to convert"),
        ("{}", "an empty object: nothing to convert"),
        ("[ ]", "an empty array: nothing to convert"),
        ("404 not found", "plain text"),
        ("{} x", "not JSON: line 1, column 4: text after the end of the JSON value: 'x'"),
        ("\ud800", "plain text"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("formatter", [TOON, JSON, SMALLER])
def test_text_that_is_not_converted_is_unchanged_and_says_why(
    formatter: Any, text: str, reason: str
) -> None:
    result = formatter.format_json(text)

    assert result.text == text
    assert (result.outcome, result.converted, result.reason) == ("passed", False, reason)
    compared = result.json_tokens, result.pretty_tokens, result.toon_tokens
    assert compared == (None, None, None)
    assert result.saved_tokens is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        ("plain text", "plain text"),
        ('{"a":1}', '{"a":1}'),
        (42, "42"),
        (True, "true"),
        ({}, "{}"),
        ([], "[]"),
        (Decimal("0.10"), "0.1"),
    ],
)
def test_values_without_structure_are_not_converted(value: Any, text: str) -> None:
    for formatter in (TOON, JSON):
        result = formatter.format(value)
        assert (result.text, result.outcome, result.saved_tokens) == (text, "passed", None)
    assert TOON.format_json(None) == TOON.format(None)


def test_json_that_the_format_cannot_carry_is_unchanged_and_failed() -> None:
    result = TOON.format_json(DEEP)

    assert (result.text, result.outcome) == (DEEP, "failed")
    assert str(result.reason).endswith("nested deeper than 256 levels")
    assert result.saved_tokens is None


def test_a_value_without_a_json_form_is_refused_with_its_path() -> None:
    for formatter in (TOON, JSON):
        with pytest.raises(EncodeError, match=r"^\$\.when: datetime is not a JSON value$"):
            formatter.format({"when": datetime(2026, 3, 24, tzinfo=UTC)})


def test_json_is_the_default_and_leaves_text_unchanged() -> None:
    pretty = JSON_PRETTY.dumps(json.loads(ITEMS[0]))
    result = JSON.format_json(pretty)

    assert (result.text, result.outcome, result.reason) == (pretty, "passed", "the format is JSON")
    assert result.saved_tokens == 35 - get("o200k_base").count(pretty) < 0
    assert JSON.format(json.loads(pretty)).text == ITEMS[0]
    assert JSON.format(json.loads(pretty)).saved_tokens == 0


def test_notices_of_the_json_reader_are_kept() -> None:
    (notice,) = TOON.format_json('{"a": 1, "a": [2]}').notices

    assert notice.message == 'key "a" appears again in one object: the last value counts'


@pytest.mark.parametrize(("delimiter", "row"), [("\t", "A1\t2\t9.99"), ("|", "A1|2|9.99")])
def test_the_delimiter_is_an_option(delimiter: str, row: str) -> None:
    result = Run(ContextConfig("toon", delimiter)).format_json(ITEMS[0])

    assert result.text.splitlines()[1].strip() == row


@pytest.mark.parametrize("write", [JSON_COMPACT.dumps, JSON_PRETTY.dumps])
def test_the_fallback_keeps_json_that_is_smaller(write: Any) -> None:
    result = SMALLER.format_json(write(json.loads(FINDINGS[0])))

    assert (result.text, result.converted) == (FINDINGS[0], False)
    assert result.reason == "TOON is not smaller: 34 tokens, JSON 30"
    assert (result.toon_tokens, result.saved_tokens) == (34, 0)
    assert SMALLER.format_json(ITEMS[0]).text == ITEMS[1]


@pytest.mark.rest
@given(values)
def test_a_fallback_never_costs_more_than_compact_json(value: Any) -> None:
    for write in (JSON_COMPACT.dumps, JSON_PRETTY.dumps):
        result = SMALLER.format_json(write(value))
        assert result.saved_tokens is None or result.saved_tokens >= 0
        if not result.converted:
            assert parse_json(result.text).value == parse_json(write(value)).value


@pytest.mark.rest
@given(values)
def test_converted_text_decodes_to_the_value_and_figures_are_counts(value: Any) -> None:
    result, count = TOON.format(value), get("o200k_base").count

    assert result.sent_tokens == count(result.text)
    if not result.converted:
        assert not isinstance(value, dict | list) or not value
        assert result.saved_tokens is None
        return
    assert toon.decode(result.text, parse_float=exact_number) == value
    assert result.toon_tokens == result.sent_tokens
    assert result.json_tokens == count(JSON_COMPACT.dumps(value))
    assert result.pretty_tokens == count(JSON_PRETTY.dumps(value))


@given(st.one_of(strings, st.text(max_size=40)))
def test_any_text_is_accepted_and_only_containers_change(text: str) -> None:
    result = TOON.format_json(text)

    assert result.text == text or isinstance(parse_json(text).value, dict | list)


# -- configuration ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "yaml"}, "no context format 'yaml'; there are json, toon"),
        ({"format": None}, "no context format None; there are json, toon"),
        ({"fallback": "shorter"}, "fallback is None or 'smaller', not 'shorter'"),
        ({"fallback": "smaller", "tokenizer": None},
         "fallback='smaller' compares tokens: it needs a tokenizer"),
        ({"tokenizer": "gpt9"}, "No tokenizer is named 'gpt9'. There are: o200k_base"),
        ({"delimiter": ";"}, "delimiter"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_refused_at_once(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        ContextConfig(**options)


def test_a_tokenizer_that_cannot_count_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(RuntimeError, match="Nobody publishes the vocabulary of this model"):
        ContextConfig("toon", tokenizer="uncounted")


def test_without_a_tokenizer_every_figure_is_unknown() -> None:
    run = Run(ContextConfig("toon", tokenizer=None))
    result = run.format_json(ITEMS[0])

    assert (result.text, result.converted) == (ITEMS[1], True)
    figures = result.sent_tokens, result.json_tokens, result.toon_tokens, result.saved_tokens
    assert figures == (None, None, None, None)
    assert result.tokenizer is None
    savings = run.savings
    assert (savings.converted, savings.compared) == (1, 0)
    assert savings.sent_tokens is savings.saved_tokens is None


# -- runs ------------------------------------------------------------------------------------


def test_a_run_adds_up_and_knows_no_saving_without_calls() -> None:
    assert Run().savings == Savings(sent_tokens=0, json_tokens=None, saved_tokens=None)
    run = Run(ContextConfig("toon"))
    for text in (ITEMS[0], FINDINGS[0], "plain", "{}", DEEP):
        run.format_json(text)
    with pytest.raises(EncodeError):
        run.format({"x": object()})

    total = run.savings
    assert (total.converted, total.passed, total.failed) == (2, 2, 2)
    assert (total.compared, total.json_tokens, total.toon_tokens) == (2, 65, 64)
    assert total.saved_tokens == 1


@given(st.lists(values, max_size=6), st.sampled_from([None, "smaller"]))
def test_the_totals_of_a_run_are_the_sums_of_its_calls(items: list[Any], fallback: Any) -> None:
    run = Run(ContextConfig("toon", fallback=fallback))
    results = [run.format(value) for value in items]
    known = [result for result in results if result.saved_tokens is not None]

    savings = run.savings
    assert savings.converted == sum(result.converted for result in results)
    assert savings.sent_tokens == sum(result.sent_tokens or 0 for result in results)
    assert savings.compared == len(known)
    for name in ("json_tokens", "pretty_tokens", "toon_tokens", "saved_tokens"):
        total = sum(getattr(result, name) for result in known) if known else None
        assert getattr(savings, name) == total
