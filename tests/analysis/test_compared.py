"""Before and after: what a tool took a call then and takes now, realised against promised."""

import json
from pathlib import Path

import pytest

from tests.analysis.test_carried import Claude
from tests.analysis.test_tools import TABLE, TEXT, analysis_of, run_of
from tests.traffic.reading import lines
from toon.analysis import Filter
from toon.analysis.tools import compare_runs, rank_tools
from toon.tokenizers import get

MINIFIED = json.dumps(json.loads(TABLE), separators=(",", ":"))


def asking(*answers: str) -> str:
    """A session in which each call has one answer of ``list`` more; only the first is told."""
    session = Claude()
    for number, text in enumerate(answers):
        session.call(f"m{number}", 10_000 * number, 10_000, "mcp__shop__list")
        session.answer(f"m{number}", text=text)
    session.call("end", 10_000 * len(answers), 10_000)
    return lines(*session.records)


def test_realised_and_promised_are_of_the_calls_of_now(tmp_path: Path) -> None:
    """Two calls took the table as it was, three take it minified, and one of these is read twice,
    one once: on average a token now costs 6.25 + (2 + 1 + 0) / 3 x 0.50 = 6.75 a million.
    """
    count = get("o200k_base").count
    was, now = count(TABLE), count(MINIFIED)
    before = analysis_of(run_of(asking(TABLE, TABLE), tmp_path / "before.parquet"))
    after = analysis_of(run_of(asking(*[MINIFIED] * 3), tmp_path / "after.parquet"))
    [tool] = compare_runs(before, after)
    [then] = rank_tools(before)

    assert (tool.before.calls, tool.now.calls) == (2, 3)
    assert tool.realised == 3 * (was - now) > 0
    assert tool.promised == pytest.approx(then.saves_tokens / 2 * 3)
    assert float(tool.price(tool.realised) or 0) == pytest.approx(3 * (was - now) * 6.75e-6)


def test_a_tool_is_the_same_where_only_one_run_tells_its_server(tmp_path: Path) -> None:
    earlier = asking(TABLE).replace("mcp__shop__list", "shop_list")
    before = analysis_of(run_of(earlier, tmp_path / "before.parquet"))
    after = analysis_of(run_of(asking(MINIFIED), tmp_path / "after.parquet"))

    [tool] = compare_runs(before, after)
    assert (tool.now.server, tool.now.tool) == ("shop", "list")


def test_a_tool_that_takes_more_has_the_sign_of_it(tmp_path: Path) -> None:
    """Of tools that one run alone has nothing is said."""
    before = analysis_of(run_of(asking(MINIFIED), tmp_path / "before.parquet"))
    session = Claude("r")
    for id, name, text in (("m1", "mcp__shop__list", TABLE), ("m2", "Read", TEXT)):
        session.call(id, 0, 10_000, name)
        session.answer(id, text=text)
    after = analysis_of(run_of(lines(*session.records), tmp_path / "after.parquet"))
    [tool] = compare_runs(before, after)

    assert tool.now.tool == "list"
    assert tool.realised < 0


def test_one_run_is_compared_before_and_since_a_day(tmp_path: Path) -> None:
    session = Claude()
    for number, (day, text) in enumerate((("01", TABLE), ("03", MINIFIED))):
        at = {"timestamp": f"2026-03-{day}T12:00:00Z"}
        session.call(f"m{number}", 10_000 * number, 10_000, "mcp__shop__list", **at)
        session.answer(f"m{number}", text=text, **at)
    rows, noon = run_of(lines(*session.records), tmp_path / "r.parquet"), 1_772_452_800.0
    before, since = Filter(until=noon), Filter(since=noon)
    [tool] = compare_runs(analysis_of(rows, filter=before), analysis_of(rows, filter=since))
    count = get("o200k_base").count

    assert (tool.before.tokens, tool.now.tokens) == (count(TABLE), count(MINIFIED))
