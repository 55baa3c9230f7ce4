"""The pages by their address, and how a test opens one as somebody does who was sent a link."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.browser.lab import wait_for_the_run

ADDRESSES = ("", "compare", "send-less", "compact", "dialects", "dashboard", "pipeline")


def open_cold(page: Page, server: str, address: str) -> None:
    """Opens a page and waits until it stands, charts and tables included."""
    page.goto(f"{server}/{address}")
    page.locator("h1").wait_for()
    wait_for_the_run(page)
    # The look of the pages comes a moment after their first words.
    page.wait_for_function(
        "() => { const skip = document.querySelector('.skip-to-work');"
        " return skip && getComputedStyle(skip).position === 'fixed'; }"
    )
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stSkeleton]') && [...document"
        ".querySelectorAll('[data-testid=stVegaLiteChart], [data-testid=stDataFrame]')]"
        ".filter((chart) => chart.checkVisibility())"
        ".every((chart) => chart.querySelector('canvas, svg'))"
    )


def tabs_of(page: Page) -> Iterator[str]:
    """Opens each tab in turn and gives its name; "" once where there are no tabs."""
    tabs = page.get_by_role("tab")
    names = [name.strip() for name in tabs.all_inner_texts()]
    for place, name in enumerate(names):
        tabs.nth(place).click()
        wait_for_the_run(page)
        yield name
    if not names:
        yield ""
