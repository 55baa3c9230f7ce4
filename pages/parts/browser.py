"""The one table of words that all scripts get, and the colours of all styles.

What the server sends says keys; ``TABLE`` says what a person sees for each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from toon import colours, wording
from toon.costs.choice import COMPACT
from toon.drawing.bars import CLASSES, PARTS
from toon.drawing.slides import variables
from toon.formats.pasted import PASTED

#: Where the routes of ``toon.http`` are, seen from any page: a proxy may put a prefix before both.
API: Final = "./api"
_FAULT: Final = Path(__file__).parent / "fault.css"

#: The drawing on the colour of each kind: nothing, stripes, dots, lines.
_DRAWN: Final = ("", "M-2 2 2-2M-2 10 10-2M6 10 10 6", "M1 2h2M5 6h2", "M0 4h8")
_STROKE: Final = f"stroke: {colours.INK_ON_CELLS}; stroke-width: 1.5; stroke-opacity: 0.45"


def _pattern(place: int, light: str, dark: str) -> str:
    return (
        f'<pattern id="kind-{place}" patternUnits="userSpaceOnUse" width="8" height="8">'
        f'<rect style="fill: light-dark({light}, {dark})" width="8" height="8"/>'
        f'<path style="{_STROKE}" d="{_DRAWN[place]}"/></pattern>'
    )


def _patterns() -> str:
    """Every kind's pattern as SVG, "url(#kind-PLACE)" for a chart; takes no room on the page."""
    shades = zip(*colours.KINDS.values(), strict=True)
    patterns = (_pattern(place, *pair) for place, pair in enumerate(shades))
    return f'<svg class="patterns" aria-hidden="true">{"".join(patterns)}</svg>'


#: What becomes of a text where a part of the page fails.
KEPT: Final = "This browser keeps your text, unless you have switched that off."

TABLE: Final = {
    "sides": {"json": "JSON", "toon": "TOON"} | {name: PASTED[name].label for name in PASTED},
    "baseline": COMPACT,
    "legend": "".join(
        f'<span class="{style}">{wording.KINDS[part]}</span>'
        for part, style in zip(PARTS, CLASSES, strict=True)
    ),
    "badges": wording.BADGES,
    "typed": wording.YOUR_TEXT,
    "failed": (
        f"This part of the page failed. {KEPT} Reload the page, or open another text from History."
    ),
    "patterns": _patterns(),
}


def joined(*paths: Path) -> str:
    """The texts of files, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def styles(*paths: Path) -> str:
    """Files of CSS behind the colours that they use, and what a part wears that failed."""
    return f"{variables()}\n{joined(_FAULT, *paths)}"
