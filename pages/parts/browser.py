"""The one table of words and colours that all scripts get, and the colours of all styles.

What the server sends says keys; ``TABLE`` says what a person sees for each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pages.parts import patterns
from toon import colours, wording
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED, FORMATS, label
from toon.layout.spans import KINDS

_FAULT: Final = Path(__file__).parent / "fault.css"

#: What becomes of a text where a part of the page fails.
KEPT: Final = "This browser keeps your text, unless you have switched that off."

TABLE: Final = {
    "formats": {AS_TYPED: label(AS_TYPED), **{name: each.label for name, each in FORMATS.items()}},
    "baseline": COMPACT,
    "parts": {name: wording.KINDS[name] for name in (*KINDS, "explanation")},
    "badges": wording.BADGES,
    "typed": wording.YOUR_TEXT,
    "failed": (
        f"This part of the page failed. {KEPT} Reload the page, or open another text from History."
    ),
    "kinds": colours.KINDS,
    "patterns": patterns.drawing(),
    "saves": colours.SAVES_TEXT,
    "costs": colours.COSTS_TEXT,
}


def _variables() -> str:
    """The colours that styles use, on the page and in components; they follow the theme."""
    named = {"saves-text": colours.SAVES_TEXT, "costs-text": colours.COSTS_TEXT}
    for place, (light, dark) in enumerate(zip(*colours.KINDS.values(), strict=True)):
        named[f"kind-{place}"] = {"light": light, "dark": dark}
    shades = (
        f"--{name}: light-dark({shade['light']}, {shade['dark']});" for name, shade in named.items()
    )
    return f":root, :host {{ {' '.join(shades)} }}"


def joined(*paths: Path) -> str:
    """The texts of files, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def styles(*paths: Path) -> str:
    """Files of CSS behind the colours that they use, and what a part wears that failed."""
    return f"{_variables()}\n{joined(_FAULT, *paths)}"
