"""The tools of the editor in a real browser: wrap, find, the splitter, shortcuts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import WIDE, Lab, caret
from tests.browser.pages import violations
from tests.browser.test_editor_display import misplaced_by

pytestmark = pytest.mark.browser

#: Letters, tabs, wide characters and marks of punctuation in lines of more than one row.
LINES = (WIDE.replace("\n", " ") + "\t" + '[{"a":1},' * 40 + "\n") * 6
#: What the harness shows of its reports is not the editor's.
REPORT = "[data-testid=stCode]"
LAST_ROW = """area => {
    area.scrollTop = area.scrollHeight;
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
        const last = [...area.parentNode.querySelectorAll(".ink .line:not([hidden])")].at(-1);
        const { bottom } = last.getBoundingClientRect();
        resolve(bottom - area.getBoundingClientRect().top - area.clientHeight);
    })));
}"""


def test_wrapped_ink_lies_exactly_on_the_text(lab: Lab) -> None:
    """From the first row to the last, whatever the characters; and a longer text says it is not."""
    lab.open(text=LINES)
    area = lab.area("json")
    lab.page.get_by_role("button", name="Wrap").click()
    lab.settle()

    assert area.evaluate("a => a.scrollHeight - a.clientHeight") > 300
    assert area.evaluate("a => a.scrollWidth - a.clientWidth") == 0
    assert area.evaluate(LAST_ROW) == pytest.approx(-8, abs=1)
    assert misplaced_by(lab, "json") == (0, 0)
    area.press_sequentially("xyz")
    lab.page.keyboard.press("ControlOrMeta+z")
    expect(area).to_have_value(LINES)

    notice = lab.pane("json").get_by_text("Not wrapped: over 100,000 characters")
    expect(notice).to_be_hidden()
    lab.page.get_by_role("button", name="Long document").click()
    expect(notice).to_be_visible()


def test_find_counts_marks_and_selects(lab: Lab) -> None:
    """In a text that is edited, and in a long one that is only shown."""
    lab.open(text="Ada\nBob\nada İ ADA\n" + "\n" * 60 + "end")
    area, pane = lab.area("json"), lab.pane("json")
    box = pane.get_by_role("textbox", name="Find in JSON")
    count, marks = pane.locator(".finder .count"), pane.locator(".marks .found:visible")
    area.click(position={"x": 200, "y": 10})
    lab.page.keyboard.press("ControlOrMeta+f")
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
    expect(pane.locator(".number:visible").last).to_have_text("64")

    lab.page.get_by_role("button", name="Long document").click()
    expect(count).to_have_text("None found")
    box.fill("2]")
    expect(count).to_have_text("1 of 10,000+")
    box.press("Shift+Enter")
    expect(pane.locator(".marks .current:visible")).to_have_text("2]")
    expect(pane.locator(".number:visible").last).to_have_text("40001")


def width_of(pane: Locator) -> float:
    box = pane.bounding_box()
    assert box
    return box["width"]


def test_the_panes_share_their_width(lab: Lab) -> None:
    """By keys and by hand; the look outlives a change of pages."""
    lab.open(text="one")
    splitter = lab.page.get_by_role("separator", name="Width of the JSON pane")
    json, toon = lab.pane("json"), lab.pane("toon")
    splitter.press("ArrowRight")
    expect(splitter).to_have_attribute("aria-valuenow", "55")
    assert width_of(json) / width_of(toon) == pytest.approx(55 / 45, rel=0.01)

    place = splitter.bounding_box()
    assert place
    lab.page.mouse.move(place["x"] + 8, place["y"] + 50)
    lab.page.mouse.down()
    lab.page.mouse.move(place["x"] - 2_000, place["y"] + 50)
    lab.page.mouse.up()
    lab.page.get_by_role("link", name="Elsewhere").click()
    lab.page.get_by_role("link", name="Edit").click()
    expect(splitter).to_have_attribute("aria-valuenow", "20")
    splitter.dblclick()
    assert width_of(json) == pytest.approx(width_of(toon), abs=1)

    lab.page.set_viewport_size({"width": 420, "height": 900})
    expect(splitter).to_be_hidden()


def test_shortcuts_work_anywhere_and_type_nothing(lab: Lab) -> None:
    lab.open(text="one")
    keys = lab.page.get_by_role("dialog", name="Keyboard shortcuts")
    lab.page.get_by_role("radio", name="tab").focus()
    for side, key in (("toon", "2"), ("json", "1")):
        lab.page.keyboard.press(f"Alt+Shift+Digit{key}")
        expect(lab.area(side)).to_be_focused()
    lab.page.keyboard.press("Alt+Shift+KeyC")
    expect(lab.pane("toon").locator(".copy")).not_to_have_text("Copy")
    lab.page.keyboard.press("Shift+?")
    expect(lab.area("json")).to_have_value("?one")
    expect(keys).to_be_hidden()

    lab.page.keyboard.press("Alt+Shift+KeyN")
    expect(lab.area("json")).to_have_value('{\n  "other": true\n}')
    lab.page.get_by_role("radio", name="tab").focus()
    lab.page.keyboard.press("Shift+?")
    expect(keys.get_by_role("row", name="Copy TOON Alt + Shift + C")).to_be_visible()
    assert list(violations(lab.page, without=REPORT)) == []
    lab.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(lab.page.get_by_role("radio", name="tab")).to_be_focused()
