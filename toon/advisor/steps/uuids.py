"""UUIDs without their hyphens.

Hyphens come back by field: in a field of which a UUID lost them, every text of 32 hex digits had
them. Where that would not be true, the field is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from toon.advisor.steps.base import Applied, Kind, Options, listed, plural
from toon.formats.base import NotApplicable
from toon.values.paths import Path, mapped, parse_pattern, pattern_text, scalars

_PARTS: Final = [f"([0-9a-f]{{{digits}}})" for digits in (8, 4, 4, 4, 12)]
UUID: Final = re.compile("-".join(_PARTS), re.I | re.A)
_BARE: Final = re.compile("".join(_PARTS), re.I | re.A)


@dataclass(frozen=True, slots=True)
class Unhyphenate:
    """Takes the hyphens out of UUIDs; ``kept`` are the fields, as patterns."""

    name: str = "bare-uuids"
    label: str = "UUIDs without hyphens"
    kind: Kind = "reversible"

    def apply(self, value: Any, options: Options) -> Applied:
        found: Counter[Path] = Counter()
        bare: set[Path] = set()
        for path, item in scalars(value):
            if isinstance(item, str):
                if UUID.fullmatch(item):
                    found[path] += 1
                elif _BARE.fullmatch(item):
                    bare.add(path)
        if not found:
            raise NotApplicable("there is no UUID")
        fields = [path for path in found if path not in bare]
        if not fields:
            raise NotApplicable("every field with UUIDs also holds some without hyphens")
        chosen = frozenset(fields)

        def change(path: Path, item: Any) -> Any:
            is_uuid = path in chosen and isinstance(item, str) and UUID.fullmatch(item)
            return item.replace("-", "") if is_uuid else item

        kept = [pattern_text(path) for path in fields]
        count = sum(found[path] for path in fields)
        note = f"hyphens taken out of {plural(count, 'UUID')} in {listed(kept)}"
        return Applied(mapped(value, change), note, kept=kept)

    def undo(self, applied: Applied) -> Any:
        fields = {parse_pattern(pattern) for pattern in applied.kept}

        def change(path: Path, item: Any) -> Any:
            parts = _BARE.fullmatch(item) if path in fields and isinstance(item, str) else None
            return "-".join(parts.groups()) if parts else item

        return mapped(applied.value, change)
