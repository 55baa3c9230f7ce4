"""The live editor in a real browser, against a server whose answers can be slowed down."""

from __future__ import annotations

import io
import json
import re
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Serve, watch

pytestmark = pytest.mark.browser

HARNESS = Path(__file__).parent / "editor_harness.py"
FIRST = '{\n  "name": "Ada",\n  "tags": ["x", "y"],\n  "n": 42\n}'
SENTENCE = "the quick brown fox jumps over the lazy dog 0123456789"
WIDE = '{\n\t"naïve": "日本語テキスト",\n  "e": "👩‍👩‍👧 🇩🇪 ✅ é e\u0301",\n  "z": [1,\t2]\n}'

OTHER = {"json": "toon", "toon": "json"}
CONVERTED: dict[str, Callable[[str], str]] = {"json": str.upper, "toon": str.lower}


class Lab:
    """The harness as a test sees it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def control(self, **settings: float) -> dict[str, int]:
        """Changes the server's behaviour, or reads its counts."""
        query = f"?{urlencode(settings)}" if settings else ""
        method = "POST" if settings else "GET"
        request = urllib.request.Request(f"{self.url}/api/control{query}", method=method)
        with urllib.request.urlopen(request) as response:
            counts: dict[str, int] = json.load(response)
        return counts

    def open(self, **query: str) -> None:
        """Opens the page and waits until the first document has been converted."""
        self.page.goto(f"{self.url}/?{urlencode(query)}")
        expect(self.pane("toon").locator(".figures")).not_to_have_text("…")
        self.settle()

    def settle(self) -> None:
        """Waits until every text shown has its figures, and nothing is under way."""
        expect(self.page.locator(".figures.old")).to_have_count(0)
        deadline = time.monotonic() + 5
        while self.control()["now"] and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)

    def pane(self, side: str) -> Locator:
        """The pane of a side."""
        return self.page.get_by_role("group", name=side.upper(), exact=True)

    def area(self, side: str) -> Locator:
        """The textarea of a side."""
        return self.page.get_by_label(f"{side.upper()} editor")

    def ink(self, side: str) -> str:
        """The text that is drawn."""
        lines = self.pane(side).locator(".ink .line:not([hidden])").all_text_contents()
        return "\n".join(lines)

    def reported(self) -> dict[str, Any]:
        """What Python has heard."""
        value: dict[str, Any] = json.loads(self.page.get_by_test_id("stCode").inner_text())
        return value

    def paste(self, side: str, script: str) -> None:
        """Replaces the text by pasting what a JavaScript expression gives."""
        self.area(side).evaluate(
            """(area, script) => {
                const data = new DataTransfer();
                data.setData("text/plain", eval(script));
                area.focus();
                area.select();
                const options = { clipboardData: data, bubbles: true, cancelable: true };
                area.dispatchEvent(new ClipboardEvent("paste", options));
            }""",
            script,
        )


@pytest.fixture
def lab(page: Page, serve: Serve) -> Lab:
    lab = Lab(page, serve(HARNESS))
    lab.control(delay=0, notices=0, fraction=-0.26, round_trip=1)
    return lab


def caret(area: Locator) -> tuple[int, int, bool]:
    """Selection of a textarea, and whether it has the focus."""
    start, end, focused = area.evaluate(
        "a => [a.selectionStart, a.selectionEnd, a.getRootNode().activeElement === a]"
    )
    return start, end, focused


# -- typing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["json", "toon"])
@pytest.mark.parametrize("pause", [30, 90, 180, 260])
def test_typing_loses_nothing(lab: Lab, side: str, pause: int) -> None:
    """Whatever the speed, against a slow server: text, caret and focus are the user's."""
    lab.open(text="", side=side)
    lab.control(delay=0.12)
    area = lab.area(side)
    area.click()

    area.press_sequentially(SENTENCE, delay=pause)
    expect(lab.area(OTHER[side])).to_have_value(CONVERTED[side](SENTENCE))
    lab.page.wait_for_timeout(1_200)  # past the report to Python and its rerun

    assert area.input_value() == SENTENCE
    assert caret(area) == (len(SENTENCE), len(SENTENCE), True)


def test_typing_in_the_middle_keeps_the_caret(lab: Lab) -> None:
    lab.open(text="ab\ncd\nef")
    area = lab.area("json")
    area.evaluate("a => { a.focus(); a.setSelectionRange(4, 4); }")

    lab.page.keyboard.type("12345", delay=120)
    expect(lab.area("toon")).to_have_value("AB\nC12345D\nEF")

    assert caret(area) == (9, 9, True)


def test_the_other_pane_follows_while_keys_keep_coming(lab: Lab) -> None:
    """A trailing debounce alone would wait for a pause that never comes."""
    lab.open(text="")
    area = lab.area("json")
    area.click()

    area.press_sequentially("x" * 25, delay=60)

    assert len(lab.area("toon").input_value()) > 10


def test_there_is_no_echo(lab: Lab) -> None:
    """Once typing stops, so do the requests."""
    lab.open(text="")
    lab.control(delay=0.05)
    lab.area("json").press_sequentially("hello", delay=50)
    expect(lab.area("toon")).to_have_value("HELLO")
    lab.page.wait_for_timeout(1_500)

    settled = lab.control()
    lab.page.wait_for_timeout(1_500)

    assert settled["convert"] <= 5
    assert lab.control() == settled


def test_one_request_is_under_way_at_most(lab: Lab) -> None:
    lab.open(text="")
    lab.control(delay=0.3)

    lab.area("json").press_sequentially(SENTENCE, delay=40)
    expect(lab.area("toon")).to_have_value(SENTENCE.upper())

    assert lab.control()["peak"] == 1


def test_an_answer_does_not_overwrite_the_pane_typed_in_meanwhile(lab: Lab) -> None:
    lab.open(text="one")
    lab.control(delay=0.6)
    lab.area("json").fill("two")
    lab.page.wait_for_timeout(300)  # its conversion is under way

    lab.area("toon").fill("THREE")
    expect(lab.area("json")).to_have_value("three")
    lab.page.wait_for_timeout(1_500)

    assert lab.area("toon").input_value() == "THREE"


def test_undo_works_after_conversions(lab: Lab) -> None:
    lab.open(text="start")
    area = lab.area("json")
    area.click()
    lab.page.keyboard.press("End")
    lab.page.keyboard.type(" more", delay=40)
    expect(lab.area("toon")).to_have_value("START MORE")
    lab.page.wait_for_timeout(1_200)

    presses = 0
    while area.input_value() != "start" and presses < len(" more"):
        lab.page.keyboard.press("Control+z")
        presses += 1
    assert area.input_value() == "start"
    assert presses < len(" more"), "every key is its own step"

    expect(lab.area("toon")).to_have_value("START")


# -- errors, notices, comparison -------------------------------------------------------------


def test_an_error_is_shown_where_it_is(lab: Lab) -> None:
    lab.open(text="{\n ok\n}")
    lab.area("json").fill("{\n  BAD\n}")
    error = lab.pane("json").locator(".error")

    expect(error).to_contain_text("this is bad line 2, column 3")
    expect(error).to_contain_text("Hint: write something better")
    expect(lab.pane("json").get_by_role("alert")).to_have_text(re.compile("^this is bad"))
    expect(lab.pane("json").locator(".number.bad")).to_have_text("2")
    caret_at = error.locator(".mark").bounding_box()
    source_at = error.locator(".source").bounding_box()
    assert caret_at is not None
    assert source_at is not None
    assert caret_at["x"] - source_at["x"] == pytest.approx(2 * caret_at["width"], abs=1)


def test_the_other_pane_is_stale_until_things_are_good(lab: Lab) -> None:
    lab.open(text="good")
    lab.area("json").fill("BAD")
    stale = lab.pane("toon").get_by_text("stale: last good result")
    expect(stale).to_be_visible()
    expect(lab.area("toon")).to_have_value("GOOD")
    expect(lab.pane("toon").locator(".difference")).to_be_hidden()

    lab.area("json").fill("better")

    expect(stale).to_be_hidden()
    expect(lab.area("toon")).to_have_value("BETTER")
    expect(lab.pane("json").locator(".error")).to_be_hidden()


def test_an_empty_pane_is_no_error(lab: Lab) -> None:
    lab.open(text="good")
    lab.area("json").fill("")

    expect(lab.pane("toon").get_by_text("stale: last good result")).to_be_visible()
    lab.page.wait_for_timeout(800)

    expect(lab.pane("json").locator(".error")).to_be_hidden()
    expect(lab.area("json")).to_have_attribute("placeholder", "Paste JSON here")


def test_five_notices_and_how_many_more(lab: Lab) -> None:
    lab.control(notices=8)
    lab.open(text="x")

    items = lab.pane("json").locator(".notices li")

    expect(items).to_have_count(6)
    expect(items.last).to_have_text("and 3 more")


@pytest.mark.parametrize(
    ("fraction", "words"),
    [
        (-0.26, "−26.0 % vs compact JSON: fewer tokens"),
        (0.199, "+19.9 % vs compact JSON: more tokens"),
        (0.0, "±0.0 % vs compact JSON: same"),
    ],
)
def test_the_difference_keeps_its_sign(lab: Lab, fraction: float, words: str) -> None:
    lab.control(fraction=fraction)
    lab.open(text="x")

    expect(lab.pane("toon").locator(".difference")).to_have_text(words)


def test_a_failed_round_trip_is_said(lab: Lab) -> None:
    lab.control(round_trip=0)
    lab.open(text="x")

    expect(lab.pane("toon").locator(".round-trip")).to_contain_text("round trip fails: $.a is lost")


# -- Python ----------------------------------------------------------------------------------


def test_python_hears_ids_once_the_user_pauses(lab: Lab) -> None:
    lab.open(text="one")
    lab.area("toon").fill("TWO")
    expect(lab.page.get_by_test_id("stCode")).to_contain_text('"side": "toon"')

    report = lab.reported()["last"]

    assert report["valid"] is True
    assert report["version"] == 1
    assert report["json"]
    assert report["toon"]


def test_a_new_document_replaces_the_text(lab: Lab) -> None:
    lab.open(text="one")
    lab.area("json").fill("my own words")
    expect(lab.area("toon")).to_have_value("MY OWN WORDS")

    lab.page.get_by_role("button", name="TOON document").click()

    expect(lab.area("toon")).to_have_value("A: 1")
    expect(lab.area("json")).to_have_value("a: 1")


def test_new_options_convert_again_and_leave_the_source_alone(lab: Lab) -> None:
    lab.open(text="one")
    lab.area("json").fill("mine")
    expect(lab.area("toon")).to_have_value("MINE")

    lab.page.get_by_role("radio", name="tab").click()

    expect(lab.area("toon")).to_have_value("MINE\n# tab")
    expect(lab.area("json")).to_have_value("mine")


def test_typing_survives_a_change_of_pages(lab: Lab) -> None:
    """Even what was typed a moment ago, which Python has not heard of."""
    lab.open(text="one")
    lab.page.get_by_role("button", name="Tokens").click()
    lab.area("json").press_sequentially("and ", delay=10)

    lab.page.get_by_role("link", name="Elsewhere").click()
    expect(lab.page.get_by_text("Nothing to edit here.")).to_be_visible()
    idle = lab.control()
    lab.page.wait_for_timeout(1_200)
    assert lab.control() == idle, "requests after the component has gone"
    lab.page.get_by_role("link", name="Edit").click()

    expect(lab.area("json")).to_have_value("and one")
    expect(lab.area("toon")).to_have_value("AND ONE")
    expect(lab.page.get_by_role("button", name="Tokens")).to_have_attribute("aria-pressed", "true")


def test_a_server_that_forgot_the_texts_gets_them_again(lab: Lab, problems: list[str]) -> None:
    lab.open(text="one")
    request = urllib.request.Request(f"{lab.url}/api/forget", method="POST")
    with urllib.request.urlopen(request):
        pass

    lab.page.get_by_role("button", name="Tokens").click()

    expect(lab.pane("json").locator(".ink .token-0").first).to_be_visible()
    # The browser itself writes the 404 of /api/measure to the console.
    assert len(problems) == 1
    problems.clear()


def test_a_server_that_does_not_answer_loses_nothing(lab: Lab, problems: list[str]) -> None:
    lab.open(text="one")
    lab.page.route("**/api/convert**", lambda route: route.abort())
    lab.area("json").fill("typed while away")
    bar = lab.page.get_by_text("Server not reachable")
    expect(bar).to_be_visible()

    lab.page.unroute("**/api/convert**")

    expect(bar).to_be_hidden(timeout=10_000)
    expect(lab.area("toon")).to_have_value("TYPED WHILE AWAY")
    assert problems
    problems.clear()


# -- large texts -----------------------------------------------------------------------------

TWO_MEGABYTES = "'[\"abc\", 12345]\\n'.repeat(133_334)"


def test_a_large_paste_is_guarded(lab: Lab) -> None:
    lab.open(text="small")
    before = lab.control()["convert"]

    lab.paste("json", TWO_MEGABYTES)

    bar = lab.pane("json").locator(".bar")
    expect(bar).to_contain_text("Large payload (2.0 MB): not converted while typing")
    expect(lab.pane("json").locator(".ink")).to_contain_text('"abc", 12345')
    lab.page.wait_for_timeout(800)
    assert lab.area("json").evaluate("a => a.value.length") == 0
    assert lab.control()["convert"] == before

    lab.pane("json").get_by_role("button", name="Measure").click()

    expect(lab.pane("json").locator(".figures")).to_contain_text("2,000,010 bytes")
    expect(lab.pane("toon").locator(".ink")).to_contain_text('"ABC", 12345')
    expect(lab.pane("toon").locator(".bar")).to_contain_text("Large result (2.0 MB)")

    lab.pane("json").get_by_role("button", name="Clear").click()
    lab.area("json").press_sequentially("again")

    expect(lab.area("toon")).to_have_value("AGAIN")


def test_twenty_megabytes_leave_the_page_usable(lab: Lab) -> None:
    lab.open(text="small")

    lab.paste("json", TWO_MEGABYTES.replace("133_334", "1_333_334"))

    expect(lab.pane("json").locator(".bar")).to_contain_text("Large payload (20.0 MB)")
    viewer = lab.pane("json").locator(".viewer")
    started = time.monotonic()
    viewer.evaluate("v => { v.scrollTop = v.scrollHeight; }")
    expect(lab.pane("json").locator(".number:visible").last).to_have_text("1333335")
    lab.page.get_by_role("button", name="Show whitespace").click()
    assert time.monotonic() - started < 2


def test_what_is_over_the_hard_limit_is_refused_and_nothing_lost(lab: Lab) -> None:
    lab.open(text="small")

    lab.paste("json", "'0123456789abcdef'.repeat(4_100_000)")

    bar = lab.pane("json").locator(".bar")
    expect(bar).to_contain_text("too large: 65.6 MB; the limit is 64.0 MB. Nothing was changed.")
    expect(lab.area("json")).to_have_value("small")
    bar.get_by_role("button", name="Dismiss").click()
    expect(bar).to_be_hidden()


def test_a_long_text_is_put_into_the_textarea_when_it_is_clicked(lab: Lab) -> None:
    lab.open(text="small")
    lab.page.get_by_role("button", name="Long document").click()
    viewer = lab.pane("toon").locator(".viewer")
    expect(viewer).to_be_visible()
    lab.settle()

    viewer.click(position={"x": 10, "y": 40})
    lab.page.keyboard.type("X")

    assert lab.area("toon").evaluate("a => a.value.slice(0, 16)") == "[1, 2]\nX[1, 2]\n["
    expect(lab.pane("json").locator(".ink .line").nth(1)).to_have_text("x[1, 2]")


def test_one_long_line_is_drawn_where_it_is_seen(lab: Lab) -> None:
    lab.open(text="[" + "1234567," * 5_000 + "0]")
    lab.area("json").evaluate("a => { a.scrollLeft = 100_000; }")
    row = lab.pane("json").locator(".ink .line").first
    lab.page.wait_for_timeout(100)

    assert len(row.text_content() or "") < 400
    assert misplaced_by(lab, "json") == (0, 0)


# -- colours and drawing ---------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["Kinds", "Tokens", "Off"])
@pytest.mark.parametrize("text", [FIRST, WIDE])
def test_what_is_drawn_is_the_text(lab: Lab, mode: str, text: str) -> None:
    lab.open(text=text)
    lab.page.get_by_role("button", name=mode, exact=True).click()
    lab.page.get_by_role("button", name="Show whitespace").click()
    lab.settle()
    if mode != "Off":
        expect(lab.pane("json").locator(f".ink .{mode.lower()[:-1]}-0").first).to_be_visible()

    assert lab.ink("json") == lab.area("json").input_value() == text
    assert lab.ink("toon") == lab.area("toon").input_value() == text.upper()


@pytest.mark.parametrize("mode", ["Kinds", "Tokens"])
@pytest.mark.parametrize("text", [FIRST, WIDE], ids=["ascii", "wide"])
def test_ink_lies_exactly_on_the_text(lab: Lab, mode: str, text: str) -> None:
    """Pixel by pixel: drawn by the overlay, and by the textarea itself."""
    lab.open(text=text)
    lab.page.get_by_role("button", name=mode, exact=True).click()
    lab.settle()

    assert misplaced_by(lab, "json") == (0, 0)


def misplaced_by(lab: Lab, side: str) -> tuple[int, int]:
    """By how many pixels the overlay would have to move to lie best on the textarea's text."""
    surface = lab.pane(side).locator(".surface")
    plain = """.ink * { background: none !important; text-decoration: none !important; }
        textarea { caret-color: transparent !important; }"""
    by_textarea = "textarea { color: var(--st-text-color) !important; } .ink { opacity: 0 }"
    pictures = []
    for css in (plain, plain + by_textarea):
        surface.evaluate(
            """(node, css) => {
                const root = node.getRootNode();
                root.querySelector("style.test")?.remove();
                const style = document.createElement("style");
                style.className = "test";
                style.textContent = css;
                root.append(style);
            }""",
            css,
        )
        pictures.append(Image.open(io.BytesIO(surface.screenshot())).convert("L"))
    return best_shift(*pictures)


def best_shift(ink: Image.Image, text: Image.Image) -> tuple[int, int]:
    """The shift of ``ink``, up to two pixels either way, that makes it most like ``text``."""
    area = (60, 4, min(ink.width, 600) - 4, 120)  # the text alone: the gutter never moves

    def unlike(shift: tuple[int, int]) -> float:
        moved = ImageChops.difference(ImageChops.offset(ink, *shift), text).crop(area)
        return float(ImageStat.Stat(moved).sum[0])

    shifts = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
    return min(shifts, key=unlike)


def test_edited_lines_are_plain_and_the_others_keep_their_colours(lab: Lab) -> None:
    lab.open(text=FIRST)
    expect(lab.pane("json").locator(".ink .kind-0").first).to_be_visible()
    lab.control(delay=3)
    lab.area("json").evaluate("a => { a.focus(); a.setSelectionRange(9, 9); }")

    lab.page.keyboard.type("ZZ")

    lines = lab.pane("json").locator(".ink .line")
    assert lab.ink("json") == FIRST[:9] + "ZZ" + FIRST[9:]
    assert lines.nth(1).locator("[class^=kind]").count() == 0
    assert lines.nth(2).locator(".kind-0").all_text_contents() == ['"tags"']
    assert lines.nth(3).locator(".kind-0").all_text_contents() == ['"n"']


def test_switches_are_buttons_that_say_whether_they_are_pressed(lab: Lab) -> None:
    lab.open(text="a b")
    kinds, off = (lab.page.get_by_role("button", name=n, exact=True) for n in ("Kinds", "Off"))
    expect(kinds).to_have_attribute("aria-pressed", "true")

    off.click()

    expect(off).to_have_attribute("aria-pressed", "true")
    expect(kinds).to_have_attribute("aria-pressed", "false")
    expect(lab.pane("json").locator(".ink [class^=kind]")).to_have_count(0)


CONTRAST = """root => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const pixel = (...colours) => {
        for (const colour of colours) {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
        }
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = (node) => getComputedStyle(node);
    const surface = style(root.querySelector(".surface")).backgroundColor;
    return [...root.querySelectorAll(".legend span")].map((span) => {
        const text = pixel(style(span).color);
        const ground = pixel(surface, style(span).backgroundColor);
        const [dark, light] = [text, ground].sort((a, b) => a - b);
        return [span.textContent, (light + 0.05) / (dark + 0.05)];
    });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_coloured_text_is_readable(browser: Browser, serve: Serve, scheme: str) -> None:
    """At least 4.5 to 1, for every kind and token colour on the ground of code."""
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    problems: list[str] = []
    watch(page, problems)
    Lab(page, serve(HARNESS)).open(text="x")

    contrasts = dict(page.locator(".editor").evaluate(CONTRAST))
    context.close()

    assert len(contrasts) == 6
    assert min(contrasts.values()) >= 4.5, contrasts
    assert problems == []


# -- copy, download, keyboard, width ---------------------------------------------------------


def test_copy(lab: Lab) -> None:
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.open(text=WIDE)

    lab.page.get_by_role("button", name="Copy TOON").click()
    expect(lab.pane("toon").locator(".copy")).to_have_text("Copied")

    assert lab.page.evaluate("navigator.clipboard.readText()") == WIDE.upper()


@pytest.mark.parametrize("side", ["json", "toon"])
def test_download(lab: Lab, side: str) -> None:
    lab.open(text=WIDE)

    with lab.page.expect_download() as download:
        lab.page.get_by_role("button", name=f"Download {side.upper()}").click()

    assert download.value.suggested_filename == f"sample.{side}"
    content = download.value.path().read_text(encoding="utf-8")
    assert content == lab.area(side).input_value()


def test_tab_leaves_the_editor(lab: Lab) -> None:
    lab.open(text="one")
    lab.area("json").focus()

    lab.page.keyboard.press("Tab")

    assert not caret(lab.area("json"))[2]
    assert lab.area("json").input_value() == "one"


def test_windows_line_ends_are_said_to_change(lab: Lab) -> None:
    lab.open(text="one")
    lab.page.get_by_role("button", name="Windows document").click()

    expect(lab.area("json")).to_have_value("[\n1\n]")
    expect(lab.pane("json").locator(".notices")).to_contain_text("counted as line feeds")


@pytest.mark.parametrize(("width", "stacked"), [(1400, False), (420, True)])
def test_panes_are_stacked_where_there_is_no_room(lab: Lab, width: int, stacked: bool) -> None:
    lab.page.set_viewport_size({"width": width, "height": 1000})
    lab.open(text="one")

    json_box, toon_box = (
        lab.pane(side).locator(".surface").bounding_box() for side in ("json", "toon")
    )

    assert json_box is not None
    assert toon_box is not None
    assert (toon_box["y"] > json_box["y"] + json_box["height"]) == stacked
    assert (toon_box["y"] == json_box["y"]) != stacked
    overflow = "document.documentElement.scrollWidth <= innerWidth"
    assert lab.page.evaluate(overflow)
