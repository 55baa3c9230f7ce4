"""What a run says, and that it never says more than its interval."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.scripted import plan_of
from tests.words import COMPACT
from toon.reading.results import plan_longer, summarise
from toon.reading.run import Record
from toon.reading.statistics import Share
from toon.reading.verdicts import points_words, run_verdict


def answers(format: str, right: str, **more: object) -> list[Record]:
    """Records of a format: ``1`` is right, ``0`` wrong, ``-`` without an answer."""
    return [
        Record(
            number,
            *("sum" if number % 2 else "field", "all", "integer", f"Q{number}", "4"),
            format,
            said=None if mark == "-" else "4" if mark == "1" else "5",
            is_right=None if mark == "-" else mark == "1",
            our_tokens=100,
            sent=1,
            error="No answer." if mark == "-" else "",
            **{"prompt_tokens": None, **more},  # type: ignore[arg-type]
        )
        for number, mark in enumerate(right)
    ]


def test_a_run_without_a_difference_says_what_it_could_have_seen() -> None:
    results = summarise(answers("json-compact", "1" * 59 + "0") + answers("toon", "1" * 60))

    assert run_verdict(results) == (
        f"TOON: no difference from {COMPACT} was seen (+1.7 points, 95 % interval −4.5 to +8.9); "
        "a run of 60 questions could have seen one of at least 13 points."
    )
    assert [one.format for one in results.formats] == ["json-compact", "toon"]
    base, toon = results.formats
    assert (base.share, base.paired) == (Share(59, 60), None)
    assert toon.paired is not None
    assert tuple(toon.paired) == (59, 1, 0, 0)
    assert not toon.paired.is_seen


def test_a_difference_that_was_seen_names_its_side_interval_and_chance() -> None:
    worse = summarise(answers("json-compact", "1" * 60) + answers("toon", "1" * 52 + "0" * 8))
    better = summarise(answers("toon", "1" * 60) + answers("json-compact", "1" * 52 + "0" * 8))

    assert run_verdict(worse) == (
        f"TOON had fewer right answers than {COMPACT}: −13.3 points "
        "(95 % interval −24.2 to −4.5, p 0.008, 60 questions)."
    )
    assert run_verdict(better).startswith(
        f"TOON had more right answers than {COMPACT}: +13.3 points"
    )


def test_formats_that_differ_often_hide_more_than_few_questions_alone() -> None:
    base, other = "1" * 37 + "0" * 23, "1" * 30 + "0" * 15 + "1" * 15
    results = summarise(answers("json-compact", base) + answers("toon", other))

    assert run_verdict(results) == (
        f"TOON: no difference from {COMPACT} was seen (+13.3 points, 95 % interval −2.1 to "
        "+27.9); a run of 60 questions could have seen one of at least 24 points."
    )


def test_few_questions_can_show_nothing_and_say_so() -> None:
    results = summarise(answers("json-compact", "101") + answers("toon", "111"))

    assert run_verdict(results).endswith("; 3 questions cannot show any.")


def test_several_comparisons_say_that_chance_has_more_tries() -> None:
    seen = summarise(
        answers("json-compact", "1" * 60) + answers("toon", "0" * 60) + answers("yaml", "1" * 60)
    )

    assert run_verdict(seen).endswith(
        " With 2 comparisons, chance shows a difference more often than with one."
    )


def test_questions_without_an_answer_in_both_are_not_compared() -> None:
    results = summarise(answers("json-compact", "11-0") + answers("toon", "1-11"))

    base, toon = results.formats
    assert base.share == Share(2, 3)
    assert toon.paired is not None
    assert tuple(toon.paired) == (1, 1, 0, 0)
    assert [one.format for one in results.unanswered] == ["json-compact", "toon"]
    assert [(one.format, one.text) for one in results.wrong] == [("json-compact", "Q3")]


def test_a_run_without_answers_and_one_without_records_claim_nothing() -> None:
    none = summarise(answers("json-compact", "--") + answers("toon", "--"))

    assert run_verdict(none) == f"TOON: no question has an answer in it and in {COMPACT} too."
    assert none.formats[1].share == Share(0, 0)
    assert none.formats[1].tokens_per_right is None
    assert run_verdict(summarise([])) == "Nothing was compared yet."
    assert run_verdict(summarise(answers("json-compact", "11"))) == "Nothing was compared yet."


def test_billed_tokens_stand_beside_ours_with_sign_and_difference() -> None:
    records = answers("json-compact", "1110", prompt_tokens=110, completion_tokens=5)
    (base,) = summarise(records).formats

    assert (base.billed_tokens, base.our_tokens, base.completion_tokens) == (440, 400, 20)
    assert base.billed_difference == pytest.approx(0.1)
    assert base.tokens_per_right == 460 / 3


def test_an_endpoint_that_counts_nothing_leaves_our_count() -> None:
    (base,) = summarise(answers("json-compact", "11")).formats

    assert (base.billed_tokens, base.billed_difference, base.our_tokens) == (None, None, 200)
    assert base.tokens_per_right == 100


def test_answers_without_a_count_take_ours() -> None:
    records = answers("json-compact", "1", prompt_tokens=110) + answers("json-compact", "1")
    (base,) = summarise(records).formats

    assert base.tokens_per_right == (110 + 100) / 2


def test_seconds_are_medians_with_the_servers_parts_where_it_says() -> None:
    records = [
        record
        for seconds in (1.0, 9.0, 2.0)
        for record in answers("json-compact", "1", seconds=seconds, prompt_seconds=seconds / 2)
    ]
    (base,) = summarise(records).formats

    assert (base.seconds, base.prompt_seconds, base.generation_seconds) == (2.0, 1.0, None)


def test_right_answers_are_counted_by_kind() -> None:
    results = summarise(answers("json-compact", "1101") + answers("toon", "1-11"))

    assert results.kinds == {
        "field": {"json-compact": Share(1, 2), "toon": Share(2, 2)},
        "sum": {"json-compact": Share(2, 2), "toon": Share(1, 1)},
    }


def test_a_longer_run_is_planned_from_how_often_formats_differed_and_what_they_took() -> None:
    used = {"prompt_tokens": 1000, "completion_tokens": 10}
    results = summarise(
        answers("json-compact", "1" * 54 + "000111", **used)
        + answers("toon", "1" * 54 + "111000", **used)
    )
    (longer,) = plan_longer(results, plan_of(2).price_of)

    assert longer.format == "toon"
    assert longer.questions == 351
    assert longer.requests == 2 * longer.questions
    assert longer.tokens == longer.requests * 1010
    assert longer.dollars == longer.requests * Decimal("0.00135")
    assert plan_longer(results, lambda *_: None)[0].dollars is None


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
    smallest = paired.smallest_seen
    assert paired.is_seen or smallest == 1 or abs(paired.difference) < smallest
    assert (points_words(paired.interval) in verdict) == is_test
