"""The tab Formats: what the payload costs in each."""

from __future__ import annotations

from pages.parts import controls, payload
from pages.parts.code import draw_code
from pages.parts.compare import panels
from pages.parts.compare.explaining import draw_explanations
from pages.parts.dialects import panels as dialects
from pages.parts.tabs import draw_fold
from toon.costs.models import Choice


def draw_formats(choice: Choice) -> None:
    """The ranking, and behind clicks what is known of the formats in it."""
    explaining, tokenizer = controls.explaining(), choice.tokenizer
    data = payload.current()
    picture = payload.pictured(data, tokenizer, explaining)
    verdict, rows = picture.verdict, payload.compare_formats(data, (tokenizer,))
    if verdict["nothing"]:
        dialects.draw_side_by_side(data, rows, explaining)
        return
    panels.draw_ranking(rows, explaining)
    folds = {
        "Delimiters and indents": lambda: panels.draw_delimiters(data, rows, tokenizer),
        "Note to the model": lambda: draw_explanations(data, rows, verdict, explaining),
        "In your code": lambda: draw_code(data, verdict, explaining),
        "Dialects side by side": lambda: dialects.draw_side_by_side(data, rows, explaining),
        "What they are": dialects.draw_what_they_are,
    }
    for title, draw in folds.items():
        draw_fold(title, f"formats_{title}", draw)
