"""Slides for people in a room, one scene and figure each: on a screen, in a file, on paper.

The scenes of a payload, its demo, are made here, those of a measured log by
:mod:`toon.reports.deck`.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final, TypedDict

from toon import colours
from toon.costs.headline import Bar, Headline
from toon.drawing.bars import CLASSES, PARTS, strip, tokens_of
from toon.layout.spans import VALUES
from toon.wording import KINDS

#: The stylesheet of slides, which the app's demo uses too.
STYLES: Final = Path(__file__).parent / "slides.css"
_PAGE: Final = Path(__file__).parent / "page.css"

#: The number of cells in the drawing of a hundred tokens.
CELLS: Final = 100
#: Words beside savings: in money, and by minifying.
NO_DISCOUNT: Final = "no discount for caches or batches"
ANY_LIBRARY: Final = "any JSON library does that"


class Scene(TypedDict):
    """One slide of a demo or deck: title, figure and words, and its drawing, which is HTML.

    ``saves`` tells whether the figure is a saving.
    """

    title: str
    figure: str
    saves: bool
    words: str
    drawing: str


def explain_minifying(saved: str, minifying: str) -> str:
    """Return a sentence on how much of a saving comes from minifying JSON; "" if nothing does.

    ``saved`` and ``minifying`` are the amounts of money in words, such as "$40".
    """
    if not minifying:
        return ""
    share = "All" if minifying == saved else minifying
    return f"{share} of it is minifying: {ANY_LIBRARY}."


def slides(scenes: Iterable[Scene], footer: str = "") -> str:
    """Write scenes as HTML sections, a slide each, with the line ``footer`` at the foot of each."""
    return "".join(
        f'<section class="slide"><h2 class="title">{escape(scene["title"])}</h2>'
        f'<p class="figure{" saves" if scene["saves"] else ""}">{escape(scene["figure"])}</p>'
        f'<div class="picture" aria-hidden="true">{scene["drawing"]}</div>'
        f'<p class="words">{escape(scene["words"])}</p>'
        f'<p class="about">{escape(footer)}</p></section>'
        for scene in scenes
    )


def page(scenes: Iterable[Scene], title: str, footer: str) -> str:
    """Write scenes as one HTML file without scripts or links; each scene prints as a page."""
    styles = "\n".join(
        [colours.css_variables(), *(file.read_text("utf-8") for file in (STYLES, _PAGE))]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{styles}</style></head>\n"
        f"<body>{slides(scenes, footer)}</body></html>\n"
    )


# -- drawings in scenes ----------------------------------------------------------------------


def rows(strips: Iterable[tuple[str, str]], used: Sequence[bool] = ()) -> str:
    """Draw (name, HTML) strips below each other, with a legend of the kinds marked in ``used``."""
    html = "".join(
        f'<div class="row"><b class="called">{escape(name)}</b><div>{strip}</div></div>'
        for name, strip in strips
    )
    return f'<div class="bars">{html}{_legend(used)}</div>'


def bar(figure: str, share: float, *, marked: bool = False) -> str:
    """Draw a bar in HTML, ``share`` of the longest in width, with the text ``figure`` behind it."""
    style = ' class="marked"' if marked else ""
    return (
        f'<div class="plain"><i{style} style="--share:{share:.4f}"></i>'
        f"<span>{escape(figure)}</span></div>"
    )


def hundred_cells(kinds: Sequence[float]) -> str:
    """Draw a hundred cells in HTML, shared out by kind in proportion to the tokens in ``kinds``."""
    cells, end = "", 0.0
    for style, tokens in zip(CLASSES, kinds, strict=False):
        end += CELLS * tokens / sum(kinds)
        cells += f'<i class="{style}"></i>' * (round(end) - cells.count("<i "))
    legend = _legend([tokens > 0 for tokens in kinds])
    return f'<div class="hundred"><div class="cells">{cells}</div>{legend}</div>'


def columns(levels: Sequence[tuple[str, str, float]]) -> str:
    """Draw columns in HTML on one scale, each given as a name, a figure to show, and a height."""
    most = max((height for _, _, height in levels), default=1) or 1
    html = "".join(
        f'<div class="column"><b>{escape(figure)}</b>'
        f'<div class="fill" style="--share:{height / most:.4f}"></div>'
        f"<span>{escape(name)}</span></div>"
        for name, figure, height in levels
    )
    return f'<div class="columns">{html}</div>'


def _legend(used: Sequence[bool]) -> str:
    names = "".join(
        f'<span><i class="{style}"></i>{escape(KINDS[part])}</span>'
        for part, style, is_used in zip(PARTS, CLASSES, used, strict=False)
        if is_used
    )
    return f'<p class="legend">{names}</p>' if names else ""


# -- the demo of a payload ---------------------------------------------------------------------


def demo(headline: Headline) -> str:
    """Draw an answer about a payload as slides of HTML: cost today, saving, money."""
    return slides(scenes(headline))


def scenes(headline: Headline) -> Iterator[Scene]:
    """Yield the slides of an answer about a payload: three to five, the last in money if known."""
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
        "drawing": _strips([today]),
    }
    yield {
        "title": "How many of the tokens are your data",
        "figure": f"{values} of {CELLS}",
        "saves": False,
        "words": f"The other {CELLS - values} are names, punctuation and whitespace.",
        "drawing": hundred_cells(today["kinds"]),
    }
    if minified not in (today, best):
        yield {
            "title": f"Minify it: {ANY_LIBRARY}",
            "figure": minified["vs_today"],
            "saves": True,
            "words": f"{today['figure']} tokens become {minified['figure']}.",
            "drawing": _strips([today, minified]),
        }
    yield {
        "title": headline["act"],
        "figure": f"{best['figure']} tokens",
        "saves": headline["look"] == "saves",
        "words": " ".join(filter(None, (best["credit"], *headline["why"]))),
        "drawing": _strips(bars),
    }
    if headline["year"]:
        of_it = explain_minifying(headline["month"], headline["minifying"])
        months = zip(bars, headline["months"], strict=False)
        yield {
            "title": f"Saved: {headline['month']} a month",
            "figure": f"{headline['year']} a year",
            "saves": True,
            "words": f"{of_it} {headline['assumed']}.".strip(),
            "drawing": columns([(bar["label"], month, bar["cost"]) for bar, month in months]),
        }


def _strips(bars: Sequence[Bar]) -> str:
    """Draw the bars of texts below each other in HTML, on the scale of the first, with a legend."""
    strips = ((bar["label"], strip(bar, bars[0]["cost"])) for bar in bars)
    used = [any(tokens) for tokens in zip(*map(tokens_of, bars), strict=True)]
    return rows(strips, used)
