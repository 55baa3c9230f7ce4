"""Grading: rules for each type, and the published grades of 5,316 real answers."""

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.reading import FOLDER, missing, read_answers
from tests.targets import graded
from tests.test_growth import steep
from toon.reading.grading import Type, is_right

#: Types of answers, right answers, and what a model may say.
RIGHT = [
    ("integer", "42", ["42", " 42.\n", "42.0", "042", "٤٢"]),
    ("integer", "1234", ["1,234", "1\u202f234"]), ("integer", "1000", ["1e3"]),
    ("integer", "7", ["+7"]), ("integer", "-7", ["−7", "–7"]),
    ("integer", "5", ["$5", "5 €", "5%"]), ("integer", "-5", ["-$5"]),
    ("integer", "12", [
        "12 records", "**12**", "`12`", "```\n12\n```", "```json\n12\n```", "```12```",
        "Answer: 12", "The answer is **12**.", "<think>10 or 11? 12.</think>\n12",
        "three\n</think>12",
    ]),
    ("number", "9.41", ["9.41", "9.410"]), ("number", "0.3", ["0.30000000000000004"]),
    ("number", "1234.5", ["1,234.50"]), ("boolean", "true", ["true", "True.", "yes"]),
    ("boolean", "false", ['"No"', "0"]), ("date", "2026-01-02", ["2026-01-02", '"2026-01-02"']),
    ("date", "2026-01-02T10:00:00Z", ["2026-01-02T10:00:00+00:00", "2026-01-02 11:00:00+01:00"]),
    ("string", "Marketing", ["marketing", "'Marketing'", "Answer: Marketing"]),
    ("string", "J. R.", ["J.  R."]), ("string", "Zoë", ["Zoe\u0308"]), ("string", "007", ["007"]),
    ("list", "a,b,c", ["a, b,c"]), ("list", "a,b", ['["a", "b"]', "a\nb\n"]),
    ("set", "a,b", ["b, a"]),
]  # fmt: skip
WRONG = [
    ("integer", "42", [
        "", "41", "42.5", "about 42", "42 or 43", "There are 42 of 50.", "40 + 2 = 42",
        "<think>It is 42", "<think>42</think>", "42" + " " * 20_000 + "x",
    ]),
    ("integer", "102543", ["102543.19"]), ("integer", "1234", ["1.234"]),
    ("integer", "123", ["1,23"]), ("integer", "12345", ["12,34,5"]),
    ("integer", "5", ["5k", "5 million"]), ("integer", "7", ["-7"]),
    ("integer", "3", ["Let me count: 1, 2, 3. So 3.", "1\n2\n3"]), ("integer", "1213", ["12 13"]),
    ("integer", "9", ["9" * 100_000]), ("integer", "1", ["1e999"]), ("integer", "0", ["1e-999"]),
    ("number", "0", ["NaN", "Infinity"]),
    ("number", "9.41", ["9.4", "9.414", "9,41", "1" * 40 + ".5"]),
    ("boolean", "true", ["true, false", "not true"]), ("boolean", "false", [""]),
    ("date", "2026-01-02", ["2026-01-03", "2026-01-02T00:00:00"]),
    ("date", "2026-01-02T00:00:00", ["2026-01-02"]),
    ("date", "2026-01-02T10:00:00Z", ["2026-01-02T10:00:00", "0001-01-01T00:00:00+14:00"]),
    ("string", "007", ["7"]),
    ("string", "Marketing", ["Marketing and Sales", "It is Marketing.", "Marketing" * 10_000, ""]),
    ("list", "a,b", ["b,a", "a"]), ("set", "a,b", ["a,b,c", "a,b,b", ""]),
]  # fmt: skip


@pytest.mark.parametrize(("type", "truth", "answers"), RIGHT)
def test_what_says_the_same_is_right(type: Type, truth: str, answers: list[str]) -> None:
    assert [answer for answer in answers if not is_right(answer, truth, type)] == []


@pytest.mark.parametrize(("type", "truth", "answers"), WRONG)
def test_what_says_something_else_is_wrong(type: Type, truth: str, answers: list[str]) -> None:
    assert [answer for answer in answers if is_right(answer, truth, type)] == []


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
