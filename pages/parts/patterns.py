"""What charts fill their bars with: nobody needs colours to tell two parts apart."""

from __future__ import annotations

from typing import Final

from toon import colours

#: What is drawn on a part's colour, one place after the other: nothing, stripes, dots, lines.
_DRAWN: Final = ("", "M-2 2 2-2M-2 10 10-2M6 10 10 6", "M1 2h2M5 6h2", "M0 4h8")
_STROKE: Final = f"stroke: {colours.INK_ON_CELLS}; stroke-width: 1.5; stroke-opacity: 0.45"


def _pattern(family: str, place: int, light: str, dark: str) -> str:
    return (
        f'<pattern id="{family}-{place}" patternUnits="userSpaceOnUse" width="8" height="8">'
        f'<rect style="fill: light-dark({light}, {dark})" width="8" height="8"/>'
        f'<path style="{_STROKE}" d="{_DRAWN[place % len(_DRAWN)]}"/></pattern>'
    )


def drawing() -> str:
    """Every part's pattern as SVG, "url(#FAMILY-PLACE)" for a chart; takes no room on the page."""
    patterns = (
        _pattern(family, place, *shades)
        for family, themes in colours.FILLS.items()
        for place, shades in enumerate(zip(*themes.values(), strict=True))
    )
    return f'<svg class="patterns" aria-hidden="true">{"".join(patterns)}</svg>'
