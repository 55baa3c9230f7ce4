"""Which format to send: the cheapest that may be recommended, and when a change is worth it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toon.costs.worth import break_even, find_cheapest, is_worth, rank_formats


@pytest.mark.parametrize(
    ("costs", "refused", "today", "chosen"),
    [
        ({"json-compact": 90, "toon": 70, "yaml": 80}, (), "json-compact", "toon"),
        ({"json-compact": 90, "toon": 70, "yaml": 80}, ("toon",), "json-compact", "yaml"),
        ({"json-compact": 90, "toon": 70}, ("toon",), "json-compact", "json-compact"),
        ({"json-compact": 90, "toon": 90}, (), "json-compact", "json-compact"),
        ({"json-compact": 90, "toon": 90}, (), "toon", "toon"),
        ({"json-compact": 90, "csv": 10, "vibemcp-lossless": 9}, (), "json-compact",
         "json-compact"),
        ({"json-compact": 90, "json-pretty": 150}, (), "json-pretty", "json-compact"),
        # Of equals the first in the table of formats wins, in whatever order they are given.
        ({"json-compact": 90, "toon-tab": 70, "toon": 70}, (), "json-compact", "toon"),
        # Under 1 % or under 10 tokens is no difference.
        ({"json-compact": 901, "toon": 893, "yaml": 895}, (), "json-compact", "json-compact"),
        ({"json-compact": 901, "toon": 891}, (), "json-compact", "toon"),
        ({"json-compact": 5, "yaml": 4}, (), "json-compact", "json-compact"),
        ({"json-compact": 2000, "toon": 1985}, (), "json-compact", "json-compact"),
    ],
)  # fmt: skip
def test_the_cheapest_that_is_proven_and_may_be_recommended(
    costs: dict[str, int], refused: tuple[str, ...], today: str, chosen: str
) -> None:
    assert find_cheapest(costs, lambda name: name not in refused, today) == chosen


@pytest.mark.parametrize(
    ("cost", "today", "worth"),
    [(90, 100, True), (91, 100, False), (991, 1000, False), (990, 1000, True),
     (9900, 10_000, True), (9901, 10_000, False), (100, 100, False), (101, 100, False),
     (0, 0, False)],
)  # fmt: skip
def test_what_is_a_difference(cost: float, today: float, worth: bool) -> None:
    assert is_worth(cost, today) is worth


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(-5, 400))
@example(90, 100, 0)  # just worth it, and nothing to explain
@example(90, 100, 1)  # just worth it, and nothing is left for an explanation
@example(80, 100, 10)  # one payload bears all of it
@example(1039, 1050, 1)  # half a token is left
@example(89, 100, 5)  # one token is left
@example(7212, 7285, 21)  # the quotient is a little above 140
@example(3012, 3045, 51)  # 20 payloads would do, but for a rounding error of the rule
def test_the_break_even_is_the_first_number_of_payloads_that_is_worth_it(
    tokens: int, compact: int, explanation: int
) -> None:
    number = break_even(tokens, compact, explanation)

    if number is None:
        assert not is_worth(tokens + max(0, explanation) / 10**6, compact)
    else:
        assert is_worth(tokens + explanation / number, compact)
        assert number == 1 or not is_worth(tokens + explanation / (number - 1), compact)


def test_of_formats_worth_it_from_as_many_payloads_on_the_one_that_saves_most_is_first() -> None:
    texts = {"toon": (900.0, 80.0), "toon-tab": (850.0, 80.0), "csv": (850.0, 400.0)}

    assert rank_formats(texts, 1_000) == [(1, "toon-tab"), (1, "toon"), (3, "csv")]
    assert rank_formats({"yaml": (995.0, 0.0)}, 1_000) == []
