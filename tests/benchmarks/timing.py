"""What the benchmarks share: payloads, the best of several runs, geometric means."""

from __future__ import annotations

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


def best(function: Callable[[], object], seconds: float = 0.4) -> float:
    """The shortest time of as many runs as fit in ``seconds``, at least five, in seconds.

    Processor time: on a busy machine, a long run is interrupted more than a short one.
    """
    shortest, runs, until = math.inf, 0, time.perf_counter() + seconds
    while runs < 5 or time.perf_counter() < until:
        start = time.process_time()
        function()
        shortest = min(shortest, time.process_time() - start)
        runs += 1
    return shortest


def in_turns(
    one: Callable[[], object], other: Callable[[], object], seconds: float = 0.8
) -> tuple[float, float]:
    """The shortest processor times of two functions that run in turns, at least five times each."""
    shortest, runs, until = [math.inf, math.inf], 0, time.perf_counter() + seconds
    while runs < 5 or time.perf_counter() < until:
        for which, function in enumerate((one, other)):
            start = time.process_time()
            function()
            shortest[which] = min(shortest[which], time.process_time() - start)
        runs += 1
    return shortest[0], shortest[1]


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def geometric_means(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    first, second = (geometric_mean(list(column)) for column in zip(*pairs, strict=True))
    return first, second
