"""The answer about one payload as five scenes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toon.costs.headline import Bar, Headline
from toon.drawing.bars import strip, tokens_of
from toon.drawing.slides import (
    ANY_LIBRARY,
    CELLS,
    Scene,
    columns,
    hundred,
    of_minifying,
    rows,
    slides,
)
from toon.layout.spans import VALUES


def demo(headline: Headline) -> str:
    """Draw the demo of a headline as slides of HTML."""
    return slides(scenes(headline))


def scenes(headline: Headline) -> Iterator[Scene]:
    """Yield the scenes of a headline: five, or four without money."""
    bars = [bar for bar in headline["bars"] if bar["look"] != "apart"]
    if headline["best"] == bars[0]["format"]:  # today's text is kept
        bars = bars[:1]
    today, minified, best = bars[0], bars[min(1, len(bars) - 1)], bars[-1]
    values = round(CELLS * today["kinds"][VALUES] / today["cost"])
    yield {
        "title": "What one payload costs today",
        "figure": f"{today['figure']} tokens",
        "saves": False,
        "words": "You pay for names, quotes and spaces too.",
        "drawing": _bars([today]),
    }
    yield {
        "title": "How many of the tokens are your data",
        "figure": f"{values} of {CELLS}",
        "saves": False,
        "words": f"The other {CELLS - values} are names, punctuation and whitespace.",
        "drawing": hundred(today["kinds"]),
    }
    if minified not in (today, best):
        yield {
            "title": f"Minify it: {ANY_LIBRARY}",
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
        of_it = of_minifying(headline["month"], headline["minifying"])
        months = zip(bars, headline["months"], strict=False)
        yield {
            "title": f"Saved: {headline['month']} a month",
            "figure": f"{headline['year']} a year",
            "saves": True,
            "words": f"{of_it} {headline['assumed']}.".strip(),
            "drawing": columns([(bar["label"], month, bar["cost"]) for bar, month in months]),
        }


def _bars(bars: Sequence[Bar]) -> str:
    """Draw bars below each other on the scale of the first, with a legend."""
    strips = ((bar["label"], strip(bar, bars[0]["cost"])) for bar in bars)
    used = [any(tokens) for tokens in zip(*map(tokens_of, bars), strict=True)]
    return rows(strips, used)
