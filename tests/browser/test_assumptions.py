"""What the money of the answer assumes, and a phone where another format wins."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.rest


@pytest.fixture
def tablet(browser: Browser) -> Iterator[Page]:
    """A window that is tapped: the press and what it does come at once."""
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    yield context.new_page()
    context.close()


def tap(page: Page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).first.tap()


def answered(page: Page) -> None:
    expect(page.locator(".answer[data-state=fresh]")).to_be_visible()
    expect(page.locator(".next[data-state=fresh]")).to_have_count(1)


def test_a_page_that_is_tapped_while_a_number_is_typed_opens_with_that_number(
    tablet: Page, app_server: str
) -> None:
    tablet.goto(app_server)
    answered(tablet)
    tablet.get_by_role("button", name="Options").click()
    tablet.get_by_label("Calls a month").fill("6000")
    tap(tablet, "Compare")
    expect(tablet.get_by_role("button", name="6,000 calls a month")).to_be_visible()
    tap(tablet, "Playground")
    expect(tablet.locator(".answer .assumes")).to_have_text(
        re.compile("^for 6,000 payloads a month, ")
    )


def test_a_phone_does_not_scroll_sideways_where_another_format_wins(
    page: Page, app_server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(app_server)
    expect(page.locator(".answer[data-state=fresh]")).to_be_visible()
    page.locator(".st-key-sample input").first.click()
    page.get_by_role("option").filter(has_text="weather").first.click()

    expect(page.locator(".shown .badge")).to_be_visible()
    width = "document.querySelector('[data-testid=stMain]').scrollWidth"
    assert page.evaluate(width) == 390
