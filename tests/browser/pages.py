"""The pages by their address, how a test opens one from a link, and what it finds there."""

from collections.abc import Iterator
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.lab import wait_for_the_run

ADDRESSES = ("", "compare", "dashboard", "evidence")

#: What is wider than the page, or stands beyond its right edge without being in a scrolling box.
_OUTSIDE = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    const wide = [document.documentElement, main].filter((box) => box.scrollWidth > innerWidth);
    return wide.map((box) => `${box.tagName} is ${box.scrollWidth} wide`);
}"""

#: Header cells of tables in HTML, and groups of choices, whose content does not fit in them.
_CUT_BOXES = """() => [...document.querySelectorAll("[data-testid=stTable] th, [role=radiogroup]")]
    .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth)
    .map((box) => `box of ${box.textContent}`)"""

#: Texts of charts (names, axes, legends, figures) that are shortened, or outside of the drawing.
#: The box of a text is up to three pixels higher than its letters.
_CUT_TEXTS = """() => [...document.querySelectorAll("[data-testid=stVegaLiteChart] svg")]
    .filter((chart) => chart.checkVisibility())
    .flatMap((chart) => {
        const edge = chart.getBoundingClientRect();
        const isCut = (text) => {
            const box = text.getBoundingClientRect();
            return text.textContent.endsWith("…") || box.left < edge.left - 3
                || box.right > edge.right + 3 || box.top < edge.top - 3
                || box.bottom > edge.bottom + 3;
        };
        // Vega hides a label for which there is no room.
        const texts = [...chart.querySelectorAll("text:not([opacity='0'])")];
        return texts.filter((text) => text.textContent && isCut(text))
            .map((text) => `chart ${text.textContent}`);
    })"""

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
        const isHidden = node.closest("[inert], [data-testid=stSkipToContent],"
            + " [data-testid=stElementToolbar], [data-testid=hidden-dateinput-container],"
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
_CLIPPED = """() => [...document.querySelectorAll("[data-testid=stMain] *")]
    .filter((box) => box.checkVisibility() && box.clientWidth > 20 && box.clientHeight > 4
        && ["hidden", "clip"].includes(getComputedStyle(box).overflowX)
        && box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.tagName} of ${box.textContent.trim().slice(0, 60)}`)"""

#: How often a page is looked at until nothing is wrong: a guard against a hang.
_LOOKS = 60

#: Nothing runs, the open tab is filled, no place is kept for what is to come, the answer, charts
#: and tables are drawn, and programs have colours.
_STANDS = """() => {
    const shown = (what) => [...document.querySelectorAll(what)].filter((e) => e.checkVisibility());
    const bars = ({ shadowRoot }) => shadowRoot?.querySelector(".bars");
    return document.querySelector("[data-test-script-state=notRunning]")
        && shown("[role=tabpanel]").every((panel) => panel.querySelector(".stElementContainer"))
        && !shown("[data-testid=stSkeleton]").length
        && shown("[data-testid=stBidiComponentIsolated]")
            .every((host) => !bars(host) || bars(host).childElementCount)
        && shown("[data-testid=stVegaLiteChart], [data-testid=stDataFrame]")
            .every((box) => box.querySelector("canvas, svg"))
        && shown("[data-testid=stCode] code:not(.language-plaintext, .language-text)")
            .every((code) => code.querySelector(".token"));
}"""

#: The app has a theme, and no colour is still on its way there.
_WORN = """theme => {
    const app = document.querySelector("[data-testid=stApp]");
    return getComputedStyle(app).colorScheme === theme
        && !document.getAnimations().some((each) => each instanceof CSSTransition);
}"""

#: Notes what was ever said to have failed, by Streamlit or by us, even if it went again.
NOTES = """
    window.faults = new Set();
    const failed = "[data-testid=stException], [data-testid=stErrorElementStack]"
        + ", [class*=st-key-fault_]";
    const look = () => {
        for (const box of document.querySelectorAll(failed)) faults.add(box.innerText);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
"""

#: Only violations come back: the rest is much longer.
_RUN_AXE = """([include, exclude]) => axe
    .run({ include: [[include]], exclude }, { resultTypes: ["violations"] })
    .then(({ violations }) => violations)"""


def open_cold(page: Page, server: str, address: str) -> None:
    """Opens a page and waits until it stands, charts and tables included."""
    page.goto(f"{server}/{address}")
    page.locator("h1").wait_for()
    wait_for_the_run(page)
    # The look of the pages comes a moment after their first words.
    page.wait_for_function(
        "() => { const worn = document.querySelector('svg.patterns');"
        " return worn && getComputedStyle(worn).position === 'absolute'; }"
    )
    page.wait_for_function(_STANDS)


def wear(page: Page, theme: Literal["light", "dark"]) -> None:
    """Changes the theme of a page that stands, and waits until its colours have changed."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(_WORN, arg=theme)


def tabs_of(page: Page) -> Iterator[str]:
    """Opens each tab in turn and gives its name; "" once where there are no tabs."""
    tabs = page.get_by_role("tab")
    names = [name.strip() for name in tabs.all_inner_texts()]
    for place, name in enumerate(names):
        tabs.nth(place).click()
        wait_for_the_run(page)
        page.wait_for_function(_STANDS)
        yield name
    if not names:
        yield ""


def cut(page: Page) -> list[str]:
    """What sticks out of the page, or is cut, and stays so: charts follow the window late."""
    return _lasting(page, (_OUTSIDE, _CUT_BOXES, _CUT_TEXTS))


def _lasting(page: Page, looks: tuple[str, ...], where: str = "") -> list[str]:
    """What the looks find and find again: what is drawn or moves into its place is none of it."""
    found: list[str] = []
    for _ in range(_LOOKS):
        found = [what for look in looks for what in page.evaluate(look, where)]
        if not found:
            break
        page.wait_for_timeout(500)
    return found


def unfit_for_a_finger(page: Page) -> list[str]:
    """Controls that are too small for a finger, also in what opens over the page."""
    popover = "[data-testid=stPopoverBody]"
    found = _lasting(page, (_SMALL, _CLIPPED), "body")
    for opener in page.get_by_test_id("stPopoverButton").filter(visible=True).all():
        opener.click()
        page.locator(popover).wait_for()
        found += _lasting(page, (_SMALL,), popover)
        while page.locator(popover).count():  # one that is drawn anew misses the key
            page.keyboard.press("Escape")
            page.wait_for_timeout(100)
    return found


def violations(page: Page, within: str = "html", without: str = "") -> Iterator[str]:
    """What axe-core finds that is more than minor in the elements of one selector, not another."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for found in page.evaluate(_RUN_AXE, [within, [[without]] if without else []]):
        for node in found["nodes"] if found["impact"] != "minor" else ():
            yield f"{found['impact']} {found['id']}: {node['html'][:120]}"


def forget_the_probes(problems: list[str]) -> None:
    """Streamlit's client asks for two files below a page's address before it asks at the root."""
    lost = "console: Failed to load resource: the server responded with a status of 404 (Not Found)"
    assert [problem for problem in problems if problem != lost] == []
    problems.clear()
