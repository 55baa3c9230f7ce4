"""What the pointer or the caret is on: marked on both sides, with its path and its token."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lab import Lab, caret, wait_until

pytestmark = pytest.mark.rest

#: The middle of the first drawn place of a text, and what is painted as the pointer's.
_MIDDLE = """(pane, text) => {
    const area = pane.querySelector(".cm-content");
    const texts = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
    for (let node; (node = texts.nextNode()); ) {
        const at = node.data.indexOf(text);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        const { left, top, width, height } = range.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    }
}"""


def point_at(page: Page, pane: Locator, text: str) -> tuple[float, float]:
    """Moves the pointer to the first place of a pane where a text is drawn."""
    expect(pane.locator(".cm-content")).to_contain_text(text)
    x, y = pane.evaluate(_MIDDLE, text)
    page.mouse.move(x, y)
    return x, y


def expect_marked(lab: Lab, *wanted: list[str]) -> None:
    """Waits until that is marked in the two panes."""

    def marked() -> tuple[list[str], ...]:
        return tuple(lab.painted(side).get("same", []) for side in ("json", "toon"))

    wait_until(lab.page, marked, lambda found: found == wanted)


def test_what_is_pointed_at_is_marked_on_both_sides_until_the_text_is_edited(lab: Lab) -> None:
    lab.open()
    page, area, tip = lab.page, lab.area("json"), lab.page.locator(".tip")
    area.click()
    page.keyboard.press("ControlOrMeta+Home")
    before = caret(area), page.evaluate("document.documentElement.scrollHeight")

    point_at(page, lab.pane("json"), '"name"')
    expect(tip).to_have_text("name")
    page.wait_for_timeout(600)  # a caret that rests would be shown by now
    expect_marked(lab, ["name"], ["NAME"])
    assert (caret(area), page.evaluate("document.documentElement.scrollHeight")) == before
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect_marked(lab, [], [])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ControlOrMeta+ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(tip).to_have_text("name")

    lab.control(hold=2)
    page.keyboard.insert_text("x")
    expect(tip).to_be_hidden()
    point_at(page, lab.pane("toon"), '"NAME"')
    expect(lab.page.locator(".figures.old")).to_have_count(1)
    expect(tip).to_be_hidden()
    lab.control(hold=0)
    lab.settle()
    point_at(page, lab.pane("toon"), '"TAGS"')
    expect(tip).to_have_text("tags")
    page.mouse.move(0, 0)
    expect(tip).to_be_hidden()


@pytest.mark.usefixtures("area")
def test_a_name_of_a_table_stands_for_the_keys_of_all_rows(page: Page) -> None:
    toon = page.get_by_role("group", name="TOON", exact=True)
    tip = page.locator(".tip")
    expect(page.locator(".figures.old")).to_have_count(0)  # the answer chose another delimiter
    point_at(page, toon, "Mesa Verde Print")
    expect(tip).to_have_text("orders[15].customer JSON line 170")
    point = point_at(page, toon, "city")
    expect(tip).to_have_text("orders[0].city and 25 more")

    page.get_by_role("radio", name="Tokens", exact=True).check()
    page.mouse.move(*point)
    expect(tip).to_contain_text('"ity" · id 536 · 69 74 79')
