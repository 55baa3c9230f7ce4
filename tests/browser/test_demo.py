"""What is shown to others: a click on a bar, and a run that is there again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import open_tab, wait_for_the_run
from tests.browser.pages import forget_the_probes
from tests.pages.test_dashboard import LINES

pytestmark = pytest.mark.rest


def test_a_click_on_a_bar_filters_and_a_second_click_shows_all(
    page: Page, app_server: str, problems: list[str]
) -> None:
    page.goto(f"{app_server}/dashboard")
    open_tab(page, "Savings by group")
    bars = page.locator(".st-key-dashboard_groups_chart path[aria-roledescription=bar]")
    expect(bars).to_have_count(10)
    bars.nth(1).click()
    expect(page.get_by_text("filtered: tool: query_sales")).to_be_visible()
    expect(bars).to_have_count(1)
    bars.first.click()
    expect(bars).to_have_count(10)
    expect(page.get_by_text("filtered")).to_have_count(0)
    forget_the_probes(problems)


def test_a_measured_run_is_there_after_a_refresh(
    page: Page, app_server: str, problems: list[str]
) -> None:
    page.goto(f"{app_server}/dashboard")
    page.get_by_text("Measure your own traffic").click()
    source = page.locator(".st-key-dashboard_source")
    source.locator("input[type=file]").set_input_files(
        {"name": "mine.jsonl", "mimeType": "", "buffer": LINES}
    )
    expect(page.get_by_text("mine.jsonl is measured: 6 payloads.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/dashboard\?run=[\w-]{32}"))

    page.reload()
    expect(page.get_by_text("mine.jsonl: measured payloads.")).to_be_visible()
    wait_for_the_run(page)
    forget_the_probes(problems)
