"""What the first view of Send less shows, at once."""

from __future__ import annotations

import json

import pytest

from toon.advisor import STEPS, Step, advise, best_combination, overview
from toon.advisor.trail import Trail
from toon.costs.document import Document
from toon.costs.typed import Typed


def test_an_overview_measures_every_step_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, ...]] = []

    def after(trail: Trail, step: Step) -> Trail:
        tried.append((*(stage.step.name for stage in trail.stages), step.name))
        return real(trail, step)

    real = Trail.after
    rows = [{"id": number, "left": number * 7, "city": "Graz"} for number in range(40)]
    typed = Typed(json.dumps(rows))
    best, alone = best_combination(Document.of(rows, typed)), advise(Document.of(rows, typed))
    monkeypatch.setattr(Trail, "after", after)
    found = overview(Document.of(rows, typed), tokenizer="o200k_base")

    assert (found["best"], found["alone"]) == (best, alone)
    minified = best["ladder"][0]["cost"] - best["ladder"][1]["cost"]
    first, *others = found["credits"]
    assert first == f"Minifying saves {minified:,.0f}: any JSON library does that."
    assert len(others) == len(best["steps"])
    assert {row["step"] for row in alone} | found["idle"].keys() == STEPS.keys() - {"minify"}
    assert len(tried) == len(set(tried)) > len(STEPS)
