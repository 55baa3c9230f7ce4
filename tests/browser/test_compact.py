"""The compact page as a person uses it: one journey through the real app."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lab import go_to, open_tab, paste_over

pytestmark = pytest.mark.rest


HOSTILE = "<img src=x onerror=alert(1)> **Lunch** [x](https://example.com)"
EVENTS = [
    {"id": "550e8400-e29b", "title": HOSTILE, "start_at": "2026-02-18T14:00:00Z", "host": "Ana"},
    {"id": "660e8400-e29b", "title": "Choir", "start_at": "2026-02-18T19:30:00Z", "host": None},
]


class Compact:
    """The page as a person sees it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.template = page.get_by_label("Template", exact=True)

    def go(self, name: str, heading: str) -> None:
        go_to(self.page, name)
        expect(self.page.get_by_role("heading", name=re.compile(heading))).to_be_visible()

    def type_over(self, area: Locator, text: str) -> None:
        """Selects everything in a textarea and types over it."""
        area.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text, delay=15)


@pytest.fixture
def compact(page: Page, app_server: str) -> Compact:
    """The page on pasted events."""
    page.goto(app_server)
    headline = page.get_by_role("region", name="The answer").locator(".act")
    expect(headline).to_be_visible(timeout=30_000)
    first = headline.inner_text()
    paste_over(page.get_by_label("JSON editor"), json.dumps(EVENTS))
    expect(headline).not_to_have_text(first)
    compact = Compact(page)
    compact.go("Compact", "^Compact$")
    return compact


def test_a_whole_visit(compact: Compact) -> None:
    page = compact.page

    # The pasted list stands there as lines; its titles are text and nothing else.
    lines = page.get_by_role("tabpanel", name="Lines")
    expect(lines.get_by_role("heading", name=re.compile("^Compact lines: "))).to_be_visible()
    expect(lines).to_contain_text(f"14:00 {HOSTILE} id:550e8400")
    expect(lines).to_contain_text("host of 1 event")
    expect(page.locator("img[src='x']")).to_have_count(0)

    # fields and compact exclude each other; without it the lines are back.
    lines.get_by_role("button", name="Filter").click()
    fields = page.get_by_role("textbox", name="fields")
    fields.fill("title")
    fields.press("Enter")
    expect(lines).to_contain_text('"INVALID_QUERY"')
    fields.fill("")
    fields.press("Enter")
    page.keyboard.press("Escape")
    expect(lines).to_contain_text("19:30 Choir id:660e8400")

    # The steps of an agent are a chart, a table and texts.
    poll = open_tab(page, "Poll")
    expect(poll.get_by_role("heading", name=re.compile("^All three steps: "))).to_be_visible()
    poll.get_by_text(re.compile("^2 Poll for changes: ")).click()
    expect(poll.get_by_text(re.compile("response_timestamp"))).to_be_visible()

    # A template is applied while it is typed, and nothing typed is lost.
    own = open_tab(page, "Your own template")
    expect(compact.template).to_have_value(re.compile("^# An event"))
    compact.type_over(compact.template, "line: {title|upper} <by {host")
    expect(own).to_contain_text("line 1, column 25: field is not closed")
    page.keyboard.type("}>", delay=15)
    expect(own).to_contain_text(f"{HOSTILE.upper()} by Ana")
    expect(compact.template).to_have_value("line: {title|upper} <by {host}>")
    expect(compact.template).to_be_focused()

    # Leaving at once loses nothing.
    page.keyboard.type(" and more", delay=5)
    compact.go("Compare", "Compare")
    compact.go("Compact", "^Compact$")
    own = open_tab(page, "Your own template")
    expect(compact.template).to_have_value("line: {title|upper} <by {host}> and more")
    expect(own).to_contain_text("CHOIR and more")

    # A download is what was typed; a starter replaces it.
    with page.expect_download() as download:
        own.get_by_role("button", name="Download the template").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert text == "line: {title|upper} <by {host}> and more"
    own.get_by_role("combobox", name=re.compile("Start from")).click()
    page.get_by_role("option", name="diary").click()
    expect(compact.template).to_have_value(re.compile("^# A day"))
    expect(own).to_contain_text("10 diary entries")
