"""What explaining each format takes, group by group, for the constructs that its payloads have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from toon.analysis.columns import Floats
from toon.analysis.sums import Sums
from toon.costs.explanation import Explaining
from toon.formats import FORMATS


@dataclass(frozen=True, slots=True)
class Explained:
    """Tokens by format, one entry per group of the sums.

    ``once[format]`` explain it once; ``share[format]`` is what each payload bears of that.
    """

    once: Mapping[str, Floats]
    share: Mapping[str, Floats]

    def costs(self, sums: Sums, format: str) -> Floats:
        """By group, the tokens of its payloads in the format with their explanations."""
        return sums.columns[format].tokens + sums.columns[format].carried * self.share[format]

    def cost(self, sums: Sums, format: str, place: int) -> float:
        """The same of the group at index ``place``."""
        column = sums.columns[format]
        return float(column.tokens[place] + column.carried[place] * self.share[format][place])


def explain_groups(sums: Sums, explaining: Explaining, tokenizer: str) -> Explained:
    """What explaining every format of the sums takes.

    Nothing is counted for JSON as typed, or for a model that needs no explanation.

    Raises:
        RuntimeError, ValueError: The tokenizer cannot be loaded here.
    """
    size = len(sums.groups)
    once = {name: np.zeros(size) for name in sums.columns}
    share = {name: np.zeros(size) for name in sums.columns}
    if explaining.together is None:
        return Explained(once, share)
    for name in FORMATS.keys() & sums.columns.keys():
        uses = sums.uses[name]
        tokens = {each: explaining.tokens(name, each, tokenizer) for each in set(uses)}
        once[name][:] = [tokens[each] for each in uses]
        share[name][:] = [explaining.share(tokens[each]) for each in uses]
    return Explained(once, share)
