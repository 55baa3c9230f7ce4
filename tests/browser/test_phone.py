"""On a phone every control is large enough for a finger; at no width is anything covered or cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.pages import ADDRESSES, forget_the_probes, open_cold, tabs_of

#: Controls lower than 44 pixels, by what of them can be pressed: a box's field with its frame, a
#: switch with its label. The sign of a help may be smaller where nothing else is near it: in a
#: circle of 24 pixels around it there is no other control (WCAG 2.5.8). What is hidden until a
#: key or a mouse reaches it is no target of a finger.
_SMALL = """(where) => {
    const wanted = "button, a[href], input, select, textarea, summary, [role=tab], [role=switch]";
    const found = (root) => [...root.querySelectorAll("*")].flatMap((node) => [
        ...(node.matches(wanted) ? [node] : []), ...(node.shadowRoot ? found(node.shadowRoot) : []),
    ]);
    const frame = "label, [role=group], [data-testid=stNumberInputContainer],"
        + " [data-testid=stTextInputRootElement]";
    const placeOf = (node) => {
        const around = node.matches("input") && node.closest(frame);
        return (around || node).getBoundingClientRect();
    };
    const isThere = (node) => {
        const { width, height } = node.getBoundingClientRect();
        const isHidden = node.closest("[inert], .skip-to-work, [data-testid=stElementToolbar],"
            + " .st-key-controls [data-testid=stWidgetLabel]");
        return node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
            && width > 1 && height > 1 && !isHidden && !node.matches("p a, li a, [type=file]");
    };
    const targets = found(document.querySelector(where)).filter(isThere);
    const page = (node) => node.closest("[data-testid=stMain]");  // the header stands over it
    const isAlone = (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        const [left, top] = [x + width / 2, y + height / 2];
        return targets.every((other) => {
            if (other === node || other.closest("label")?.contains(node)) return true;
            if (page(other) !== page(node)) return true;
            const box = placeOf(other);
            const across = Math.max(box.left - left, left - box.right, 0);
            return Math.hypot(across, Math.max(box.top - top, top - box.bottom, 0)) >= 12;
        });
    };
    const isSmall = (node) => {
        const { height } = placeOf(node);
        const isHelp = node.matches("[data-testid=stTooltipHoverTarget] *");
        return height < 43.9 && !(isHelp && height > 23 && isAlone(node));
    };
    return targets.filter(isSmall).map((node) => {
        const { width, height } = placeOf(node);
        return `${node.ariaLabel || node.textContent || node.tagName}: ${width} x ${height}`;
    });
}"""

#: What holds more than it shows and cannot be scrolled; a pixel shows what only a reader hears.
_CUT = """() => [...document.querySelectorAll("[data-testid=stMain] *")]
    .filter((box) => box.checkVisibility() && box.clientWidth > 20 && box.clientHeight > 4
        && ["hidden", "clip"].includes(getComputedStyle(box).overflowX)
        && box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.tagName} of ${box.textContent.trim().slice(0, 60)}`)"""

_POPOVER = "[data-testid=stPopoverBody]"


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_finger_finds_every_control_and_nothing_is_cut(
    page: Page, app_server: str, problems: list[str], address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_cold(page, app_server, address)

    small, cut = {}, {}
    for name in tabs_of(page):
        small[name], cut[name] = page.evaluate(_SMALL, "body"), page.evaluate(_CUT)
    for opener in page.get_by_test_id("stPopoverButton").all():
        if opener.is_visible():
            opener.click()
            page.locator(_POPOVER).wait_for()
            small[opener.inner_text()] = page.evaluate(_SMALL, _POPOVER)
            page.keyboard.press("Escape")
            page.locator(_POPOVER).wait_for(state="detached")

    assert {place: found for place, found in small.items() if found} == {}
    assert {place: found for place, found in cut.items() if found} == {}
    forget_the_probes(problems)


@pytest.mark.browser
@pytest.mark.parametrize("width", [768, 900, 1024, 1440])
def test_no_button_of_the_header_covers_a_page(
    page: Page, app_server: str, problems: list[str], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 600})
    open_cold(page, app_server, "compare")
    first = page.get_by_role("button", name="Demo").bounding_box()
    links = page.get_by_test_id("stTopNav").locator("a, button").filter(visible=True)
    ends = links.evaluate_all("links => links.map((link) => link.getBoundingClientRect().right)")

    assert first
    assert len(ends) >= 4
    assert max(ends) < first["x"]
    forget_the_probes(problems)
