"""The demo: five slides of what a page answers on the whole screen, led through with two keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import open_entrance
from tests.browser.pages import forget_the_probes

pytestmark = pytest.mark.rest

#: What is there once a page is, and what its slides say; the dashboard's are about its run.
SLIDES = {
    "": (
        ".answer[data-state=fresh]",
        [
            ("What one payload costs today", "2,128 tokens"),
            ("How many of the tokens are your data", "26 of 100"),
            ("Minify it: any JSON library does that", "−38 %"),
            ("Send TOON", "858 tokens"),
            ("Saved: $508 a month", "$6,096 a year"),
        ],
        "",
    ),
    "dashboard": (
        "[data-testid=stTabs]",
        [
            ("What these payloads cost a month", "$1,607.92"),
            ("The most expensive: GET /v1/metrics/{id}", "19 %"),
            ("Why: how many of its tokens are data, as minified JSON", "53 of 100"),
            ("Switch 6 of 10 tools", "−16.3 %"),
            ("Saved: $262.51 a month", "$3,150 a year"),
        ],
        "corpus.jsonl.gz: an example, a made-up shop's four weeks",
    ),
}


@pytest.mark.parametrize("path", SLIDES)
def test_five_slides_that_differ_end_on_what_is_saved_a_month_and_a_year(
    page: Page, app_server: str, problems: list[str], path: str
) -> None:
    first, slides, about = SLIDES[path]
    page.goto(f"{app_server}/{path}")
    expect(page.locator(first).first).to_be_visible()
    open_entrance(page, "Demo")
    dialog = page.get_by_role("dialog")
    seen = []
    for number in range(1, 6):
        expect(dialog.locator(".step")).to_have_text(f"{number} of 5")
        slide = dialog.locator(".slide:visible")
        title, figure = (slide.locator(f".{part}").inner_text() for part in ("title", "figure"))
        seen.append((title, figure.replace("\u202f", " ")))
        expect(slide.locator(".about")).to_have_text(about)
        page.keyboard.press("ArrowRight")

    assert seen == slides
    page.keyboard.press("ArrowLeft")
    expect(dialog.locator(".step")).to_have_text("4 of 5")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    forget_the_probes(problems)
