"""The tools of a run in one table: calls, tokens, money, what to send, and what is never called."""

import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.test_carried import Claude
from tests.traffic.reading import lines
from toon.analysis import Analysis, Comparison, Filter, Rows, analyse, load
from toon.analysis.tools import find_bill, find_reach, rank_tools, split_names
from toon.costs.models import MODELS
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.tokenizers import get
from toon.traffic import read
from toon.traffic.account import Account

TABLE = json.dumps([{"id": n, "name": "Ada", "city": "Bern"} for n in range(40)], indent=2)
TEXT = "def late(order):\n    return order.total / 20\n" * 3


def run_of(data: str, path: Path, tokenizer: str = "o200k_base") -> Rows:
    account = Account()
    records = read(io.BytesIO(data.encode()), "log.jsonl", account=account)
    measure(records, path, workers=1, tokenizers=[tokenizer], account=account)
    return load(open_run(path))


def analysis_of(rows: Rows, **more: Any) -> Analysis:
    return analyse(rows, Comparison(rows.tokenizers[0], "as-typed", "toon", **more))


def session() -> Claude:
    """Of four calls the second has the table in it, the third and fourth both results."""
    session = Claude()
    session.call("m1", 0, 10_000, "mcp__shop__list_orders")
    session.answer("m1", text=TABLE)
    session.call("m2", 10_000, 2_000, "Read")
    session.answer("m2", text=TEXT)
    session.call("m3", 12_000, 1_000)
    session.call("m4", 13_000, 1_000)
    return session


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return run_of(lines(*session().records), tmp_path_factory.mktemp("tools") / "r.parquet")


def test_tools_are_ranked_by_what_they_cost(rows: Rows) -> None:
    """The table is written at 6.25 and read twice at 0.50, the text is written and read once. Of
    the bill: 14,000 tokens written, 35,000 read, and 36 of output at 25, per million.
    """
    count = get("o200k_base").count
    table, text = count(TABLE), count(TEXT)
    analysis = analysis_of(rows)
    first, second = rank_tools(analysis)
    [advice] = analysis.policy.advice
    bill = (14_000 * 6.25 + 35_000 * 0.5 + 36 * 25) / 1e6

    assert (first.tool, first.server) == ("list_orders", "shop")
    assert first.group == "mcp__shop__list_orders"
    assert (first.calls, first.tokens, second.tokens) == (1, table, text)
    assert float(first.first or 0) == pytest.approx(table * 6.25e-6)
    assert float(first.carried or 0) == pytest.approx(table * 1e-6)
    assert float(find_bill(analysis) or 0) == pytest.approx(bill)
    assert first.share == pytest.approx(table * 7.25e-6 / bill)
    assert find_reach(analysis) == first.share
    assert first.send_as == advice.format
    assert first.saves_tokens == round(table - advice.cost) > 0
    assert float(first.saves_money or 0) == pytest.approx((table - advice.cost) * 7.25e-6)
    assert (second.tool, second.server, second.send_as) == ("Read", None, None)
    assert float(second.money or 0) == pytest.approx(text * 6.75e-6)
    assert (second.saves_tokens, second.saves_money) == (0, Decimal(0))


def test_a_filter_leaves_its_tools(rows: Rows) -> None:
    analysis = analysis_of(rows, filter=Filter(groups=("Read",)))

    assert [tool.tool for tool in rank_tools(analysis)] == ["Read"]


def test_requests_are_paid_at_the_mix_of_their_model(tmp_path: Path) -> None:
    """A log of requests tells no session: half of GPT-4o's input is cached, at 1.25 for 2.50."""
    details = {"cached_tokens": 500}
    usage = {"prompt_tokens": 1_000, "prompt_tokens_details": details, "completion_tokens": 0}
    calls = [{"id": "1", "function": {"name": "get", "arguments": "{}"}}]
    request = {
        "model": "gpt-4o",
        "messages": [
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "1", "content": TABLE},
        ],
        "response": {"usage": usage},
    }
    analysis = analysis_of(run_of(lines(request), tmp_path / "r.parquet"))
    [tool] = rank_tools(analysis)

    assert float(tool.first or 0) == pytest.approx(tool.tokens * 1.875e-6)
    assert (tool.carried, tool.money) == (None, tool.first)
    assert tool.share == pytest.approx(tool.tokens / 1_000)


def test_without_a_bill_the_chosen_model_has_the_price(sample: Rows) -> None:
    """The sample's run tells no calls; a million tokens of input of GPT-5 are $1.25."""
    tools = rank_tools(analysis_of(sample, model=MODELS["gpt-5"]))
    [first, *_] = tools

    assert float(first.first or 0) == pytest.approx(first.tokens * 1.25e-6)
    assert {tool.carried for tool in tools} == {tool.share for tool in tools} == {None}
    assert find_reach(analysis_of(sample)) is None
    assert {tool.money for tool in rank_tools(analysis_of(sample))} == {None}


def test_the_server_is_in_the_name() -> None:
    """Of a name without a mark it is one that another name tells; case tells no tools apart."""
    assert split_names(
        ["mcp__github__list", "mcp__my_server__get__all", "mcp_pg_query", "pg-query", "pg_query",
         "my_server__get", "pgrep", "github", "Bash", "bash", "pg_Query"]
    ) == {
        "mcp__github__list": ("github", "list"),
        "mcp__my_server__get__all": ("my_server", "get__all"),
        "mcp_pg_query": ("pg", "query"),
        "pg-query": ("pg", "query"),
        "pg_query": ("pg", "query"),
        "my_server__get": ("my_server", "get"),
        "pgrep": (None, "pgrep"),
        "github": (None, "github"),
        "Bash": (None, "Bash"),
        "bash": (None, "Bash"),
        "pg_Query": ("pg", "query"),
    }  # fmt: skip


def test_a_tool_that_agents_write_in_several_ways_is_one(tmp_path: Path) -> None:
    """Money is of the session that tells its calls."""
    one, other = session(), Claude("r")
    use = {"type": "tool_use", "id": "tm9", "name": "shop_list_orders", "input": {}}
    other.add("assistant", [use])
    other.answer("m9", text=TABLE)
    rows = run_of(lines(*one.records, *other.records), tmp_path / "r.parquet")
    first, _ = rank_tools(analysis_of(rows))

    assert (first.tool, first.server) == ("list_orders", "shop")
    assert first.groups == ("mcp__shop__list_orders", "shop_list_orders")
    assert (first.calls, first.tokens) == (2, 2 * first.paid)
    assert float(first.money or 0) == pytest.approx(first.paid * 7.25e-6)
