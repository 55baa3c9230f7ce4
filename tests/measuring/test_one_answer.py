"""A corpus gives the answer that each of its payloads gets alone."""

import io
import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.strategies import values
from toon.analysis import Analysis, Comparison, Rows, analyse
from toon.analysis.rows import read_rows
from toon.analysis.sums import choose_formats, cost_rows
from toon.cli.summary import summary_lines
from toon.costs.answer import answer
from toon.costs.document import Document, Typed
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import choose
from toon.costs.verdict import Verdict
from toon.costs.worth import LEAST_TOKENS
from toon.formats import AS_TYPED, label
from toon.measuring.measure import DEFAULT_FORMATS, Settings
from toon.measuring.run import Summary
from toon.measuring.table import describe, measure_part
from toon.measuring.totals import Totals
from toon.reports.facts import Report
from toon.reports.markdown import as_markdown
from toon.traffic.payload import Payload
from toon.values.json_text import parse_json

O200K = "o200k_base"

texts = st.builds(
    lambda value, options: json.dumps(value, ensure_ascii=False, **options),
    values,
    st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}]),
)
explainings = st.builds(
    Explaining,
    st.one_of(st.none(), st.sampled_from([1, 2, 3, 10, 1000])),
    st.sampled_from([(), (("toon", "TOON."), ("yaml", "The data is YAML, block style."))]),
    st.sampled_from([0.0, 0.35, 1.0]),
    st.sampled_from([1.0, 0.25, 0.1]),
)


def find_verdict(text: str, explaining: Explaining) -> Verdict:
    document = Document(parse_json(text).value, Typed(text))
    return answer(document, O200K, explaining, DEFAULT_FORMATS)


def measure_texts(
    payloads: Sequence[str], explaining: Explaining, groups: str = "g"
) -> tuple[Rows, Totals]:
    """The rows of a run of these payloads, whose groups take turns, and its totals."""
    settings = Settings.of([O200K], DEFAULT_FORMATS, explaining=explaining)
    records = [Payload("a", n, groups[n % len(groups)], text) for n, text in enumerate(payloads)]
    table = pq.read_table(io.BytesIO(measure_part(records, settings)))
    method: Any = describe(settings)
    return read_rows(method, table.select), Totals.of(method, [table])


def analyse_texts(payloads: Sequence[str], explaining: Explaining) -> Analysis:
    rows, _ = measure_texts(payloads, explaining)
    return analyse(rows, Comparison(O200K, AS_TYPED, "toon"))


@pytest.mark.rest
@settings(max_examples=40)
@given(text=texts, explaining=explainings)
@example(text='["\\"q\\"", "-1"]', explaining=ALONE)  # Python's JSON is shorter
def test_policy_row_and_totals_of_one_payload_are_its_verdict(
    text: str, explaining: Explaining
) -> None:
    expected = find_verdict(text, explaining)
    rows, totals = measure_texts([text], explaining)
    analysis = analyse(rows, Comparison(O200K, AS_TYPED, "toon"))
    (advice,) = analysis.policy.advice

    assert (advice.format, advice.switch) == (expected["format"], expected["switch"])
    assert advice.tokens == expected["tokens"]
    assert advice.cost == pytest.approx(expected["cost"])
    assert -advice.change == pytest.approx(expected["saved"])
    assert (analysis.nothing is None) == (expected["nothing"] is None)
    even = expected["break_even"]
    if explaining.together is not None:
        worth = advice.worth and (advice.worth.format, advice.worth.payloads)
        assert worth == (even and (even["format"], even["payloads"]))
    rungs = [analysis.ways[name].cost for name in ("now", "compact", "mix")]
    ladder = [rung["cost"] for rung in expected["ladder"]]
    last = ladder[-1] if expected["switch"] else ladder[0]
    assert rungs == pytest.approx([*ladder[:2], last])

    places, chosen = np.array([0]), expected["format"]
    assert choose_formats(rows, places, O200K, explaining) == [chosen]
    for name, cost in ((AS_TYPED, ladder[0]), (chosen, expected["cost"])):
        assert cost_rows(rows, places, O200K, name, explaining).item() == cost
    assert totals.chosen == {chosen: 1}
    assert (totals.mix.tokens, totals.mix.cost) == (expected["tokens"], expected["cost"])
    assert (totals.nothing is None) == (expected["nothing"] is None)


@pytest.mark.rest
@given(text=texts, explaining=explainings, number=st.integers(2, 5))
def test_the_policy_of_equal_payloads_differs_only_by_the_fewest_tokens(
    text: str, explaining: Explaining, number: int
) -> None:
    """Ten tokens are a difference where one payload saves fewer and all of them together do."""
    (one,) = analyse_texts([text], explaining).policy.advice
    (many,) = analyse_texts([text] * number, explaining).policy.advice

    if (many.format, many.switch) == (one.format, one.switch):
        assert many.cost == pytest.approx(number * one.cost)
        assert many.change == pytest.approx(number * one.change)
    else:
        assert many.switch
        assert one.cost >= many.cost / number
        assert min(one.cost - many.cost / number, -many.change / number) < LEAST_TOKENS
        assert -many.change >= LEAST_TOKENS - 1e-9


def read_cells(lines: Iterable[str], between: str) -> dict[str, list[str]]:
    """The cells of a table's lines by their first one."""
    rows = ([cell for cell in re.split(between, line.strip("| ")) if cell] for line in lines)
    return {cells[0]: cells[1:6] for cells in rows if len(cells) > 1}


@settings(max_examples=25)
@given(payloads=st.lists(texts, min_size=1, max_size=6), explaining=explainings)
@example(payloads=['[{"a":1},{"a":2}]', '{"b":[1]}', '{"c":"1"}', "[[1],5]"], explaining=ALONE)
@example(  # half a token, which both round alike
    payloads=["null", '{"id":[null],"":[[{"id":{"x":null,"y":{"z":null}}}]]}', "[null]"],
    explaining=Explaining(3, cached=1.0, rate=0.1),
)
def test_terminal_and_report_say_the_same_of_every_format(
    payloads: list[str], explaining: Explaining
) -> None:
    rows, totals = measure_texts(payloads, explaining, groups="gh")
    printed = summary_lines(Summary(Path("run"), True, totals, 0), [choose(O200K)])
    analysis = analyse(rows, Comparison(O200K, AS_TYPED, "toon"))
    report = as_markdown(Report("run", analysis, datetime(2026, 1, 1, tzinfo=UTC)))

    shown, written = read_cells(printed, " {2,}"), read_cells(report.split("\n"), r" *\| *")
    for name in ("toon", "toon-tab", "yaml", "tron", "json-columns") if not totals.nothing else ():
        assert shown[name][: len(written[label(name)])] == written[label(name)]
