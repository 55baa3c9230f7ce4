"""The fixed bill of definitions, and a log's own bill: sums, shares and prices by hand."""

from decimal import Decimal
from typing import Any

import pytest

from toon.analysis.billed import find_bills, find_conversations
from toon.analysis.fixed import FixedBill, find_fixed_bill
from toon.analysis.money import MONTH
from toon.costs.billed import SIZES
from toon.costs.prices import _snapshot
from toon.traffic.tallies import BEYOND


def tool(name: str, server: str, tokens: int, requests: int, **more: Any) -> dict[str, Any]:
    row = {"tool": name, "server": server, "tokens": tokens, "minified": tokens // 2}
    return {**row, "requests": requests, "listed": 0, "called": False, **more}


def facts(*tools: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "tokenizer": "o200k_base",
        "requests": 10,
        "timed": 10,
        "first": 0.0,
        "last": MONTH / 2,
        "left_out": 0,
        "tools": list(tools),
        **more,
    }


@pytest.fixture
def bill() -> FixedBill:
    """1,000 + 400 + 600 tokens sent, 300 and 100 of the two ways to define ``b``."""
    result = find_fixed_bill(
        facts(
            tool("mcp__git__a", "git", 100, 10), tool("b", "", 50, 6, called=True),
            tool("b", "", 25, 4, called=True), tool("mcp__git__c", "git", 60, 10, called=True),
        )
    )  # fmt: skip
    assert result is not None
    return result


def test_tools_have_the_sums_of_their_sendings(bill: FixedBill) -> None:
    assert [(t.tool, t.tokens, t.requests, t.sent) for t in bill.tools] == [
        ("mcp__git__a", 100, 10, 1_000),
        ("mcp__git__c", 60, 10, 600),
        ("b", 50, 10, 400),
    ]
    assert (bill.sent, bill.mean) == (2_000, 200)


def test_of_several_ways_that_counts_which_was_sent_most() -> None:
    ways = [(156, 3), (37, 3), (31, 5)]
    result = find_fixed_bill(facts(*(tool("a", "", tokens, times) for tokens, times in ways)))

    assert result is not None
    assert [(row.tokens, row.requests) for row in result.tools] == [(31, 11)]


def test_what_leaving_out_and_minifying_save(bill: FixedBill) -> None:
    # Minified 500 + 300 + (25 x 6 + 12 x 4 = 198) are left of all, 498 of those that were called.
    assert bill.saved == {"unused": 1_000, "minified": 1_002, "both": 1_502}
    # Ten requests have nine intervals in half a month.
    assert bill.monthly == 18


def test_requests_at_one_time_have_one_moment() -> None:
    bill = find_fixed_bill(facts(tool("a", "", 40, 10), moments=2))

    assert bill is not None
    assert bill.monthly == 10


def test_without_requests_there_is_only_what_servers_list() -> None:
    listed = [tool("a", "git", 40, 0, listed=3), tool("b", "git", 60, 0, listed=3)]
    bill = find_fixed_bill(facts(*listed, requests=0, timed=0, first=None, last=None))

    assert bill is not None
    assert (bill.mean, bill.monthly) == (0, None)
    assert [row.tool for row in bill.tools] == ["b", "a"]


@pytest.mark.parametrize(
    "damaged",
    [
        None, [], {}, {"tools": "x"}, {"tools": []}, {"tools": [None, 1, {}, {"tool": 1}]},
        facts(tool("a", "s", -1, 1)),
        facts({**tool("a", "s", 1, 1), "server": None}),
    ],
)  # fmt: skip
def test_facts_of_others_that_are_damaged_are_left_out(damaged: object) -> None:
    assert find_fixed_bill(damaged) is None


def test_old_runs_name_no_conversations_and_later_ones_count_them() -> None:
    one = tool("a", "git", 40, 10)
    bills = [find_fixed_bill(facts(one, **more)) for more in ({}, {"conversations": 4})]

    assert [bill and bill.conversations for bill in bills] == [0, 4]


def usage(model: str, calls: int = 1, **more: Any) -> dict[str, Any]:
    tokens = {"input": 0, "cached": 0, "written": 0, "hour": 0, "output": 0} | more.pop("tokens")
    row = {"model": model, "period": "", "size": 0, "named": False, "cost": 0.0}
    return {**row, "calls": calls, "tokens": tokens, "last": 1_793_500_000.0, **more}


def test_a_bill_is_the_sum_of_its_rows_and_beside_it_stands_the_logs_own_cost() -> None:
    """1.25 for 10^6 tokens of GPT-5's input, 0.125 of cached ones, 10 of output."""
    rows = [
        usage("gpt-5-2025-08-07", 2, tokens={"input": 1_000, "cached": 400, "output": 100}),
        usage("gpt-5-2025-08-07", 3, tokens={"input": 3_000, "output": 50}, named=True,
              cost=0.0042),
        usage("unheard-of", tokens={"input": 7}),
    ]  # fmt: skip
    gpt, other = find_bills(rows)

    assert (gpt.key, gpt.calls, gpt.tokens) == ("openai/gpt-5", 5, (4_000, 400, 0, 0, 150))
    # 600 x 1.25 + 400 x 0.125 + 100 x 10; and 3,000 x 1.25 + 50 x 10
    assert gpt.dollars is not None
    assert gpt.compared is not None
    assert round(gpt.dollars, 12) == Decimal("0.001800") + Decimal("0.004250")
    assert round(gpt.compared, 12) == Decimal("0.004250")
    assert (gpt.named, gpt.named_calls) == (Decimal("0.0042"), 3)
    assert gpt.vs_named == pytest.approx(0.0119047619)
    assert (other.key, other.dollars, other.vs_named) == (None, None, None)


def share(number: object, model: str, calls: int = 1, **tokens: int) -> dict[str, Any]:
    return {"conversation": number, **usage(model, calls, tokens=tokens)}


@pytest.mark.parametrize(
    "damaged",
    [
        {"calls": 0, "tokens": {"input": 1}}, {"tokens": {"input": -1}},
        {"tokens": {"input": "x"}}, {"tokens": {"input": 1}, "last": 1e300},
    ],
)  # fmt: skip
def test_usages_of_others_that_are_damaged_are_left_out(damaged: Any) -> None:
    for facts in (None, {}, [None, 1, {}, {"conversation": 1, **usage("a", **damaged)}]):
        assert find_bills(facts) == []
        assert find_conversations(facts) == ([], False)


@pytest.mark.parametrize("number", [0, "1", True, BEYOND])
def test_a_number_of_no_conversation_is_left_out(number: object) -> None:
    assert find_conversations([share(number, "a", input=1)])[0] == []


def test_conversations_have_the_sums_of_their_calls_without_those_beyond_what_is_kept() -> None:
    """1.25 for 10^6 tokens of GPT-5's input, 2.50 of GPT-4o's."""
    rows = [
        share(1, "gpt-5", 3, input=4_000), share(1, "gpt-4o", input=1_000),
        share(2, "unheard-of", 4, input=10_000), share(BEYOND, "gpt-5", 9, input=900),
    ]  # fmt: skip
    parts, more = find_conversations(rows)

    assert more
    assert [(part.calls, part.tokens.input, part.dollars) for part in parts] == [
        (4, 5_000, pytest.approx(Decimal("0.0075"))),
        (4, 10_000, None),
    ]


def test_every_size_from_which_a_model_has_another_price_is_told_apart() -> None:
    """Calls of one row are priced as their mean, so none may stand beyond a tier of its own."""

    def starts(prices: Any) -> set[int]:
        return {
            tier.start for price in vars(prices).values() for tier in getattr(price, "tiers", ())
        }

    sizes: set[int] = set()
    for provider in _snapshot().providers:
        for model in provider.models:
            prices = model.prices if isinstance(model.prices, list) else [model.prices]
            for model in prices:
                sizes |= starts(getattr(model, "prices", model))

    assert sizes
    assert sizes <= set(SIZES)
