"""The headline of a report: what is saved in all, and where nothing is worth a change."""

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.reports.test_report import MADE, O200K, make_report
from tests.words import COMPACT, PRETTY
from toon.analysis import Comparison, Filter, analyse
from toon.measuring.run import measure
from toon.reports.facts import Report, advice, headline
from toon.traffic.payload import Payload


@pytest.fixture(scope="module")
def sample() -> Report:
    return make_report(ROOT / "samples" / "corpus.parquet", Comparison(O200K, "as-typed", "toon"))


def test_the_headline_has_every_step_of_the_ladder(sample: Report) -> None:
    assert headline(sample) == (
        "Minifying saves 50,427 tokens (−4.8\u202f%), then the recommended mix saves 119,809 "
        "tokens (−12.1\u202f%): −16.3\u202f% against your JSON"
    )
    assert advice(sample) == (
        "A change is worth it for 6 of 10 groups; note to the model included, payloads in a "
        "prompt: 1."
    )


def test_where_nothing_is_worth_it_the_headline_says_so(sample: Report) -> None:
    note = "ote to the model included, payloads in a prompt: 1."
    for now, first, second in (
        ("json-pretty", f"Minifying saves 49,711 tokens (−34.5\u202f%) against {PRETTY}",
         f"A change is worth it; n{note}"),
        ("as-typed", "No change is worth it against your JSON", f"N{note}"),
        ("json-compact", f"No change is worth it against {COMPACT}", f"N{note}"),
    ):  # fmt: skip
        events = Comparison(O200K, now, "toon", Filter(groups=("GET /v1/events",)))
        left = Report("x", analyse(sample.analysis.rows, events), MADE)
        assert (headline(left), advice(left)) == (first, second)


def test_the_headline_does_not_add_what_a_group_keeps(tmp_path: Path) -> None:
    loose = json.dumps({"names": ["Ada", "Grace"], "ok": True}, indent=4)
    kept = json.dumps({"text": "word " * 400, "b": 1})
    path = tmp_path / "run.parquet"
    measure([Payload("a", 1, "loose", loose), Payload("a", 2, "kept", kept)], path, workers=1)
    report = make_report(path, Comparison(O200K, "as-typed", "toon"))
    (switch,) = report.analysis.policy.switches

    assert switch.group == "loose"
    assert report.analysis.ways["mix"].cost > report.analysis.ways["compact"].cost
    words = f"The recommended mix saves {-switch.change:.0f} tokens ("
    assert headline(report).startswith(words)
