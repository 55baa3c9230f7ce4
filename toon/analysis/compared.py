"""Before and after: what tools take a call in a later run, against an earlier one.

``realised`` is what the calls of the later run saved against what a call took before, ``promised``
what the earlier run's recommended formats would have saved of them. Both are priced by what a token
of the tool costs in the later run, by its own mix of cache. The data of calls differ too: a saving
is of a format only where calls ask for the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from toon.analysis.analysis import Analysis
from toon.analysis.tools import RankedTool, rank_tools


@dataclass(frozen=True, slots=True)
class ComparedTool:
    """A tool in an earlier run (``before``) and in a later one (``now``).

    ``realised`` and ``promised`` are tokens of all calls of now; negative: they take more.
    """

    before: RankedTool
    now: RankedTool
    realised: float
    promised: float

    def price(self, tokens: float) -> Decimal | None:
        """Return US dollars for ``tokens`` of the tool's results at their price now, or None."""
        if self.now.money is None or not self.now.paid:
            return None
        return self.now.money * Decimal(tokens) / self.now.paid


def compare_runs(before: Analysis, now: Analysis) -> tuple[ComparedTool, ...]:
    """Compare the tools that two analyses share; those that now cost most come first.

    They are of two runs that one tokenizer counts, or of one run before and since a day.
    """
    names = *before.rows.names, *now.rows.names
    earlier = {(tool.server, tool.tool): tool for tool in rank_tools(before, names)}
    pairs = ((earlier.get((tool.server, tool.tool)), tool) for tool in rank_tools(now, names))
    return tuple(_compare(then, tool) for then, tool in pairs if then)


def _compare(before: RankedTool, now: RankedTool) -> ComparedTool:
    calls = now.calls / before.calls
    return ComparedTool(
        before, now, before.tokens * calls - now.tokens, before.saves_tokens * calls
    )
