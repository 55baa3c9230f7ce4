"""The advisor: what each way to send less saves on a given payload, and what it costs.

Every step is applied, and the result is written and counted. A step that claims to be reversible
is undone, and the value is compared. Nothing is estimated from the shape of the payload.
"""

from toon.advisor.fields import STRUCTURE, field_costs
from toon.advisor.measure import advise, best_combination, combined, overview
from toon.advisor.steps import STEPS
from toon.advisor.steps.base import Applied, Step, StepOptions
from toon.values.projection import project

__all__ = [
    "STEPS",
    "STRUCTURE",
    "Applied",
    "Step",
    "StepOptions",
    "advise",
    "best_combination",
    "combined",
    "field_costs",
    "overview",
    "project",
]
