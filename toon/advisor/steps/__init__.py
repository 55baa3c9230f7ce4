"""The table of steps, in the order in which several are applied.

Steps that drop values stand first, then steps that change them, then steps that move them, then
the choice of a format. To add a step, write its class and one line in the table.
"""

from typing import Final

from toon.advisor.steps.base import Step
from toon.advisor.steps.formats import SwitchFormat
from toon.advisor.steps.ids import BareUuids, ShortIds
from toon.advisor.steps.lossy import DropEmpty, DropNulls, KeepFields, RoundFloats
from toon.advisor.steps.repeats import HoistConstants, Legend
from toon.advisor.steps.times import ToDates, ToEpoch

#: Steps by name.
STEPS: Final[dict[str, Step]] = {
    step.name: step
    for step in (
        KeepFields(),
        DropNulls(),
        DropEmpty(),
        RoundFloats(),
        ToDates(),
        ToEpoch(),
        ShortIds(),
        BareUuids(),
        HoistConstants(),
        Legend(),
        SwitchFormat(),
    )
}
