"""Send less against tokenization: ``python -m tests.benchmarks.advisor``.

The ratio is the time of the advice over that of bare tiktoken on the texts that it has to weigh,
each once: what is sent today, the value after each step and combination that is tried, in each
format that is tried. For fields it is compact JSON, and the same without each of the dearest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest.mock import patch

from tests.benchmarks.answer import resized
from tests.benchmarks.timing import Ratios, best, geometric_mean, payloads
from toon import tokenizers
from toon.advisor import STEPS, STRUCTURE, advise, combined, field_costs, overview
from toon.advisor.steps.base import StepOptions
from toon.costs.document import Document
from toon.costs.typed import Typed
from toon.formats.json import JSON_COMPACT
from toon.limits import DEFAULT_TOKENIZER
from toon.records.store import records
from toon.values.json_text import parse_json
from toon.values.paths import parse_pattern
from toon.values.projection import remove

BOUND = 3.0
SIZES = (2_000, 50_000, 800_000)
UNDOABLE = [name for name, step in STEPS.items() if step.kind != "lossy"]
PARTS: dict[str, Callable[[Any, Typed], object]] = {
    "overview": lambda value, typed: overview(
        Document.of(value, typed), tokenizer=DEFAULT_TOKENIZER
    ),
    "steps alone": lambda value, typed: advise(Document.of(value, typed)),
    "together": lambda value, typed: combined(Document.of(value, typed), UNDOABLE),
    "fields": lambda value, _: field_costs(value),
}


def shapes(size: int) -> Iterator[tuple[str, str]]:
    """Texts of about ``size`` characters: flat rows, rows in rows, logs, records with ids."""
    names = ("tabular", "uniform-rows", "nested", "orders-with-items", "event-logs", "event-log")
    values = [(name, value) for name, value in payloads() if name in names]
    values += [(domain, records(domain, 2_000)) for domain in ("events", "contacts")]
    for name, value in values:
        yield name, json.dumps(resized(value, size), indent=2, ensure_ascii=False)


def weighed(part: str, value: Any, typed: Typed) -> set[str]:
    """The texts that a part of the advice has to weigh."""
    if part == "fields":
        named = [row["field"] for row in field_costs(value)]
        dear = [field for field in named if field not in (STRUCTURE, "$")][:10]
        without = (remove(value, parse_pattern(field)) for field in dear)
        return set(map(JSON_COMPACT.dumps, (value, *without)))
    texts = {JSON_COMPACT.dumps(value)}
    price = StepOptions.price

    def pricing(options: StepOptions, format: str, text: str) -> tuple[int, int]:
        texts.add(text)
        return price(options, format, text)

    with patch.object(StepOptions, "price", pricing):
        PARTS[part](value, typed)
    return texts


def main() -> Ratios:
    encode = tokenizers.get(DEFAULT_TOKENIZER)._load().encoding.encode_ordinary
    print(f"{'payload':20}{'characters':>11}" + "".join(f"{part:>13}" for part in PARTS))
    ratios: dict[str, list[float]] = {part: [] for part in PARTS}
    for size in SIZES:
        for name, text in shapes(size):
            value, typed = parse_json(text).value, Typed(text)
            line = f"{name:20}{len(text):11,}"
            for part, advice in PARTS.items():
                texts = weighed(part, value, typed)
                bare = best(lambda texts=texts: [encode(each) for each in texts])
                ratios[part].append(best(partial(advice, value, typed)) / bare)
                line += f"{ratios[part][-1]:13.2f}"
            print(line, flush=True)
    means = "".join(f"{geometric_mean(found):13.2f}" for found in ratios.values())
    highest = "".join(f"{max(found):13.2f}" for found in ratios.values())
    print(f"{'geometric mean':31}{means}\n{'highest, bound ' + str(BOUND):31}{highest}")
    return [[*map(max, ratios.values())]]


if __name__ == "__main__":
    main()
