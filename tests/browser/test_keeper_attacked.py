"""What is kept when tabs share it, and when the browser's storage is full or cleared."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import paste_over
from tests.browser.test_keeper import TEXT, editor

pytestmark = pytest.mark.browser

#: A disk that is full makes a browser give up a transaction at its end.
FILLS_UP = """
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (entry) {
    const request = put.call(this, entry);
    if (window.isFull) request.onsuccess = () => this.transaction.abort();
    this.transaction.addEventListener("complete", () => (window.stored = window.isFull === false));
    return request;
  };
"""
FULL = "This browser does not keep your work: its storage is full or forbidden."


def open_duplicate(page: Page) -> Page:
    """Another tab with the same session storage, as when a person duplicates the tab."""
    with page.expect_popup() as opened:
        page.evaluate("() => void window.open(location.href)")
    return opened.value


def close_all(*pages: Page) -> None:
    """All tabs go at the same moment, right after a key."""
    for page in pages:
        page.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pagehide'))")


def test_two_tabs_of_one_text_go_on_apart_and_both_come_back(page: Page, app_server: str) -> None:
    page.goto(app_server)
    paste_over(editor(page), TEXT)
    expect(page).to_have_url(re.compile(r"/#s=[\w-]+$"))  # it is stored before
    second = open_duplicate(page)
    expect(editor(second)).to_have_value(TEXT)

    for tab, typed in ((page, " "), (second, "\n\n")):
        editor(tab).press("Control+End")
        tab.keyboard.type(typed)
    close_all(page, second)
    for tab in (page, second):
        tab.reload()

    expect(editor(page)).to_have_value(f"{TEXT} ")
    expect(editor(second)).to_have_value(f"{TEXT}\n\n")


def test_a_full_storage_is_said_and_a_cleared_one_is_used_again(
    page: Page, app_server: str
) -> None:
    page.add_init_script(FILLS_UP)
    page.goto(app_server)
    paste_over(editor(page), TEXT)
    expect(page.locator(".answer .lead")).to_contain_text("Send")
    browser = page.context.new_cdp_session(page)
    browser.send("Storage.clearDataForOrigin", {"origin": app_server, "storageTypes": "indexeddb"})
    page.evaluate("() => (window.isFull = true)")
    page.keyboard.type(" ")

    expect(page.get_by_text(FULL)).to_be_visible()
    expect(editor(page)).to_have_value(f"{TEXT} ")
    page.evaluate("() => (window.isFull = false)")
    page.keyboard.type(" ")
    page.wait_for_function("() => window.stored === true")
    page.reload()
    expect(editor(page)).to_have_value(f"{TEXT}  ")
