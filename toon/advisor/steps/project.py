"""The step that sends only chosen fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from toon.advisor.steps.base import Applied, Lossy, StepOptions
from toon.formats.base import NotApplicable
from toon.values.paths import Path, pattern_text
from toon.values.projection import project
from toon.values.walks import leaves
from toon.wording import listed, plural


class KeepFields(Lossy):
    """A step that keeps the fields of ``StepOptions.keep_fields`` and everything below them."""

    name = "keep-fields"
    label = "Only the chosen fields"
    unanswerable = "anything about the fields left out"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        if not options.keep_fields:
            raise NotApplicable("no fields are chosen")
        result = project(value, options.keep_fields)
        before = Counter(_leaf_keys(value))
        left_out = before - Counter(_leaf_keys(result))
        if not left_out:
            raise NotApplicable("the chosen fields are all there are")
        dropped = [pattern_text(path) for path in dict.fromkeys(path for path, _ in left_out)]
        note = f"{plural(left_out.total(), 'value')} of {before.total():,} left out"
        return Applied(result, note, f"{plural(len(dropped), 'field')}: {listed(dropped)}")


def _leaf_keys(value: Any) -> Iterator[tuple[Path, bool]]:
    """Yield the path of every leaf, and whether the leaf is an empty container."""
    return ((path, isinstance(item, dict | list)) for path, item in leaves(value))
