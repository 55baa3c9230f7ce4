"""Our codec against others: ``python -m tests.benchmarks.codec``.

Times are the best of many runs; a ratio above 1 means that ours is faster.
"""

from __future__ import annotations

import json
from typing import Any

import toon_format

import toon
from tests.benchmarks.timing import Ratios, best, geometric_means, payloads


def rivals(value: Any, text: str) -> dict[str, tuple[float, float]]:
    """Seconds to encode and to decode, by library."""
    compact = json.dumps(value)
    return {
        "ours": (best(lambda: toon.encode(value)), best(lambda: toon.decode(text))),
        "toon-format": (
            best(lambda: toon_format.encode(value)),
            best(lambda: toon_format.decode(text)),
        ),
        "json": (best(lambda: json.dumps(value)), best(lambda: json.loads(compact))),
    }


def main() -> Ratios:
    ratios: dict[str, list[tuple[float, float]]] = {}
    print(f"{'payload':16}{'encode ms':>11}{'decode ms':>11}   others' time / ours: encode, decode")
    for name, value in payloads():
        text = toon.encode(value)
        times = rivals(value, text)
        ours = times.pop("ours")
        line = f"{name:16}{ours[0] * 1e3:11.2f}{ours[1] * 1e3:11.2f}   "
        for rival, (encode, decode) in times.items():
            pair = encode / ours[0], decode / ours[1]
            ratios.setdefault(rival, []).append(pair)
            line += f"{rival} {pair[0]:.2f}, {pair[1]:.2f}   "
        print(line)
    means = {rival: geometric_means(pairs) for rival, pairs in ratios.items()}
    for rival, (encode, decode) in means.items():
        print(f"geometric mean, {rival}: encode {encode:.2f}, decode {decode:.2f}")
    return [[mean] for mean in means["toon-format"]]


if __name__ == "__main__":
    main()
