"""The analysis of a run: sums by group, spread, time, policy and money.

    run -> Rows -> Filter -> Selected -> Sums -> Policy, Ways, Spread, Series = Analysis

The dashboard draws an :class:`Analysis` and the report writes it. It is array arithmetic over rows
that were measured before: a hundred thousand rows take some tens of milliseconds.
"""

from toon.analysis.analysis import Analysis, Comparison, analyse
from toon.analysis.filters import Filter
from toon.analysis.rows import Rows, load

__all__ = ["Analysis", "Comparison", "Filter", "Rows", "analyse", "load"]
