"""The table of steps, in the order in which several are applied.

Steps that drop values stand first, then steps that change them, then steps that move them, then
the choice of a format. To add a step, write one file here and one line in the table.
"""

from __future__ import annotations

from typing import Final

from toon.advisor.steps.base import Step
from toon.advisor.steps.drop import DROP_EMPTY, DROP_NULLS
from toon.advisor.steps.floats import RoundFloats
from toon.advisor.steps.formats import Minify, SwitchFormat
from toon.advisor.steps.hoist import HoistConstants
from toon.advisor.steps.ids import ShortIds
from toon.advisor.steps.legend import Legend
from toon.advisor.steps.project import KeepFields
from toon.advisor.steps.times import ToDates, ToEpoch
from toon.advisor.steps.uuids import Unhyphenate

#: Steps by name.
STEPS: Final[dict[str, Step]] = {
    step.name: step
    for step in (
        KeepFields(),
        DROP_NULLS,
        DROP_EMPTY,
        RoundFloats(),
        ToDates(),
        ToEpoch(),
        ShortIds(),
        Unhyphenate(),
        HoistConstants(),
        Legend(),
        Minify(),
        SwitchFormat(),
    )
}
