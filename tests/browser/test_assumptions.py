"""The boxes of the answer, and what is typed into a field just before another page is pressed."""

from __future__ import annotations

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
    calls = tablet.get_by_role("textbox", name="Payloads a month")
    calls.fill("6000")
    tap(tablet, "Compare")
    tablet.get_by_role("button", name="6,000 calls a month").tap()
    month = tablet.get_by_label("Calls a month")
    expect(month).to_have_value("6000")
    month.fill("4321")
    month.press("Enter")
    tablet.keyboard.press("Escape")
    tap(tablet, "Playground")
    expect(calls).to_have_value("4,321")


def test_a_box_keeps_the_keyboard_and_takes_a_number_as_written_or_not_at_all(
    page: Page, app_server: str
) -> None:
    page.goto(app_server)
    answered(page)
    calls = page.get_by_role("textbox", name="Payloads a month")
    together = page.get_by_role("textbox", name="Payloads per prompt")
    calls.fill("6000")
    page.keyboard.press("Tab")
    for key in "12":
        page.wait_for_timeout(250)
        page.keyboard.type(key)
    page.keyboard.press("Enter")

    expect(calls).to_have_value("6,000")
    expect(together).to_have_value("12")
    expect(together).to_be_focused()

    # A number is taken as written or not at all.
    for typed, taken in TYPED.items():
        calls.fill(typed)
        calls.press("Enter")
        expect(calls).to_have_value(taken)


#: What is typed, and what the box says then: the number, or what it said before.
TYPED = {
    "250.000": "250,000",
    "2 500": "2,500",
    "1.5": "2,500",
    "2000000000000": "2,500",
    "-3": "2,500",
    "many": "2,500",
}


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
