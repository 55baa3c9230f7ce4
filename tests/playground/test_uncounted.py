"""The editors for a model that nobody can count here: texts and proofs, but no figures."""

from __future__ import annotations

import pytest

from toon.playground.figures import measure
from toon.playground.panes import Options, Pane
from toon.wording import NOT_COUNTED


@pytest.mark.parametrize("runs", ["kinds", "tokens", "none"])
def test_what_is_not_counted_is_converted_and_proven(runs: str) -> None:
    found = measure(Pane("json", '{"a": 1}', Options()), "a: 1", "ask-service", runs)

    for side in ("json", "toon"):
        assert (found[side]["tokens"], found[side]["words"]) == (None, NOT_COUNTED)
        assert ("runs" in found[side]) == (runs == "kinds")
    assert found["round_trip"]["ok"]
