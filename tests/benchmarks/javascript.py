"""Our codec beside the JavaScript reference: ``python -m tests.benchmarks.javascript [FOLDER]``.

FOLDER is where ``npm install @toon-format/toon@4.4.0`` was run. Without it, ``NODE_PATH`` names
the ``node_modules`` there. Times are the best of many runs,
both warm; a ratio above 1 means that ours is faster.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import toon
from tests.benchmarks.timing import Ratios, best, geometric_means, payloads


def package_folder() -> Path:
    modules = Path(sys.argv[1], "node_modules") if sys.argv[1:] else os.environ.get("NODE_PATH", "")
    package = Path(modules, "@toon-format", "toon")
    if not package.is_dir():
        sys.exit("@toon-format/toon is neither in FOLDER nor in NODE_PATH")
    return package


def reference(package: Path, values: list[object]) -> list[tuple[float, float]]:
    """Seconds of the reference to encode and decode each value."""
    entry = json.loads((package / "package.json").read_text())["exports"]["."]
    path = entry if isinstance(entry, str) else entry.get("import") or entry["default"]
    path = path if isinstance(path, str) else path["default"]
    script = Path(__file__).with_name("javascript.mjs")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(values, file)
        file.flush()
        command = ["node", str(script), str(package / path), file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [tuple(pair) for pair in json.loads(done.stdout)]


def main() -> Ratios:
    named = list(payloads())
    ratios = []
    for (name, value), (encode, decode) in zip(
        named, reference(package_folder(), [value for _, value in named]), strict=True
    ):
        text = toon.encode(value)
        ours = [
            best(partial(work, given), clock=time.perf_counter)  # as node's
            for work, given in ((toon.encode, value), (toon.decode, text))
        ]
        ratios.append((encode / ours[0], decode / ours[1]))
        print(f"{name:16} encode {ratios[-1][0]:5.2f}   decode {ratios[-1][1]:5.2f}")
    encode, decode = geometric_means(ratios)
    print(f"geometric mean   encode {encode:5.2f}   decode {decode:5.2f}")
    return [[encode], [decode]]


if __name__ == "__main__":
    main()
