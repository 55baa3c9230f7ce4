"""Every page and tab from a cold link: no complaint, nothing cut, and nothing that axe finds."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, Request

from tests.browser.conftest import hearing
from tests.browser.loads import NOTES
from tests.browser.pages import (
    ADDRESSES,
    cut,
    forget_the_probes,
    open_cold,
    tabs_of,
    unfit_for_a_finger,
    violations,
)

pytestmark = pytest.mark.rest


#: CSS pixels of a narrow window.
PHONE = 390
#: What Streamlit's client asks below a page's own address before it asks at the root.
PROBES = ("/_stcore/health", "/_stcore/host-config")
#: What Streamlit's own diagram says each time it draws without a worker.
DIAGRAM = 'No script tag of type "javascript/worker" was found'

#: Whether the page and its charts are no wider than their places: they follow in a moment.
FITS = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    const charts = [...document.querySelectorAll("[data-testid=stVegaLiteChart]")];
    return main.scrollWidth <= main.clientWidth && charts.every(
        (box) => (box.querySelector("svg")?.clientWidth ?? 0) <= box.clientWidth
    );
}"""


def heard(page: Page, address: str, complaints: list[str]) -> AbstractContextManager[None]:
    """Notes what the console says, uncaught errors, and requests to other hosts."""

    def on_console(message: ConsoleMessage) -> None:
        asked = urlsplit(message.location.get("url", "")).path
        is_probe = asked in [f"/{address}{probe}" for probe in PROBES]
        if not is_probe and not message.text.startswith(DIAGRAM):
            complaints.append(f"{message.type}: {message.text}")

    def on_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in (None, "localhost"):
            complaints.append(f"request to another host: {request.url}")

    def on_error(error: Error) -> None:
        complaints.append(f"uncaught: {error}")

    return hearing(page, console=on_console, pageerror=on_error, request=on_request)


@pytest.mark.parametrize(("theme", "widths"), [("light", (1440, 1024)), ("dark", (PHONE,))])
@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address or "playground")
def test_a_cold_link_opens_without_a_complaint(
    page: Page,
    app_server: str,
    problems: list[str],
    address: str,
    theme: Literal["light", "dark"],
    widths: tuple[int, ...],
) -> None:
    """Each tab at each width; axe looks at the first, because it finds the same in both.

    On a phone every control is large enough for a finger, too.
    """
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": widths[0], "height": 900})
    found: list[str] = []
    with heard(page, address, found), page.add_init_script(NOTES):
        open_cold(page, app_server, address)
        for tab in tabs_of(page):
            for width in widths:
                page.set_viewport_size({"width": width, "height": 900})
                page.wait_for_function(FITS)
                found += [f"{tab} at {width}: {what}" for what in cut(page)]
                if width == PHONE:
                    found += [f"{tab}: {what}" for what in unfit_for_a_finger(page)]
                if width == widths[0]:
                    found += [f"{tab}: {what}" for what in violations(page)]
        found += page.evaluate("() => [...faults]")

    assert found == []
    forget_the_probes(problems)


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
