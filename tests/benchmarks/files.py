"""The commands on long files against Python's json: ``python -m tests.benchmarks.files [MB]``.

Python's json loads the same JSON and dumps it into a file. Each is a process of its own; processor
time and peak memory are the system's figures of it. The files are payloads, repeated.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import toon
from tests.benchmarks.lines import array
from tests.benchmarks.timing import ROOT, Ratios, payloads

RUNS = 3
_JSON = "import json, sys; json.dump(json.load(open(sys.argv[1])), open(sys.argv[2], 'w'))"


def repeated(value: Any, size: int) -> dict[str, Any]:
    """An object with one array, whose JSON has about so many bytes."""
    rows = array(value)
    return {"rows": rows * max(1, size // len(json.dumps(rows)))}


def write_files(value: Any, size: int, folder: Path) -> None:
    whole = repeated(value, size)
    (folder / "a.json").write_text(json.dumps(whole), encoding="utf-8")
    (folder / "a.toon").write_text(toon.encode(whole), encoding="utf-8")


def cost(arguments: list[str]) -> tuple[float, int]:
    """Processor seconds and peak memory of a Python process."""
    process = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *arguments])
    _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{arguments} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def least(*commands: list[str]) -> list[tuple[float, int]]:
    """The least time and memory of commands that run in turns."""
    runs = [[cost(command) for command in commands] for _ in range(RUNS)]
    costs = zip(*runs, strict=True)
    return [
        (min(times), min(peaks)) for times, peaks in (zip(*each, strict=True) for each in costs)
    ]


def main() -> Ratios:
    size = int((sys.argv[1:] or ["60"])[0]) * 1_000_000
    ratios: Ratios = [[], [], [], []]
    os.chdir(ROOT)
    for name, value in payloads():
        if isinstance(array(value)[0], dict) and len(array(value)) > 1:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder)
                with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # it grows, not we:
                    pool.submit(write_files, value, size, path).result()  # children inherit a peak
                theirs, *ours = least(
                    ["-c", _JSON, f"{path}/a.json", f"{path}/b"],
                    ["-m", "toon", "encode", f"{path}/a.json", "-o", f"{path}/b"],
                    ["-m", "toon", "decode", f"{path}/a.toon", "-o", f"{path}/b"],
                )
            found = [mine / its for pair in ours for mine, its in zip(pair, theirs, strict=True)]
            print(f"{name:16}", *(f"{ratio:8.2f}" for ratio in found))
            for which, ratio in zip(ratios, found, strict=True):
                which.append(ratio)
    return ratios


if __name__ == "__main__":
    main()
