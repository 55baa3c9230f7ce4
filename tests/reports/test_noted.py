"""Definitions of tools and the log's own bill in every report, and nothing where there is none."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from toon.analysis import Comparison, Filter, analyse, load
from toon.costs.models import MODELS
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.reports.billed import billed_cost
from toon.reports.csv import as_csv
from toon.reports.facts import Report, Section, headline
from toon.reports.html import as_html
from toon.reports.markdown import as_markdown
from toon.reports.noted import sections
from toon.traffic import read
from toon.traffic.account import Account
from toon.wording import percent

MADE = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
ROWS = json.dumps([{"id": n, "name": "Ada", "city": "Bern"} for n in range(40)], indent=1)
HOSTILE = "mcp__<b>|x__=1+1"


def define(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


def request(day: int, cost: float) -> dict[str, Any]:
    """A request of GPT-4o: 460 tokens of input at 2.50, 1,040 cached at 1.25, 7 of output at 10.

    Those are US$ per 10^6 tokens, 0.00252 together.
    """
    calls = [{"id": "1", "function": {"name": "get", "arguments": "{}"}}]
    details = {"cached_tokens": 1_040}
    usage = {"prompt_tokens": 1_500, "prompt_tokens_details": details, "completion_tokens": 7}
    return {
        "model": "gpt-4o-2024-08-06",
        "created_at": f"2026-11-0{day}T00:00:00Z",
        "tools": [define(HOSTILE), define("get")],
        "messages": [
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "1", "content": ROWS},
        ],
        "response_cost": cost,
        "response": {"usage": usage},
    }


def make_report(path: Path, *records: Any, model: str = "gpt-4o") -> Report:
    account, data = Account(), "".join(f"{json.dumps(record)}\n" for record in records)
    payloads, chosen = read(io.BytesIO(data.encode()), "log.jsonl", account=account), MODELS[model]
    measure(payloads, path, workers=1, tokenizers=[chosen.tokenizer], account=account)
    choice = Comparison(chosen.tokenizer, "as-typed", "toon", model=chosen)
    return Report("log.jsonl", analyse(load(open_run(path)), choice), MADE)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    path = tmp_path_factory.mktemp("noted") / "run.parquet"
    return make_report(path, *(request(day, 0.00252) for day in (1, 2, 3)))


def test_the_fixed_bill_is_said_in_sentences_and_tables(report: Report) -> None:
    section = sections(report)["fixed"]
    (_, servers), (_, tools) = section.tables
    first, second = (line["Tokens"] for line in tools)
    assert {type(first), type(second)} == {int}
    once = first + second

    assert section.title == "Tool definitions"
    assert section.words[0] == (
        f"2 tools of 1 MCP server: {once} tokens by o200k_base to define each once."
    )
    assert section.words[1].startswith(
        f"Sent in 3 requests: {once} tokens a request on average, {3 * once} tokens in all, "
    )
    assert section.words[1].endswith(" a month at 30 requests, as observed over 2 days.")
    assert section.words[3].startswith(f"Leaving out those never called saves {3 * first} tokens")
    assert "1 of 2 tools was never called in these files." in section.words
    expected = [("<b>|x", 0, HOSTILE), ("own tools", 3, None)]
    assert [(line["Server"], line["Calls"], line["Never called"]) for line in servers] == expected
    assert [line["Called"] for line in tools] == ["never", "yes"]
    assert [line["Requests"] for line in tools] == [3, 3]


def test_the_bill_is_that_of_the_log(report: Report) -> None:
    section = sections(report)["bill"]
    [(_, [line])] = section.tables
    [(_, days)] = sections(report)["spent"].tables

    assert section.words[:2] == [
        "4,500 tokens of input, 69\u202f% of them read from the cache; 21 tokens of output.",
        "That is within 1 % of what the log itself names for the same calls.",
    ]
    assert line == {
        "Model": "gpt-4o-2024-08-06", "Calls": 3, "Input": 4_500, "From cache": 3_120,
        "To cache": 0, "Output": 21, "Price": "$0.007560", "In the log": "$0.007560",
        "vs the log": pytest.approx(0),
    }  # fmt: skip
    assert [(day["Day"], day["Calls"], day["Price"]) for day in days] == [
        (f"2026-11-0{day}", 1, "$0.002520") for day in (1, 2, 3)
    ]


def test_tools_are_ranked_and_what_formats_can_touch_is_said(report: Report) -> None:
    """A token of input is $1.6333 a million on average: 460 at 2.50 and 1,040 at 1.25."""
    section = sections(report)["tools"]
    [(_, [line])] = section.tables
    tokens = int(str(line["Tokens"]))
    share = tokens * (460 * 2.5 + 1_040 * 1.25) / 1_500 / 7_560

    assert section.words[0].startswith(f"Formats can touch {percent(share, 1)} of this bill: ")
    assert (line["Tool"], line["Calls"], line["Carried"]) == ("get", 3, "unknown")
    assert line["Share"] == percent(share, 1)


def test_what_was_spent_stands_above_what_is_projected(report: Report) -> None:
    page, text = as_html(report), as_markdown(report)
    bill = "As billed: $0.007560 for 3 calls"

    assert text.startswith(f"# {bill}\n")
    assert f"<h1>{bill}</h1>" in page
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles[:3] == ["## As billed", "## Tools", f"## {headline(report)}"]
    assert titles[-1] == "## Tool definitions"


def find_words(section: Section) -> str:
    """What a section says of conversations."""
    return " ".join(text for text in section.words if "conversation" in text)


def test_conversations_are_said_where_the_log_names_them(tmp_path: Path) -> None:
    """Two calls of $0.00252 are in the first, one in the second, one in none."""
    calls = [{**request(day, 0.00252), "session_id": id} for day, id in ((1, "a"), (2, "b"))]
    calls += [{**request(3, 0.00252), "session_id": "a"}]
    log = make_report(tmp_path / "all", *calls)
    fixed, bill = (sections(log)[key] for key in ("fixed", "bill"))

    assert find_words(bill) == (
        "2 conversations in the log: each cost $0.003780 for 2,250 tokens of input on average; "
        "the largest cost $0.005040 for 3,000 tokens of input."
    )
    sent = [row["Tokens sent"] for row in fixed.tables[0][1]]
    assert {type(tokens) for tokens in sent} == {int}
    mean = round(sum(sent) / 2)
    assert f", {mean} tokens a conversation in 2 conversations, " in find_words(fixed)

    log = make_report(tmp_path / "some", *calls, request(4, 0.00252))
    fixed, bill = (sections(log)[key] for key in ("fixed", "bill"))
    assert find_words(bill).startswith("2 conversations in the log, with 3 of 4 calls: each cost ")
    assert find_words(fixed) == ""


def test_calls_are_priced_as_of_their_time(tmp_path: Path) -> None:
    """A million tokens of o3 were $10 until 2025-06-09, and $2 from the day after."""
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
    call = {**request(1, 0), "model": "o3", "response": {"usage": usage}}
    days = ("2025-06-01", "2025-06-02", "2025-06-30")
    calls = [{**call, "created_at": f"{day}T00:00:00Z"} for day in days]

    bill = billed_cost(make_report(tmp_path / "r", *calls))

    assert bill is not None
    assert bill[0] == "As billed: $22.00 for 3 calls"


def test_what_has_no_price_is_no_bill_of_nothing_and_a_single_conversation_has_no_average(
    tmp_path: Path,
) -> None:
    calls = [{**request(day, 0.1), "session_id": "a", "model": "unheard-of"} for day in (1, 2)]
    bill = sections(make_report(tmp_path / "r", *calls))["bill"]

    assert bill.words[:2] == [
        "2 calls with usage: 3,000 tokens of input, 69\u202f% of them read from the cache; "
        "14 tokens of output.",
        "Without a price: unheard-of.",
    ]
    assert find_words(bill) == "1 conversation in the log: it took 3,000 tokens of input."


def test_a_loss_in_money_is_a_number_in_the_csv(tmp_path: Path) -> None:
    nested = [{"tool": "a", "payload": {"q": [1, 2, {"x": "y"}], "i": i}} for i in range(3)]
    records = [{**call, "ts": f"2026-09-0{day}"} for day, call in enumerate(nested, 1)]
    report = make_report(tmp_path / "r", *records)
    lines = csv.DictReader(io.StringIO(as_csv(report)))
    saved = {line["format"]: line["saved_a_month"] for line in lines if line["line"] == "way"}

    assert float(saved["All TOON"]) < 0


def test_a_cost_that_differs_and_a_model_without_a_price_are_said(tmp_path: Path) -> None:
    other = {**request(2, 0.5), "model": "unheard-of"}
    words = sections(make_report(tmp_path / "r", request(1, 0.00200), other))["bill"].words

    assert words[1] == "Without a price, and so not in it: unheard-of."
    assert words[2] == (
        "More than 1 % off what the log itself names for the same calls: gpt-4o-2024-08-06 "
        "+26.0\u202f% against $0.002000 in the log."
    )


def test_all_reports_have_them_and_no_markup_gets_in(report: Report) -> None:
    page, text = as_html(report), as_markdown(report)
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    kept = [line for line in lines if line["line"] in ("definition", "bill")]

    assert "<h2>Tool definitions</h2>" in page
    assert "<b>|x" not in page
    assert "## As billed" in text
    assert r"\<b\>\|x" in text
    assert [(line["line"], line["group"], line["format"]) for line in kept] == [
        *(
            ("bill", "gpt-4o-2024-08-06", kind)
            for kind in ("input", "cached", "written", "output", "all")
        ),
        *(("definition", HOSTILE, way) for way in ("as-typed", "json-compact")),
        *(("definition", "get", way) for way in ("as-typed", "json-compact")),
    ]
    assert kept[5]["why_not"] == "never called"
    assert (kept[4]["us_dollars"], kept[4]["us_dollars_in_the_log"]) == ("0.00756", "0.00756")
    [tool] = (line for line in lines if line["line"] == "tool")
    assert (tool["group"], tool["payloads"], tool["us_dollars_carried"]) == ("get", "3", "")
    assert [line["group"] for line in lines if line["line"] == "day"] == [
        f"2026-11-0{day}" for day in (1, 2, 3)
    ]


def test_tables_in_markdown_have_a_line_below_their_head(report: Report) -> None:
    table = as_markdown(report).partition("\n**By server**\n\n| Server |")[2].splitlines()

    assert table[1].startswith("| --- |")
    assert table[2].startswith("| ")


def test_requests_without_a_time_have_no_part_in_the_month_and_it_is_said(tmp_path: Path) -> None:
    untimed = [{**request(1, 0.1), "created_at": None} for _ in range(2)]
    log = make_report(tmp_path / "r", request(1, 0), request(3, 0), *untimed)
    fixed = sections(log)["fixed"]

    assert fixed.words[1].endswith(
        " as observed over 2 days, without 2 requests that name no time."
    )


def test_a_month_of_a_model_without_a_price_of_cached_input_is_priced_all_the_same(
    tmp_path: Path,
) -> None:
    log = make_report(tmp_path / "r", request(1, 0), request(3, 0), model="o3-pro")

    words = sections(log)["fixed"].words
    assert "A month with o3-pro costs 1.9 cents if never cached." in words


def test_a_run_without_either_has_no_section(tmp_path: Path) -> None:
    assert sections(make_report(tmp_path / "r", {"id": 1, "rows": [1, 2]})) == {}


def test_filters_have_no_part_in_them_and_it_is_said(report: Report) -> None:
    rows = report.analysis.rows
    choice = Comparison("o200k_base", "as-typed", "toon", Filter(until=1e10))
    filtered = Report("x", analyse(rows, choice), MADE)
    noted = [sections(filtered)[key] for key in ("bill", "spent", "fixed")]

    assert {section.words[-1] for section in noted} == {
        "Of the whole run: filters have no part in it."
    }
    nothing = Comparison("o200k_base", "as-typed", "toon", Filter(search="no such payload"))
    whole = sections(report)["fixed"]
    assert sections(Report("x", analyse(rows, nothing), MADE))["fixed"].tables == whole.tables


def test_cells_that_are_not_known_are_dashes() -> None:
    assert Section("x", "X", [], []).cell(None) == "–"
