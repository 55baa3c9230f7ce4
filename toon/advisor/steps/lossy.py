"""Steps that leave out or round values: unused fields, empty values, decimals."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from toon.advisor.steps.base import Applied, Step, StepKind, StepOptions, rebuild
from toon.codec.numbers import exact_number, round_decimal
from toon.costs.document import Document
from toon.formats.base import NotApplicable
from toon.values.paths import Path, pattern_text
from toon.values.projection import project
from toon.values.walks import leaves, map_values
from toon.wording import listed, plural

DIGITS: Final = 2


class KeepFields(Step):
    """A lossy step that keeps only the chosen fields of a payload, with all below them."""

    name = "keep-fields"
    label = "Only the chosen fields"
    kind: StepKind = "lossy"
    unanswerable = "anything about the fields left out"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        if not options.keep_fields:
            raise NotApplicable("no fields are chosen")
        result = project(document.value, options.keep_fields)
        before = Counter(_leaf_keys(document.value))
        left_out = before - Counter(_leaf_keys(result))
        if not left_out:
            raise NotApplicable("the chosen fields are all there are")
        dropped = [pattern_text(path) for path in dict.fromkeys(path for path, _ in left_out)]
        note = f"{plural(left_out.total(), 'value')} of {before.total():,} left out"
        return Applied(result, note, f"{plural(len(dropped), 'field')}: {listed(dropped)}")


def _leaf_keys(value: Any) -> Iterator[tuple[Path, bool]]:
    """Yield for every leaf of a JSON value its path, and whether it is an empty object or array."""
    return ((path, isinstance(item, dict | list)) for path, item in leaves(value))


class DropNulls(Step):
    """A lossy step that drops the keys of objects whose value is null.

    The items of arrays stay, even null ones: without them the later items would change places.
    """

    name = "drop-nulls"
    label = "Drop nulls"
    kind: StepKind = "lossy"
    unanswerable = "whether a field was null or absent"
    selected = "null"
    lost = "whether a key was null or absent"

    def is_dropped(self, item: Any) -> bool:
        """Return whether a key of an object is dropped for its value: here, if that is null."""
        return item is None

    def apply(self, document: Document, options: StepOptions) -> Applied:
        dropped = 0

        def change(item: Any) -> Any:
            nonlocal dropped
            if not isinstance(item, dict):
                return item
            members = {key: member for key, member in item.items() if not self.is_dropped(member)}
            dropped += len(item) - len(members)
            return members

        result = rebuild(document.value, change)
        if not dropped:
            raise NotApplicable(f"no key holds {self.selected}")
        return Applied(result, f"{plural(dropped, 'key')} with {self.selected} dropped", self.lost)


class DropEmpty(DropNulls):
    """A lossy step that drops keys whose value is or becomes an empty text, array or object."""

    name = "drop-empty"
    label = "Drop empty texts, arrays and objects"
    unanswerable = lost = "whether a text, array or object was empty or absent"
    selected = "an empty text, array or object"

    def is_dropped(self, item: Any) -> bool:
        return isinstance(item, str | list | dict) and not item


class RoundFloats(Step):
    """A lossy step that rounds numbers to two decimals, half to even; 2.001 becomes 2."""

    name = "round-floats"
    label = f"Round to {DIGITS} decimals"
    kind: StepKind = "lossy"
    unanswerable = f"any decimal beyond the {DIGITS} that are left"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        changed: list[Any] = []

        def change(item: Any) -> Any:
            if isinstance(item, float | Decimal) and (near := round_number(item)) != item:
                changed.append(near)
                return near
            return item

        result = map_values(document.value, change)
        if not changed:
            raise NotApplicable(f"no number has more than {DIGITS} decimals")
        zeros = changed.count(0)
        lost = f"the decimals beyond {DIGITS} of {plural(len(changed), 'number')}"
        if zeros:
            lost += f"; {zeros:,} became 0"
        return Applied(result, f"{plural(len(changed), 'number')} rounded", lost)


def round_number(number: float | Decimal) -> int | float | Decimal:
    """Round a number to two decimals, a whole one to an integer; keep one that has no more."""
    if isinstance(number, float):
        near: float | Decimal = round(number, DIGITS)
    elif (cut := round_decimal(number, DIGITS)) is number:
        return number
    else:
        near = exact_number(format(cut, "f"))
    return int(near) if near != number and near == int(near) else near
