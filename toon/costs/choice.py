"""Which format to send: the one choice, and the sentence that gives its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypedDict

from toon.costs.compare import MeasuredRow, Row, measured_rows
from toon.costs.explanation import explanation_tokens, pays_back_from
from toon.formats import FORMATS, RECOMMENDED
from toon.formats.json import JSON_COMPACT
from toon.values.fractions import fraction
from toon.values.shape import shape_of
from toon.wording import signed_percent

COMPACT: Final = JSON_COMPACT.name


class Verdict(TypedDict):
    """Which format to send a value in, by one tokenizer.

    ``format``, ``tokens`` and ``vs_json_compact`` (signed fraction) are of the recommendation;
    ``cheapest`` is the format with the fewest tokens before explanations are counted, ``saved``
    its tokens below compact JSON, ``primer`` what explaining it takes beyond JSON;
    ``pays_back_rows`` is None for never, or where there is no table.
    """

    tokenizer: str
    format: str
    tokens: int
    vs_json_compact: float | None
    cheapest: str
    saved: int
    primer: int
    pays_back_rows: int | None
    shape: str
    sentence: str


def cheapest(
    tokens: Mapping[str, float], proven: Callable[[str], bool], today: str = COMPACT
) -> str:
    """The format with the fewest tokens that may be recommended and is proven; else ``today``.

    Args:
        tokens: By format; formats that cannot carry the value are left out. Of equals the first
            wins, ``today`` before all.
        proven: Whether the value came back from a format. Asked from the cheapest on, and never
            of ``today``, which needs no proof: it is what one has anyway.
        today: What is sent now.
    """
    best = tokens[today]
    cheaper = [name for name in tokens if name in RECOMMENDED and tokens[name] < best]
    ranked = sorted(cheaper, key=lambda name: tokens[name])
    return next((name for name in ranked if proven(name)), today)


def verdict(value: Any, rows: Sequence[Row], tokenizer: str) -> Verdict:
    """The format to send ``value`` in, by the rows of :func:`toon.costs.compare.compare`.

    The cheapest format, provided that it saves more than its explanation costs; else compact
    JSON. A format that makes no promise is left out even where this value came back from it: CSV
    of nothing but strings does, and the next payload of the same kind may not.
    """
    mine = {row["format"]: row for row in measured_rows(rows) if row["tokenizer"] == tokenizer}
    compact = mine[COMPACT]
    counts = {name: row["tokens"] for name, row in mine.items()}
    best = mine[cheapest(counts, lambda name: mine[name]["round_trips"])]
    saved = compact["tokens"] - best["tokens"]
    extra = explanation_tokens(best["format"], tokenizer)
    chosen = best if saved > extra else compact
    shape = shape_of(value)
    return {
        "tokenizer": tokenizer,
        "format": chosen["format"],
        "tokens": chosen["tokens"],
        "vs_json_compact": fraction(chosen["tokens"], compact["tokens"]),
        "cheapest": best["format"],
        "saved": saved,
        "primer": extra,
        "pays_back_rows": pays_back_from(shape.rows, saved, extra),
        "shape": str(shape),
        "sentence": f"{_sentence(best, chosen, compact, saved, extra)}; {shape}.",
    }


def _sentence(
    best: MeasuredRow, chosen: MeasuredRow, compact: MeasuredRow, saved: int, extra: int
) -> str:
    name = best["tokenizer"]
    about = "" if best["exact"] else "about "
    if best is compact:
        rest = f"no lossless format with a public library has fewer {name} tokens"
        return f"Stay with compact JSON: {rest}"
    label = FORMATS[best["format"]].label
    share = signed_percent(fraction(best["tokens"], compact["tokens"]))
    if chosen is compact:
        return (
            f"Stay with compact JSON: {label} would save {about}{saved:,} {name} tokens ({share}), "
            f"but explaining it takes {about}{extra:,}"
        )
    return (
        f"Send {label}: {about}{saved:,} {name} tokens fewer than compact JSON ({share}), of which "
        f"explaining it takes {about}{extra:,}"
    )


def is_worth(cost: float, today: float) -> bool:
    """Provisional."""
    return cost < today and today - cost >= min(0.01 * today, 10)
