"""Everybody can use every page: what axe-core finds, the keyboard, and words for pictures."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import forget_the_probes, open_cold, violations
from tests.conftest import ROOT

pytestmark = pytest.mark.rest

#: The calls that draw on a canvas, which nobody can read aloud.
PICTURES = {"draw_table", "st.dataframe", "st.altair_chart", "st.graphviz_chart"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_a_form_and_its_chips(
    page: Page, app_server: str, problems: list[str], theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    open_cold(page, app_server, "dashboard")
    page.get_by_text("Measure your own traffic").click()
    expect(page.get_by_role("button", name="Measure", exact=True)).to_be_visible()

    assert list(violations(page)) == []
    forget_the_probes(problems)


def test_the_keyboard_reaches_the_editor_with_two_keys(page: Page, app_server: str) -> None:
    page.goto(app_server)
    editor = page.get_by_label("JSON editor")
    expect(editor).to_be_visible()
    expect(page.locator(".skip-to-work")).to_be_attached()
    page.keyboard.press("Tab")
    skip = page.get_by_role("button", name="Skip to the editor")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")

    expect(editor).to_be_focused()


def test_every_stop_of_the_keyboard_in_the_header_is_seen(page: Page, app_server: str) -> None:
    open_cold(page, app_server, "")
    seen = []
    for _ in range(7):  # the way past it, four pages, their menu, and Streamlit's own
        page.keyboard.press("Tab")
        seen.append(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))

    assert seen == ["solid"] * 7


def test_a_narrow_header_says_where_the_pages_are(page: Page, app_server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_cold(page, app_server, "")
    page.get_by_role("button", name="Pages").click()
    page.get_by_role("link", name="Send less", exact=True).click()

    expect(page.get_by_role("heading", name="Send less")).to_be_visible()


def pictures(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in PICTURES:
            yield node


def test_every_chart_and_table_says_what_it_shows() -> None:
    calls = {
        f"{path.relative_to(ROOT)}:{call.lineno}": {keyword.arg for keyword in call.keywords}
        for path in (ROOT / "pages").rglob("*.py")
        for call in pictures(path)
    }

    assert len(calls) > 30
    assert [place for place, names in calls.items() if "alt" not in names] == []
