"""Whoever uses the editor by touch or in dark reaches all of it, and it leaves nothing behind."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.lab import Lab, expect_text, paste_over, wait_for_the_run, wait_until
from tests.browser.pages import forget_the_probes, open_cold, violations, wear

pytestmark = pytest.mark.rest


@pytest.fixture
def inside(lab: Lab) -> Iterator[CDPSession]:
    """The browser as its own tools see it."""
    session = lab.page.context.new_cdp_session(lab.page)
    yield session
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()


def touch(inside: CDPSession, place: Locator, moves: int = 0) -> None:
    """A finger on the text of a place, that goes after so many moves of 20 pixels upwards."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box
    x, y = box["x"] + min(60, box["width"] / 2), box["y"] + box["height"] / 2
    for move in range(moves + 1):
        point = {"x": x, "y": y - 20 * move}
        kind = "touchMove" if move else "touchStart"
        inside.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    inside.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_puts_the_caret_asks_scrolls_and_folds(lab: Lab, inside: CDPSession) -> None:
    inside.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    lab.page.set_viewport_size({"width": 390, "height": 844})
    lab.open(text="{\n" + "\n".join(f'  "key{n}": {n},' for n in range(200)) + "\n}")
    pane, area = lab.pane("json"), lab.area("json")
    lines, folded = area.locator(".cm-line"), pane.locator(".cm-foldPlaceholder")

    touch(inside, lines.nth(2))
    expect(area).to_be_focused()
    lab.page.keyboard.type("x")
    expect_text(area, re.compile("^.*\n.*\n.*x.*\n"))
    lab.settle()
    touch(inside, lines.nth(1))
    expect(lab.page.locator(".tip")).to_have_text(re.compile("key0|0"))

    scroller = pane.locator(".cm-scroller")
    touch(inside, scroller, moves=10)
    wait_until(lab.page, lambda: scroller.evaluate("node => node.scrollTop"), lambda top: top > 100)
    scroller.evaluate("node => { node.scrollTop = 0; }")
    touch(inside, pane.locator(".folds .cm-gutterElement:visible span").first)
    expect(folded).to_have_count(1)
    touch(inside, folded)
    expect(folded).to_have_count(0)


def test_a_change_of_pages_leaves_nothing_behind(lab: Lab, inside: CDPSession) -> None:
    lab.open(text="one")
    inside.send("Performance.enable")

    def leave() -> None:
        lab.page.get_by_role("link", name="Elsewhere").click()
        expect(lab.page.get_by_text("Nothing to edit here.")).to_be_visible()
        expect(lab.page.locator(".editor")).to_have_count(0)
        wait_for_the_run(lab.page)

    def visit(times: int) -> None:
        for _ in range(times):
            leave()
            lab.page.get_by_role("link", name="Edit").click()
            expect_text(lab.area("toon"), "ONE")
            lab.settle()
        leave()

    def left() -> list[float]:
        for _ in range(3):
            inside.send("HeapProfiler.collectGarbage")
        found = {
            each["name"]: each["value"] for each in inside.send("Performance.getMetrics")["metrics"]
        }
        return [found["Nodes"], found["JSEventListeners"]]

    visit(2)
    nodes, listeners = left()
    visit(3)
    # An editor has more than that.
    wait_until(lab.page, left, lambda more: more[0] < nodes + 200 and more[1] < listeners + 40)


def test_axe_finds_nothing_in_an_error_its_tip_and_find(
    page: Page, app_server: str, problems: list[str]
) -> None:
    open_cold(page, app_server, "")
    pane, area = (
        page.get_by_role("group", name="JSON", exact=True),
        page.get_by_label("JSON editor"),
    )
    paste_over(area, "[\n  {'a': True}\n]")
    page.keyboard.press("ControlOrMeta+f")
    page.keyboard.type("true")
    expect(pane.locator(".finder .count")).to_have_text("1 of 1")
    pane.locator(".cm-lint-marker-error").hover()
    tip = page.locator(".cm-tooltip-lint")
    expect(tip).to_be_visible()

    assert list(violations(page)) == []
    wear(page, "dark")
    assert list(violations(page)) == []
    page.mouse.move(0, 0)  # the tip goes where the error is drawn anew meanwhile
    expect(tip).to_have_count(0)
    pane.locator(".cm-lint-marker-error").hover()
    tip.get_by_role("button", name="Convert Python literal").click()
    expect_text(area, '[\n  {\n    "a": true\n  }\n]')
    forget_the_probes(problems)
