"""Scenes for people in a room, each with one figure, as slides: on a screen, in a file, on paper.

Where scenes come from says :mod:`toon.drawing.demo` of a payload and :mod:`toon.reports.deck` of a
measured log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final, TypedDict

from toon import colours
from toon.drawing.bars import CLASSES, PARTS
from toon.wording import KINDS

#: How slides look; the app's demo has the same styles.
STYLES: Final = Path(__file__).parent / "slides.css"
_PAGE: Final = Path(__file__).parent / "page.css"

#: Cells of the drawing that shows what a hundred tokens are.
CELLS: Final = 100
#: What money does not take off, and what of it needs no format: said with every saving.
NO_DISCOUNT: Final = "no discount for caches or batches"
ANY_LIBRARY: Final = "any JSON library does that"


class Scene(TypedDict):
    """A scene: ``saves`` says whether its figure is a saving, ``drawing`` is HTML."""

    title: str
    figure: str
    saves: bool
    words: str
    drawing: str


def of_minifying(saved: str, minifying: str) -> str:
    """How much of what is saved needs no format, in a sentence; "" if none of it."""
    if not minifying:
        return ""
    share = "All" if minifying == saved else minifying
    return f"{share} of it is minifying: {ANY_LIBRARY}."


def slides(scenes: Iterable[Scene], about: str = "") -> str:
    """The scenes as sections of HTML, each with what they are ``about``."""
    return "".join(
        f'<section class="slide"><h2 class="title">{escape(scene["title"])}</h2>'
        f'<p class="figure{" saves" if scene["saves"] else ""}">{escape(scene["figure"])}</p>'
        f'<div class="picture" aria-hidden="true">{scene["drawing"]}</div>'
        f'<p class="words">{escape(scene["words"])}</p>'
        f'<p class="about">{escape(about)}</p></section>'
        for scene in scenes
    )


def page(scenes: Iterable[Scene], title: str, about: str) -> str:
    """The scenes as one HTML file, which runs nothing and loads nothing; each prints as a page."""
    styles = "\n".join([variables(), *(file.read_text("utf-8") for file in (STYLES, _PAGE))])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{styles}</style></head>\n"
        f"<body>{slides(scenes, about)}</body></html>\n"
    )


def variables() -> str:
    """The colours that styles use, as variables of CSS that follow the theme.

    Whatever has the class of a kind has its colour as ``--kind``.
    """
    named = {"saves-text": colours.SAVES_TEXT, "costs-text": colours.COSTS_TEXT}
    for place, (light, dark) in enumerate(zip(*colours.KINDS.values(), strict=True)):
        named[f"kind-{place}"] = {"light": light, "dark": dark}
    shades = (
        f"--{name}: light-dark({shade['light']}, {shade['dark']});" for name, shade in named.items()
    )
    kinds = (
        f".kind-{n} {{ --kind: var(--kind-{n}); }}" for n in range(len(colours.KINDS["light"]))
    )
    return f":root, :host {{ {' '.join(shades)} }}\n{' '.join(kinds)}"


# -- what scenes draw -------------------------------------------------------------------------


def rows(strips: Iterable[tuple[str, str]], used: Sequence[bool] = ()) -> str:
    """Bars of HTML below each other, each with its name; ``used`` are the parts to explain."""
    drawn = "".join(
        f'<div class="row"><b class="called">{escape(name)}</b><div>{strip}</div></div>'
        for name, strip in strips
    )
    return f'<div class="bars">{drawn}{_legend(used)}</div>'


def bar(figure: str, share: float, *, marked: bool = False) -> str:
    """A bar of one colour, which is such a share of the longest; its figure stands behind it."""
    style = ' class="marked"' if marked else ""
    return (
        f'<div class="plain"><i{style} style="--share:{share:.4f}"></i>'
        f"<span>{escape(figure)}</span></div>"
    )


def hundred(kinds: Sequence[float]) -> str:
    """A hundred cells, of which as many are of a kind as a hundred tokens have."""
    cells, end = "", 0.0
    for style, tokens in zip(CLASSES, kinds, strict=False):
        end += CELLS * tokens / sum(kinds)
        cells += f'<i class="{style}"></i>' * (round(end) - cells.count("<i "))
    legend = _legend([tokens > 0 for tokens in kinds])
    return f'<div class="hundred"><div class="cells">{cells}</div>{legend}</div>'


def columns(levels: Sequence[tuple[str, str, float]]) -> str:
    """Columns on one scale: each has a name, a figure and its height, the first one the highest."""
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
