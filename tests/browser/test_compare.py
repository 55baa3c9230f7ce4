"""Compare as a person uses it: a row is pressed, a template is typed, a field is left out."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import (
    expect_payload,
    go_to,
    open_tab,
    paste_over,
    wait_for_the_run,
)

pytestmark = pytest.mark.rest

HOSTILE = "<img src=x onerror=alert(1)> **Lunch** [x](https://example.com)"
EVENTS = [
    {"id": "550e8400-e29b", "title": HOSTILE, "start_at": "2026-02-18T14:00:00Z", "host": "Ana"},
    {"id": "660e8400-e29b", "title": "Choir", "start_at": "2026-02-18T19:30:00Z", "host": None},
]
#: Pixels of a row of a table.
ROW = 35


@pytest.fixture
def compare(page: Page, app_server: str) -> Page:
    """The page on pasted events."""
    page.goto(app_server)
    headline = page.get_by_role("region", name="The answer").locator(".act")
    expect(headline).to_be_visible()
    first = headline.inner_text()
    text = json.dumps(EVENTS)
    paste_over(page.get_by_label("JSON editor"), text)
    expect(headline).not_to_have_text(first)
    go_to(page, "Compare")
    expect(page.get_by_role("heading", name="Compare", exact=True)).to_be_visible()
    expect_payload(page, text)  # Python hears of it while the page is drawn of the text before
    return page


def test_rows_fields_and_templates_do_what_is_asked(compare: Page) -> None:
    press_a_row_and_untick_a_field(compare)
    type_a_template(compare)


def press(page: Page, row: int, left: int) -> None:
    """Presses a cell of the table, ``left`` pixels from its edge; row 0 has the names."""
    table = page.get_by_test_id("stDataFrame").first
    table.locator("canvas").first.wait_for()
    wait_for_the_run(page)
    table.click(position={"x": left, "y": (row + 0.5) * ROW})


def press_a_row_and_untick_a_field(compare: Page) -> None:
    """What is pressed stays open, and a field that is unticked is not sent."""
    press(compare, 1, 60)
    opened = compare.get_by_role("heading", level=2)
    expect(opened).to_be_visible()
    name = opened.inner_text()
    compare.get_by_text("minified JSON", exact=True).first.click()

    expect(opened).to_have_text(name)
    compare.get_by_text(re.compile(r"^Show \d+ more$")).click()
    expect(compare.get_by_text("Looked at and not taken: 3")).to_be_visible()
    expect(opened).to_have_text(name)

    less = open_tab(compare, "Send less")
    press(compare, 1, 15)
    expect(less.get_by_text("Not all of it comes back")).to_be_visible()


def type_a_template(page: Page) -> None:
    """It is applied while it is typed, and nothing typed is lost."""
    lines = open_tab(page, "Compact lines")
    # The pasted list stands there as lines; its titles are text and nothing else.
    expect(lines.get_by_role("heading", name=re.compile("^Compact lines: "))).to_be_visible()
    expect(lines).to_contain_text(f"14:00 {HOSTILE} id:550e8400")
    expect(page.locator("img[src='x']")).to_have_count(0)

    template = page.get_by_label("Template", exact=True)
    expect(template).to_have_value(re.compile("^# An event"))
    template.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("line: {title|upper} <by {host", delay=15)
    expect(lines).to_contain_text("line 1, column 25: field is not closed")
    page.keyboard.type("}>", delay=15)
    expect(lines).to_contain_text(f"{HOSTILE.upper()} by Ana")
    expect(template).to_have_value("line: {title|upper} <by {host}>")
    expect(template).to_be_focused()

    # Leaving at once loses nothing.
    page.keyboard.type(" and more", delay=5)
    go_to(page, "Dashboard")
    expect(page.get_by_role("heading", name="Dashboard", exact=True)).to_be_visible()
    go_to(page, "Compare")
    lines = open_tab(page, "Compact lines")
    expect(template).to_have_value("line: {title|upper} <by {host}> and more")
    expect(lines).to_contain_text("CHOIR and more")

    # An example's template comes when it is asked for.
    lines.get_by_role("combobox", name=re.compile("Records")).click()
    page.get_by_role("option", name="diary").click()
    lines.get_by_role("button", name="Open their template").click()
    expect(template).to_have_value(re.compile("^# A day"))
    expect(lines).to_contain_text("10 diary entries")
