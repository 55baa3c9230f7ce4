"""Every page and tab from a cold link: no complaint, nothing cut, and nothing that axe finds."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests.browser.pages import ADDRESSES, cut, open_cold, tabs_of, violations

pytestmark = pytest.mark.browser

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


def note_complaints(page: Page, address: str, complaints: list[str]) -> None:
    """Notes what the console says, uncaught errors, and requests to other hosts."""

    def on_console(message: ConsoleMessage) -> None:
        asked = urlsplit(message.location.get("url", "")).path
        is_probe = asked in [f"/{address}{probe}" for probe in PROBES]
        if not is_probe and not message.text.startswith(DIAGRAM):
            complaints.append(f"{message.type}: {message.text}")

    def on_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in (None, "localhost"):
            complaints.append(f"request to another host: {request.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on("request", on_request)


@pytest.mark.parametrize(("theme", "widths"), [("light", (1440, 1024)), ("dark", (390,))])
@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address or "playground")
def test_a_cold_link_opens_without_a_complaint(
    browser: Browser, app_server: str, address: str, theme: str, widths: tuple[int, ...]
) -> None:
    """Each tab at each width; axe looks at the first, because it finds the same in both."""
    size = {"width": widths[0], "height": 900}
    context = browser.new_context(color_scheme=theme, viewport=size)
    page = context.new_page()
    found: list[str] = []
    note_complaints(page, address, found)
    open_cold(page, app_server, address)
    for tab in tabs_of(page):
        assert page.get_by_test_id("stException").count() == 0
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function(FITS)
            found += [f"{tab} at {width}: {what}" for what in cut(page)]
            if width == widths[0]:
                found += [f"{tab}: {what}" for what in violations(page)]
    context.close()

    assert found == []
