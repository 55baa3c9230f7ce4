"""Every page as a person meets it who has pasted a payload of their own."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import paste_over, wait_for_the_run

pytestmark = pytest.mark.browser

#: The pages in the order of the navigation: their title, and whether they are about the payload.
PAGES = {
    "Compare": ("Which encoding should we send", True),
    "Compact": ("What if a list were lines", False),
    "Dialects": ("What do the dialects of TOON", True),
    "Send less": ("What could we leave out", True),
    "Pipeline": ("What does an agent's context cost", False),
    "Dashboard": ("Where do the tokens of our traffic go", False),
    "Playground": ("What does this JSON cost", False),
}
#: Keys that Markdown would draw: a picture of another host, an icon, a formula, bold.
HOSTILE = "![a](https://evil.example/a.png) :material/home: $x^2$ **b** <img src=x>"
OTHERS = json.dumps([{HOSTILE: {"a": [HOSTILE]}}, {HOSTILE: 3}])
#: What must never come of them.
MARKUP = ".katex, img[src*='evil'], img[src='x'], [aria-label='home icon'], strong:text-is('b')"
ABSENT = re.compile(r"^(None|nan|NaN|NaT|<NA>|undefined|inf)$")


def test_a_pasted_payload_goes_through_every_page(page: Page, app_server: str) -> None:
    page.goto(app_server)
    expect(page.get_by_role("heading", name="130 tokens fewer")).to_be_visible(timeout=30_000)
    editor = page.get_by_label("JSON editor")
    paste_over(editor, OTHERS)
    expect(page.get_by_label("TOON editor")).to_have_value(re.compile("evil.example"))
    # Python hears of the text when the editors have settled.
    expect(page.get_by_role("heading", name="130 tokens fewer")).to_have_count(0)
    for name, (title, is_about_payload) in PAGES.items():
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=re.compile(title))).to_be_visible()
        wait_for_the_run(page)
        if is_about_payload:
            text = f"The payload of the playground: your text, {len(OTHERS)} characters"
            expect(page.get_by_text(text)).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.locator(MARKUP).count() == 0, name
        cells = page.locator("[data-testid=stDataFrame] td").all_text_contents()
        assert [cell for cell in cells if ABSENT.match(cell)] == [], name
    expect(editor).to_have_value(OTHERS)
