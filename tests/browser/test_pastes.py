"""What is pasted is recognised and converted at once, and can be brought back as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lab import expect_text, paste, text_of

pytestmark = pytest.mark.rest


PASTES: dict[str, tuple[str, Any]] = {
    "TOON": ("users[2]{id,name}:\n  1,Ada\n  2,Bob", {"users": [{"id": 1, "name": "Ada"},
                                                              {"id": 2, "name": "Bob"}]}),
    "JSON Lines": ('{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}]),
    "a Python literal": ("{'a': True}", {"a": True}),
    "a JavaScript literal": ("const x = {a: 1};", {"a": 1}),
    "a curl command": ("curl -d '{\"a\": 1}' https://example.test", {"a": 1}),
    "a log": ('2026-03-09T05:58:02Z INFO served {"a": 1}', {"a": 1}),
    "a page of HTML": ("<!doctype html><p>502</p>", "<!doctype html><p>502</p>"),
}  # fmt: skip


@pytest.fixture
def area(page: Page, app_server: str) -> Locator:
    page.goto(app_server)
    expect(page.locator(".answer[data-state=fresh]")).to_be_visible()
    return page.get_by_label("JSON editor")


def test_a_paste_is_recognised_and_converted(page: Page, area: Locator) -> None:
    for title, (text, value) in PASTES.items():
        paste(area, text)

        expect(page.get_by_text(f"This was {title}. It is JSON now.")).to_be_visible()
        assert json.loads(text_of(area)) == value
        page.get_by_role("button", name="Undo").click()
        expect_text(area, text)
        expect(page.locator(".aged")).to_have_text("This text cannot be read.")


def test_what_is_typed_is_never_converted(page: Page, area: Locator) -> None:
    area.press("ControlOrMeta+a")
    page.keyboard.insert_text("{'a': True}")

    expect(page.get_by_role("button", name="Convert Python literal").first).to_be_visible()
    expect_text(area, "{'a': True}")


def test_a_broken_paste_leaves_no_figure_of_the_text_before(page: Page, area: Locator) -> None:
    paste(area, '{"a": [1, 2')

    expect(page.locator(".aged")).to_have_text("This text cannot be read.")
    for name in ("hero", "worth", "send", "to-code", "bars"):
        expect(page.locator(f".answer .{name}")).to_be_hidden()
