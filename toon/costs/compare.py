"""One value in many formats under many tokenizers, as plain rows.

The one path from a value to figures: every page, the command line and the HTTP routes use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from toon import tokenizers as tokenizer_table
from toon.codec.normalise import normalise
from toon.formats import BASELINES, FORMATS, Format
from toon.formats.base import NotApplicable, OneWay
from toon.layout.breakdown import breakdown
from toon.layout.spans import Layout
from toon.tokenizers import Tokenizer
from toon.values.equality import differences
from toon.values.fractions import fraction

Row = dict[str, Any]


def compare(
    value: Any,
    *,
    formats: Iterable[str] = tuple(FORMATS),
    tokenizers: Sequence[str] = ("o200k_base",),
) -> list[Row]:
    """One row per format and tokenizer, formats in the order given.

    A row holds ``format``, ``tokenizer``, ``tokens``, ``exact`` (False: an estimate), ``bytes``
    (UTF-8), ``chars`` (code points), ``lossless`` (what the format promises), ``round_trips``
    (what decoding this very text showed; False where it cannot be decoded at all), ``lost`` (what
    differs, or None), ``losses`` (what the format itself names as dropped or changed), ``vs``
    (signed fraction of tokens against each JSON baseline, negative = fewer) and ``breakdown``.
    A format that cannot carry the value has ``tokens`` None and ``reason``.

    Raises:
        ValueError: a name that is in neither table, or a value with no JSON form, or one nested
            deeper than 256 levels.
    """
    value = normalise(value)
    used = [tokenizer_table.get(name) for name in tokenizers]
    names = list(formats)
    for name in names:
        if name not in FORMATS:
            raise ValueError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    texts = {name: FORMATS[name].dumps(value) for name in BASELINES}
    baselines = {
        (tokenizer.name, name): tokenizer.count(text)
        for tokenizer in used
        for name, text in texts.items()
    }
    rows: list[Row] = []
    for name in names:
        rows += _format_rows(FORMATS[name], value, texts.get(name), used, baselines)
    return rows


def _format_rows(
    format: Format,
    value: Any,
    text: str | None,
    tokenizers: Sequence[Tokenizer],
    baselines: dict[tuple[str, str], int],
) -> list[Row]:
    try:
        if text is None:
            text = format.dumps(value)
    except NotApplicable as reason:
        return [_not_applicable(format, tokenizer, str(reason)) for tokenizer in tokenizers]
    round_trips, lost = _proof(format, value, text)
    losses = format.losses(value)
    layout = format.layout(text)
    rows = []
    for tokenizer in tokenizers:
        figures = measured(text, layout, tokenizer)
        row: Row = {
            "format": format.name,
            "tokenizer": tokenizer.name,
            **figures,
            "lossless": format.lossless,
            "round_trips": round_trips,
            "lost": lost,
            "losses": losses,
            "vs": {
                name: fraction(figures["tokens"], baselines[tokenizer.name, name])
                for name in BASELINES
            },
        }
        rows.append(row)
    return rows


def _proof(format: Format, value: Any, text: str) -> tuple[bool, str | None]:
    """Whether ``value`` comes back from ``text``, and what differs."""
    try:
        found = differences(value, format.loads(text))
    except OneWay as reason:
        return False, str(reason)
    return found.same, None if found.same and not found.reordered else str(found)


def measured(text: str, layout: Layout, tokenizer: Tokenizer) -> Row:
    """``tokens``, ``exact``, ``bytes``, ``chars`` and ``breakdown`` of one text."""
    parts = breakdown(text, layout, tokenizer)
    return {
        "tokens": parts.tokens,
        "exact": tokenizer.exact,
        "bytes": len(layout),
        "chars": len(text),
        "breakdown": parts.as_row(),
    }


def _not_applicable(format: Format, tokenizer: Tokenizer, reason: str) -> Row:
    return {
        "format": format.name,
        "tokenizer": tokenizer.name,
        "tokens": None,
        "exact": tokenizer.exact,
        "bytes": None,
        "chars": None,
        "lossless": format.lossless,
        "round_trips": None,
        "lost": None,
        "losses": [],
        "vs": dict.fromkeys(BASELINES),
        "breakdown": None,
        "reason": reason,
    }


def loss_of(row: Row) -> str:
    """What a row's format loses of its value, in words: what it names itself, else what differs."""
    return "; ".join(row["losses"]) or row["lost"] or ""
