"""Every page as a person meets it who has pasted a payload of their own."""

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.lab import expect_payload, expect_text, go_to, paste_over, wait_for_the_run
from tests.words import YOUR_TEXT

#: Keys that Markdown would draw: a picture of another host, an icon, a formula, bold.
HOSTILE = "![a](https://evil.example/a.png) :material/home: $x^2$ **b** <img src=x>"
OTHERS = json.dumps([{HOSTILE: {"a": [HOSTILE]}}, {HOSTILE: 3}])
#: What must never come of them.
MARKUP = ".katex, img[src*='evil'], img[src='x'], [aria-label='home icon'], strong:text-is('b')"
ABSENT = re.compile(r"^(None|nan|NaN|NaT|<NA>|undefined|inf)$")


def test_a_pasted_payload_goes_through_every_page(page: Page, app_server: str) -> None:
    page.goto(app_server)
    expect(page.get_by_text("TOON 22 points more")).to_be_visible()
    editor = page.get_by_label("JSON editor")
    paste_over(editor, OTHERS)
    expect_text(page.get_by_label("TOON editor"), re.compile("evil.example"))
    # Python hears of the text when the editors have settled.
    sample = page.get_by_role("combobox", name="Sample", exact=True)
    expect(sample).to_have_attribute("placeholder", YOUR_TEXT)
    for name in ("Compare", "Dashboard"):
        go_to(page, name)
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(page).to_have_title(f"{name} · Token lab")
        address = f"{app_server}/{name.lower()}"
        expect(page).to_have_url(re.compile(rf"^{address}(#s=[\w-]+)?$"))
        wait_for_the_run(page)
        if name == "Compare":
            expect_payload(page, OTHERS)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.locator(MARKUP).count() == 0, name
        cells = page.locator("[data-testid=stDataFrame] td").all_text_contents()
        assert [cell for cell in cells if ABSENT.match(cell)] == [], name
    page.get_by_role("link", name="Playground", exact=True).click()
    expect(page).to_have_title("Playground · Token lab")
    expect_text(editor, OTHERS)
