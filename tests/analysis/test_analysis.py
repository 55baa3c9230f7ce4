"""The analysis of a run: every figure against the same one computed row by row."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.conftest import rows_of
from tests.words import ROUND_TRIPS
from toon.analysis import Analysis, Comparison, Filter, Rows, analyse
from toon.analysis.filters import select
from toon.analysis.policy import Offer, Worth
from toon.analysis.sums import cost_policy, cost_rows, sum_groups, sum_kinds
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import MODELS
from toon.costs.why import family
from toon.measuring.table import open_run
from toon.measuring.totals import Totals
from toon.traffic.payload import SKIPPED, BadRecord, Payload

GROUPS = ("GET /orders", "GET /users", "tool: search")
O200K = "o200k_base"


# -- rows and filters ------------------------------------------------------------------------


def passes(line: dict[str, Any], filter: Filter) -> bool:
    time = None if line["time"] is None else line["time"].timestamp()
    low, high = filter.since, filter.until
    if time is None and (low, high) != (None, None):
        return False
    if (low is not None and time < low) or (high is not None and time > high):
        return False
    if filter.groups and line["group"] not in filter.groups:
        return False
    words = filter.search.strip().casefold()
    texts = (line["group"], line["source"], line["error"])
    matches = any(words in text.casefold() for text in texts if text)
    return not words or matches or words == str(line["record"])


moments = st.none() | st.integers(1_759_999_990, 1_760_000_090)


@pytest.mark.rest
@given(
    filter=st.builds(
        Filter,
        groups=st.lists(st.sampled_from((*GROUPS, "no such")), unique=True).map(tuple),
        since=moments,
        until=moments,
        search=st.sampled_from(("", " ", "ORDERS", "log.j", "payload here", "17", "column 1", "é")),
    )
)
def test_a_filter_passes_the_rows_that_meet_its_conditions(
    rows: Rows, lines: list[dict[str, Any]], filter: Filter
) -> None:
    passed = [place for place, line in enumerate(lines) if passes(line, filter)]
    selected = select(rows, filter)

    assert selected.measured.tolist() == [p for p in passed if lines[p]["error"] is None]
    assert selected.bad.tolist() == [p for p in passed if lines[p]["error"] is not None]


@pytest.mark.parametrize("search", ["9" * 18, "9" * 5_000, "²", "orders 17"])
def test_a_search_for_what_is_in_no_record_finds_nothing(rows: Rows, search: str) -> None:
    selected = select(rows, Filter(search=search))

    assert [places.size for places in dataclasses.astuple(selected)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("search", "passed"),
    [
        ("eins", [0]),  # the group
        ("ZWEI", [1]),  # the source
        ("drei", [2]),  # the error
        ("17", [3]),  # the number of the record
        ("E", [0, 1, 2]),
        ("1", [1, 4]),  # that number or a source with it, but no number with it
    ],
)
def test_a_search_passes_what_has_its_words_anywhere_in_either_case(
    tmp_path: Path, search: str, passed: list[int]
) -> None:
    records = [
        Payload("a", 20, "Eins", "[1]"), Payload("Zwei-1", 21, "g", "[1]"),
        BadRecord("a", 22, "Drei"), Payload("a", 17, "g", "[1]"), Payload("a", 1, "g", "[1]"),
    ]  # fmt: skip
    selected = select(rows_of(tmp_path / "run.parquet", records), Filter(search=search))

    assert sorted([*selected.measured.tolist(), *selected.bad.tolist()]) == passed


def test_a_record_without_a_group_is_in_no_group_that_is_asked_for(rows: Rows) -> None:
    selected = select(rows, Filter(groups=GROUPS))

    assert [select(rows, Filter()).bad.size, selected.bad.size] == [20, 12]


def test_a_record_that_is_no_json_is_skipped_and_not_bad(tmp_path: Path) -> None:
    skipped, bad = BadRecord("a", 1, f"{SKIPPED}a text"), BadRecord("a", 2, "broken")
    rows = rows_of(tmp_path / "run.parquet", [Payload("a", 0, "g", "[1]"), skipped, bad])
    selected = select(rows, Filter())

    assert [places.tolist() for places in dataclasses.astuple(selected)] == [[0], [2], [1]]


# -- sums ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer", [O200K, "chars4"])
def test_sums_are_those_of_the_run(rows: Rows, path: Path, tokenizer: str) -> None:
    run = open_run(path)
    expected = Totals.of(run.about, run.batches())
    selected = select(rows, Filter())
    sums = sum_groups(rows, selected.measured, tokenizer, ALONE)

    totals = {name: sums.total(name) for name in sums.columns}
    assert totals == expected.formats[tokenizer]
    assert sum(sums.payloads) == expected.payloads


@pytest.mark.parametrize("groups", [GROUPS, GROUPS[:1]], ids=["all", "few"])
def test_sums_by_group_are_those_of_its_rows(
    rows: Rows, lines: list[dict[str, Any]], groups: tuple[str, ...]
) -> None:
    sums = sum_groups(rows, select(rows, Filter(groups)).measured, O200K, ALONE)

    assert sorted(sums.groups) == sorted(groups)
    for place, group in enumerate(sums.groups):
        mine = [line for line in lines if line["group"] == group and not line["error"]]
        csv = [line for line in mine if line[f"{O200K}.csv"] is not None]
        total = sums.total("csv", place)
        assert sums.payloads[place] == len(mine) > total.payloads == len(csv) > 0
        assert total.tokens == sum(line[f"{O200K}.csv"] for line in csv)
        assert total.baselines["json-pretty"] == sum(line[f"{O200K}.json-pretty"] for line in csv)
        assert total.unproven == sum(line["round_trips.csv"] is False for line in csv)
        assert sums.comparable[place] == sum(line["comparable"] for line in mine)
        uses = frozenset(use for line in mine for use in line["uses.toon"].split())
        assert sums.columns["toon"].once[place] == ALONE.tokens("toon", uses, O200K)
    assert not sums.carries_all("csv")
    assert sums.carries_all("toon")


@pytest.mark.parametrize("groups", [GROUPS, GROUPS[:1]], ids=["all", "few"])
def test_kinds_by_group_are_those_of_its_rows(
    rows: Rows, lines: list[dict[str, Any]], groups: tuple[str, ...]
) -> None:
    measured = select(rows, Filter(groups)).measured
    names = sum_groups(rows, measured, O200K, ALONE).groups
    mine = [[x for x in lines if x["group"] == name and not x["error"]] for name in names]

    for kind, tokens in sum_kinds(rows, measured).items():
        assert tokens.dtype == np.float64
        np.testing.assert_allclose(tokens, [sum(line[kind] for line in group) for group in mine])


def test_kinds_add_up_to_compact_json(rows: Rows) -> None:
    measured = select(rows, Filter()).measured
    kinds = analyse(rows, Comparison(O200K, "as-typed", "toon")).kinds
    compact = sum_groups(rows, measured, O200K, ALONE).columns["json-compact"].tokens

    np.testing.assert_allclose(sum(kinds.values()), compact)


# -- policy ----------------------------------------------------------------------------------


NO_EXPLANATION = Explaining(None)


def recommended(rows: Rows, now: str, explaining: Explaining = ALONE) -> Analysis:
    return analyse(rows, Comparison(O200K, now, "toon", explaining=explaining))


@pytest.mark.parametrize("now", ["json-compact", "json-pretty", "json-python", "as-typed"])
def test_no_single_format_beats_the_mix(rows: Rows, now: str) -> None:
    analysis = recommended(rows, now, NO_EXPLANATION)
    today, mix = analysis.ways["now"].cost, analysis.ways["mix"].cost

    assert mix <= today == analysis.sums.total(now).tokens
    least = 0.01 * today  # a group may stay as it is for less
    for name in ("json-compact", "json-pretty", "json-python", "toon", "toon-tab", "yaml"):
        assert mix <= analysis.sums.total(name).tokens + least


@pytest.mark.parametrize("explaining", [ALONE, Explaining(7), NO_EXPLANATION])
def test_the_rows_of_a_mix_add_up_to_it(rows: Rows, explaining: Explaining) -> None:
    analysis = recommended(rows, "as-typed", explaining)
    measured, sums = analysis.selected.measured, analysis.sums

    sent = cost_policy(rows, measured, O200K, sums, analysis.policy.sent)
    assert {name: way.cost for name, way in analysis.ways.items()} == {
        "now": sums.total("as-typed").tokens,
        "compact": sums.total("json-compact").tokens,
        "mix": pytest.approx(sent.sum()),
        "format": pytest.approx(sums.total("toon").cost),
    }


def test_the_policy_of_the_sample_switches_what_gains_and_leaves_the_rest(sample: Rows) -> None:
    chosen = recommended(sample, "as-typed", NO_EXPLANATION).policy

    assert [(row.group, row.format, row.change) for row in chosen.switches] == [
        ("GET /v1/products", "toon-tab", -77_058),
        ("tool: query_sales", "toon", -67_583),
        ("GET /v1/metrics/{id}", "toon", -52_348),
        ("GET /v1/customers", "toon", -19_886),
        ("tool: list_issues", "json-compact", -10_180),
        ("tool: search_help", "toon", -3_991),
    ]
    left = [(row.group, row.format, row.change) for row in chosen.advice if not row.switch]
    assert left == [  # no difference worth a change
        ("GET /v1/config", "json-compact", 0), ("GET /v1/events", "json-compact", -18),
        ("GET /v1/orders", "json-compact", -34), ("GET /v1/orders/{id}", "json-compact", -4),
    ]  # fmt: skip
    offers = {row.group: row.offer for row in chosen.advice if row.offer}
    assert offers == {"tool: list_issues": Offer("tron", pytest.approx(6_750))}


def test_a_format_that_failed_one_payload_is_not_recommended(sample: Rows) -> None:
    products = sample.names.index("GET /v1/products")
    first = int(np.flatnonzero(sample.group == products)[0])
    sample.unproven["json-columns"][first] = True
    try:
        chosen = recommended(sample, "json-compact").policy
    finally:
        sample.unproven["json-columns"][first] = False

    assert {row.group: row.format for row in chosen.switches}["GET /v1/products"] == "toon-tab"


def test_a_lossy_format_is_never_recommended(rows: Rows) -> None:
    chosen = recommended(rows, "json-pretty", NO_EXPLANATION).policy

    assert "csv" not in {row.format for row in chosen.advice}


def test_a_group_bears_the_explanation_of_what_its_payloads_use(sample: Rows) -> None:
    analysis = recommended(sample, "json-compact", Explaining(2))
    advice = next(row for row in analysis.policy.advice if row.group == "GET /v1/customers")

    uses = frozenset({"fields", "groups", "quotes", "tables"})
    once = Explaining(2).tokens("toon", uses, O200K)
    assert once > 0
    assert (advice.format, advice.explanation) == ("toon", advice.payloads * once / 2)
    assert advice.cost == advice.tokens + advice.explanation


def test_each_payload_bears_the_explanation_of_what_it_uses(sample: Rows) -> None:
    places = np.flatnonzero(~sample.bad)[::50]
    costs = cost_rows(sample, places, O200K, "toon", Explaining(2))

    uses = sample.uses["toon"]
    once = [Explaining(2).tokens("toon", uses.sets[uses.codes[at]], O200K) for at in places]
    tokens = sample.tokens[O200K]["toon"][places]
    assert costs.tolist() == [count + note / 2 for count, note in zip(tokens, once, strict=True)]
    assert len(set(once)) > 1
    unexplained = cost_rows(sample, places, O200K, "toon", NO_EXPLANATION)
    assert unexplained.tolist() == tokens.tolist()


@pytest.mark.parametrize("explaining", [ALONE, Explaining(10), NO_EXPLANATION])
def test_the_worth_of_a_switch_is_that_of_its_format(sample: Rows, explaining: Explaining) -> None:
    switches = recommended(sample, "json-compact", explaining).policy.switches

    explained = explaining.together is not None
    assert [row.worth.format if row.worth else None for row in switches] == [
        row.format if explained else None for row in switches
    ]
    for row in switches:
        assert row.vs_now == (row.cost - row.now) / row.now < 0


def test_a_group_that_stays_because_of_the_explanation_says_when_it_would_not(sample: Rows) -> None:
    def advice(together: int) -> tuple[str, Worth | None]:
        chosen = recommended(sample, "json-compact", Explaining(together)).policy
        row = next(row for row in chosen.advice if row.group == "tool: search_help")
        return row.format, row.worth

    assert advice(1) == ("json-compact", Worth("toon", 13))
    assert advice(12) == ("json-compact", Worth("toon", 13))
    assert advice(13) == ("toon", Worth("toon", 13))


def test_series_and_totals_are_of_the_same_texts(sample: Rows) -> None:
    for explaining in (ALONE, Explaining(3), NO_EXPLANATION):
        analysis = analyse(sample, Comparison(O200K, "as-typed", "toon", explaining=explaining))

        assert analysis.series is not None
        assert analysis.series.untimed == 0
        assert analysis.series.tokens.sum() == pytest.approx(analysis.ways["now"].cost)


def test_a_format_that_may_not_be_recommended_has_a_reason_and_no_money(rows: Rows) -> None:
    priced = {"model": MODELS["gpt-5"], "monthly": 1_000}
    csv = analyse(rows, Comparison(O200K, "as-typed", "csv", **priced))
    toon = analyse(rows, Comparison(O200K, "as-typed", "toon", **priced))

    assert csv.apart.startswith(f"{ROUND_TRIPS['lossy']}: ")
    assert csv.apart.endswith(" did not come back")
    assert toon.apart == ""
    assert [way.apart for way in csv.ways.values()] == ["", "", "", csv.apart]
    assert csv.monthly == toon.monthly == 1_000
    assert csv.ways["format"].dollars is None is not toon.ways["format"].dollars
    assert csv.ways["mix"].dollars == toon.ways["mix"].dollars


def test_the_groups_that_another_tokenizer_sends_otherwise_are_those_of_its_own_policy(
    sample: Rows, rows: Rows
) -> None:
    def policy(tokenizer: str) -> Analysis:
        return analyse(sample, Comparison(tokenizer, "as-typed", "toon"))

    ours = policy(O200K)
    assert list(ours.flips) == ["gemma3", "claude_4_8", "claude_3"]
    for name, flips in ours.flips.items():
        both = zip(ours.sums.groups, ours.policy.sent, policy(name).policy.sent, strict=True)
        assert flips == {group: its for group, mine, its in both if family(its) != family(mine)}
        sizes = [ours.sums.payloads[ours.sums.groups.index(group)] for group in flips]
        assert sizes == sorted(sizes, reverse=True)
    assert {name: len(flips) for name, flips in ours.flips.items()} == {
        "gemma3": 1, "claude_4_8": 3, "claude_3": 0,
    }  # fmt: skip
    assert analyse(rows, Comparison(O200K, "as-typed", "toon")).flips == {}  # a rule of thumb


# -- all of it -------------------------------------------------------------------------------


def test_an_analysis_of_nothing_has_no_figures(sample: Rows) -> None:
    nothing = Filter(search="no such thing")
    choice = Comparison(O200K, "as-typed", "toon", nothing, ALONE, MODELS["gpt-5"], 5)
    analysis = analyse(sample, choice)

    assert analysis.payloads == 0
    assert analysis.nothing == "Nothing to compare: there is no payload with figures"
    assert analysis.policy.advice == ()
    assert (analysis.series, analysis.rate, analysis.spread.quantiles) == (None, None, ())


def test_where_no_payload_can_differ_there_is_nothing_to_compare(tmp_path: Path) -> None:
    scalars = [Payload("a", number, "g", text) for number, text in enumerate(("5", "[]", "{}"))]
    rows = rows_of(tmp_path / "run.parquet", scalars)
    analysis = analyse(rows, Comparison(O200K, "as-typed", "toon", explaining=NO_EXPLANATION))

    assert analysis.payloads > 0
    assert analysis.nothing == "Nothing to compare: every payload is empty or a single value"
    assert {row.format for row in analysis.policy.advice} == {"json-compact"}
