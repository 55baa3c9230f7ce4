"""Every page from a link, cold, at two widths and in two themes: nothing to complain about."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests.browser.pages import ADDRESSES, open_cold, tabs_of

pytestmark = pytest.mark.browser

#: What Streamlit's client asks below a page's own address before it asks at the root.
PROBES = ("/_stcore/health", "/_stcore/host-config")
#: What Streamlit's own diagram says each time it draws without a worker.
DIAGRAM = 'No script tag of type "javascript/worker" was found'


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


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address or "playground")
def test_a_cold_link_opens_without_a_complaint(
    browser: Browser, app_server: str, address: str, theme: str, width: int
) -> None:
    context = browser.new_context(color_scheme=theme, viewport={"width": width, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    note_complaints(page, address, complaints)
    open_cold(page, app_server, address)
    for _ in tabs_of(page):
        assert page.get_by_test_id("stException").count() == 0
    # Charts follow the width in a moment.
    page.wait_for_function(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth <= main.clientWidth; }"
    )
    context.close()

    assert complaints == []
