"""Every page as a person meets it who has pasted a payload of their own."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import make_new
from tests.browser.lab import expect_text, go_to, paste_over, wait_for_the_run
from tests.browser.loads import fault, leave_a_text
from tests.browser.pages import ADDRESSES, OLD_ADDRESSES, forget_the_probes
from tests.links import write_link
from tests.words import YOUR_TEXT
from toon.playground.state import State

#: The pages in the order of the navigation, and whether they are about the payload.
PAGES = {
    "Compare": True,
    "Dashboard": False,
}
#: Keys that Markdown would draw: a picture of another host, an icon, a formula, bold.
HOSTILE = "![a](https://evil.example/a.png) :material/home: $x^2$ **b** <img src=x>"
OTHERS = json.dumps([{HOSTILE: {"a": [HOSTILE]}}, {HOSTILE: 3}])
#: What must never come of them.
MARKUP = ".katex, img[src*='evil'], img[src='x'], [aria-label='home icon'], strong:text-is('b')"
ABSENT = re.compile(r"^(None|nan|NaN|NaT|<NA>|undefined|inf)$")


@pytest.mark.rest
def test_a_page_made_new_keeps_nothing_of_the_test_before(page: Page, app_server: str) -> None:
    leave_a_text(page, app_server)
    assert kept_by(page) != [0, 0, 0]

    make_new(page, {app_server})
    assert page.context.cookies() == []
    page.goto(f"{app_server}/_stcore/health")
    assert kept_by(page) == [0, 0, 0]


def kept_by(page: Page) -> list[int]:
    """How much the browser keeps for the origin of the page, by kind of storage."""
    counts: list[int] = page.evaluate(
        "async () => [sessionStorage.length, localStorage.length,"
        " (await indexedDB.databases()).length]"
    )
    return counts


def test_a_pasted_payload_goes_through_every_page(page: Page, app_server: str) -> None:
    page.goto(app_server)
    expect(page.get_by_text("TOON 22 points more")).to_be_visible()
    editor = page.get_by_label("JSON editor")
    paste_over(editor, OTHERS)
    expect_text(page.get_by_label("TOON editor"), re.compile("evil.example"))
    # Python hears of the text when the editors have settled.
    sample = page.get_by_role("combobox", name="Sample", exact=True)
    expect(sample).to_have_attribute("placeholder", YOUR_TEXT)
    for name, is_about_payload in PAGES.items():
        go_to(page, name)
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(page).to_have_title(f"{name} · Token lab")
        address = f"{app_server}/{name.lower().replace(' ', '-')}"
        expect(page).to_have_url(re.compile(rf"^{address}(#s=[\w-]+)?$"))
        wait_for_the_run(page)
        if is_about_payload:
            text = f"The payload of the playground: {YOUR_TEXT}, {len(OTHERS)} characters"
            expect(page.get_by_text(text)).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.locator(MARKUP).count() == 0, name
        cells = page.locator("[data-testid=stDataFrame] td").all_text_contents()
        assert [cell for cell in cells if ABSENT.match(cell)] == [], name
    page.get_by_role("link", name="Playground", exact=True).click()
    expect(page).to_have_title("Playground · Token lab")
    expect_text(editor, OTHERS)


@pytest.mark.rest
def test_every_address_opens_for_a_returning_visitor(
    page: Page, app_server: str, problems: list[str]
) -> None:
    leave_a_text(page, app_server)
    faults = {address: fault(page, app_server, address) for address in (*ADDRESSES, *OLD_ADDRESSES)}

    assert {name: said for name, said in faults.items() if said} == {}
    forget_the_probes(problems)


@pytest.mark.rest
@pytest.mark.parametrize("old", ["send-less", "reading"])
def test_an_old_address_leads_to_its_tab_with_the_payload_and_what_it_asks_for(
    page: Page, app_server: str, problems: list[str], old: str
) -> None:
    address, tab = OLD_ADDRESSES[old]
    text = '{"mine": [1.0, "é"]}'
    page.goto(f"{app_server}/{old}?of=4{write_link(State('json', text, YOUR_TEXT, {}))}")

    expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    if address == "compare":
        expect(page.get_by_text(f"{YOUR_TEXT}, {len(text)} characters")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"^{app_server}/{address}\?of=4\b.*#s=[\w-]+$"))
    forget_the_probes(problems)
