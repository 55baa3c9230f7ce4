"""Our codec against others: ``python -m tests.benchmarks.codec``.

Times are the best of many runs; a ratio above 1 means that ours is faster.
"""

import json
from functools import partial

import toon_format

import toon
from tests.benchmarks.timing import Ratios, geometric_mean, in_turns, payloads


def main() -> Ratios:
    ratios: dict[str, list[float]] = {}
    print(f"{'payload':16}{'encode ms':>11}{'decode ms':>11}   others' time / ours: encode, decode")
    for name, value in payloads():
        text, compact = toon.encode(value), json.dumps(value)
        writers = toon.encode, toon_format.encode, json.dumps
        encode, *encodes = in_turns(*(partial(write, value) for write in writers))
        decode, *decodes = in_turns(
            partial(toon.decode, text),
            partial(toon_format.decode, text),
            partial(json.loads, compact),
        )
        line = f"{name:16}{encode * 1e3:11.2f}{decode * 1e3:11.2f}"
        for rival, one, other in zip(("toon-format", "json"), encodes, decodes, strict=True):
            ratios.setdefault(f"{rival}, encode", []).append(one / encode)
            ratios.setdefault(f"{rival}, decode", []).append(other / decode)
            line += f"   {rival} {one / encode:.2f}, {other / decode:.2f}"
        print(line)
    means = {what: geometric_mean(found) for what, found in ratios.items()}
    print("".join(f"geometric mean, {what}: {mean:.2f}\n" for what, mean in means.items()), end="")
    return [[means["toon-format, encode"]], [means["toon-format, decode"]]]


if __name__ == "__main__":
    main()
