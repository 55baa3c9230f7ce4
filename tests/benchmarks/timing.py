"""What the benchmarks share: payloads, the best of several runs, a geometric mean."""

import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).parent.parent.parent
#: What a benchmark's ``main`` returns: one list of ratios for each of its lines in ``table``.
Ratios: TypeAlias = list[list[float]]
DATASETS = sorted((ROOT.parent / "shared" / "datasets").glob("tok-*.json"))


def payloads() -> Iterable[tuple[str, Any]]:
    """The official benchmark's payloads if they are beside this checkout, else our samples."""
    for path in DATASETS or sorted((ROOT / "samples").glob("*.json")):
        yield path.stem.removeprefix("tok-"), json.loads(path.read_text(encoding="utf-8"))


def in_turns(*functions: Callable[[], object], seconds: float = 0.8) -> list[float]:
    """The shortest time in seconds of each function; they run in turns, at least five times each.

    Processor time: on a busy machine, a long run is interrupted more than a short one.
    """
    shortest, runs, until = [math.inf] * len(functions), 0, time.perf_counter() + seconds
    while runs < 5 or time.perf_counter() < until:
        for which, function in enumerate(functions):
            start = time.process_time()
            function()
            shortest[which] = min(shortest[which], time.process_time() - start)
        runs += 1
    return shortest


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
