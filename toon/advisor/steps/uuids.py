"""The step that removes the hyphens of UUIDs.

Hyphens are restored by field: in a changed field, every text of 32 hex digits gets them. A field
that also holds UUIDs without hyphens is left unchanged, since they would get hyphens too.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

from toon.advisor.steps.base import Applied, StepKind, StepOptions
from toon.formats.base import NotApplicable
from toon.values.paths import Path, parse_pattern, pattern_text
from toon.values.walks import mapped
from toon.wording import listed, plural

_PARTS: Final = [f"([0-9a-f]{{{digits}}})" for digits in (8, 4, 4, 4, 12)]
UUID: Final = re.compile("-".join(_PARTS), re.I | re.A)
_BARE: Final = re.compile("".join(_PARTS), re.I | re.A)


class Unhyphenate:
    """A step that removes the hyphens of UUIDs; ``kept`` lists the changed fields as patterns."""

    name = "bare-uuids"
    label = "UUIDs without hyphens"
    kind: StepKind = "with-a-map"
    unanswerable = (
        "the UUID as it was written: it can only repeat it without hyphens, which your program "
        "must put back"
    )

    def apply(self, value: Any, options: StepOptions) -> Applied:
        counts: Counter[Path] = Counter()
        bare: set[Path] = set()
        for path, item in options.scalars(value):
            if isinstance(item, str):
                if UUID.fullmatch(item):
                    counts[path] += 1
                elif _BARE.fullmatch(item):
                    bare.add(path)
        if not counts:
            raise NotApplicable("there is no UUID")
        fields = [path for path in counts if path not in bare]
        if not fields:
            raise NotApplicable("every field with UUIDs also holds some without hyphens")
        chosen = frozenset(fields)

        def change(path: Path, item: Any) -> Any:
            is_uuid = path in chosen and isinstance(item, str) and UUID.fullmatch(item)
            return item.replace("-", "") if is_uuid else item

        kept = [pattern_text(path) for path in fields]
        count = sum(counts[path] for path in fields)
        note = f"hyphens taken out of {plural(count, 'UUID')} in {listed(kept)}"
        return Applied(mapped(value, change), note, kept=kept)

    def undo(self, applied: Applied) -> Any:
        fields = {parse_pattern(pattern) for pattern in applied.kept}

        def change(path: Path, item: Any) -> Any:
            parts = _BARE.fullmatch(item) if path in fields and isinstance(item, str) else None
            return "-".join(parts.groups()) if parts else item

        return mapped(applied.value, change)
