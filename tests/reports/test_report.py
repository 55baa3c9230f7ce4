"""The report: what it says, and that no text in a file becomes markup in it."""

import csv
import io
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.words import COMPACT, PRETTY, ROUND_TRIPS
from toon.analysis import Comparison, Filter, analyse, load
from toon.analysis.spread import Bar
from toon.costs.explanation import Explaining
from toon.costs.models import MODELS
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.reports.charts import columns, signed_bars, stacked_bars
from toon.reports.csv import as_csv
from toon.reports.facts import Report, caveats, describe, facts, headline
from toon.reports.figures import bar_range, flip_words, list_ways, totals, untested_words
from toon.reports.html import as_html, changes_by_group, tokens_over_time
from toon.reports.markdown import as_markdown, escape_markdown
from toon.traffic.payload import BadRecord, Payload

MADE, O200K, CLAUDE = datetime(2026, 11, 21, 9, 30, tzinfo=UTC), "o200k_base", "claude_3"
ASSUMED = "note to the model included, payloads in a prompt: 1."
LOST = f"{ROUND_TRIPS['lossy']}: 1 of 1 payload did not come back"
HOSTILE = '=1+1|<img src=x onerror=alert(1)>"`[x](y)'
ROWS = '[{"id":100,"name":200},{"id":300,"name":400},{"id":500,"name":600}]'


def make_report(path: Path, choice: Comparison, name: str = "corpus.jsonl.gz") -> Report:
    rows = load(open_run(path))
    return Report(name, analyse(rows, choice), MADE)


@pytest.fixture(scope="module")
def sample() -> Report:
    choice = Comparison(O200K, "as-typed", "toon", model=MODELS["gpt-5"])
    return make_report(ROOT / "samples" / "corpus.parquet", choice)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A cancelled run with names that look like markup, and a lossy format."""
    path = tmp_path_factory.mktemp("hostile") / "run.parquet"
    payloads = [
        Payload("a.jsonl", 1, HOSTILE, ROWS, 1_760_000_000.0),
        Payload("a.jsonl", 2, "plain", '{"a":[1,{"b":2}]}', 1_760_090_000.0),
        Payload("a.jsonl", 3, "plain", '{"a":"Boston"}'),
        BadRecord("a.jsonl", 4, "<script>alert(2)</script>"),
    ]
    measure(payloads, path, workers=1, tokenizers=[CLAUDE, O200K], formats=["toon", "csv"])
    rows = load(open_run(path))
    rows.about["complete"] = False
    some, model = Filter(search="a.jsonl"), MODELS["claude-haiku-4.5"]
    choice = Comparison(CLAUDE, "json-pretty", "csv", some, model=model)
    return Report(f"{HOSTILE}.zip", analyse(rows, choice), MADE)


FLIPS = (
    "Another format is to be sent in 1 of 10 groups by Gemini, Gemma 3 (gemma3) "
    "(GET /v1/customers: as today); in 3 of 10 groups by Claude Opus 4.8, Sonnet 5 and later "
    "(claude_4_8) (GET /v1/orders/{id}: YAML, tool: search_help: YAML, GET /v1/config: YAML); "
    "the same in all by Claude 3 to 4.6 (claude_3)."
)


def test_a_report_says_for_which_groups_the_answer_flips(sample: Report) -> None:
    assert flip_words(sample) == FLIPS
    assert FLIPS in "".join(parse_page(as_html(sample)).words)
    assert escape_markdown(FLIPS) in as_markdown(sample)


UNTESTED = (
    "Formats that no model was tested with would save 6,750 tokens more (tool: list_issues: TRON)."
)


def test_what_untested_formats_would_save_stands_beside_the_policy(sample: Report) -> None:
    without_notes = Comparison(O200K, "as-typed", "toon", explaining=Explaining(None))
    report = Report("x", analyse(sample.analysis.rows, without_notes), MADE)

    assert (untested_words(sample), untested_words(report)) == ("", UNTESTED)
    assert UNTESTED in "".join(parse_page(as_html(report)).words)
    assert escape_markdown(UNTESTED) in as_markdown(report)


def test_the_facts_state_what_was_measured_and_how(sample: Report) -> None:
    lines = dict(facts(sample))
    versions = lines.pop("Versions")

    assert lines.pop("Measured").startswith("2026-")
    prices = r"GPT-5 of OpenAI; genai-prices \S+, in force on 2026-11-21"
    assert re.fullmatch(prices, lines.pop("Prices"))
    assert lines == {
        "Run": "corpus.jsonl.gz",
        "Payloads": "2,594",
        "Bad records": "0",
        "Skipped: no JSON payload": "6",
        "Read as": "corpus.jsonl.gz: read as JSON Lines, at payload: 2,594 payloads, 6 skipped",
        "Model": "GPT-5",
        "Tokenizer": "OpenAI, GPT-4o and later (o200k_base)",
        "Evidence": "tiktoken 0.14, OpenAI's own library, counts it with o200k_base.",
        "Sent today (baseline)": "your JSON",
        "Note to the model": "note to the model included, payloads in a prompt: 1",
        "Further baselines": f"{COMPACT}, {PRETTY}",
        "Formats measured": (
            f"{COMPACT}; {PRETTY}; Python-default JSON; JSON by columns; YAML; TOON; "
            "TOON, tab; TOON, pipe; TOON 3.3; TRON"
        ),
        "Filter": "none: the whole run",
        "Rate": "2,826 payloads a month, observed from 2026-03-02 01:27 to 2026-03-29 23:37 UTC",
        "Report made": "2026-11-21T09:30+00:00",
    }
    assert versions.startswith("tiktoken ")
    assert versions.endswith(", toon-spec 4.4")


def test_every_caveat_is_listed(hostile: Report) -> None:
    assert caveats(hostile) == [
        "The run was cancelled: it holds only the records measured before that.",
        "A filter is in force (search: a.jsonl): rows outside it are in no figure.",
        "1 bad record, which could not be read or measured: in no figure.",
        "Recommendations are judged by the same payloads they were drawn from.",
        "CSV can carry 1 of 3 payloads: its figures are of those.",
        "Money covers the input tokens of the payloads alone: each is sent once, uncached, and "
        f"priced as one call. {hostile.analysis.explaining.payment}",
        "The month is projected from a window of only 25 hours.",
        "The observed rate leaves out 1 payload without a time.",
    ]


def test_another_tokenizer_is_a_caveat_and_an_unknown_rate_has_a_reason(hostile: Report) -> None:
    choice = Comparison(O200K, "as-typed", "toon", Filter(until=1_760_000_001.0))
    report = Report("x", analyse(hostile.analysis.rows, choice), MADE)
    notes, rate = caveats(report), dict(facts(report))["Rate"]

    kinds = "Kinds of text were counted by the run's first tokenizer, Claude 3 to 4.6 (claude_3)."
    assert kinds in notes
    assert rate == "unknown: the times lie within less than a minute"


def test_the_setting_of_explanations_is_a_fact_with_the_own_wordings(sample: Report) -> None:
    def describe_note(explaining: Explaining) -> str:
        choice = Comparison(O200K, "as-typed", "toon", explaining=explaining)
        return dict(facts(Report("x", analyse(sample.analysis.rows, choice), MADE)))[
            "Note to the model"
        ]

    assert describe_note(Explaining(None)) == "the model needs no note"
    assert describe_note(Explaining(1_000, (("toon", "It is TOON."),))) == (
        "note to the model included, payloads in a prompt: 1,000; TOON: 'It is TOON.'"
    )


def test_the_ways_are_the_ladder_and_the_chosen_format(sample: Report) -> None:
    assert [(name, way.cost, way.step) for name, way in list_ways(sample)] == [
        ("Today: your JSON", 1_042_733, None),
        ("Minified", 992_306, pytest.approx(-0.04836, abs=1e-5)),
        ("Recommended mix", 872_497, pytest.approx(-0.120738, abs=1e-6)),
        ("All TOON", 1_045_818, None),
    ]
    compact = Comparison(O200K, "json-compact", "json-compact")
    report = Report("x", analyse(sample.analysis.rows, compact), MADE)
    assert [name for name, _ in list_ways(report)] == [f"Today: {COMPACT}", "Recommended mix"]


def test_a_format_that_stands_apart_has_its_reason_and_neither_money_nor_tokens(
    hostile: Report,
) -> None:
    name, way = list_ways(hostile)[-1]

    assert (name, way.apart, way.dollars) == ("All CSV", LOST, None)
    assert [name for name, way in list_ways(hostile) if not way.carries_all] == ["All CSV"]
    assert "not possible" not in as_markdown(hostile)
    assert f"| All CSV | – | – | – | – | none: {LOST} |" in as_markdown(hostile)
    assert [name for name, _, reason in totals(hostile) if reason] == ["csv"]
    for text in (as_markdown(hostile), as_csv(hostile), as_html(hostile)):
        assert LOST in text
    page = as_html(hostile)
    assert 'class="apart"' in page
    assert not re.search('<rect [^>]*class="(saves|costs)"', page)


def test_a_run_without_a_difference_is_one_sentence_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    measure([Payload("a", 1, "g", "[]"), Payload("a", 2, "g", "5")], path, workers=1)
    report = make_report(path, Comparison(O200K, "as-typed", "toon"))
    sentence = "Nothing to compare: every payload is empty or a single value"

    assert headline(report) == sentence
    assert as_markdown(report).startswith(f"# {sentence}\n")
    assert f"<h1>{sentence}</h1>" in as_html(report)
    assert not re.search('mix|Every format|class="chart', as_markdown(report) + as_html(report))
    lines = list(csv.reader(io.StringIO(as_csv(report))))
    assert lines[1][:3] == ["about", "Answer", sentence]
    assert {line[0] for line in lines} == {"line", "about", "caveat"}


def test_a_filter_in_words() -> None:
    everything = Filter(("a", "b"), 0.0, 86_400.0, " x ")

    assert describe(Filter()) == ""
    assert describe(everything) == (
        "groups: a, b; from 1970-01-01 00:00 UTC; until 1970-01-02 00:00 UTC; search: x"
    )


def test_what_a_chart_leaves_out_is_counted(sample: Report, hostile: Report) -> None:
    assert (chart := tokens_over_time(hostile))
    assert chart.note == "1 payload without a time."
    assert changes_by_group(sample, 10).note == ""
    assert changes_by_group(sample, 9).note == "Left out: 1 group with smaller changes."
    assert changes_by_group(hostile).note.endswith(
        "Left out: 1 group in which CSV cannot carry every payload."
    )


def test_the_last_bar_has_no_end() -> None:
    expected = ["−5.0\u202f% to ±0.0\u202f%", "+90.0\u202f% to +95.0\u202f%"]
    assert [bar_range(Bar(low, low + 0.05, 1)) for low in (-0.05, 0.9)] == expected
    assert bar_range(Bar(0.95, 1.0, 1)) == "+95.0\u202f% or more"


class Elements(HTMLParser):
    """Every tag, attribute and text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parse_page(html: str) -> Elements:
    elements = Elements()
    elements.feed(html)
    return elements


@pytest.mark.parametrize("which", ["sample", "hostile"])
def test_the_page_runs_and_loads_nothing(which: str, request: pytest.FixtureRequest) -> None:
    html = as_html(request.getfixturevalue(which))
    page = parse_page(html)

    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "div", "table", "tr", "th",
        "td", "ul", "li", "p", "span", "dl", "dt", "dd", "i", "em",
    }  # fmt: skip
    assert not {name for name in page.attributes if name.startswith("on")}
    assert not page.attributes & {"src", "href"}
    assert "default-src 'none'" in html
    assert "http" not in html.replace("http-equiv", "")


def test_the_page_says_all_facts_caveats_and_losses(sample: Report) -> None:
    words = parse_page(as_html(sample)).words

    for said in (*facts(sample), caveats(sample)):
        assert set(said) <= set(words)
    assert sum(text.startswith(ASSUMED) for text in words) == 2  # below both charts of a format
    assert "+60,741 (+36.7\u202f%)" in words


def test_the_page_cuts_what_would_fill_it(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    payloads = [
        Payload("a.jsonl", n, f"{n:02} {'x' * 3_000}", ROWS, 1_760_000_000.0 + 99 * n)
        for n in range(30)
    ]
    measure(payloads, path, workers=1)
    words = parse_page(as_html(make_report(path, Comparison(O200K, "json-compact", "toon")))).words

    assert words.count(f"{ASSUMED} Left out: 5 groups with smaller changes.") == 1
    assert words.count("Left out: 5 groups with fewer tokens.") == 1
    assert f"29 {'x' * 197}… (3,003 characters)" in words


def test_markdown_shows_text_as_it_is(hostile: Report) -> None:
    text = as_markdown(hostile)

    assert escape_markdown("a|b\nc*<d>") == r"a\|b c\*\<d\>"
    assert HOSTILE not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3, 7, 8}


def test_csv_is_one_table_without_formulas(hostile: Report) -> None:
    lines = list(csv.reader(io.StringIO(as_csv(hostile))))

    assert {len(line) for line in lines} == {20}
    assert next(x for x in lines if x[1] == "Payloads")[:3] == ["about", "Payloads", "3"]
    assert [line[1] for line in lines if line[0] == "caveat"] == caveats(hostile)
    mine = next(line for line in lines if line[0] == "group" and line[2] == "csv")
    assert mine[1] == f"'{HOSTILE}"
    number = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")
    starts = {cell[:1] for line in lines for cell in line if not number.fullmatch(cell)}
    assert not starts & set("=+-@\t\r")


def test_csv_figures_are_those_of_the_analysis(sample: Report) -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv(sample))))
    whole = {line["format"]: line for line in lines if line["line"] == "all"}
    groups = [line for line in lines if line["line"] == "group"]

    assert (whole["toon"]["tokens"], whole["toon"]["explanation"]) == ("872577", "173241.0")
    assert whole["toon"]["vs_json_compact"] == "0.053927"
    assert whole["toon"]["vs_today"] == "0.002959"  # with the explanation in every payload
    assert len(groups) == 10 * 11
    chosen = [line for line in groups if line["recommended"]]
    costs = sum(int(line["tokens"]) + float(line["explanation"]) for line in chosen)
    assert costs == sample.analysis.ways["mix"].cost
    ways = [line for line in lines if line["line"] == "way"]
    assert [tuple(way[name] for name in ("format", "tokens", "explanation")) for way in ways] == [
        ("Today: your JSON", "1042733", "0.0"),
        ("Minified", "992306", "0.0"),
        ("Recommended mix", "813205", "59292.0"),
        ("All TOON", "872577", "173241.0"),
    ]
    shares = ("vs_today", "vs_json_compact", "explanation", "tokens")
    assert [ways[-1][name] for name in shares] == [whole["toon"][name] for name in shares]


SIGNS = ("saves", "costs")


def test_bars_end_where_their_figures_say() -> None:
    drawn = signed_bars([("a", -50.0, "−50"), ("b", 25.0, "+25"), ("c", 0.0, "±0")], SIGNS)
    bars = [
        (style, float(before or 0), float(width))
        for style, before, width in re.findall(
            r'class="(\w+)" style="(?:margin-left:([\d.]+)%;)?width:([\d.]+)%"', drawn
        )
    ]

    (_, _, zero), *_ = bars  # where the longest saving ends
    assert bars == [("saves", 0, zero), ("costs", zero, zero / 2), ("costs", zero, 0)]


def test_charts_of_nothing_are_charts() -> None:
    for drawn in (signed_bars([], SIGNS), stacked_bars([]), columns([], ("a", "b"))):
        assert drawn.startswith("<d")
        assert "nan" not in drawn
