"""The step that rounds numbers to two decimals."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from toon.advisor.steps.base import Applied, Lossy, StepOptions
from toon.codec.numbers import exact_number, rounded_decimal
from toon.formats.base import NotApplicable
from toon.values.walks import replaced
from toon.wording import plural

DIGITS: Final = 2


class RoundFloats(Lossy):
    """A step that rounds numbers half to even; whole results become integers."""

    name = "round-floats"
    label = f"Round to {DIGITS} decimals"
    unanswerable = f"any decimal beyond the {DIGITS} that are left"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        changed: list[Any] = []

        def change(item: Any) -> Any:
            if isinstance(item, float | Decimal) and (near := rounded(item)) != item:
                changed.append(near)
                return near
            return item

        result = replaced(value, change)
        if not changed:
            raise NotApplicable(f"no number has more than {DIGITS} decimals")
        zeros = changed.count(0)
        lost = f"the decimals beyond {DIGITS} of {plural(len(changed), 'number')}"
        if zeros:
            lost += f"; {zeros:,} became 0"
        return Applied(result, f"{plural(len(changed), 'number')} rounded", lost)


def rounded(number: float | Decimal) -> int | float | Decimal:
    """Round a number to two decimals; return it unchanged if it has no more."""
    if isinstance(number, float):
        near: float | Decimal = round(number, DIGITS)
    elif (cut := rounded_decimal(number, DIGITS)) is number:
        return number
    else:
        near = exact_number(format(cut, "f"))
    return int(near) if near != number and near == int(near) else near
