"""Grading: rules for each type, and the published grades of 5,316 real answers."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.answers import FOLDER
from tests.benchmarks.reading import missing, read_answers
from tests.targets import graded
from tests.test_growth import steep
from toon.reading.grading import Type, is_right

RIGHT = [
    ("42", "42", "integer"),
    (" 42.\n", "42", "integer"),
    ("42.0", "42", "integer"),
    ("042", "42", "integer"),
    ("1,234", "1234", "integer"),
    ("1\u202f234", "1234", "integer"),
    ("1e3", "1000", "integer"),
    ("+7", "7", "integer"),
    ("−7", "-7", "integer"),
    ("–7", "-7", "integer"),
    ("$5", "5", "integer"),
    ("-$5", "-5", "integer"),
    ("5 €", "5", "integer"),
    ("5%", "5", "integer"),
    ("12 records", "12", "integer"),
    ("**12**", "12", "integer"),
    ("`12`", "12", "integer"),
    ("```\n12\n```", "12", "integer"),
    ("```json\n12\n```", "12", "integer"),
    ("```12```", "12", "integer"),
    ("Answer: 12", "12", "integer"),
    ("The answer is **12**.", "12", "integer"),
    ("<think>10 or 11? 12.</think>\n12", "12", "integer"),
    ("three\n</think>12", "12", "integer"),
    ("٤٢", "42", "integer"),
    ("9.41", "9.41", "number"),
    ("9.410", "9.41", "number"),
    ("0.30000000000000004", "0.3", "number"),
    ("1,234.50", "1234.5", "number"),
    ("true", "true", "boolean"),
    ("True.", "true", "boolean"),
    ("yes", "true", "boolean"),
    ('"No"', "false", "boolean"),
    ("0", "false", "boolean"),
    ("2026-01-02", "2026-01-02", "date"),
    ('"2026-01-02"', "2026-01-02", "date"),
    ("2026-01-02T10:00:00+00:00", "2026-01-02T10:00:00Z", "date"),
    ("2026-01-02 11:00:00+01:00", "2026-01-02T10:00:00Z", "date"),
    ("marketing", "Marketing", "string"),
    ("'Marketing'", "Marketing", "string"),
    ("Answer: Marketing", "Marketing", "string"),
    ("J.  R.", "J. R.", "string"),
    ("Zoe\u0308", "Zoë", "string"),
    ("007", "007", "string"),
    ("a, b,c", "a,b,c", "list"),
    ('["a", "b"]', "a,b", "list"),
    ("a\nb\n", "a,b", "list"),
    ("b, a", "a,b", "set"),
]
WRONG = [
    ("", "42", "integer"),
    ("41", "42", "integer"),
    ("42.5", "42", "integer"),
    ("102543.19", "102543", "integer"),
    ("1.234", "1234", "integer"),
    ("1,23", "123", "integer"),
    ("12,34,5", "12345", "integer"),
    ("5k", "5", "integer"),
    ("5 million", "5", "integer"),
    ("-7", "7", "integer"),
    ("about 42", "42", "integer"),
    ("42 or 43", "42", "integer"),
    ("There are 42 of 50.", "42", "integer"),
    ("40 + 2 = 42", "42", "integer"),
    ("Let me count: 1, 2, 3. So 3.", "3", "integer"),
    ("1\n2\n3", "3", "integer"),
    ("12 13", "1213", "integer"),
    ("<think>It is 42", "42", "integer"),
    ("<think>42</think>", "42", "integer"),
    ("42" + " " * 20_000 + "x", "42", "integer"),
    ("9" * 100_000, "9", "integer"),
    ("1e999", "1", "integer"),
    ("1e-999", "0", "integer"),
    ("NaN", "0", "number"),
    ("Infinity", "0", "number"),
    ("9.4", "9.41", "number"),
    ("9.414", "9.41", "number"),
    ("9,41", "9.41", "number"),
    ("1" * 40 + ".5", "9.41", "number"),
    ("true, false", "true", "boolean"),
    ("not true", "true", "boolean"),
    ("", "false", "boolean"),
    ("2026-01-03", "2026-01-02", "date"),
    ("2026-01-02", "2026-01-02T00:00:00", "date"),
    ("2026-01-02T00:00:00", "2026-01-02", "date"),
    ("2026-01-02T10:00:00", "2026-01-02T10:00:00Z", "date"),
    ("0001-01-01T00:00:00+14:00", "2026-01-02T10:00:00Z", "date"),
    ("7", "007", "string"),
    ("Marketing and Sales", "Marketing", "string"),
    ("It is Marketing.", "Marketing", "string"),
    ("Marketing" * 10_000, "Marketing", "string"),
    ("", "Marketing", "string"),
    ("b,a", "a,b", "list"),
    ("a", "a,b", "list"),
    ("a,b,c", "a,b", "set"),
    ("a,b,b", "a,b", "set"),
    ("", "a,b", "set"),
]


@pytest.mark.parametrize(("answer", "truth", "type"), RIGHT)
def test_what_says_the_same_is_right(answer: str, truth: str, type: Type) -> None:
    assert is_right(answer, truth, type)


@pytest.mark.parametrize(("answer", "truth", "type"), WRONG)
def test_what_says_something_else_is_wrong(answer: str, truth: str, type: Type) -> None:
    assert not is_right(answer, truth, type)


@given(st.text(), st.sampled_from(["string", "date", "list", "set"]))
def test_the_answer_itself_is_right(text: str, type: Type) -> None:
    truth = text.replace("<", "").strip()

    assert is_right(f" {truth}\n", truth, type)


@given(st.integers(-(10**15), 10**15), st.integers(0, 6))
def test_a_number_in_any_writing_is_right(digits: int, places: int) -> None:
    truth = f"{digits / 10**places:.{places}f}" if abs(digits) < 10**12 else str(digits)
    grouped = f"{abs(float(truth)):,.{places}f}"

    assert is_right(truth, truth, "number")
    assert is_right(("−" if truth.startswith("-") else "") + grouped, truth, "number")
    assert not is_right(f"{truth}1" if "." not in truth else f"1{truth}", truth, "number")


def test_the_work_grows_with_the_answer() -> None:
    units = [
        ("```", " "), ("```", "a "), ("```a", "\n"), ("", "1"), ("1", ",000"), ("1.", "1"),
        ("answer", " is"), ("<think>", "</think>"), ("[", "a,"), ("", '"'), ("-", " "), ("1", " a"),
        ("1e", "1"), ("2026-01-02T", "0"), ("", "\u0301"), ("", "\ufdfa"), ("", "*"),
    ]  # fmt: skip

    assert steep(graded, units, 10_000) == []


@pytest.mark.skipif(bool(missing(FOLDER)), reason="the answers are not beside this checkout")
def test_the_published_grades_are_reached_but_for_rounded_averages() -> None:
    """Questions made here have exact answers, so a number with more decimals is wrong here."""
    answers = read_answers(FOLDER)
    otherwise = [one for one in answers if is_right(one.said, one.truth, one.type) != one.is_right]

    assert len(answers) == 5_316
    assert Counter(one.is_right for one in answers) == {True: 3_720, False: 1_596}
    assert len(otherwise) == 19
    assert {(one.question, one.truth) for one in otherwise} == {
        ("q20", "102543"), ("q84", "0.49"), ("q135", "2534.13"),
    }  # fmt: skip
    for one in otherwise:
        assert one.is_right
        assert round(Decimal(one.said), len(one.truth.partition(".")[2])) == Decimal(one.truth)
