"""The tools of the editor in a real browser: wrap, find, shortcuts."""

import pytest
from playwright.sync_api import expect

from tests.browser.lab import WIDE, Lab, caret, expect_text, paste_over, put_caret
from tests.browser.pages import violations

pytestmark = pytest.mark.rest

#: Letters, tabs, wide characters and marks of punctuation in lines of more than one row.
LINES = (WIDE.replace("\n", " ") + "\t" + '[{"a":1},' * 40 + "\n") * 6
#: What the harness shows of its reports is not the editor's.
REPORT = "[data-testid=stCode]"


def test_wrapped_lines_need_no_scrolling_sideways_and_shortcuts_work_anywhere(lab: Lab) -> None:
    lab.open(text=LINES)
    area = lab.area("json")
    scroller = lab.pane("json").locator(".cm-scroller")
    assert scroller.evaluate("node => node.scrollWidth - node.clientWidth") > 100
    lab.press("Wrap")
    lab.settle()

    assert scroller.evaluate("node => node.scrollHeight - node.clientHeight") > 100
    assert scroller.evaluate("node => node.scrollWidth - node.clientWidth") == 0
    area.press("ControlOrMeta+Home")
    lab.page.keyboard.insert_text("xyz")
    lab.page.keyboard.press("ControlOrMeta+z")
    expect_text(area, LINES)
    lab.page.get_by_role("button", name="Long document").click()
    expect(lab.pane("json").locator(".figures")).to_have_text("70,000 tokens")
    assert scroller.evaluate("node => node.scrollWidth - node.clientWidth") == 0

    paste_over(area, "one")
    lab.settle()
    keys = lab.page.get_by_role("dialog", name="Keyboard shortcuts")
    lab.page.get_by_role("radio", name="tab", exact=True).focus()
    for side, key in (("toon", "2"), ("json", "1")):
        lab.page.keyboard.press(f"Alt+Shift+Digit{key}")
        expect(lab.area(side)).to_be_focused()
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.expect_copied(lambda: lab.page.keyboard.press("Alt+Shift+KeyC"))
    lab.page.keyboard.press("Shift+?")
    expect_text(lab.area("json"), "one?")
    expect(keys).to_be_hidden()

    lab.page.keyboard.press("Alt+Shift+KeyN")
    expect_text(lab.area("json"), '{\n  "other": true\n}')
    lab.page.get_by_role("radio", name="tab", exact=True).focus()
    lab.page.keyboard.press("Shift+?")
    expect(
        keys.get_by_role("row", name="Copy what the right pane shows Alt + Shift + C")
    ).to_be_visible()
    assert list(violations(lab.page, without=REPORT)) == []
    lab.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(lab.page.get_by_role("radio", name="tab", exact=True)).to_be_focused()


def test_find_counts_marks_and_selects(lab: Lab) -> None:
    """In a text of any length."""
    lab.open(text="Ada\nBob\nada İ ADA\n" + "\n" * 60 + "end")
    area, pane = lab.area("json"), lab.pane("json")
    box = pane.get_by_role("textbox", name="Find in JSON")
    count, marks = pane.locator(".finder .count"), pane.locator(".cm-searchMatch")
    put_caret(area, 3)
    lab.page.keyboard.press("ControlOrMeta+f")
    expect(box).to_be_focused()
    expect(pane.get_by_role("search", name="Find in JSON")).to_be_visible()
    lab.page.keyboard.type("ada")
    expect(count).to_have_text("2 of 3")
    expect(marks).to_have_text(["Ada", "ada", "ADA"])
    lab.page.keyboard.press("Enter")
    lab.page.keyboard.press("Enter")
    expect(count).to_have_text("1 of 3")
    lab.page.keyboard.press("Shift+Enter")
    expect(count).to_have_text("3 of 3")
    assert list(violations(lab.page, without=REPORT)) == []
    lab.page.keyboard.press("Escape")
    assert caret(area) == (14, 17, True)

    lab.page.keyboard.press("ControlOrMeta+f")
    expect(box).to_have_value("ADA")
    pane.get_by_role("button", name="Match case").click()
    expect(count).to_have_text("1 of 1")
    box.fill("end")
    expect(pane.locator(".cm-searchMatch-selected")).to_have_text("end")
    expect(pane.locator(".cm-lineNumbers .cm-activeLineGutter")).to_have_text("64")

    lab.page.get_by_role("button", name="Long document").click()
    expect(pane.locator(".finder")).to_have_count(0)
    area.press("ControlOrMeta+f")
    box.fill("2]")
    expect(count).to_have_text("1 of 10,000+")
    box.press("Shift+Enter")
    expect(pane.locator(".cm-searchMatch-selected")).to_have_text("2]")
    expect(pane.locator(".cm-lineNumbers .cm-activeLineGutter")).to_have_text("40000")


def test_what_is_found_keeps_its_colours_and_is_replaced_in_steps_of_undo(lab: Lab) -> None:
    lab.open(text='{"currency": "GBP", "country": "GB"}')
    area, pane = lab.area("json"), lab.pane("json")
    lab.expect_painted("json", "kind-3")
    before = {name: "".join(parts) for name, parts in lab.painted("json").items()}
    area.press("ControlOrMeta+f")
    for letter in "GBP":
        lab.page.keyboard.type(letter)
        expect(area.locator(".cm-searchMatch").first).to_be_visible()
        assert {name: "".join(parts) for name, parts in lab.painted("json").items()} == before

    paste_over(area, "one two one two one")
    area.press("ControlOrMeta+Home")
    pane.get_by_role("textbox", name="Find in JSON").fill("ONE")
    pane.get_by_role("textbox", name="Replace in JSON").fill("3")
    pane.get_by_role("button", name="Replace this place").click()
    expect_text(area, "3 two one two one")
    pane.get_by_role("button", name="Replace all places").click()
    expect_text(area, "3 two 3 two 3")
    expect_text(lab.area("toon"), "3 TWO 3 TWO 3")
    area.press("ControlOrMeta+z")
    expect_text(area, "3 two one two one")
    area.press("ControlOrMeta+z")
    expect_text(area, "one two one two one")
