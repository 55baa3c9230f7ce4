"""Numbers rounded to two decimals."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Any, Final

from toon.advisor.steps.base import Applied, Lossy, StepOptions
from toon.codec.numbers import exact_number
from toon.formats.base import NotApplicable
from toon.values.walks import replaced
from toon.wording import plural

DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class RoundFloats(Lossy):
    """Rounds numbers with more than two decimals, halves to even; whole results become integers."""

    name: str = "round-floats"
    label: str = f"Round to {DIGITS} decimals"
    unanswerable: str = f"any decimal beyond the {DIGITS} that are left"

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
    """The number to two decimals; unchanged if it has no more."""
    near = round(number, DIGITS) if isinstance(number, float) else _rounded_decimal(number)
    return int(near) if near != number and near == int(near) else near


def _rounded_decimal(number: Decimal) -> float | Decimal:
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= -DIGITS:
        return number
    # Room for every digit before the point: quantize refuses more digits than the precision.
    room = Context(prec=max(0, number.adjusted()) + DIGITS + 3, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return exact_number(format(number.quantize(Decimal(1).scaleb(-DIGITS), context=room), "f"))
