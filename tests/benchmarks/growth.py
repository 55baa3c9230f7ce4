"""Processor time as texts grow, C's too: ``python -m tests.benchmarks.growth``.

Prints each target and shape whose time grows faster than ``tests/test_growth.py`` lets lines grow.
"""

import time

from tests import targets
from tests.targets import Target, outcome
from tests.test_growth import SHAPES, TARGETS, TIMES, WRITERS, WRITTEN, is_steep

#: Characters of the longest text.
_SIZE = 20_000
#: Seconds that are too short to compare.
_SHORT = 0.006


def seconds(target: Target, text: str) -> float:
    start = time.process_time()
    outcome(target, text)
    return time.process_time() - start


def grows(target: Target, start: str, unit: str) -> bool:
    """Return whether nine runs leave it steep; each has other texts, since targets keep some."""
    least = dict.fromkeys(TIMES, float("inf"))
    for attempt in range(9):
        for times in TIMES:
            text = start + unit * (_SIZE * times // TIMES[-1] // len(unit) + attempt)
            least[times] = min(least[times], seconds(target, text))
        if not is_steep(least, _SHORT):
            return False
    return True


def main() -> None:
    tokenizers = dict(targets.tokenizers())
    for shapes, some in ((SHAPES, TARGETS), (WRITTEN, WRITERS), (WRITTEN, tokenizers)):
        for name, target in some.items():
            outcome(target, "loaded")
            for start, unit in shapes:
                if grows(target, start, unit):
                    print(f"{name}: {start!r} {unit!r}")


if __name__ == "__main__":
    main()
