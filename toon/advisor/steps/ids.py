"""Long ids cut to a few characters, with a map from the short ids to the whole ones.

An id is a text under a key such as ``id``, ``order_id`` or ``orderIds``, or a UUID anywhere. It is
cut wherever it is a whole value, so references to it still match. No other text of the payload
equals a short id: the map alone restores the ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from toon.advisor.steps.base import Applied, StepKind, StepOptions, replace_texts
from toon.advisor.steps.uuids import UUID
from toon.formats.base import NotApplicable
from toon.values.paths import Path
from toon.values.walks import scalars
from toon.wording import plural

#: Characters kept of an id; more where two ids begin alike.
LENGTH: Final = 8

_KEY: Final = re.compile(r"(?:.*[_-])?(?:id|uuid|guid)s?|.*[a-z0-9](?:Id|ID|Uuid|UUID|Guid|GUID)s?")
_ID: Final = re.compile(r"[0-9A-Za-z_:.-]{9,}")


@dataclass(frozen=True, slots=True)
class ShortIds:
    """Cuts ids to their first characters; ``kept`` maps the short ids to the whole ones."""

    name: str = "short-ids"
    label: str = f"Ids cut to {LENGTH} characters"
    kind: StepKind = "reversible"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        texts = [(path, item) for path, item in scalars(value) if isinstance(item, str)]
        ids = {item for path, item in texts if _is_id(path, item)}
        if not ids:
            raise NotApplicable(f"there is no id of more than {LENGTH} characters")
        short = _shortened(ids, {item for _, item in texts})
        if not short:
            raise NotApplicable("the ids differ only where they would be cut")
        count = sum(item in short for _, item in texts)
        longer = sum(len(cut) > LENGTH for cut in short.values())
        note = f"{plural(count, 'id')} cut, {len(short):,} distinct"
        if longer:
            note += f", {longer:,} of them longer than {LENGTH} characters to stay unique"
        kept = {short[item]: item for _, item in texts if item in short}
        return Applied(replace_texts(value, short), note, kept=kept)

    def undo(self, applied: Applied) -> Any:
        return replace_texts(applied.value, applied.kept)


def _is_id(path: Path, text: str) -> bool:
    key = next((key for key in reversed(path) if key is not None), "")
    return bool(UUID.fullmatch(text) or (_ID.fullmatch(text) and _KEY.fullmatch(key)))


def _shortened(ids: set[str], texts: set[str]) -> dict[str, str]:
    """The short form of every id that has one: a prefix that no other id or text shares."""
    ordered = sorted(ids)
    common = [_common_prefix(one, other) for one, other in pairwise(ordered)]
    short = {}
    for whole, before, after in zip(ordered, [0, *common], [*common, 0], strict=True):
        length = max(LENGTH, before + 1, after + 1)
        while whole[:length] in texts and length < len(whole):
            length += 1
        if length < len(whole):
            short[whole] = whole[:length]
    return short


def _common_prefix(one: str, other: str) -> int:
    """The number of leading characters that both share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
