"""Asking a model in a real browser: on, asked, stopped, gone on with, and the verdict."""

from __future__ import annotations

import re
import threading

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import go_to
from tests.reading.scripted import KEY, Act, Call, Say, serving

pytestmark = pytest.mark.rest


def test_a_model_is_asked_stopped_and_asked_the_rest(page: Page, app_server: str) -> None:
    reached, go = threading.Event(), threading.Event()

    def script(call: Call) -> Act:
        if call.number == 6:
            reached.set()
        if call.number >= 6:
            go.wait(100)
        return Say("<img src=x> **5**")

    page.goto(app_server)
    go_to(page, "Reading")
    page.get_by_role("tab", name="Ask").click()
    with serving(script) as server:
        page.get_by_text("Ask a model about this payload").click()
        for name, text in (
            ("Base URL", f"{server.url}/v1"),
            ("Name of the model there", "small"),
            ("Key, if it needs one", KEY),
        ):
            page.get_by_role("textbox", name=name, exact=True).fill(text)
        page.get_by_role("spinbutton", name="Questions", exact=True).fill("20")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Send 60 requests to").click()
        assert reached.wait(60)

        # What is under way goes on while another page is open.
        go_to(page, "Dialects")
        expect(page.get_by_role("heading", name="Dialects")).to_be_visible()
        go_to(page, "Reading")
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Stopping…")).to_be_visible()
        go.set()
        expect(page.get_by_text("Stopped as you asked.").first).to_be_visible()
        kept = len(server.calls)
        assert kept < 60

        expect(page.get_by_role("tab", name="Result", selected=True)).to_be_visible()
        page.get_by_role("tab", name="Ask").click()
        page.get_by_role("button", name=f"Send the other {60 - kept} requests to").click()
        expect(page.get_by_text(re.compile("^small at .*: 60 answers.$"))).to_be_visible()
        assert len(server.calls) == 60

    expect(
        page.get_by_role("heading", name="small: no answer was right in any format")
    ).to_be_visible()
    assert page.locator("[data-testid=stMain] img").count() == 0
