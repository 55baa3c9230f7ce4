"""What the pointer or the caret is on: outlined on both sides, with its path and its token."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lab import Lab, caret

pytestmark = pytest.mark.browser


def point_at(page: Page, pane: Locator, text: str) -> tuple[float, float]:
    """Moves the pointer to the first drawn piece of a pane that is exactly ``text``."""
    box = pane.locator(".ink span").get_by_text(text, exact=True).first.bounding_box()
    assert box is not None
    point = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*point)
    return point


def outlined(pane: Locator) -> list[tuple[float, float]]:
    """Width and height of the boxes in a pane."""
    boxes = pane.locator(".pointed > :not([hidden])").all()
    sizes = [box.bounding_box() for box in boxes]
    return [(round(size["width"]), round(size["height"])) for size in sizes if size]


def test_what_is_pointed_at_is_outlined_on_both_sides_until_the_text_is_edited(lab: Lab) -> None:
    lab.open()
    page, area, tip = lab.page, lab.area("json"), lab.page.locator(".tip")
    area.click()
    page.keyboard.press("ControlOrMeta+Home")
    before = caret(area), page.evaluate("document.documentElement.scrollHeight")

    point_at(page, lab.pane("json"), '"name"')
    expect(tip).to_have_text("name")
    assert outlined(lab.pane("json")) == outlined(lab.pane("toon")) == [(34, 18)]
    assert (caret(area), page.evaluate("document.documentElement.scrollHeight")) == before
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    assert outlined(lab.pane("json")) == outlined(lab.pane("toon")) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ControlOrMeta+ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(tip).to_have_text("name")

    lab.control(delay=0.2)
    page.keyboard.insert_text("x")
    expect(tip).to_be_hidden()
    point_at(page, lab.pane("toon"), '"NAME"')
    expect(lab.page.locator(".figures.old")).to_have_count(1)
    expect(tip).to_be_hidden()
    lab.settle()
    point_at(page, lab.pane("toon"), '"TAGS"')
    expect(tip).to_have_text("tags")
    page.mouse.move(0, 0)
    expect(tip).to_be_hidden()


def test_a_name_of_a_table_stands_for_the_keys_of_all_rows(page: Page, app_server: str) -> None:
    page.goto(app_server)
    toon = page.get_by_role("group", name="TOON", exact=True)
    tip = page.locator(".tip")
    point = point_at(page, toon, "high")
    expect(tip).to_have_text("forecast[0].high and 4 more · JSON line 16")

    page.get_by_role("button", name="Tokens", exact=True).click()
    page.mouse.move(*point)
    expect(tip).to_contain_text('"high" · id 21116 · 68 69 67 68')
