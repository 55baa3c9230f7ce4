"""The surfaces where people or programs read what a payload costs, asked one question."""

import asyncio
import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
from mcp import Client

from pages.parts import payload as page_payload
from tests.http.client import client_of
from tests.questions import Question, Said
from toon import advisor
from toon.advisor.steps.base import StepOptions
from toon.analysis import Analysis, Comparison, analyse
from toon.analysis.rows import rows_of
from toon.cli import main
from toon.cli.summary import summary_lines
from toon.costs import answer as answers
from toon.costs.models import MODELS, Model, choices
from toon.costs.prices import Traffic, bills
from toon.costs.verdict import Verdict
from toon.formats import AS_TYPED, FORMATS, add_baselines, label
from toon.mcp.tools import new_server
from toon.measuring.measure import DEFAULT_FORMATS, Settings, measure_text
from toon.measuring.run import Summary
from toon.measuring.table import describe, measure_part
from toon.measuring.totals import Totals
from toon.playground import editors
from toon.playground.panes import Options, Pane
from toon.reports.csv import as_csv
from toon.reports.facts import Report
from toon.traffic.payload import Payload

COMPACT: Final = "json-compact"
#: How the sentence starts that stands instead of figures.
_NO_FIGURES: Final = "Nothing to compare"


def said(verdict: Verdict) -> Said:
    today, compact = verdict["ladder"][:2]
    even = verdict["break_even"]
    return Said(
        today["cost"],
        compact["cost"],
        verdict["format"],
        verdict["tokens"],
        verdict["cost"],
        verdict["format"] if verdict["switch"] else AS_TYPED,
        even["payloads"] if even else 0,
        verdict["vs_today"],
    )


def by_the_library(asked: Question) -> Said:
    return said(answers.answer(asked.document, asked.tokenizer, asked.explaining))


def by_named_formats(asked: Question) -> Said:
    formats = tuple(add_baselines(asked.formats))
    return said(answers.answer(asked.document, asked.tokenizer, asked.explaining, formats))


def by_money(asked: Question) -> Said:
    model = MODELS.get(asked.model) or Model("any", "Any", "Anyone", asked.tokenizer)
    found = bills(asked.rows, model, Traffic(1), explaining=asked.explaining)
    costs = {bill["format"]: bill["cost"] for bill in found}
    best = answers.answer(
        asked.document, asked.tokenizer, asked.explaining, tuple(add_baselines(asked.formats))
    )["format"]
    return Said(costs.get(AS_TYPED), costs[COMPACT], cost=costs[best])


def _printed(asked: Question, *more: str) -> str:
    """What ``stats`` prints."""
    spelled = [
        (f"--{name.replace('_', '-')}", value) for name, value in [asked.who, *asked.options]
    ]
    options = [word for pair in spelled for word in pair]
    named = ["--format", ",".join(asked.formats)] if asked.formats else []
    printed = io.StringIO()
    with redirect_stdout(printed), patch("toon.cli.stats.read_file", lambda _: asked.text):
        assert main(["stats", "-", *options, *named, *more]) == 0
    return printed.getvalue()


def by_stats(asked: Question) -> Said:
    return said(json.loads(_printed(asked, "--json"))["verdict"])


def by_the_ladder_of_stats(asked: Question) -> Said:
    *_, ladder, sentence, _ = _printed(asked).splitlines()
    if sentence.startswith(_NO_FIGURES):
        return Said()
    rungs = [re.match(r"(.+?) ([\d,]+)(?: \(|$)", rung) for rung in ladder.split(" → ")]
    (_, today), (second, compact), *_ = found = [
        (rung[1], int(rung[2].replace(",", ""))) for rung in rungs if rung
    ]
    assert second == label(COMPACT)
    best, cost = found[-1]
    (format,) = (name for name in FORMATS if label(name) == best)
    return Said(today, compact, format, cost=cost)


def by_the_api(asked: Question) -> Said:
    named = [("format", name) for name in asked.formats]
    query = [asked.who, *asked.options, *named]
    with client_of() as client:
        reply = client.post("/api/v1/stats", params=query, content=asked.text.encode())
    assert reply.status_code == 200, reply.text
    return said(reply.json()["verdict"])


def by_a_row_of_a_corpus(asked: Question) -> Said:
    chosen = Settings.of([asked.tokenizer], DEFAULT_FORMATS, explaining=asked.explaining)
    return _of_row(measure_text(asked.text, chosen), asked)


def _of_row(found: Mapping[str, Any], asked: Question) -> Said:
    best = str(found["best"])
    today, compact, count = (
        cast(int, found[f"{asked.tokenizer}.{name}"]) for name in (AS_TYPED, COMPACT, best)
    )
    uses = frozenset(str(found[f"uses.{best}"]).split())
    once = asked.explaining.tokens(best, uses, asked.tokenizer)
    return Said(today, compact, best, count, count + asked.explaining.share(once))


@lru_cache(1)  # several surfaces in turn show the same run
def _run(asked: Question) -> tuple[Any, pa.Table]:
    """What a run of this one payload is about, and its table."""
    chosen = Settings.of([asked.tokenizer], DEFAULT_FORMATS, explaining=asked.explaining)
    part = measure_part([Payload("a", 1, "g", asked.text)], chosen)
    return {**describe(chosen), "complete": True}, pq.read_table(io.BytesIO(part))


def _totals(asked: Question) -> Totals:
    about, table = _run(asked)
    return Totals.of(about, [table])


def by_the_totals_of_a_run(asked: Question) -> Said:
    totals = _totals(asked)
    today, compact, best = totals.ladder
    (format,) = totals.chosen
    return Said(
        today["cost"], compact["cost"], format, best["tokens"], best["cost"],
        vs_today=best["vs_today"],
    )  # fmt: skip


def by_measure(asked: Question) -> Said:
    summary = Summary(Path("run.parquet"), True, _totals(asked), 0)
    lines = summary_lines(summary, choices([], [asked.tokenizer]))
    if lines[-1].startswith(_NO_FIGURES):
        return Said()
    (ladder,) = (line for line in lines if " → " in line)
    costs = re.findall(r" ([\d,]+) [→(]", ladder)
    today, compact, cost = (int(figure.replace(",", "")) for figure in costs)
    (format,) = re.findall(r"(\S+) 1\.$", lines[-1])
    return Said(today, compact, format, cost=cost)


@lru_cache(1)
def _analysis(asked: Question) -> Analysis:
    about, table = _run(asked)
    rows = rows_of(about, table.select)
    return analyse(rows, Comparison(asked.tokenizer, AS_TYPED, "toon"))


def by_a_policy(asked: Question) -> Said:
    found = _analysis(asked)
    (advice,) = found.policy.advice
    today, compact = found.ways["now"], found.ways["compact"]
    send = advice.format if advice.switch else AS_TYPED
    together = asked.explaining.together
    worth = None if together is None else advice.worth.payloads if advice.worth else 0
    return Said(today.cost, compact.cost, advice.format, advice.tokens, advice.cost, send, worth)


def by_a_report(asked: Question) -> Said:
    analysis = _analysis(asked)
    written = as_csv(Report("run", analysis, datetime(2026, 1, 1, tzinfo=UTC)))
    lines = list(csv.DictReader(io.StringIO(written)))
    groups = {line["format"]: line for line in lines if line["line"] == "group"}
    if analysis.nothing:  # it says only that
        assert (groups, lines[0]["format"]) == ({}, analysis.nothing)
        return Said()
    (send,) = (name for name, line in groups.items() if line["recommended"] == "yes")
    return Said(int(groups[AS_TYPED]["tokens"]), int(groups[COMPACT]["tokens"]), send=send)


def by_a_page(asked: Question) -> Said:
    pane = Pane(asked.side, asked.text, Options())
    return said(page_payload.answer(pane, asked.tokenizer, asked.explaining))


def by_the_editors(asked: Question) -> Said:
    pane = Pane(asked.side, asked.text, Options())
    found: Any = editors.measure(pane, None, asked.tokenizer, "none")
    return Said(found[pane.side]["tokens"])


def by_the_ladder_of_the_editors(asked: Question) -> Said:
    with client_of() as client:
        converted = client.post(
            "/api/convert", params={"from": asked.side}, content=asked.text.encode()
        ).json()
        who = ("model", asked.who[1])
        query = [(asked.side, converted["id"]), who, *asked.options]
        found = client.get("/api/answer", params=query).json()
    if found["nothing"]:
        assert "bars" not in found
        return Said()
    today, compact, *_ = costs = [bar for bar in found["bars"] if bar["look"] != "apart"]
    best = costs[-1]
    return Said(today["cost"], compact["cost"], best["format"], cost=best["cost"])


def by_the_bill(asked: Question) -> Said:
    found = editors.bill(asked.document, Options(), asked.tokenizer, asked.explaining)
    costs = {row["format"]: row["cost"] for row in found}
    return Said(costs[AS_TYPED], costs[COMPACT])


def by_send_less(asked: Question) -> Said:
    options = StepOptions(asked.tokenizer, explaining=asked.explaining)
    row = advisor.combine(asked.document, ["format"], options)
    today, compact = row["ladder"][:2]
    return Said(today["cost"], compact["cost"], row["format"], row["tokens"], row["cost"])


def _by_agents(tool: str, asked: Question, **arguments: Any) -> Any:
    """What a tool of ``toon mcp`` answers."""

    async def call() -> Any:
        together = "none" if asked.explaining.together is None else str(asked.explaining.together)
        wordings = [f"{name}={text}" for name, text in asked.explaining.wordings]
        given = {"model": asked.who[1], "together": together, "explain": wordings}
        given["explained_cached"] = str(asked.explaining.cached)
        async with Client(new_server()) as client:
            found = await client.call_tool(tool, {**given, **arguments})
        assert not found.is_error, found.content
        return found.structured_content

    return asyncio.run(call())


def by_agents(asked: Question) -> Said:
    return said(_by_agents("recommend", asked, payload=asked.text, formats=list(asked.formats)))


def by_agents_that_measure(asked: Question) -> Said:
    if not isinstance(asked.value, dict | list):  # to a log it is a text, and no payload
        return Said()
    with TemporaryDirectory() as folder:
        log = Path(folder, "log.jsonl")
        log.write_text(json.dumps({"payload": asked.text}) + "\n", "utf-8")
        found = _by_agents("measure", asked, paths=[str(log)], payload_path="payload")
    today, compact, best = found["ladder"]
    (format,) = found["chosen"]
    return Said(
        today["cost"], compact["cost"], format, best["tokens"], best["cost"],
        vs_today=best["vs_today"],
    )  # fmt: skip


SURFACES: Final[dict[str, Callable[[Question], Said]]] = {
    "formats named to the library": by_named_formats,
    "money": by_money,
    "stats --json": by_stats,
    "stats": by_the_ladder_of_stats,
    "API": by_the_api,
    "row of a corpus": by_a_row_of_a_corpus,
    "totals of a run": by_the_totals_of_a_run,
    "measure": by_measure,
    "policy": by_a_policy,
    "report": by_a_report,
    "state of a page": by_a_page,
    "editors": by_the_editors,
    "ladder of the editors": by_the_ladder_of_the_editors,
    "bill of the playground": by_the_bill,
    "Send less": by_send_less,
    "agents": by_agents,
    "agents that measure": by_agents_that_measure,
}
TAKE_TOON: Final = {
    "formats named to the library", "money", "state of a page", "ladder of the editors",
    "bill of the playground", "Send less",
}  # fmt: skip
TAKE_FORMATS: Final = {
    "formats named to the library", "money", "stats --json", "stats", "API", "agents",
}  # fmt: skip

#: They print costs as whole numbers.
ROUNDED: Final = {"stats", "measure"}
