"""The dashboard follows what the tap writes, while it writes it."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import wait_for_the_run
from tests.tap import tapping

pytestmark = pytest.mark.rest


def follow(page: Page, app_server: str, recording: Path) -> None:
    page.goto(app_server)
    page.get_by_role("link", name="Dashboard").click()
    more = page.get_by_role("button", name="More ways")
    field = page.get_by_label(re.compile("^Or a file on this machine that grows"))
    more.wait_for()
    wait_for_the_run(page)  # a run redraws the box
    more.click()
    field.wait_for()
    wait_for_the_run(page)
    field.fill(str(recording))
    page.get_by_role("button", name="Follow", exact=True).click()


def ask(tap: subprocess.Popen[bytes], *ids: int, tool: str = "search") -> None:
    """Calls a tool behind the tap, and waits for each answer."""
    assert tap.stdin is not None
    assert tap.stdout is not None
    for id in ids:
        tap.stdin.write(tapping.call(id, tool))
        tap.stdin.flush()
        tap.stdout.readline()


def test_totals_move_as_calls_go_through_the_tap_and_a_pause_loses_none(
    page: Page, app_server: str, tmp_path: Path
) -> None:
    recording = tmp_path / "traffic.jsonl"
    recording.touch()
    tap: Any
    with tapping.start(recording) as tap:
        follow(page, app_server, recording)
        expect(page.get_by_text("waiting for the first call")).to_be_visible()

        ask(tap, *range(5))
        expect(page.get_by_text("Following traffic.jsonl live: 5 records so far.")).to_be_visible()
        tools = page.locator(".chart dt")
        expect(tools.filter(has_text="search").first).to_be_visible()
        expect(tools.filter(has_text="read_file")).to_have_count(0)

        ask(tap, *range(5, 12), tool="read_file")
        expect(page.get_by_text("Following traffic.jsonl live: 12 records so far.")).to_be_visible()
        expect(tools.filter(has_text="read_file").first).to_be_visible()

        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text("Paused. traffic.jsonl has 12 records by now.")).to_be_visible()
        ask(tap, *range(12, 15), tool="late")
        expect(page.get_by_text("Paused. traffic.jsonl has 15 records by now.")).to_be_visible()
        expect(tools.filter(has_text="late")).to_have_count(0)
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("Following traffic.jsonl live: 15 records so far.")).to_be_visible()
        expect(tools.filter(has_text="late").first).to_be_visible()
        tap.communicate()

    page.get_by_role("button", name="Stop following").click()
    expect(page.get_by_text("Followed traffic.jsonl: 15 records.")).to_be_visible()
    expect(tools.filter(has_text="late").first).to_be_visible()
