"""The answer as five scenes for people in a room, each with one figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, TypedDict

from toon.costs.headline import Bar, Headline
from toon.drawing.bars import CLASSES, PARTS, strip, tokens_of
from toon.layout.spans import VALUES
from toon.wording import KINDS

#: Cells of the drawing that shows what a hundred tokens are.
_CELLS: Final = 100
#: Per cent of the height that the highest column has; its figures stand around it.
_HIGHEST: Final = 80


class Scene(TypedDict):
    """A scene: ``saves`` says whether its figure is a saving, ``drawing`` is HTML."""

    title: str
    figure: str
    saves: bool
    words: str
    drawing: str


def scenes(headline: Headline) -> list[Scene]:
    """The scenes of a headline: without money four."""
    return list(_scenes(headline))


def _scenes(headline: Headline) -> Iterator[Scene]:
    bars = [bar for bar in headline["bars"] if bar["look"] != "apart"]
    today, minified, best = bars[0], bars[min(1, len(bars) - 1)], bars[-1]
    yield {
        "title": "What one payload costs today",
        "figure": f"{today['figure']} tokens",
        "saves": False,
        "words": "Names, quotes and blanks are paid like the data.",
        "drawing": _bars([today]),
    }
    yield {
        "title": "Of a hundred tokens, so many are your data",
        "figure": f"{round(_CELLS * today['kinds'][VALUES] / today['cost'])} of {_CELLS}",
        "saves": False,
        "words": "All others are names, punctuation and whitespace.",
        "drawing": _hundred(today),
    }
    if minified not in (today, best):
        yield {
            "title": "Minify it: any JSON library does that",
            "figure": minified["vs_today"],
            "saves": True,
            "words": f"{today['figure']} tokens become {minified['figure']}.",
            "drawing": _bars([today, minified]),
        }
    yield {
        "title": headline["act"],
        "figure": f"{best['figure']} tokens",
        "saves": headline["look"] == "saves",
        "words": " ".join(filter(None, (best["credit"], *headline["why"]))),
        "drawing": _bars(bars),
    }
    if headline["year"]:
        assumed = f"{headline['calls']} payloads a month, {headline['rate']}"
        yield {
            "title": f"{headline['month']} a month",
            "figure": f"{headline['year']} a year",
            "saves": True,
            "words": f"{assumed}{headline['paid']}.",
            "drawing": _columns(bars, headline["months"][: len(bars)]),
        }


def _bars(bars: Sequence[Bar]) -> str:
    """Bars below each other on the scale of the first, and what their colours mean."""
    rows = "".join(
        f'<div class="row"><b class="called">{escape(bar["label"])}</b>'
        f"<div>{strip(bar, bars[0]['cost'])}</div></div>"
        for bar in bars
    )
    return f'<div class="bars">{rows}{_legend(bars)}</div>'


def _legend(bars: Sequence[Bar]) -> str:
    used = [any(tokens) for tokens in zip(*map(tokens_of, bars), strict=True)]
    names = "".join(
        f'<span><i class="{style}"></i>{escape(KINDS[part])}</span>'
        for part, style, is_used in zip(PARTS, CLASSES, used, strict=True)
        if is_used
    )
    return f'<p class="legend">{names}</p>'


def _hundred(bar: Bar) -> str:
    """A hundred cells, of which as many are of a kind as a hundred tokens have."""
    cells, end = "", 0.0
    for style, tokens in zip(CLASSES, bar["kinds"], strict=False):
        end += _CELLS * tokens / bar["cost"]
        cells += f'<i class="{style}"></i>' * (round(end) - cells.count("<i "))
    return f'<div class="hundred"><div class="cells">{cells}</div>{_legend([bar])}</div>'


def _columns(bars: Sequence[Bar], months: Sequence[str]) -> str:
    """What each step costs a month, as columns on one scale."""
    columns = "".join(
        f'<div class="column"><b>{escape(month)}</b>'
        f'<div class="fill" style="height:{_HIGHEST * bar["cost"] / bars[0]["cost"]:.1f}%"></div>'
        f"<span>{escape(bar['label'])}</span></div>"
        for bar, month in zip(bars, months, strict=True)
    )
    return f'<div class="columns">{columns}</div>'
