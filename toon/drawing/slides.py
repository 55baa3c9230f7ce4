"""Slides for people in a room, one scene and figure each: on a screen, in a file, on paper.

:mod:`toon.drawing.demo` makes the scenes of a payload, :mod:`toon.reports.deck` those of a measured
log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final, TypedDict

from toon import colours
from toon.drawing.bars import CLASSES, PARTS
from toon.wording import KINDS

#: The stylesheet of slides, which the app's demo uses too.
STYLES: Final = Path(__file__).parent / "slides.css"
_PAGE: Final = Path(__file__).parent / "page.css"

#: Cells of the drawing of a hundred tokens.
CELLS: Final = 100
#: Words that go with every saving: money without discounts, minifying without a format.
NO_DISCOUNT: Final = "no discount for caches or batches"
ANY_LIBRARY: Final = "any JSON library does that"


class Scene(TypedDict):
    """A scene; ``saves`` tells whether its figure is a saving, ``drawing`` is HTML."""

    title: str
    figure: str
    saves: bool
    words: str
    drawing: str


def of_minifying(saved: str, minifying: str) -> str:
    """Say in a sentence how much of a saving is minifying; "" if none of it."""
    if not minifying:
        return ""
    share = "All" if minifying == saved else minifying
    return f"{share} of it is minifying: {ANY_LIBRARY}."


def slides(scenes: Iterable[Scene], about: str = "") -> str:
    """Write the scenes as sections of HTML, each with the line ``about``."""
    return "".join(
        f'<section class="slide"><h2 class="title">{escape(scene["title"])}</h2>'
        f'<p class="figure{" saves" if scene["saves"] else ""}">{escape(scene["figure"])}</p>'
        f'<div class="picture" aria-hidden="true">{scene["drawing"]}</div>'
        f'<p class="words">{escape(scene["words"])}</p>'
        f'<p class="about">{escape(about)}</p></section>'
        for scene in scenes
    )


def page(scenes: Iterable[Scene], title: str, about: str) -> str:
    """Write the scenes as one HTML file without scripts or links; each prints as a page."""
    styles = "\n".join(
        [colours.variables(), *(file.read_text("utf-8") for file in (STYLES, _PAGE))]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{styles}</style></head>\n"
        f"<body>{slides(scenes, about)}</body></html>\n"
    )


# -- drawings in scenes ----------------------------------------------------------------------


def rows(strips: Iterable[tuple[str, str]], used: Sequence[bool] = ()) -> str:
    """Draw strips below each other with their names; ``used`` selects the parts in the legend."""
    drawn = "".join(
        f'<div class="row"><b class="called">{escape(name)}</b><div>{strip}</div></div>'
        for name, strip in strips
    )
    return f'<div class="bars">{drawn}{_legend(used)}</div>'


def bar(figure: str, share: float, *, marked: bool = False) -> str:
    """Draw a bar of one colour, ``share`` of the longest in width, with its figure behind it."""
    style = ' class="marked"' if marked else ""
    return (
        f'<div class="plain"><i{style} style="--share:{share:.4f}"></i>'
        f"<span>{escape(figure)}</span></div>"
    )


def hundred(kinds: Sequence[float]) -> str:
    """Draw a hundred cells, shared out in the proportions of ``kinds``."""
    cells, end = "", 0.0
    for style, tokens in zip(CLASSES, kinds, strict=False):
        end += CELLS * tokens / sum(kinds)
        cells += f'<i class="{style}"></i>' * (round(end) - cells.count("<i "))
    legend = _legend([tokens > 0 for tokens in kinds])
    return f'<div class="hundred"><div class="cells">{cells}</div>{legend}</div>'


def columns(levels: Sequence[tuple[str, str, float]]) -> str:
    """Draw columns on one scale, each with a name, a figure and a height; the first is highest."""
    most = max((height for _, _, height in levels), default=1) or 1
    drawn = "".join(
        f'<div class="column"><b>{escape(figure)}</b>'
        f'<div class="fill" style="--share:{height / most:.4f}"></div>'
        f"<span>{escape(name)}</span></div>"
        for name, figure, height in levels
    )
    return f'<div class="columns">{drawn}</div>'


def _legend(used: Sequence[bool]) -> str:
    names = "".join(
        f'<span><i class="{style}"></i>{escape(KINDS[part])}</span>'
        for part, style, is_used in zip(PARTS, CLASSES, used, strict=False)
        if is_used
    )
    return f'<p class="legend">{names}</p>' if names else ""
