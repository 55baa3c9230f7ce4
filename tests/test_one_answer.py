"""One law for every surface: the same payload and setting get the same answer and figures.

A surface is a place where people or programs read what a payload costs or what to send instead. A
new one is a function here and its line in ``SURFACES``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts import payload as page_payload
from tests.conftest import ROOT, SHARED
from tests.corpus.test_one_answer import explainings, texts
from tests.http.client import client_of
from tests.pages.conftest import new_session, open_sample
from toon import advisor
from toon.cli import main
from toon.corpus.analysis import Analysis, Choice, Rows, analyse
from toon.corpus.analysis.rows import rows_of
from toon.corpus.measuring import DEFAULT_FORMATS, Settings, measure_text
from toon.corpus.payload import Payload
from toon.corpus.report.csv import as_csv
from toon.corpus.report.facts import Report
from toon.corpus.table import describe, measure_part
from toon.costs import answer as answers
from toon.costs.answer import Verdict
from toon.costs.compare import compare
from toon.costs.explanation import Explaining
from toon.costs.typed import Typed
from toon.formats import AS_TYPED
from toon.formats.json import minified
from toon.playground import panes
from toon.playground.panes import Options
from toon.tokenizers import get
from toon.values.json_text import parse_json

COMPACT: Final = "json-compact"
FILES = [
    *sorted((ROOT / "samples").glob("*.json")),
    *sorted((SHARED / "datasets").glob("*.json")),
]
SMALL = [file for file in FILES if file.stat().st_size < 60_000]


class Said(NamedTuple):
    """What a surface says of a payload; None for what it does not say.

    ``today`` and ``compact`` are tokens as typed and as compact JSON. ``format`` is recommended,
    ``tokens`` and ``cost`` (explanation included) are of it. ``send`` is the format, or "as-typed"
    where a change is not worth it. ``payloads`` is the break-even.
    """

    today: float | None = None
    compact: float | None = None
    format: str | None = None
    tokens: int | None = None
    cost: float | None = None
    send: str | None = None
    payloads: int | None = None


class Question(NamedTuple):
    """A payload as typed, who counts, and how formats are explained."""

    text: str
    tokenizer: str
    explaining: Explaining

    @property
    def value(self) -> Any:
        return parse_json(self.text).value

    @property
    def typed(self) -> Typed:
        return Typed(self.text)

    @property
    def options(self) -> list[tuple[str, str]]:
        """The setting as options and queries spell it."""
        together = self.explaining.together
        wordings = [("explain", f"{name}={text}") for name, text in self.explaining.wordings]
        return [("together", "none" if together is None else str(together)), *wordings]


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
    )


def by_the_library(asked: Question) -> Said:
    return said(answers.answer(asked.value, asked.typed, asked.tokenizer, asked.explaining))


def by_rows(asked: Question) -> Said:
    rows = compare(asked.value, typed=asked.typed, tokenizers=[asked.tokenizer])
    return said(answers.verdict(asked.value, rows, asked.tokenizer, asked.explaining))


def by_stats(asked: Question) -> Said:
    options = [word for name, value in asked.options for word in (f"--{name}", value)]
    command = ["stats", "-", "--json", "--tokenizer", asked.tokenizer, *options]
    printed = io.StringIO()
    with redirect_stdout(printed), patch("toon.cli.stats.read_file", lambda _: asked.text):
        assert main(command) == 0
    return said(json.loads(printed.getvalue())["verdict"])


def by_the_api(asked: Question) -> Said:
    query = [("tokenizer", asked.tokenizer), *asked.options]
    with client_of() as client:
        reply = client.post("/api/v1/stats", params=query, content=asked.text.encode())
    assert reply.status_code == 200, reply.text
    return said(reply.json()["verdict"])


def by_a_row_of_a_corpus(asked: Question) -> Said:
    chosen = Settings.of([asked.tokenizer], DEFAULT_FORMATS, explaining=asked.explaining)
    found = measure_text(asked.text, chosen)
    tokens, uses = found.tokens[asked.tokenizer], found.uses[found.best]
    assert uses is not None
    count = tokens[found.best]
    assert count is not None
    once = asked.explaining.tokens(found.best, uses, asked.tokenizer)
    cost = count + asked.explaining.share(once)
    return Said(tokens[AS_TYPED], tokens[COMPACT], found.best, count, cost)


def _run(asked: Question) -> tuple[Rows, Analysis]:
    """The rows and the analysis of a run of this one payload."""
    chosen = Settings.of([asked.tokenizer], DEFAULT_FORMATS, explaining=asked.explaining)
    about: Any = {**describe(chosen), "complete": True}
    part = measure_part([Payload("a", 1, "g", asked.text)], chosen)
    rows = rows_of(about, pq.read_table(io.BytesIO(part)))
    return rows, analyse(rows, Choice(asked.tokenizer, AS_TYPED, "toon"))


def by_a_policy(asked: Question) -> Said:
    found = _run(asked)[1]
    (advice,) = found.policy.advice
    today, compact = found.policy.ladder[:2]
    send = advice.format if advice.switch else AS_TYPED
    together = asked.explaining.together
    worth = None if together is None else advice.worth.payloads if advice.worth else 0
    return Said(
        today["cost"], compact["cost"], advice.format, advice.tokens, advice.cost, send, worth
    )


def by_a_report(asked: Question) -> Said:
    rows, analysis = _run(asked)
    written = as_csv(Report("run", rows, analysis, datetime(2026, 1, 1, tzinfo=UTC)))
    lines = list(csv.DictReader(io.StringIO(written)))
    groups = {line["format"]: line for line in lines if line["line"] == "group"}
    (send,) = (name for name, line in groups.items() if line["recommended"] == "yes")
    return Said(int(groups[AS_TYPED]["tokens"]), int(groups[COMPACT]["tokens"]), send=send)


def by_a_page(asked: Question) -> Said:
    data = page_payload.parse("json", asked.text, Options())
    assert data is not None
    return said(page_payload.answer(data, asked.tokenizer, asked.explaining))


def by_the_editors(asked: Question) -> Said:
    toon_text = Options().toon.dumps(asked.value)
    found = panes.pair(asked.text, toon_text, asked.tokenizer, Options())
    tokens = {row["baseline"]: row["tokens"] for row in found["differences"]}
    return Said(tokens[panes.IN_EDITOR], tokens["compact JSON"])


def by_the_bill(asked: Question) -> Said:
    toon_text = Options().toon.dumps(asked.value)
    found = panes.bill("json", asked.text, toon_text, asked.tokenizer, Options())
    tokens = {row["label"]: row["tokens"] for row in found["rows"]}
    return Said(tokens["JSON as typed"], tokens["compact JSON"])


def by_send_less(asked: Question) -> Said:
    setting: Any = {
        "tokenizer": asked.tokenizer,
        "typed": asked.typed,
        "explaining": asked.explaining,
    }
    best = advisor.best_combination(asked.value, **setting)
    row = advisor.combined(asked.value, ["format"], **setting)
    today, compact = best["ladder"][:2]
    return Said(today["cost"], compact["cost"], row["format"], row["tokens"], row["cost"])


SURFACES: Final[dict[str, Callable[[Question], Said]]] = {
    "rows of the library": by_rows,
    "stats --json": by_stats,
    "API": by_the_api,
    "row of a corpus": by_a_row_of_a_corpus,
    "policy": by_a_policy,
    "report": by_a_report,
    "state of a page": by_a_page,
    "editors": by_the_editors,
    "bill of the playground": by_the_bill,
    "Send less": by_send_less,
}


def disagreements(asked: Question) -> dict[str, tuple[Said, Said]]:
    """What each surface says that says something else than the library."""
    truth = by_the_library(asked)
    wrong = {}
    for name, surface in SURFACES.items():
        found = surface(asked)
        expected = Said(
            *(None if part is None else whole for part, whole in zip(found, truth, strict=True))
        )
        if found != pytest.approx(expected):
            wrong[name] = (found, expected)
    return wrong


@pytest.mark.slow
@settings(max_examples=100)
@given(
    text=texts,
    tokenizer=st.sampled_from(["o200k_base", "cl100k_base", "qwen3", "estimate"]),
    explaining=explainings,
)
def test_every_surface_gives_the_same_answer(
    text: str, tokenizer: str, explaining: Explaining
) -> None:
    assert disagreements(Question(text, tokenizer, explaining)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.stem)
def test_every_surface_gives_the_same_answer_on_real_payloads(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for together in (1, 3, None):
        assert disagreements(Question(text, "o200k_base", Explaining(together))) == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_compact_json_never_has_more_tokens_than_the_text_minified(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    found = by_the_library(Question(text, "o200k_base", Explaining()))

    assert found.compact is not None
    assert found.compact <= get("o200k_base").count(minified(text))


@pytest.mark.slow
@pytest.mark.parametrize("page", ["playground", "compare", "advisor"])
@pytest.mark.parametrize("sample", ["weather", "uniform-rows", "event-log"])
def test_the_pages_show_the_first_rungs_and_the_same_words(sample: str, page: str) -> None:
    app = new_session()
    app.session_state.explained_together = 3
    open_sample(app, sample, page)
    app.run()  # after a change of page, AppTest gives controls their values one run late
    text = (ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8")
    verdict = answers.answer(parse_json(text).value, Typed(text), "o200k_base", Explaining(3))

    rungs = [f"{rung['tokens']:,} tokens" for rung in verdict["ladder"][:2]]
    assert [metric.value for metric in app.metric[:2]] == rungs
    if page != "advisor":
        lead, *reasons = verdict["sentence"].split(". ")
        assert lead in [subheader.value for subheader in app.subheader]
        assert ". ".join(reasons) in [item.value for item in app.markdown]
