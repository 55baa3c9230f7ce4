"""The demo: five pictures of the answer on the whole screen, led through with two keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import open_entrance
from tests.browser.pages import forget_the_probes

pytestmark = pytest.mark.rest


#: What is there once a page is, of the playground and of one that has no answer of its own.
FIRST = {"": ".answer[data-state=fresh]", "dashboard": "[data-testid=stTabs]"}


@pytest.mark.parametrize("first", FIRST)
def test_five_pictures_that_differ_end_on_the_month_and_the_year(
    page: Page, app_server: str, problems: list[str], first: str
) -> None:
    page.goto(f"{app_server}/{first}")
    expect(page.locator(FIRST[first]).first).to_be_visible()
    open_entrance(page, "Demo")
    dialog = page.get_by_role("dialog")
    seen = []
    for number in range(1, 6):
        expect(dialog.locator(".step")).to_have_text(f"{number} of 5")
        figure = dialog.locator(".figure").inner_text()
        seen.append((dialog.get_by_role("heading").inner_text(), figure.replace("\u202f", " ")))
        page.keyboard.press("ArrowRight")

    assert seen == [
        ("What one payload costs today", "2,128 tokens"),
        ("Of a hundred tokens, so many are your data", "26 of 100"),
        ("Minify it: any JSON library does that", "−38 %"),
        ("Send TOON", "858 tokens"),
        ("$508 a month", "$6,096 a year"),
    ]
    page.keyboard.press("ArrowLeft")
    expect(dialog.locator(".step")).to_have_text("4 of 5")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    forget_the_probes(problems)
