"""What an estimate alone would recommend and its witnesses do not: nothing recommends it."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
import pytest

from tests.benchmarks.elsewhere import payloads
from toon.advisor.measure import Measurer
from toon.advisor.steps import STEPS
from toon.analysis import Comparison, analyse
from toon.analysis.rows import Rows, rows_of
from toon.analysis.single import best_of_each
from toon.cli import main
from toon.costs.answer import answer
from toon.costs.choice import CANDIDATES, COMPACT
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.headline import picture
from toon.costs.sentences import disagreement
from toon.costs.typed import Typed
from toon.formats import AS_TYPED, FORMATS
from toon.measuring.measure import Settings
from toon.measuring.table import describe, measure_part
from toon.reports.caveats import caveats
from toon.reports.facts import Report
from toon.tokenizers import get
from toon.tokenizers.fast_openai import get_fast
from toon.traffic.payload import Payload

HAIKU: Final = "claude_haiku_4_5"
MADE: Final = datetime(2026, 11, 24, tzinfo=UTC)
NO_NOTE: Final = Explaining(None)
VALUES: Final = {(kind, size): value for kind, size, value in payloads() if size in (7, 20)}
#: By the estimate TOON saves, and by two of its three witnesses it does not.
ORDERS: Final = VALUES["orders", 20]
#: By the estimate minified JSON costs less than TOON with its note, and two of its three witnesses
#: count more tokens for the text.
CODE: Final = VALUES["code", 20]
#: By the estimate minified JSON costs less than VibeMCP, and by two of its witnesses it does not.
INTEGERS: Final = VALUES["small integers", 20]
#: By all of them TOON saves.
STAFF: Final = VALUES["staff", 20]
ORDERS_SAID: Final = (
    "Most of 3 public tokenizers do not agree that TOON takes fewer tokens here, so it is not "
    "recommended for Claude Haiku 4.5"
)


def more(value: Any, name: str, other: str) -> list[int]:
    """The tokens that each witness counts more for one format than for the other, least first."""
    one, two = (FORMATS[each].dumps(value) for each in (name, other))
    counters = [get_fast(each) for each in get(HAIKU).witnesses]
    return sorted(each.count(one) - each.count(two) for each in counters)


def test_the_answer_keeps_json_and_says_why() -> None:
    found = answer(Document.of(ORDERS), HAIKU, NO_NOTE, ("toon",))

    least, middle, _ = more(ORDERS, "toon", COMPACT)
    assert least < 0 <= middle
    assert get(HAIKU).count(FORMATS["toon"].dumps(ORDERS)) < found["tokens"]
    assert (found["format"], found["unagreed"]) == (COMPACT, "toon")
    assert ORDERS_SAID in found["reasons"]
    assert f". {ORDERS_SAID}. " in found["sentence"]


def test_where_all_agree_nothing_is_said() -> None:
    found = answer(Document.of(STAFF), HAIKU, NO_NOTE, ("toon",))

    assert (found["format"], found["unagreed"]) == ("toon", None)
    assert "do not agree" not in found["sentence"]
    assert answer(Document.of(ORDERS), "o200k_base", NO_NOTE, ("toon",))["unagreed"] is None


def test_what_is_sent_otherwise_stays_so_where_json_is_estimated_to_be_shorter() -> None:
    sent = FORMATS["vibemcp-lossless"]
    document = Document.of(INTEGERS, Typed(sent.dumps(INTEGERS), sent))
    found, drawn = answer(document, HAIKU), picture(document, HAIKU)

    assert more(INTEGERS, COMPACT, sent.name)[1] >= 0 > found["cost"] - found["ladder"][0]["cost"]
    assert (found["switch"], found["unagreed"]) == (False, COMPACT)
    assert f"{disagreement(COMPACT, HAIKU)}." in drawn.why


def test_the_step_to_another_format_has_nothing_to_do_and_says_why() -> None:
    asked = Measurer.of(Document.of(CODE), HAIKU, format="toon")

    assert asked.idle()["format"] == disagreement(COMPACT, HAIKU)
    assert asked.best()["format"] == "toon"
    assert asked.step_row(STEPS["minify"])["saved"] > 0


@pytest.mark.parametrize("today", CANDIDATES)
def test_no_combination_of_steps_goes_to_a_format_that_most_witnesses_count_more_for(
    today: str,
) -> None:
    switched = 0
    for value in VALUES.values():
        document = Document.of(value)
        if document.no_estimate(HAIKU) or today not in document.written([today]):
            continue
        asked = Measurer.of(document, HAIKU, format=today, explaining=NO_NOTE)
        step = asked.trail([STEPS["format"]])
        if not step.skipped:
            switched += 1
            assert more(value, step.format, today)[1] < 0
    assert switched > 10


def rows_of_group(*values: Any) -> Rows:
    settings = Settings.of([HAIKU, "o200k_base"], ["toon"], explaining=NO_NOTE)
    texts = [json.dumps(value, separators=(",", ":")) for value in values]
    records = [Payload("a", number, "g", text) for number, text in enumerate(texts)]
    table = pq.read_table(io.BytesIO(measure_part(records, settings)))
    about: Any = describe(settings)
    return rows_of(about, table.select)


def test_a_group_keeps_json_and_its_report_says_why() -> None:
    rows = rows_of_group(ORDERS, ORDERS)
    found = analyse(rows, Comparison(HAIKU, AS_TYPED, "toon"))
    (advice,) = found.policy.advice

    assert found.sums.total("toon").cost < found.sums.total(COMPACT).cost
    assert (advice.format, advice.switch, advice.unagreed) == (COMPACT, False, "toon")
    assert f"{ORDERS_SAID}: g." in caveats(Report("run", found, MADE))
    counted = analyse(rows, Comparison("o200k_base", AS_TYPED, "toon"))
    assert counted.policy.unagreed == {}


def test_the_counts_of_all_payloads_decide_for_their_group() -> None:
    rows = rows_of_group(ORDERS, STAFF)
    found = analyse(rows, Comparison(HAIKU, AS_TYPED, "toon"))
    (advice,) = found.policy.advice

    assert more(ORDERS, "toon", COMPACT)[1] + more(STAFF, "toon", COMPACT)[1] < 0
    assert (advice.format, advice.unagreed) == ("toon", None)
    assert best_of_each(rows, found.selected.measured, HAIKU, NO_NOTE) == [COMPACT, "toon"]


def test_the_command_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "orders.json"
    path.write_text(json.dumps(ORDERS, separators=(",", ":")))
    asked = ["stats", str(path), "--format", "toon", "--tokenizer", HAIKU, "--together", "none"]

    assert main(asked) == 0
    assert ORDERS_SAID in capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["unagreed"] == "toon"
