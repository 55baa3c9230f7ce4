"""Only the fields that were chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toon.advisor.fields import project
from toon.advisor.steps.base import Applied, Lossy, Options, listed, plural
from toon.advisor.tree import pattern_text, scalars
from toon.formats.base import NotApplicable


@dataclass(frozen=True, slots=True)
class KeepFields(Lossy):
    """Keeps the fields of ``Options.keep_fields``, with all that is below them."""

    name: str = "keep-fields"
    label: str = "Only the chosen fields"

    def apply(self, value: Any, options: Options) -> Applied:
        if not options.keep_fields:
            raise NotApplicable("no fields are chosen")
        result = project(value, options.keep_fields)
        before, after = [path for path, _ in scalars(value)], [path for path, _ in scalars(result)]
        gone = [pattern_text(path) for path in dict.fromkeys(before) if path not in set(after)]
        if len(after) == len(before):
            raise NotApplicable("the chosen fields are all there are")
        note = f"{plural(len(before) - len(after), 'value')} of {len(before):,} left out"
        return Applied(result, note, f"{plural(len(gone), 'field')}: {listed(gone)}")
