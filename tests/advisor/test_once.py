"""The advice works everything out once, and says the same as if it worked it out anew each time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.advisor.shapes import payloads
from toon import tokenizers
from toon.advisor import STEPS, STRUCTURE, combined, field_costs, overview
from toon.advisor.steps.base import StepOptions
from toon.advisor.trail import Trail
from toon.costs.document import Document, Typed
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.json_columns import JsonColumnsFormat
from toon.formats.toon import ToonFormat
from toon.formats.tron import TronFormat
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.values.json_text import parse_json
from toon.values.paths import parse_pattern
from toon.values.projection import remove

UNDOABLE = [name for name, step in STEPS.items() if step.kind != "lossy"]
#: With and without a faster counter, and a rule of thumb.
COUNTERS = st.sampled_from(["o200k_base", "llama3", "claude_4_8", "chars4"])


def advice(value: Any, typed: Typed, tokenizer: str, format: str | None) -> Any:
    return (
        overview(Document.of(value, typed), tokenizer=tokenizer, format=format),
        combined(Document.of(value, typed), UNDOABLE, tokenizer=tokenizer, format=format),
        field_costs(value, tokenizer),
    )


def undone_anew(trail: Trail) -> Any:
    value = FORMATS[trail.format].loads(trail.text)
    for stage in reversed(trail.stages):
        applied = stage.applied
        before = type(applied)(value, "", legend=applied.legend, kept=applied.kept)
        value = stage.step.undo(before)
    return value


@settings(max_examples=15)
@given(payloads, COUNTERS, st.sampled_from([None, "json-pretty", "toon"]))
def test_the_advice_is_that_of_finding_everything_anew(
    given: Any, tokenizer: str, format: str | None
) -> None:
    text = JSON_PRETTY.dumps(given)
    value, typed = parse_json(text).value, Typed(text)
    found = advice(value, typed, tokenizer, format)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StepOptions, "once", lambda _, find, about, *rest: find(about, *rest))
        patch.setattr(Trail, "_undone", undone_anew)
        assert advice(value, typed, tokenizer, format) == found


@settings(max_examples=25)
@given(payloads, COUNTERS)
def test_every_figure_is_the_full_count_of_its_text(given: Any, tokenizer: str) -> None:
    count = tokenizers.get(tokenizer).count
    text = JSON_PRETTY.dumps(given)
    value = parse_json(text).value
    whole = count(JSON_COMPACT.dumps(value))

    found, together, fields = advice(value, Typed(text), tokenizer, None)

    for row in [*found["alone"], found["best"], together]:
        assert (row["today_tokens"], row["baseline_tokens"]) == (count(text), whole)
        assert row["tokens"] == count(row["text"])
    dear = [row for row in fields if row["field"] not in (STRUCTURE, "$")][:10]
    for row in dear:
        without = JSON_COMPACT.dumps(remove(value, parse_pattern(row["field"])))
        assert row["removed_saves"] == whole - count(without)


def test_no_text_is_written_counted_or_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many steps, rounds and proofs ask for it."""
    text = JSON_PRETTY.dumps([{"id": n, "left": n * 7, "city": "Graz"} for n in range(200)])
    met: Counter[tuple[str, str, str]] = Counter()

    def watch(owner: type[Any], name: str) -> None:
        real = getattr(owner, name)

        def watched(self: Any, given: Any, *more: Any) -> Any:
            key = given if isinstance(given, str) else JSON_COMPACT.dumps(given)
            met[name, self.name, key] += len(key) > len(text) / 8  # no snippet of a step
            return real(self, given, *more)

        monkeypatch.setattr(owner, name, watched)

    watch(OpenModelTokenizer, "count")
    for format in (ToonFormat, JsonColumnsFormat, TronFormat):
        watch(format, "dumps_beside")
        watch(format, "loads")
    found = overview(Document.of(parse_json(text).value, Typed(text)), tokenizer="o200k_base")

    assert found["best"]["steps"] == ["hoist-constants", "format"]
    assert {name for name, _, _ in +met} == {"count", "dumps_beside", "loads"}
    assert set((+met).values()) == {1}
