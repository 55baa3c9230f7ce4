"""The playground as a person uses it: one journey through the real app, and what they do badly."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.browser.lab import expect_text, paste_over
from tests.words import BADGES

pytestmark = pytest.mark.rest

ROWS = '[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]'


class Playground:
    """The page as a person sees it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def area(self, side: str) -> Locator:
        return self.page.get_by_label(f"{side} editor")

    def pane(self, side: str) -> Locator:
        return self.page.get_by_role("group", name=side, exact=True)

    def stale(self, side: str) -> Locator:
        """The mark of a pane that shows its last good result."""
        return self.pane(side).locator(".badge.stale")

    def type_over(self, side: str, text: str) -> None:
        """Into the TOON by its switch, where what to send stands over it."""
        switch = self.pane(side).locator(".shown input").first
        if switch.is_visible():
            switch.check()
        paste_over(self.area(side), text)

    def open_file(self, path: Path) -> None:
        self.page.get_by_role("combobox", name="Sample", exact=True).click()
        self.page.get_by_role("option", name="Open a file…").click()
        self.page.locator('input[type="file"]').set_input_files(path)

    def save(self, name: str) -> Download:
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name=f"Save {name}").click()
        return download.value


@pytest.fixture
def playground(page: Page, app_server: str) -> Playground:
    """The page with its first figures."""
    page.goto(app_server)
    opened = Playground(page)
    answer = page.get_by_role("region", name="The answer")
    expect(answer.locator(".act")).to_have_text("Send TOON")
    expect(page.get_by_role("tab", name="In your code")).to_be_visible()
    expect(page.locator(".figures.old")).to_have_count(0)
    return opened


def test_a_whole_visit(playground: Playground) -> None:
    page, pane = playground.page, playground.pane

    # Paste JSON: the TOON follows, with exact counts and a proven round trip.
    playground.type_over("JSON", ROWS)
    expect_text(playground.area("TOON"), "[2]{id,name}:\n  1,Ada\n  2,Bob")
    expect(pane("TOON")).to_contain_text(BADGES["proven"])
    chosen = pane("TOON").locator(".delimiters label:has(:checked)")
    expect(chosen).to_have_attribute("title", re.compile(r"^[0-9]+ \+ [0-9]+ note$"))

    # Edit the TOON: the JSON follows; the caret stays where it was.
    playground.area("TOON").click()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("by", delay=40)
    expect_text(playground.area("JSON"), re.compile('"name": "Bobby"'))
    expect_text(playground.area("TOON"), "[2]{id,name}:\n  1,Ada\n  2,Bobby")
    expect(playground.area("TOON")).to_be_focused()

    # Break it: the error has its place and a hint, the other side keeps its last good text.
    page.keyboard.type(",extra", delay=40)
    error = page.locator(".answer .error")
    expect(error).to_contain_text("row has 3 cells, header declares 2")
    expect(error).to_contain_text("line 3, column 11")
    expect(error).to_contain_text("2,Bobby,extra")
    expect(playground.stale("JSON")).to_be_visible()
    expect_text(playground.area("JSON"), re.compile('"Bobby"'))
    expect(page.get_by_text("Below: your last valid text")).to_be_visible()

    # Mend it.
    for _ in range(len(",extra")):
        page.keyboard.press("Backspace")
    expect(error).not_to_be_visible()
    expect(playground.stale("JSON")).to_be_hidden()
    expect(page.get_by_text("Below: your last valid text")).not_to_be_visible()


def test_files_are_opened_as_a_paste_is_and_both_sides_are_downloaded(
    playground: Playground, tmp_path: Path
) -> None:
    lines = tmp_path / "rows.jsonl"
    lines.write_text('{"id": 1}\n{"id": 2}\n', encoding="utf-8")
    playground.open_file(lines)
    expect_text(playground.area("TOON"), "[2]{id}:\n  1\n  2")
    expect(playground.pane("JSON")).to_contain_text("This was JSON Lines. It is JSON now.")
    playground.page.keyboard.press("Escape")
    expect(playground.page.locator('input[type="file"]')).to_have_count(0)

    path = tmp_path / "käse.toon"
    path.write_text("name: Käse\nprices[2]: 1,2.5", encoding="utf-8")

    playground.open_file(path)
    expect_text(playground.area("TOON"), "name: Käse\nprices[2]: 1,2.5")
    expect_text(playground.area("JSON"), re.compile("2.5"))
    saved = playground.save("JSON")
    assert saved.suggested_filename == "käse.json"
    assert json.loads(saved.path().read_text(encoding="utf-8")) == {
        "name": "Käse",
        "prices": [1, 2.5],
    }
    assert playground.save("TOON").path().read_text(encoding="utf-8") == path.read_text("utf-8")
