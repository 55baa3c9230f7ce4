"""Evidence in a real browser: a folder down, its logs up, and what they say."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import go_to
from tests.reading.asked import inspect_log, packed, packed_again

pytestmark = pytest.mark.rest


def test_a_folder_comes_down_and_logs_go_up(page: Page, app_server: str, tmp_path: Path) -> None:
    page.goto(app_server)
    go_to(page, "Evidence")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the folder (.zip)").click()
    with ZipFile(download.value.path()) as folder:
        assert "reading/questions.py" in folder.namelist()
        row = json.loads(folder.read("reading/questions.jsonl").split(b"\n")[0])
        assert row["id"] == "1-1"

    files = []
    for format in ("json-compact", "toon"):
        log = inspect_log(format, lambda row, _: f"<img src=x> **{row['id']}**")
        files.append(tmp_path / f"{format}.eval")
        files[-1].write_bytes(packed_again(packed(log)))
    page.locator(".st-key-reading_upload input[type=file]").set_input_files(files)

    expect(
        page.get_by_role("heading", name="mockllm/model: no answer was right in any format")
    ).to_be_visible()
    expect(page.get_by_text("<img src=x> **1-1**").first).to_be_visible()
    assert page.locator("[data-testid=stMain] img").count() == 0
