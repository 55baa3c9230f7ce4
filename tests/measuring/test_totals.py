"""A run's totals against simple sums over its rows."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.measuring.corpora import records
from tests.words import ROUND_TRIPS
from toon.costs.compare import compare, objection
from toon.costs.document import Document
from toon.costs.explanation import ALONE
from toon.measuring import totals as module
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.measuring.totals import Total, Totals, exclusion
from toon.traffic.payload import Payload

FORMATS = ["toon", "csv", "xml"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.parquet"
    measure(records(300), path, tokenizers=["o200k_base", "chars4"], formats=FORMATS, workers=1)
    return path


@pytest.mark.rest
def test_every_total_is_the_sum_of_its_rows(run: Path) -> None:
    rows = open_run(run).table().to_pylist()
    totals = Totals.of(open_run(run).about, open_run(run).batches())

    measured = [row for row in rows if row["error"] is None]
    counts = (300, 300 - len(measured), len(measured))
    assert (totals.records, totals.errors, totals.payloads) == counts
    assert totals.bytes == sum(row["bytes"] for row in measured)
    assert 0 < totals.formats["chars4"]["csv"].payloads < len(measured)
    assert totals.formats["o200k_base"]["xml"].unproven > 0
    for tokenizer, formats in totals.formats.items():
        for name, total in formats.items():
            column = f"{tokenizer}.{name}"
            carried = [row for row in measured if row[column] is not None]
            assert total.payloads == len(carried)
            assert total.tokens == sum(row[column] for row in carried)
            assert total.baselines == {
                base: sum(row[f"{tokenizer}.{base}"] for row in carried)
                for base in ("json-compact", "json-pretty")
            }
            proofs = [row.get(f"round_trips.{name}") for row in carried]
            assert total.unproven == proofs.count(False)
            used = defaultdict[str, set[str]](set)
            for row in carried if name != "as-typed" else ():
                used[row["group"]] |= {*row[f"uses.{name}"].split()}
            groups = Counter(row["group"] for row in carried)
            assert total.explanation == sum(
                groups[group] * ALONE.tokens(name, frozenset(uses), tokenizer)
                for group, uses in used.items()
            )


def test_groups_beyond_those_that_are_told_apart_share_a_note(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explain() -> float:
        totals = Totals.of(open_run(run).about, open_run(run).batches())
        return totals.formats["o200k_base"]["toon"].explanation

    apart = explain()
    monkeypatch.setattr(module, "MAX_GROUPS", 0)
    rows = [row for row in open_run(run).table().to_pylist() if row["error"] is None]
    uses = frozenset(" ".join(row["uses.toon"] for row in rows).split())
    assert explain() == len(rows) * ALONE.tokens("toon", uses, "o200k_base") >= apart


def test_a_run_without_payloads_or_differences_says_so(tmp_path: Path) -> None:
    def find_reason(*texts: str) -> str | None:
        payloads = [Payload("a", number, "g", text) for number, text in enumerate(texts)]
        return measure(payloads, tmp_path / "run.parquet", workers=1).totals.nothing

    assert find_reason() == "Nothing to compare: there is no payload with figures"
    assert find_reason("{", "[1,") == "Nothing to compare: there is no payload with figures"
    assert find_reason("{}", "[]", "5", '"x"') == (
        "Nothing to compare: every payload is empty or a single value"
    )
    assert find_reason("{}", "[0]") is None


def test_a_format_that_stands_apart_has_a_reason() -> None:
    assert exclusion("toon", Total(payloads=3)) == ""
    assert exclusion("as-typed", Total(payloads=3)) == ""
    assert exclusion("toon", Total(payloads=3, unproven=1)) == "1 of 3 payloads did not come back"
    assert exclusion("csv", Total()) == "carries none of the payloads"
    for payloads, key in ((1, "not-promised"), (3, "none-promised")):
        assert exclusion("csv", Total(payloads=payloads)) == f"comes back {ROUND_TRIPS[key]}"
    assert exclusion("csv", Total(payloads=3, unproven=2)) == (
        f"{ROUND_TRIPS['lossy']}: 2 of 3 payloads did not come back"
    )
    assert exclusion("pipe", Total(payloads=3)) == "no public library reads it"
    assert exclusion("tonl", Total(payloads=3)) == "not known here"


@pytest.mark.rest
def test_a_single_payload_is_judged_in_the_words_of_a_comparison(tmp_path: Path) -> None:
    text = '[{"a":"x"},{"a":"y"}]'
    formats = ["csv", "vibemcp", "pipe"]
    run = measure([Payload("a", 1, "g", text)], tmp_path / "run.parquet", formats=formats)
    totals = run.totals.formats["o200k_base"]

    rows = compare(Document.of(json.loads(text)), formats=formats)
    alone = {row["format"]: objection(row) for row in rows}
    assert {name: exclusion(name, totals[name]) for name in formats} == alone


def test_the_mix_takes_the_best_of_every_row(run: Path) -> None:
    rows = [row for row in open_run(run).table().to_pylist() if row["error"] is None]
    totals = Totals.of(open_run(run).about, open_run(run).batches())

    assert totals.mix.tokens == sum(row[f"o200k_base.{row['best']}"] for row in rows)
    assert totals.mix.explanation == sum(
        ALONE.tokens(row["best"], frozenset(row[f"uses.{row['best']}"].split()), "o200k_base")
        for row in rows
    )
    assert totals.mix.cost == totals.mix.tokens + totals.mix.explanation > totals.mix.tokens
    assert totals.mix.baselines == totals.formats["o200k_base"]["json-compact"].baselines
    assert sum(totals.chosen.values()) == totals.mix.payloads == len(rows)
    assert set(totals.chosen) == {row["best"] for row in rows}


def test_differences_are_signed(run: Path) -> None:
    totals = Totals.of(open_run(run).about, open_run(run).batches())

    formats = totals.formats["o200k_base"]
    compact, toon = formats["json-compact"], formats["toon"]
    assert compact.change("json-compact") == 0
    assert 0 < toon.explanation == toon.cost - toon.tokens
    assert toon.change("json-compact") == toon.cost / compact.tokens - 1
    assert compact.change("json-pretty") < 0 < formats["xml"].change("json-compact")
    assert totals.mix.change("json-compact") < 0
    assert Totals.of(open_run(run).about).mix.change("json-compact") is None
