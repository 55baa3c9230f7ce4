"""The table of words that all scripts get, and the colours of all styles.

The server sends keys; ``TABLE`` holds the words that a person sees for each.
"""

from pathlib import Path
from typing import Final

from toon import colours, wording
from toon.costs.worth import COMPACT
from toon.drawing.bars import CLASSES, PARTS
from toon.formats.pasted import PASTED

#: The address of the routes of ``toon.http``, relative to any page: a proxy may add a prefix.
API: Final = "./api"
_FAULT: Final = Path(__file__).parent / "fault.css"

#: Paths of the drawing on each kind's colour: nothing, stripes, dots, lines.
_DRAWN: Final = ("", "M-2 2 2-2M-2 10 10-2M6 10 10 6", "M1 2h2M5 6h2", "M0 4h8")
_STROKE: Final = f"stroke: {colours.INK_ON_CELLS}; stroke-width: 1.5; stroke-opacity: 0.45"


def _patterns() -> str:
    """Return SVG with the fill patterns of name, punctuation, whitespace and value, for charts."""
    shades = zip(*colours.KINDS.values(), strict=True)
    patterns = (
        f'<pattern id="kind-{place}" patternUnits="userSpaceOnUse" width="8" height="8">'
        f'<rect style="fill: light-dark({light}, {dark})" width="8" height="8"/>'
        f'<path style="{_STROKE}" d="{_DRAWN[place]}"/></pattern>'
        for place, (light, dark) in enumerate(shades)
    )
    return f'<svg class="patterns" aria-hidden="true">{"".join(patterns)}</svg>'


#: What happens to the text when a part of the page fails.
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
    """Return the contents of text files, joined by line breaks."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def styles(*paths: Path) -> str:
    """Return files of CSS as one, after the colours that they use and the style of a fault."""
    return f"{colours.variables()}\n{joined(_FAULT, *paths)}"
