"""The deck: five scenes of a measured log, on a screen and as a file to keep and to print."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT
from tests.reports.test_noted import MADE, ROWS, make_report, request
from toon.analysis import Comparison, Filter, analyse, analysis, load
from toon.costs.models import MODELS
from toon.errors import RunError
from toon.measuring.table import open_run
from toon.reports.deck import as_deck, as_slides, scenes
from toon.reports.facts import Report

SAMPLE = load(open_run(ROOT / "samples" / "corpus.parquet"))


def sample_as(model: str | None, search: str = "") -> Report:
    chosen, filter = MODELS[model] if model else None, Filter(search=search)
    comparison = Comparison("o200k_base", "as-typed", "toon", filter, model=chosen, monthly=1e6)
    return Report("corpus", analyse(SAMPLE, comparison), MADE)


def list_slides(report: Report) -> list[tuple[str, str, bool, str]]:
    return [
        (scene["title"], scene["figure"].replace("\u202f", " "), scene["saves"], scene["words"])
        for scene in scenes(report)
    ]


def test_the_deck_goes_from_what_is_spent_to_what_is_saved() -> None:
    assumed = "nput of 1,000,000 payloads a month with GPT-5, no discount for caches or batches."
    assert list_slides(sample_as("gpt-5")) == [
        ("What these payloads cost a month", "$502.47", False, f"I{assumed}"),
        ("The most expensive: GET /v1/metrics/{id}", "19 %", False,
         "201,564 of 1,042,733 tokens, in 256 payloads."),
        ("Why: how many of its tokens are data, as minified JSON", "53 of 100", False,
         "The other 47 are names and punctuation, paid with every payload."),
        ("Switch 6 of 10 tools", "−16.3 %", True,
         "GET /v1/products → TOON, tool: query_sales → TOON, GET /v1/metrics/{id} → TOON and 3 "
         "more; note to the model included, payloads in a prompt: 1."),
        ("Saved: $82.03 a month", "$984 a year", True,
         f"$24.30 of it is minifying: any JSON library does that. I{assumed}"),
    ]  # fmt: skip


def test_without_a_price_the_deck_says_tokens_and_no_saving_in_money() -> None:
    first, *_, last = list_slides(sample_as(None))

    assert first == (
        "What these payloads take today", "1,042,733 tokens", False,
        "2,594 payloads. A tokenizer alone has no price: choose a model.",
    )  # fmt: skip
    assert last[0] == "Switch 6 of 10 tools"


def test_where_nothing_is_left_to_compare_the_deck_is_one_scene() -> None:
    [(title, figure, saves, words)] = list_slides(sample_as("gpt-5", "no such text"))

    assert (title, figure, saves) == ("What these payloads cost a month", "$0", False)
    assert words.endswith(". Nothing to compare: there is no payload with figures.")


def test_a_run_that_turns_out_to_be_damaged_has_no_slides_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged(*_: object) -> None:
        raise RunError("run.parquet is damaged")

    report = sample_as("gpt-5")
    monkeypatch.setattr(analysis, "sum_kinds", damaged)

    assert "run.parquet is damaged." in as_slides(report, "")


@pytest.fixture(scope="module")
def billed(tmp_path_factory: pytest.TempPathFactory) -> Report:
    path: Path = tmp_path_factory.mktemp("deck") / "run.parquet"
    first = request(1, 0.00252)
    first["messages"][0]["tool_calls"][0]["function"]["name"] = "<b>&"
    return make_report(path, first, request(2, 0.00252))


def test_a_log_that_names_its_usage_goes_from_its_bill_to_what_of_it_would_have_been_saved(
    billed: Report,
) -> None:
    spent, dearest, _, advised, saved = list_slides(billed)

    assert spent == (
        "What was spent, as it was billed", "$0.005040", False,
        "3,000 tokens of input, 69\u202f% of them read from the cache; 14 tokens of output.",
    )  # fmt: skip
    assert dearest == (
        "The most expensive: <b>&", "30 %", False,
        "<b>& costs most: ≈ $0.001506, 29.9\u202f% of the bill; what later calls paid for it again "
        "is not in the log.",
    )  # fmt: skip
    assert advised[:3] == ("Switch 2 of 2 tools", "−60.4 %", True)
    assert saved == (
        "Saved, had it been sent as recommended", "≈ $0.001820", True,
        "2 tools sent as recommended would have cost ≈ $0.001820 less than as sent, notes to the "
        "model included.",
    )  # fmt: skip


def test_the_file_runs_nothing_loads_nothing_and_prints_a_slide_a_page(billed: Report) -> None:
    page = as_deck(billed, "<i>mine</i>")

    assert not re.search(r"<script|<link|<img|url\(|https?:|\bon\w+=", page)
    assert "@page" in page
    assert "break-after: page" in page
    slides = as_slides(billed, "<i>mine</i>")
    assert slides in page
    tree = ElementTree.fromstring(f"<div>{slides}</div>")
    assert [slide.get("class") for slide in tree] == ["slide"] * 5
    assert "The most expensive: <b>&" in [title.text for title in tree.iter("h2")]
    assert ROWS[:20] not in page
