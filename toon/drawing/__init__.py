"""Drawings of an answer about a payload: bars in HTML, a demo's slides, a card in SVG."""

from collections.abc import Callable
from typing import Final

from toon.costs.headline import Headline
from toon.drawing.bars import rungs
from toon.drawing.card import card
from toon.drawing.slides import demo

#: What draws a headline as HTML or SVG, by the drawing's name; every text in it is escaped.
DRAWINGS: Final[dict[str, Callable[[Headline], str]]] = {"bars": rungs, "demo": demo, "card": card}
