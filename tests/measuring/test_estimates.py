"""Corpora by estimators: what is left out, the bands beside figures, and money with its model."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measuring.test_one_answer import texts
from toon.analysis import Comparison, Rows, analyse, load
from toon.analysis.rows import rows_of
from toon.costs.answer import answer
from toon.costs.compare import compare
from toon.costs.document import Document
from toon.costs.explanation import ALONE
from toon.costs.models import MODELS
from toon.costs.prices import Traffic, bills, price_words
from toon.costs.typed import Typed
from toon.measuring.measure import DEFAULT_FORMATS, Settings
from toon.measuring.run import measure
from toon.measuring.table import KEY, describe, measure_part, open_run
from toon.measuring.totals import Totals
from toon.reports.caveats import caveats, unlike
from toon.reports.csv import as_csv
from toon.reports.facts import Report, facts, headline
from toon.reports.files import write_report
from toon.reports.html import as_html
from toon.reports.markdown import as_markdown
from toon.tokenizers import get
from toon.traffic.payload import Payload
from toon.values.json_text import parse_json
from toon.wording import dollars, marked

O200K, HAIKU = "o200k_base", "claude_haiku_4_5"
MADE = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
ROWS = json.dumps([{"id": number, "name": f"part {number}"} for number in range(160)], indent=2)
RUSSIAN = json.dumps([{"имя": "Анна", "город": "Москва"}] * 3, ensure_ascii=False)
LEFT_OUT = "are unlike those that the estimate was made for: they are left out of its figures"


def run_of(*payloads: str, tokenizers: tuple[str, ...] = (O200K, HAIKU)) -> tuple[Rows, Totals]:
    settings = Settings.of(tokenizers, DEFAULT_FORMATS)
    records = [Payload("a", number, "g", text) for number, text in enumerate(payloads)]
    table = pq.read_table(io.BytesIO(measure_part(records, settings)))
    about: Any = describe(settings)
    return rows_of(about, table.select), Totals.of(about, [table])


def report_of(rows: Rows, tokenizer: str = HAIKU, **more: Any) -> Report:
    choice = Comparison(tokenizer, "as-typed", "toon", **more)
    return Report("run", analyse(rows, choice), MADE)


@pytest.fixture(scope="module")
def mixed() -> tuple[Rows, Totals]:
    """Two payloads as the estimate was made for, and one in Russian."""
    return run_of(ROWS, RUSSIAN, ROWS)


# -- what is left out ------------------------------------------------------------------------


def test_payloads_unlike_the_measured_ones_are_left_out_of_an_estimate_alone(
    mixed: tuple[Rows, Totals],
) -> None:
    rows, totals = mixed
    found = {name: report_of(rows, name).analysis for name in (O200K, HAIKU)}

    assert (found[O200K].payloads, found[O200K].unlike) == (3, 0)
    assert (found[HAIKU].payloads, found[HAIKU].unlike) == (2, 1)
    assert totals.unlike == {HAIKU: 1}
    assert {name: formats["toon"].payloads for name, formats in totals.formats.items()} == {
        O200K: 3,
        HAIKU: 2,
    }
    for name, analysis in found.items():
        tokens = {each: total.tokens for each, total in totals.formats[name].items()}
        assert {each: analysis.sums.total(each).tokens for each in tokens} == tokens
    assert totals.mix.payloads == sum(totals.chosen.values()) == 3


def test_every_form_says_what_is_left_out(mixed: tuple[Rows, Totals]) -> None:
    report = report_of(mixed[0])
    sentence = "1 of 3 payloads is unlike those that the estimate was made for: it is left out of "

    assert unlike(report) == f"{sentence}its figures."
    assert unlike(report) in caveats(report)
    for text in (as_html(report), as_csv(report), as_markdown(report)):
        assert unlike(report) in text
    assert unlike(report_of(mixed[0], O200K)) == ""


def test_kinds_of_text_leave_out_what_the_first_tokenizer_does() -> None:
    rows, totals = run_of(ROWS, RUSSIAN, RUSSIAN, tokenizers=(HAIKU, O200K))
    report = report_of(rows, O200K)

    kinds = sum(tokens.sum() for tokens in report.analysis.kinds.values())
    assert round(kinds) == totals.formats[HAIKU]["json-compact"].tokens
    assert report.caveat == ""
    assert report.caveat_of_kinds.endswith(f"was not measured. 2 of 3 payloads {LEFT_OUT}.")
    assert totals.mix.payloads == sum(totals.chosen.values()) == 1


def test_where_all_is_left_out_one_sentence_says_so() -> None:
    rows, totals = run_of(RUSSIAN, RUSSIAN, tokenizers=(HAIKU,))
    sentence = "Nothing to compare: every payload is unlike those that the estimate was made for"

    assert totals.nothing == report_of(rows).analysis.nothing == sentence
    assert headline(report_of(rows)) == sentence
    assert as_markdown(report_of(rows)).startswith(f"# {sentence}\n")


@pytest.mark.rest
@settings(max_examples=50)
@given(text=st.one_of(texts, st.sampled_from([ROWS, RUSSIAN])))
def test_a_corpus_leaves_out_what_the_verdict_on_it_refuses(text: str) -> None:
    rows, totals = run_of(text, tokenizers=(HAIKU,))
    expected = answer(Document.of(parse_json(text).value, Typed(text)), HAIKU, ALONE)
    analysis = report_of(rows).analysis

    refused = expected["no_estimate"] is not None
    assert (analysis.unlike, totals.unlike[HAIKU]) == (refused, refused)
    assert (totals.nothing is None) == (analysis.nothing is None) == (expected["nothing"] is None)
    assert totals.chosen == ({} if refused else {expected["format"]: 1})


def test_exact_tokenizers_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("toon.costs.document.Document._unlike", never)
    _, totals = run_of(RUSSIAN, tokenizers=(O200K, "gemma3"))

    assert totals.payloads == 1


# -- bands -----------------------------------------------------------------------------------


def test_an_estimator_of_another_installation_has_an_unknown_error(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    measure([Payload("a", 1, "g", ROWS)], path, workers=1, tokenizers=["chars4", O200K])
    table = open_run(path).table()
    names = [name.replace("chars4", "chars5") for name in table.column_names]
    names = [name.replace(O200K, "o300k") for name in names]
    about = open_run(path).about | {
        "tokenizers": {"chars5": {"exact": False}, "o300k": {"exact": True}}
    }
    later = table.rename_columns(names).replace_schema_metadata({KEY: json.dumps(about)})
    pq.write_table(later, path)
    rows = load(open_run(path))

    assert [rows.facts(name).band for name in rows.tokenizers] == ["≈, error unknown", "exact"]
    assert rows.facts("chars5").caveat == "≈ Estimates, error unknown"
    assert rows.facts("o300k").caveat == ""


def test_every_line_of_csv_with_tokens_has_the_band(mixed: tuple[Rows, Totals]) -> None:
    for tokenizer, band in ((HAIKU, get(HAIKU).band), (O200K, "exact")):
        text = as_csv(report_of(mixed[0], tokenizer))
        lines = list(csv.DictReader(io.StringIO(text)))
        assert {line["band"] for line in lines if line["tokens"]} == {band}
        assert {line["band"] for line in lines if line["line"] in ("about", "caveat")} == {""}


def test_figures_are_marked_but_not_a_text_against_itself(mixed: tuple[Rows, Totals]) -> None:
    estimated, exact = (report_of(mixed[0], name) for name in (HAIKU, O200K))

    figures = ["1,204", "−16.5 %", "±0.0 %", "–"]
    assert [*map(estimated.marked, figures)] == ["≈\u00a01,204", "≈\u00a0−16.5 %", "±0.0 %", "–"]
    assert [*map(exact.marked, figures)] == figures
    assert re.search(
        r"\| TOON \| 2 \| ≈\u00a0[\d,]+ \| ≈\u00a0\+\d+ \| ≈\u00a0[−+]", as_markdown(estimated)
    )
    assert "≈" not in as_markdown(exact)


# -- money -----------------------------------------------------------------------------------


def test_no_price_stands_beside_a_foreign_tokenizer() -> None:
    with pytest.raises(ValueError, match=r"Claude Haiku 4\.5 is counted by claude_haiku_4_5"):
        Comparison(O200K, "as-typed", "toon", model=MODELS["claude-haiku-4.5"])


def test_without_a_price_there_are_tokens_alone() -> None:
    rows, _ = run_of(ROWS, tokenizers=("llama3",))
    for model, words in (
        (MODELS["llama-3"], "has no price that fits Llama 3: tokens alone are shown."),
        (None, "A tokenizer alone has no price: choose a model."),
    ):
        report = report_of(rows, "llama3", model=model, monthly=1_000)
        assert report.analysis.monthly is None
        assert dict(facts(report))["Prices"].endswith(words)
        assert "$ a month | –" not in as_markdown(report)
        assert report.money(None) == "–"


def test_money_has_the_figures_and_the_bands_of_a_single_payload() -> None:
    rows, _ = run_of(ROWS)
    compared = compare(Document.of(parse_json(ROWS).value, Typed(ROWS)), tokenizers=[O200K, HAIKU])
    for name in ("gpt-5", "claude-haiku-4.5"):
        model = MODELS[name]
        report = report_of(rows, model.tokenizer, model=model, monthly=100)
        bill = {each["format"]: each for each in bills(compared, model, Traffic(100))}["toon"]
        price = report.analysis.ways["format"].dollars
        assert price == pytest.approx(bill["per_month"])
        assert report.saved(price) == pytest.approx((bill["saved"], bill["saved_within"]))
        saved, within = bill["saved"], bill["saved_within"]
        assert saved is not None
        band = f" ±{dollars(within)}" if within else ""
        change = marked(dollars(saved), exact=not within)
        words = f"{price_words(price, model.band)}, saving {change}"
        assert f"{words}{band}" in as_html(report)
        assert f"{words}{band}" in as_markdown(report)
        assert dict(facts(report))["Model"] == model.label


def test_an_amount_stands_with_its_band() -> None:
    amount, band = Decimal("12.3"), "≈\u00a0±4 %"

    assert price_words(amount, "exact") == "$12.30"
    assert price_words(amount, band) == "≈\u00a0$12.30 ±4 %"
    assert price_words(amount, "≈, error unknown") == "≈\u00a0$12.30 (error unknown)"
    assert price_words(amount, band, Decimal("0.5")) == "≈\u00a0$12.30 ±$0.50"
    assert price_words(amount, band, Decimal("0.5"), signed=True) == "≈\u00a0+$12.30 ±$0.50"
    assert price_words(-amount, "exact", signed=True) == "−$12.30"
    assert [price_words(none, band) for none in (None, Decimal(0))] == ["unknown", "$0"]


def test_csv_has_what_is_saved_and_within_what(mixed: tuple[Rows, Totals]) -> None:
    report = report_of(mixed[0], model=MODELS["claude-haiku-4.5"], monthly=1_000)
    lines = csv.DictReader(io.StringIO(as_csv(report)))
    ways = [line for line in lines if line["line"] == "way"]

    assert (ways[0]["saved_a_month"], ways[0]["saved_within"]) == ("0.0", "")
    for way in ways[1:]:
        saved = Decimal(ways[0]["us_dollars_a_month"]) - Decimal(way["us_dollars_a_month"])
        assert Decimal(way["saved_a_month"]) == pytest.approx(saved, abs=Decimal("0.000002"))
        assert Decimal(way["saved_within"]) > 0


def test_a_report_of_measure_has_the_prices_of_its_model(tmp_path: Path) -> None:
    run, target = tmp_path / "run.parquet", tmp_path / "report.md"
    payloads = [Payload("a", n, "g", ROWS, 1_760_000_000.0 + 600 * n) for n in range(9)]
    measure(payloads, run, workers=1, tokenizers=[HAIKU])
    write_report(run, target, MODELS["claude-haiku-4.5"])

    found = target.read_text(encoding="utf-8")
    assert "| Model | Claude Haiku 4.5 |" in found
    assert "| Today: your JSON | ≈\u00a0" in found
    assert f"{get(HAIKU).error.within} |" in found
