"""A headline drawn: bars of HTML, the slides of a demo, and a card of SVG; nothing runs in it."""

from __future__ import annotations

from typing import TypedDict

from toon.costs.headline import Headline, Nothing
from toon.drawing.bars import rungs
from toon.drawing.card import card
from toon.drawing.demo import scenes
from toon.drawing.slides import slides


class Drawn(TypedDict):
    """The bars as items of a list, the slides of the demo, and the card."""

    bars: str
    demo: str
    card: str


def drawn(headline: Headline | Nothing) -> Drawn:
    """All drawings of a headline; every text in them is escaped."""
    if "bars" not in headline:
        return {"bars": "", "demo": "", "card": card(headline)}
    return {"bars": rungs(headline), "demo": slides(scenes(headline)), "card": card(headline)}
