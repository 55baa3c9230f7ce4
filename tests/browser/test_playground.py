"""The playground as a person uses it: one journey through the real app, and what they do badly."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, expect

import toon
from pages.parts.samples import spaced
from tests.browser.lab import (
    expect_text,
    open_tab,
    paste,
    paste_over,
    wait_for_the_run,
)
from tests.conftest import ROOT
from tests.words import BADGES, YOUR_TEXT
from toon.codec.text import NAMED_DELIMITERS
from toon.costs.document import Document
from toon.costs.headline import headline
from toon.costs.models import choose, default
from toon.costs.typed import Typed
from toon.values.json_text import parse_json
from toon.wording import NOT_COUNTED

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

    def headline(self) -> Locator:
        """The sentence of the answer above the editors."""
        return self.page.get_by_role("region", name="The answer").locator(".act")


@pytest.fixture
def playground(page: Page, app_server: str) -> Playground:
    """The page with its first figures."""
    page.goto(app_server)
    opened = Playground(page)
    expect(opened.headline()).to_have_text("Send TOON")
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

    # Switch the sample: both sides are replaced, and a loss keeps its sign.
    page.get_by_role("combobox", name=re.compile("Sample")).click()
    page.get_by_role("option", name="event log").click()
    expect(playground.headline()).to_have_text("Minify it, and keep JSON")
    expect(page.locator(".bars li").last).to_contain_text("TOON")
    expect(page.locator(".why")).to_contain_text("TOON costs 285 more than minified JSON")


def test_claude_is_counted_and_what_nobody_counts_here_says_so(playground: Playground) -> None:
    page, pane = playground.page, playground.pane
    playground.type_over("JSON", json.dumps([{"id": n, "name": f"part {n}"} for n in range(200)]))
    figures = [pane(side).locator(".figures") for side in ("JSON", "TOON")]

    def choose(model: str) -> None:
        box = page.get_by_role("combobox", name=re.compile("Model"))
        box.click()
        box.fill(model)
        box.press("Enter")

    choose("Claude Haiku 4.5")
    for shown in figures:
        expect(shown).to_have_attribute("title", "Tokens of claude_3")
        expect(shown).to_have_text(re.compile(r"^[0-9,]+ tokens$"))

    choose("Grok 4.7")
    for shown in figures:
        expect(shown).to_have_text(NOT_COUNTED)
    expect(pane("TOON")).to_contain_text(BADGES["proven"])
    expect(page.get_by_text("Only its service counts for this model").first).to_be_visible()


def test_a_large_paste_is_marked_everywhere_until_one_press_measures_it(
    playground: Playground,
) -> None:
    page, pane = playground.page, playground.pane
    answer = page.get_by_role("region", name="The answer")
    surfaces = [pane(side).locator(".surface") for side in ("JSON", "TOON")]
    before = [surface.bounding_box() for surface in surfaces]
    name = "Ada " * 600
    rows = ",".join(f'{{"id":{i},"name":"{name}"}}' for i in range(4_300))
    paste(playground.area("JSON"), f"[{rows}]")

    button = pane("JSON").get_by_role("button", name="Measure")
    expect(button).to_be_visible()
    expect(playground.stale("TOON")).to_be_visible()
    expect(pane("TOON").locator(".round-trip")).to_be_hidden()
    expect(answer.locator(".aged")).to_contain_text("too large to follow every key: press Measure")
    old = page.get_by_text("What stands below is about the text before.")
    expect(old).to_be_visible()

    button.click()
    expect(playground.area("TOON")).to_contain_text(re.compile(r"\[4300\t?\]\{id[,\t]name\}:"))
    expect(pane("TOON")).to_contain_text(BADGES["proven"], timeout=60_000)
    expect(page.locator(".bar:visible")).to_have_count(0)
    expect(playground.stale("TOON")).to_be_hidden()
    expect(answer.locator(".aged")).to_have_text("")
    expect(answer.locator(".hero")).to_contain_text("tokens")
    expect(page.get_by_role("navigation", name="Next")).to_contain_text("for a large payload")
    expect(old).to_be_hidden(timeout=60_000)
    expect(page.get_by_role("button", name="Measure")).to_have_count(0)
    for surface, box in zip(surfaces, before, strict=True):
        now = surface.bounding_box()
        assert now
        assert box
        assert (now["x"], now["width"], now["height"]) == (box["x"], box["width"], box["height"])


def test_the_sample_box_names_a_sample_only_over_its_text(playground: Playground) -> None:
    box = playground.page.get_by_role("combobox", name="Sample", exact=True)
    expect(box).to_have_attribute("placeholder", "Sample: orders")
    playground.type_over("JSON", ROWS)
    expect(box).to_have_attribute("placeholder", YOUR_TEXT)

    for _ in range(2):  # the second time it is the one shown, over another text
        box.press("ArrowDown")  # the header may cover it: the page follows the caret
        playground.page.get_by_role("option", name="event log").click()
        expect(box).to_have_attribute("placeholder", "Sample: event log")
        expect_text(playground.area("JSON"), re.compile('"ts": "2026'))
        expect(playground.pane("TOON").locator(".shown")).to_be_visible()
        playground.type_over("TOON", "a: 1")
        expect(box).to_have_attribute("placeholder", YOUR_TEXT)


def test_controls_convert_again_and_stay_though_the_page_is_left_at_once(
    playground: Playground,
) -> None:
    page = playground.page
    playground.type_over("JSON", ROWS)
    expect_text(playground.area("TOON"), "[2]{id,name}:\n  1,Ada\n  2,Bob")
    page.get_by_role("radio", name=re.compile("^pipe ")).check()
    page.get_by_role("link", name="Compare", exact=True).click()  # before Python hears of it
    expect(page.get_by_role("tab", name="Models")).to_be_visible()
    page.get_by_role("link", name="Playground", exact=True).click()
    expect_text(playground.area("TOON"), "[2|]{id|name}:\n  1|Ada\n  2|Bob")

    wait_for_the_run(page)
    page.get_by_role("button", name="Options").click()
    page.get_by_role("radio", name="4", exact=True).click()
    expect_text(playground.area("TOON"), "[2|]{id|name}:\n    1|Ada\n    2|Bob")
    expect_text(playground.area("JSON"), ROWS)


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


def test_what_would_be_lost_in_silence_is_said_and_nothing_beside_nothing(
    playground: Playground,
) -> None:
    playground.type_over("JSON", '{"id": 9007199254740993, "a": 1, "a": 1e400}')

    expect_text(playground.area("TOON"), "id: 9007199254740993\na: 1e+400")
    expect(playground.pane("JSON")).to_contain_text("integer 9007199254740993 is beyond 2^53")
    expect(playground.pane("JSON")).to_contain_text('key "a" appears again in one object')
    expect(playground.pane("JSON")).to_contain_text("number 1e400 does not fit a 64-bit float")

    # Beside an empty pane is nothing, and so says a reader of the screen.
    page = playground.page
    for keys in ("Backspace", "Space"):
        playground.type_over("JSON", '{"fine": true}')
        expect_text(playground.area("TOON"), "fine: true")
        expect(page.get_by_role("status").filter(has_text="TOON: 3 tokens")).to_have_count(1)
        playground.area("JSON").press("ControlOrMeta+a")
        page.keyboard.press(keys)
        expect_text(playground.area("TOON"), "")
        expect(page.get_by_role("status").filter(has_text=". TOON: empty")).to_have_count(1)
        expect(page.get_by_role("alert").filter(has_text="JSON:")).to_have_count(0)


GARBAGE = ["not json", "[" * 5000, '{"a": NaN}', '"\\ud800"', "{} {}", "<!doctype>"]


def test_garbage_gets_a_message_and_the_page_lives(playground: Playground) -> None:
    for text in GARBAGE:
        playground.type_over("JSON", text)
        expect(playground.stale("TOON"), text[:9]).to_be_visible()

        playground.type_over("JSON", '{"fine": true}')
        expect_text(playground.area("TOON"), "fine: true")
        expect(playground.stale("TOON"), text[:9]).to_be_hidden()


def test_every_sample_shows_what_the_library_writes(playground: Playground) -> None:
    for path in sorted((ROOT / "samples").glob("*.json")):
        if path.stem == "edge-numbers":
            continue
        text = path.read_text(encoding="utf-8")
        wait_for_the_run(playground.page)  # it closes a list that is open
        playground.page.get_by_role("combobox", name=re.compile("Sample")).click()
        name = re.compile(f"^{re.escape(spaced(path.stem))} ·")
        playground.page.get_by_role("option", name=name).click()
        document = Document(parse_json(text).value, Typed(text))
        cheapest = headline(document, choose(default().name))["delimiter"]
        delimiter = NAMED_DELIMITERS[cheapest or "comma"]
        expect_text(playground.area("TOON"), toon.encode(json.loads(text), delimiter=delimiter))


def test_the_compare_page_takes_the_payload_along_and_brings_it_back(
    playground: Playground,
) -> None:
    page = playground.page
    playground.type_over("JSON", json.dumps([{"id": i, "name": f"n{i}"} for i in range(60)]))
    expect(page.locator(".answer .from")).to_have_text("782")

    page.get_by_role("link", name="Compare").click()
    for name in ("Compact lines", "Send less", "Models", "Formats"):
        open_tab(page, name)

    page.get_by_role("link", name="Playground").click()
    expect_text(playground.area("JSON"), re.compile("n59"))
    expect_text(playground.area("TOON"), re.compile("n59"))

    # A page opened in the middle of typing has what was typed.
    playground.type_over("JSON", ROWS)
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text(f"{YOUR_TEXT}, {len(ROWS)} characters")).to_be_visible()

    page.get_by_role("link", name="Playground").click()
    expect_text(playground.area("JSON"), ROWS)
    playground.area("JSON").press("ControlOrMeta+End")
    page.keyboard.type("]")  # and a text that cannot be read
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("The payload of the playground cannot be read.")).to_be_visible()
