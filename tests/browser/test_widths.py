"""Nothing sticks out and nothing is cut on any page or tab, on a telephone, a tablet and a desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.pages import ADDRESSES, open_cold, tabs_of

#: What is wider than the page, or stands beyond its right edge without being in a scrolling box.
_OUTSIDE = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    const wide = [document.documentElement, main].filter((box) => box.scrollWidth > innerWidth);
    return wide.map((box) => `${box.tagName} is ${box.scrollWidth} wide`);
}"""

#: Header cells of tables in HTML, and groups of choices, whose content does not fit in them.
_CUT_BOXES = """() => [...document.querySelectorAll("[data-testid=stTable] th, [role=radiogroup]")]
    .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth)
    .map((box) => `box of ${box.textContent}`)"""

#: Texts of charts (names, axes, legends, figures) that are shortened, or outside of the drawing.
#: The box of a text is up to three pixels higher than its letters.
_CUT_TEXTS = """() => [...document.querySelectorAll("[data-testid=stVegaLiteChart] svg")]
    .filter((chart) => chart.checkVisibility())
    .flatMap((chart) => {
        const edge = chart.getBoundingClientRect();
        const isCut = (text) => {
            const box = text.getBoundingClientRect();
            return text.textContent.endsWith("…") || box.left < edge.left - 3
                || box.right > edge.right + 3 || box.top < edge.top - 3
                || box.bottom > edge.bottom + 3;
        };
        const texts = [...chart.querySelectorAll("text")];
        return texts.filter((text) => text.textContent && isCut(text))
            .map((text) => `chart ${text.textContent}`);
    })"""


def cut(page: Page) -> Iterator[str]:
    for look in (_OUTSIDE, _CUT_BOXES, _CUT_TEXTS):
        yield from page.evaluate(look)


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_nothing_sticks_out_or_is_cut(browser: Browser, app_server: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    found = []
    for address in ADDRESSES:
        open_cold(page, app_server, address)
        for tab in tabs_of(page):
            found += [f"{address} {tab}: {what}" for what in cut(page)]
    context.close()

    assert found == []
