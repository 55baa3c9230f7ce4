"""The dashboard as a person uses it: a journey through the real app, and a run again."""

import gzip
import json
import re
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, expect

from tests.browser.lab import expect_text, open_tab, text_of, wait_for_the_run
from tests.browser.pages import violations, wear
from tests.conftest import ROOT
from toon.measuring.table import open_run

THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
ANSWER = re.compile("^Switch ")


def test_a_whole_visit(page: Page, app_server: str, tmp_path: Path) -> None:
    page.goto(app_server)
    page.get_by_role("link", name="Dashboard").click()

    # Alive at first open, losses in view.
    expect(page.get_by_role("heading", name=ANSWER)).to_contain_text(
        "Switch 6 of 10 tools: saves $262.51 a month (−16.3\u202f%)"
    )
    expect(page.get_by_text("+0.3\u202f%", exact=True)).to_be_visible()
    expect(page.get_by_text("GET /v1/products").first).to_be_visible()

    click_a_tool_and_show_all(page)
    filter_to_nothing_and_back(page)
    measure_what_holds_nothing(page)
    records = measure_and_cancel(page, tmp_path / "traffic.jsonl")
    take_along(page, tmp_path / "kept.parquet", records)

    # The dearest payload opens in the playground.
    open_tab(page, "Calls")
    press(page, "dashboard_table", 20, 50)
    page.get_by_role("button", name="Open in the playground").click()
    editor = page.get_by_label("JSON editor")
    expect_text(editor, re.compile(r"^[\[{]"))
    json.loads(text_of(editor))

    # And the dashboard is as it was left.
    page.get_by_role("link", name="Dashboard").click()
    expect(page.get_by_text("traffic.jsonl: cancelled. The first")).to_be_visible()


def press(page: Page, table: str, left: int, down: int) -> None:
    """Presses a table that is drawn, in a page that is: what is drawn moves what is below."""
    scroller = page.locator(f".st-key-{table} .dvn-scroller")
    page.locator(f".st-key-{table} canvas").first.wait_for()
    wait_for_the_run(page)
    scroller.click(position={"x": left, "y": down})


def click_a_tool_and_show_all(page: Page) -> None:
    """A click anywhere on a row filters everything by its tool, and another shows all again."""
    clear = page.get_by_role("button", name="Clear filter: GET /v1/products")
    payloads = page.locator(".facts .figure")
    press(page, "dashboard_ranked", 150, 90)  # the second row, at its name
    expect(clear).to_be_visible()
    expect(payloads).to_have_text("462")
    press(page, "dashboard_ranked", 150, 55)
    expect(clear).to_have_count(0)
    expect(payloads).to_have_text("2,594")


def filter_to_nothing_and_back(page: Page) -> None:
    wait_for_the_run(page)
    page.get_by_role("button", name="Filter", exact=True).click()
    search = page.get_by_role("textbox", name="Search", exact=True)
    search.fill("no such thing")
    search.press("Enter")
    expect(page.get_by_text("No payload passes the filters")).to_be_visible()
    wait_for_the_run(page)  # a box that is drawn anew misses the key
    page.keyboard.press("Escape")
    expect(search).to_have_count(0)
    page.get_by_role("button", name="Clear filter").click()
    expect(page.get_by_role("heading", name=ANSWER)).to_be_visible()
    wait_for_the_run(page)
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(search).to_have_value("")
    page.keyboard.press("Escape")
    expect(search).to_have_count(0)


def measure_what_holds_nothing(page: Page) -> None:
    """A file that holds nothing hides the example's figures, and only as long as it is there."""
    source = page.locator(".st-key-dashboard_upload")
    source.locator("input[type=file]").set_input_files(
        {"name": "noise.har", "mimeType": "", "buffer": b"\x00\x01 not a log"}
    )
    expect(page.get_by_text("noise.har holds nothing to measure")).to_be_visible()
    expect(page.get_by_role("heading", name=ANSWER)).to_have_count(0)
    source.get_by_role("button", name="Remove noise.har").click()
    expect(source.get_by_text("noise.har")).to_have_count(0)
    expect(page.get_by_role("heading", name=ANSWER)).to_contain_text("saves $262.51 a month")


def measure_and_cancel(page: Page, log: Path) -> int:
    """A corpus of one's own, cancelled: what was measured by then is kept. Returns its records."""
    more = page.get_by_test_id("stPopoverBody")
    # So many that a slow test still finds them being measured.
    lines = gzip.decompress((ROOT / "samples" / "corpus.jsonl.gz").read_bytes()) * 12
    log.write_bytes(lines)
    wait_for_the_run(page)
    page.get_by_role("button", name="More ways").click()
    more.get_by_label("Path to the payload in a record", exact=True).fill("payload")
    more.get_by_label("Path to its group").fill("endpoint")
    page.keyboard.press("Tab")
    wait_for_the_run(page)
    for theme in THEMES:  # what axe finds in a form and its chips
        wear(page, theme)
        assert list(violations(page, "[data-testid=stPopoverBody]")) == []
    page.keyboard.press("Escape")
    page.locator(".st-key-dashboard_upload input[type=file]").set_input_files(log)
    progress = re.compile(r"Measuring traffic.jsonl: \d+\u202f%, about \d+ \w+ left")
    expect(page.get_by_text(progress)).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("traffic.jsonl: cancelled. The first")).to_be_visible()
    caveat = page.get_by_text("The run was cancelled")
    expect(caveat).to_be_attached()  # the page is drawn a moment after its run has ended
    wait_for_the_run(page)
    page.get_by_text(re.compile("^[0-9]+ caveats$")).click()
    expect(caveat).to_be_visible()
    return lines.count(b"\n")


def take_along(page: Page, run: Path, records: int) -> None:
    """The run and the report can be downloaded, and both say that they are not complete."""
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Run (.parquet)", exact=True).click()
    download.value.save_as(run)
    about = open_run(run).about
    assert not about["complete"]
    assert 0 < about["records"] < records
    with page.expect_download() as download:
        page.get_by_role("button", name="Report (.html)", exact=True).click()
    report = download.value.path().read_text(encoding="utf-8")
    assert "The run was cancelled" in report
    assert "<script" not in report
    page.keyboard.press("Escape")
