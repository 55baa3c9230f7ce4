"""One value in many formats under many tokenizers, as plain rows.

Every page, the command line and the HTTP routes get their figures here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from toon import formats as format_table
from toon import tokenizers as tokenizer_table
from toon.codec.normalise import normalise
from toon.costs.proof import Prover
from toon.formats import BASELINES, FORMATS, Format
from toon.formats.base import NotApplicable
from toon.layout.breakdown import breakdown
from toon.layout.spans import Layout
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.values.fractions import fraction


class Kinds(TypedDict):
    """Tokens by kind, which add up to all tokens; ``mixed_tokens`` is how many span kinds."""

    names: float
    punctuation: float
    whitespace: float
    values: float
    mixed_tokens: int


class Figures(TypedDict):
    """What one text costs. ``bytes`` are UTF-8, ``chars`` code points; not ``exact``: estimated."""

    tokens: int
    exact: bool
    bytes: int
    chars: int
    breakdown: Kinds


class MeasuredRow(Figures):
    """A format under a tokenizer.

    ``lossless`` is what the format promises. ``round_trips`` is what reading this very text
    showed; False where it cannot be read at all. ``lost`` says what differs, or None; ``losses``
    are what the format itself names as dropped or changed. ``vs`` has the signed fraction of
    tokens against each JSON baseline, negative = fewer.
    """

    format: str
    tokenizer: str
    lossless: bool
    round_trips: bool
    lost: str | None
    losses: list[str]
    vs: dict[str, float | None]


class NotApplicableRow(TypedDict):
    """A format that cannot carry the value: ``reason`` says why, and there are no figures."""

    format: str
    tokenizer: str
    tokens: None
    exact: bool
    bytes: None
    chars: None
    breakdown: None
    lossless: bool
    round_trips: None
    lost: None
    losses: list[str]
    vs: dict[str, float | None]
    reason: str


Row = MeasuredRow | NotApplicableRow


def compare(
    value: Any,
    *,
    formats: Iterable[str] = tuple(FORMATS),
    tokenizers: Sequence[str] = (DEFAULT_TOKENIZER,),
) -> list[Row]:
    """One row per format and tokenizer, formats in the order given.

    Raises:
        ValueError: a name that is in neither table, or a value with no JSON form, or one nested
            deeper than 256 levels.
    """
    value = normalise(value)
    used = [tokenizer_table.get(name) for name in tokenizers]
    chosen = [format_table.get(name) for name in formats]
    texts = {name: FORMATS[name].dumps(value) for name in BASELINES}
    baselines = {
        tokenizer.name: {name: tokenizer.count(text) for name, text in texts.items()}
        for tokenizer in used
    }
    prover = Prover(value)
    rows: list[Row] = []
    for format in chosen:
        try:
            text = texts.get(format.name) or format.dumps(value)
        except NotApplicable as reason:
            rows += [
                {
                    "format": format.name,
                    "tokenizer": tokenizer.name,
                    "tokens": None,
                    "exact": tokenizer.exact,
                    "bytes": None,
                    "chars": None,
                    "breakdown": None,
                    "lossless": format.lossless,
                    "round_trips": None,
                    "lost": None,
                    "losses": [],
                    "vs": dict.fromkeys(BASELINES),
                    "reason": str(reason),
                }
                for tokenizer in used
            ]
        else:
            rows += _format_rows(format, text, prover, used, baselines)
    return rows


def _format_rows(
    format: Format,
    text: str,
    prover: Prover,
    tokenizers: Sequence[Tokenizer],
    baselines: dict[str, dict[str, int]],
) -> list[Row]:
    proof = prover.prove(format, text)
    losses = format.losses(prover.value)
    layout = format.layout(text)
    rows: list[Row] = []
    for tokenizer in tokenizers:
        figures = count_kinds(text, layout, tokenizer)
        against = baselines[tokenizer.name]
        rows.append(
            {
                "format": format.name,
                "tokenizer": tokenizer.name,
                **figures,
                "lossless": format.lossless,
                "round_trips": proof.ok,
                "lost": proof.difference,
                "losses": losses,
                "vs": {name: fraction(figures["tokens"], against[name]) for name in BASELINES},
            }
        )
    return rows


def count_kinds(text: str, layout: Layout, tokenizer: Tokenizer) -> Figures:
    """What ``text`` costs, and where its tokens go."""
    parts = breakdown(text, layout, tokenizer)
    return {
        "tokens": parts.tokens,
        "exact": tokenizer.exact,
        "bytes": len(layout),
        "chars": len(text),
        "breakdown": {
            "names": parts.names,
            "punctuation": parts.punctuation,
            "whitespace": parts.whitespace,
            "values": parts.values,
            "mixed_tokens": parts.mixed_tokens,
        },
    }


def measured_rows(rows: Iterable[Row]) -> list[MeasuredRow]:
    """The rows that have figures."""
    return [row for row in rows if row["tokens"] is not None]


def describe_loss(row: Row) -> str:
    """What a row's format loses: what the format names, else what differs; "" for nothing."""
    return "; ".join(row["losses"]) or row["lost"] or ""


def proof_words(row: Row) -> str:
    """Whether a row's value comes back from its text, in words; or why there is no text.

    ``proven`` is for formats that promise to lose nothing. Another format may bring this payload
    back and lose the next one.
    """
    if row["tokens"] is None:
        return row["reason"]
    if not row["round_trips"]:
        return f"loses {describe_loss(row)}"
    words = "proven" if row["lossless"] else "on this payload, not promised"
    return f"{words} ({row['lost']})" if row["lost"] else words
