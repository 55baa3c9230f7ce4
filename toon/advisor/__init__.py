"""The advisor: what each way to send less saves on this very payload, and what it costs.

Every step is applied, the result written and counted; what claims to be reversible is undone and
compared. Nothing is predicted.
"""

from toon.advisor.fields import STRUCTURE, field_costs, project
from toon.advisor.measure import advise, best_combination, combined
from toon.advisor.steps import STEPS, Applied, Options, Step
from toon.values.paths import parse_pattern, pattern_text

__all__ = [
    "STEPS",
    "STRUCTURE",
    "Applied",
    "Options",
    "Step",
    "advise",
    "best_combination",
    "combined",
    "field_costs",
    "parse_pattern",
    "pattern_text",
    "project",
]
