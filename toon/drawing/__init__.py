"""Drawings of a headline: bars of HTML, the slides of a demo, and a card of SVG, no scripts."""

from __future__ import annotations

from typing import TypedDict

from toon.costs.headline import Headline, Nothing
from toon.drawing.bars import rungs
from toon.drawing.card import card
from toon.drawing.demo import scenes
from toon.drawing.slides import slides


class Drawn(TypedDict):
    """The bars as items of a list, the slides of the demo, and the card, as HTML or SVG."""

    bars: str
    demo: str
    card: str


def drawn(headline: Headline | Nothing) -> Drawn:
    """Draw a headline in all three ways; every text in the drawings is escaped."""
    if "bars" not in headline:
        return {"bars": "", "demo": "", "card": card(headline)}
    return {"bars": rungs(headline), "demo": slides(scenes(headline)), "card": card(headline)}
