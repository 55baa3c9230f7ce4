"""The tab Models: where the answer is another one, what it is worth, and what a service counts."""

from __future__ import annotations

from pages.parts import controls, payload
from pages.parts.compare import panels
from pages.parts.compare.money import draw_money
from pages.parts.compare.service import TITLE, draw_service
from pages.parts.faults import counting
from pages.parts.tabs import draw_fold
from toon.costs.models import Choice


def draw_models(choice: Choice) -> None:
    """What to send for each model; a service that counts is asked even where nothing else does."""
    explaining = controls.explaining()
    data = payload.current()
    draw_fold(TITLE, "service_fold", lambda: draw_service(data, choice, explaining))
    with counting():
        verdict = payload.answer(data, choice.tokenizer, explaining)
        rows = payload.compare_formats(data, (choice.tokenizer,))
    if not verdict["nothing"]:
        panels.draw_tokenizers(data, explaining)
        draw_money(data, rows, verdict, choice, explaining)
