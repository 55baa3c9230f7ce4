"""The advisor: ways to make a payload smaller, with the savings and the cost of each.

Every step is applied, and the result is written and counted. A step that claims to be reversible
is undone, and the value is compared. Nothing is estimated from the shape of the payload.
"""

from toon.advisor.fields import STRUCTURE, field_costs
from toon.advisor.measure import combine, overview
from toon.advisor.steps import STEPS

__all__ = ["STEPS", "STRUCTURE", "combine", "field_costs", "overview"]
