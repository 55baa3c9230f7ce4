"""The demo: five slides of what a page answers on the whole screen, led through with two keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import open_entrance
from tests.browser.pages import forget_the_probes

pytestmark = pytest.mark.rest

#: What the slides say of the first sample; those of a run are in ``tests/reports/test_deck.py``.
SLIDES = [
    ("What one payload costs today", "2,128 tokens"),
    ("How many of the tokens are your data", "26 of 100"),
    ("Minify it: any JSON library does that", "−38 %"),
    ("Send TOON", "858 tokens"),
    ("Saved: $508 a month", "$6,096 a year"),
]


def test_five_slides_that_differ_end_on_what_is_saved_a_month_and_a_year(
    page: Page, app_server: str, problems: list[str]
) -> None:
    page.goto(app_server)
    expect(page.locator(".answer[data-state=fresh]")).to_be_visible()
    open_entrance(page, "Demo")
    dialog = page.get_by_role("dialog")
    seen = []
    for number in range(1, 6):
        expect(dialog.locator(".step")).to_have_text(f"{number} of 5")
        slide = dialog.locator(".slide:visible")
        title, figure = (slide.locator(f".{part}").inner_text() for part in ("title", "figure"))
        seen.append((title, figure.replace("\u202f", " ")))
        expect(slide.locator(".about")).to_have_text("")
        page.keyboard.press("ArrowRight")

    assert seen == SLIDES
    page.keyboard.press("ArrowLeft")
    expect(dialog.locator(".step")).to_have_text("4 of 5")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    forget_the_probes(problems)
