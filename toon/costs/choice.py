"""Which format to send: one deterministic sentence with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toon import tokenizers
from toon.costs.compare import Row
from toon.costs.explanation import pays_back_from, primer
from toon.formats import FORMATS, RECOMMENDED
from toon.values.fractions import fraction
from toon.values.shape import shape_of


def verdict(value: Any, rows: Sequence[Row], tokenizer: str) -> dict[str, Any]:
    """The format to send ``value`` in, by its rows from :func:`toon.costs.compare.compare`.

    The cheapest of ``RECOMMENDED`` that has proven to be lossless on this value, provided that it
    saves more than its explanation costs; else compact JSON. A format that makes no promise is
    left out even where this value came back from it: CSV of nothing but strings does, and the
    next payload of the same kind may not. So is a dialect that no public library reads. Of
    equals the first wins, compact JSON before all.

    Returns ``format`` and ``tokens`` of the recommendation, ``vs_json_compact`` (its signed
    fraction), ``cheapest`` (before the explanation is counted), ``saved`` (tokens of the cheapest
    against compact JSON), ``primer`` (tokens its explanation takes beyond JSON's),
    ``pays_back_rows`` (None: never, or no table), ``shape`` and ``sentence``.
    """
    mine = [row for row in rows if row["tokenizer"] == tokenizer and row["tokens"] is not None]
    compact = next(row for row in mine if row["format"] == "json-compact")
    proven = [row for row in mine if row["format"] in RECOMMENDED and row["round_trips"]]
    best = min([compact, *proven], key=lambda row: row["tokens"])
    saved = compact["tokens"] - best["tokens"]
    extra = primer_tokens(best["format"], tokenizer)
    chosen = best if saved > extra else compact
    shape = shape_of(value)
    reason = str(shape)
    return {
        "tokenizer": tokenizer,
        "format": chosen["format"],
        "tokens": chosen["tokens"],
        "vs_json_compact": fraction(chosen["tokens"], compact["tokens"]),
        "cheapest": best["format"],
        "saved": saved,
        "primer": extra,
        "pays_back_rows": pays_back_from(shape.rows, saved, extra),
        "shape": reason,
        "sentence": f"{_sentence(best, chosen, compact, saved, extra)}; {reason}.",
    }


def primer_tokens(format: str, tokenizer: str) -> int:
    """The tokens by which explaining ``format`` exceeds explaining compact JSON."""
    count = tokenizers.get(tokenizer).count
    return count(primer(format)) - count(primer("json-compact"))


def _sentence(best: Row, chosen: Row, compact: Row, saved: int, extra: int) -> str:
    name = best["tokenizer"]
    about = "" if best["exact"] else "about "
    if best["format"] == "json-compact":
        rest = f"no lossless format with a public library has fewer {name} tokens"
        return f"Stay with compact JSON: {rest}"
    label = FORMATS[best["format"]].label
    share = f"{-saved / compact['tokens']:+.1%}"
    if chosen is compact:
        return (
            f"Stay with compact JSON: {label} would save {about}{saved:,} {name} tokens ({share}), "
            f"but explaining it takes {about}{extra:,}"
        )
    return (
        f"Send {label}: {about}{saved:,} {name} tokens fewer than compact JSON ({share}), of which "
        f"explaining it takes {about}{extra:,}"
    )
