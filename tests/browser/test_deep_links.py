"""Every page and tab from a cold link: no complaint, nothing cut, and nothing that axe finds."""

from collections.abc import Iterator
from functools import partial
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.browser.conftest import hearing
from tests.browser.lab import go_to, wait_until
from tests.browser.pages import (
    ADDRESSES,
    NOTES,
    cut,
    forget_the_probes,
    open_cold,
    tabs_of,
    unfit_for_a_finger,
    violations,
    wear,
)

pytestmark = pytest.mark.rest

#: CSS pixels of a narrow window.
PHONE = 390
#: Themes, each with the widths of the window that a page is looked at in.
LOOKS: tuple[tuple[Literal["light", "dark"], tuple[int, ...]], ...] = (
    ("light", (1440, 1024)),
    ("dark", (PHONE,)),
)
#: What Streamlit's client asks below a page's own address before it asks at the root.
PROBES = ("/_stcore/health", "/_stcore/host-config")

#: Whether the page and its charts are no wider than their places: they follow in a moment.
FITS = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    const charts = [...document.querySelectorAll("[data-testid=stVegaLiteChart]")];
    return main.scrollWidth <= main.clientWidth && charts.every(
        (box) => (box.querySelector("svg")?.clientWidth ?? 0) <= box.clientWidth
    );
}"""


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address or "playground")
def test_a_cold_link_opens_without_a_complaint(
    page: Page, app_server: str, problems: list[str], address: str
) -> None:
    """Every other page is opened in light, the others in dark; each is looked at in both.

    Each tab at each width; axe looks at the first, because it finds the same in both. On a phone
    every control is large enough for a finger, too.
    """
    found: list[str] = []

    def on_console(message: ConsoleMessage) -> None:  # of any kind, no error alone
        asked = urlsplit(message.location.get("url", "")).path
        if asked not in [f"/{address}{probe}" for probe in PROBES]:
            found.append(f"{message.type}: {message.text}")

    looks = LOOKS if ADDRESSES.index(address) % 2 else LOOKS[::-1]
    with hearing(page, console=on_console), page.add_init_script(NOTES):
        for theme, widths in looks:
            page.set_viewport_size({"width": widths[0], "height": 900})
            if theme == looks[0][0]:
                page.emulate_media(color_scheme=theme)
                open_cold(page, app_server, address)
            wear(page, theme)
            found += [f"{theme}, {what}" for what in unfit(page, widths)]
        found += page.evaluate("() => [...faults]")
        if address == "compare":
            look_at_the_header(page)

    assert found == []
    forget_the_probes(problems)


def unfit(page: Page, widths: tuple[int, ...]) -> Iterator[str]:
    """What is wrong in each tab; what is around them is looked at once."""
    for number, tab in enumerate(tabs_of(page)):
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function(FITS)
            yield from (f"{tab} at {width}: {what}" for what in cut(page))
            if width == PHONE:
                yield from (f"{tab}: {what}" for what in unfit_for_a_finger(page))
            if width == widths[0]:
                panel = "[role=tabpanel]" if number else "html"
                yield from (f"{tab}: {what}" for what in violations(page, panel))


def ends_and_edge(links: Locator, first: Locator) -> tuple[list[float], float]:
    """Where each link of the header ends, and where its first button begins."""
    ends = links.evaluate_all("all => all.map((link) => link.getBoundingClientRect().right)")
    return ends, (first.bounding_box() or {"x": 0})["x"]


def is_beside(seen: tuple[list[float], float]) -> bool:
    """Whether all links end before the button: they follow the window late."""
    ends, edge = seen
    return len(ends) >= 4 and max(ends) < edge


def look_at_the_header(page: Page) -> None:
    """No button of it covers a page, and a narrow one says where they are."""
    first = page.get_by_role("button", name="More", exact=True)
    links = page.get_by_test_id("stTopNav").locator("a, button").filter(visible=True)
    for width in (1440, 1024, 900, 768):
        page.set_viewport_size({"width": width, "height": 600})
        page.wait_for_function(FITS)
        wait_until(page, partial(ends_and_edge, links, first), is_beside)
    page.set_viewport_size({"width": PHONE, "height": 844})
    page.get_by_role("button", name="Pages").click()
    go_to(page, "Evidence")
    expect(page.get_by_role("heading", name="Evidence", level=1)).to_be_visible()
