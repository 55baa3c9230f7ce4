"""What is shown to others: the tour, the demo, a click on a bar, and a run that is there again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import expect_text, paste_over, wait_for_the_run
from tests.browser.pages import forget_the_probes
from tests.pages.test_dashboard import LINES

pytestmark = pytest.mark.browser


def test_the_tour_leads_from_a_link_through_its_steps_and_back(page: Page, app_server: str) -> None:
    page.goto(f"{app_server}/?tour=1")
    bar = page.locator(".st-key-tour_bar")
    expect(bar).to_contain_text("Step 1 of 5: a payload. 6,420 characters are 2,128 tokens")
    expect_text(page.get_by_label("JSON editor"), re.compile("orders"))
    for number, (address, sign) in enumerate(
        [
            ("/compare?tour=2", page.get_by_role("tab", name="Ranking", selected=True)),
            ("/compare?tour=3", page.get_by_role("tab", name="Where", selected=True)),
            ("/send-less?tour=4", page.get_by_role("heading", name="871 of 2,128 tokens")),
            ("/compare?tour=5", page.get_by_role("tab", name="Money", selected=True)),
        ],
        2,
    ):
        bar.get_by_role("link", name="Next").click()
        expect(bar).to_contain_text(f"Step {number} of 5")
        expect(sign).to_be_visible()
        expect(page).to_have_url(re.compile(re.escape(f"{app_server}{address}")))
    page.go_back()
    expect(bar).to_contain_text("Step 4 of 5")
    bar.get_by_role("button", name="End").click()
    expect_text(page.get_by_label("JSON editor"), re.compile("Marlow Fittings"))
    expect(bar).to_have_count(0)


def test_a_refresh_on_the_tour_loses_nothing(
    page: Page, app_server: str, problems: list[str]
) -> None:
    page.goto(app_server)
    editor = page.get_by_label("JSON editor")
    expect_text(editor, re.compile("Marlow Fittings"))
    paste_over(editor, '{"mine": 1}')
    expect(page).to_have_url(re.compile("#s="))  # it is kept
    page.get_by_role("button", name="Tour").click()
    page.get_by_role("link", name="3. Where it goes").click()
    bar = page.locator(".st-key-tour_bar")
    expect(bar).to_contain_text("68\u202f% of TOON, tab")
    page.reload()
    wait_for_the_run(page)
    bar.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", name="871 of 2,128 tokens")).to_be_visible()
    bar.get_by_role("button", name="End").click()
    expect_text(editor, '{"mine": 1}')
    forget_the_probes(problems)


def test_the_demo_shows_large_figures_and_escape_leaves_it(page: Page, app_server: str) -> None:
    page.goto(app_server)
    figure = page.locator(".answer .change")
    expect(figure).not_to_be_empty()
    height = figure.evaluate("figure => figure.offsetHeight")
    page.get_by_role("button", name="More").click()
    page.get_by_text("Demo", exact=True).click()
    leave = page.get_by_role("button", name="Leave demo")
    expect(leave).to_be_visible()
    expect(page.get_by_text("Counts are exact unless marked")).to_be_hidden()
    expect(page.get_by_role("button", name="Show whitespace")).to_be_hidden()
    assert figure.evaluate("figure => figure.offsetHeight") > 2 * height
    assert page.locator(".editor").evaluate("editor => editor.offsetWidth") > 0.95 * 1400

    page.keyboard.press("Escape")  # closes the list
    page.keyboard.press("Escape")
    expect(leave).to_have_count(0)
    expect(page.get_by_text("Counts are exact unless marked")).to_be_visible()
    expect(page.get_by_role("button", name="Show whitespace")).to_be_visible()


def test_a_click_on_a_bar_filters_and_a_second_click_shows_all(
    page: Page, app_server: str, problems: list[str]
) -> None:
    page.goto(f"{app_server}/dashboard")
    page.get_by_role("tab", name="Savings by group").click()
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
    source.get_by_role("button", name="Measure").click()
    expect(page.get_by_text("mine.jsonl is measured: 6 payloads.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/dashboard\?run=[\w-]{32}"))

    page.reload()
    expect(page.get_by_text("mine.jsonl: measured payloads.")).to_be_visible()
    wait_for_the_run(page)
    forget_the_probes(problems)
