"""Where estimates fail: ``python -m tests.benchmarks.kinds``, which needs no data.

For each kind of text, alone and as a field of records in compact JSON: how far the estimates of
o200k_base are from it, or that they refuse. Nobody has counted these texts with Claude or Grok:
their estimators refuse what is unlike the payloads of their fit, and estimate the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.tokenizers.kinds import KINDS, PAYLOADS, in_json
from toon.cli.output import align
from toon.tokenizers import get
from toon.wording import UNKNOWN, signed_percent

#: Estimators of o200k_base's own tokens.
AIMED_AT_O200K: Final = ("estimate", "chars4")
#: The estimators that were fitted to the counts of services refuse the same texts.
FITTED: Final = ("claude_haiku_4_5", "grok_4_5")

REFUSED: Final = "no estimate"


def texts() -> dict[str, tuple[str | None, str]]:
    """Return every kind with its text and its payload in JSON; some kinds have a payload only."""
    alone = {kind: (text, in_json(text)) for kind, text in KINDS.items()}
    return {**alone, **{kind: (None, payload) for kind, payload in PAYLOADS.items()}}


def error(name: str, text: str) -> float | None:
    """Return the error of an estimate against o200k_base; None if it refuses the text."""
    estimator = get(name)
    if estimator.no_estimate(text):
        return None
    return estimator.count(text) / get("o200k_base").count(text) - 1


def lines() -> list[list[str]]:
    """A table: the errors against o200k_base where it is the aim, and what is not estimated."""
    heads = [*AIMED_AT_O200K, "Claude, Grok"]
    found = [["kind of text", *(head for each in heads for head in (each, "in JSON"))]]
    for kind, pair in texts().items():
        cells = [_error(name, text) for name in AIMED_AT_O200K for text in pair]
        found.append([kind, *cells, *map(_fitted, pair)])
    return found


def _error(name: str, text: str | None) -> str:
    if text is None:
        return UNKNOWN
    off = error(name, text)
    return REFUSED if off is None else signed_percent(off)


def _fitted(text: str | None) -> str:
    if text is None:
        return UNKNOWN
    return REFUSED if get(FITTED[0]).no_estimate(text) else "≈"


def main(arguments: Sequence[str] | None = None) -> None:
    print("\n".join(align(lines())))


if __name__ == "__main__":
    main()
