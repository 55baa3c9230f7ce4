"""What a run says, and that it never says more than its interval."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.words import COMPACT
from toon.reading.logs import Record
from toon.reading.results import summarise
from toon.reading.statistics import Share
from toon.reading.verdicts import points_words, run_verdict


def answers(format: str, right: str, read: int | None = None, written: int = 5) -> list[Record]:
    """Records of a format: ``1`` is right, ``0`` wrong, ``-`` without an answer."""
    records = []
    for number, mark in enumerate(right):
        about = str(number), format, "sum" if number % 2 else "field", f"Q{number}", "4"
        answer = {"-": (None, None, "No answer."), "1": ("4", True, ""), "0": ("5", False, "")}
        records.append(Record(*about, *answer[mark], read, written))
    return records


def test_a_run_without_a_difference_says_what_it_could_have_seen() -> None:
    results = summarise(answers("json-compact", "1" * 59 + "0") + answers("toon", "1" * 60))

    assert run_verdict(results) == (
        f"TOON: no difference from {COMPACT} was seen (+1.7 points, 95 % interval −4.5 to +8.9); "
        "a run of 60 questions could have seen one of at least 13 points."
    )
    assert [one.format for one in results.formats] == ["json-compact", "toon"]
    base, toon = results.formats
    assert (base.share, base.paired) == (Share(59, 60), None)
    assert toon.paired == (59, 1, 0, 0)


#: Right answers by format, and the verdict on them; … stands for any words.
VERDICTS = {
    "fewer": ({"json-compact": "1" * 60, "toon": "1" * 52 + "0" * 8},
              f"TOON had fewer right answers than {COMPACT}: −13.3 points "
              "(95 % interval −24.2 to −4.5, p 0.008, 60 questions)."),
    "more": ({"toon": "1" * 60, "json-compact": "1" * 52 + "0" * 8},
             f"TOON had more right answers than {COMPACT}: +13.3 points…"),
    "differing often": (
        {"json-compact": "1" * 37 + "0" * 23, "toon": "1" * 30 + "0" * 15 + "1" * 15},
        f"TOON: no difference from {COMPACT} was seen (+13.3 points, 95 % interval −2.1 to "
        "+27.9); a run of 60 questions could have seen one of at least 24 points."),
    "too few": ({"json-compact": "101", "toon": "111"}, "…; 3 questions cannot show any."),
    "several": ({"json-compact": "1" * 60, "toon": "0" * 60, "yaml": "1" * 60},
                "… With 2 comparisons, chance shows a difference more often than with one."),
    "no other": ({"json-compact": "11"}, f"There are answers in {COMPACT} alone: "
                 "add the log of another format, asked the same."),
    "no JSON": ({"toon": "11", "yaml": "1"}, "There are answers in TOON and YAML alone: "
                f"add the log of {COMPACT}, asked the same."),
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_says_what_was_seen_and_what_could_not_be(name: str) -> None:
    given, words = VERDICTS[name]
    verdict = run_verdict(summarise([one for pair in given.items() for one in answers(*pair)]))

    assert re.fullmatch(re.escape(words).replace("…", ".*"), verdict), verdict


def test_questions_without_an_answer_in_both_are_not_compared() -> None:
    results = summarise(answers("json-compact", "11-0") + answers("toon", "1-11"))

    base, toon = results.formats
    assert base.share == Share(2, 3)
    assert toon.paired == (1, 1, 0, 0)
    assert [one.format for one in results.unanswered] == ["json-compact", "toon"]
    assert [(one.format, one.text) for one in results.wrong] == [("json-compact", "Q3")]


def test_a_run_without_answers_and_one_without_records_claim_nothing() -> None:
    none = summarise(answers("json-compact", "--") + answers("toon", "--"))

    assert run_verdict(none) == f"TOON: no question has an answer in it and in {COMPACT} too."
    assert none.formats[1].share == Share(0, 0)
    assert none.formats[1].tokens_per_right is None


def test_tokens_are_those_of_the_log_if_it_counts_every_answer() -> None:
    (base,) = summarise(answers("json-compact", "1110-", 110)).formats

    assert (base.input_tokens, base.output_tokens, base.unanswered) == (440, 20, 1)
    assert base.tokens_per_right == 460 / 3
    some = answers("json-compact", "1", 110) + answers("json-compact", "1")
    assert summarise(some).formats[0].tokens_per_right is None


def test_right_answers_are_counted_by_kind() -> None:
    results = summarise(answers("json-compact", "1101") + answers("toon", "1-11"))

    assert results.kinds == {
        "field": {"json-compact": Share(1, 2), "toon": Share(2, 2)},
        "sum": {"json-compact": Share(2, 2), "toon": Share(1, 1)},
    }


@given(marks=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80))
def test_a_verdict_claims_a_difference_only_where_the_interval_has_its_sign(
    marks: list[tuple[bool, bool]],
) -> None:
    base, other = ("".join("01"[pair[side]] for pair in marks) for side in (0, 1))
    results = summarise(answers("json-compact", base) + answers("toon", other))

    paired = results.formats[1].paired
    assert paired is not None
    low, high = paired.interval
    verdict = run_verdict(results)
    assert ("had more" in verdict) <= (low > 0)
    assert ("had fewer" in verdict) <= (high < 0)
    is_test = paired.both + paired.gained + paired.lost > 0
    assert ("no difference" in verdict) == (is_test and paired.p_value >= 0.05)
    assert ("no answer was right" in verdict) == (not is_test)
    smallest = paired.smallest_effect
    assert paired.is_seen or smallest == 1 or abs(paired.difference) < smallest
    assert (points_words(paired.interval) in verdict) == is_test
