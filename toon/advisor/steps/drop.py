"""Steps that drop keys with null, or with an empty text, array or object.

The items of arrays stay, even null ones: without them the later items would change places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from toon.advisor.steps.base import Applied, Lossy, StepOptions, rebuild
from toon.formats.base import NotApplicable
from toon.wording import plural


@dataclass(frozen=True, slots=True)
class DropKeys(Lossy):
    """A step that drops the keys whose values ``drops`` selects, also those emptied by other drops.

    ``selected`` names those values in words, ``lost`` names what cannot be restored.
    """

    name: str
    label: str
    drops: Callable[[Any], bool]
    selected: str
    lost: str
    unanswerable: str

    def apply(self, value: Any, options: StepOptions) -> Applied:
        dropped = 0

        def change(item: Any) -> Any:
            nonlocal dropped
            if not isinstance(item, dict):
                return item
            members = {key: member for key, member in item.items() if not self.drops(member)}
            dropped += len(item) - len(members)
            return members

        result = rebuild(value, change)
        if not dropped:
            raise NotApplicable(f"no key holds {self.selected}")
        return Applied(result, f"{plural(dropped, 'key')} with {self.selected} dropped", self.lost)


DROP_NULLS: Final = DropKeys(
    "drop-nulls",
    "Drop nulls",
    lambda item: item is None,
    "null",
    "whether a key was null or absent",
    "whether a field was null or absent",
)
DROP_EMPTY: Final = DropKeys(
    "drop-empty",
    "Drop empty texts, arrays and objects",
    lambda item: isinstance(item, str | list | dict) and not item,
    "an empty text, array or object",
    "whether a text, array or object was empty or absent",
    "whether a text, array or object was empty or absent",
)
