"""Our codec beside the JavaScript reference: ``python -m tests.benchmarks.javascript FOLDER``.

FOLDER is where ``npm install @toon-format/toon@4.4.0`` was run. Times are the best of many runs,
both warm; a ratio above 1 means that ours is faster.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import toon
from tests.benchmarks.timing import best, geometric_mean, payloads


def reference(folder: Path, values: list[object]) -> list[tuple[float, float]]:
    """Seconds of the reference to encode and decode each value."""
    package = folder / "node_modules" / "@toon-format" / "toon"
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


def main() -> None:
    named = list(payloads())
    ratios = []
    for (name, value), (encode, decode) in zip(
        named, reference(Path(sys.argv[1]), [value for _, value in named]), strict=True
    ):
        text = toon.encode(value)
        ours = best(partial(toon.encode, value)), best(partial(toon.decode, text))
        ratios.append((encode / ours[0], decode / ours[1]))
        print(f"{name:16} encode {ratios[-1][0]:5.2f}   decode {ratios[-1][1]:5.2f}")
    encode, decode = (geometric_mean(list(column)) for column in zip(*ratios, strict=True))
    print(f"geometric mean   encode {encode:5.2f}   decode {decode:5.2f}")


if __name__ == "__main__":
    main()
