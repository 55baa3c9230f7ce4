"""The live editor in a real browser: large texts, colours, copying, keyboard and width."""

from __future__ import annotations

import io
import time
from typing import Literal

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

from tests.browser.lab import FIRST, WIDE, Lab, caret

pytestmark = pytest.mark.browser


# -- large texts -----------------------------------------------------------------------------

THREE_MEGABYTES = "'[\"abc\", 12345]\\n'.repeat(200_000)"


def test_a_large_paste_is_guarded(lab: Lab) -> None:
    lab.open(text="small")
    before = lab.control()["convert"]
    surface = lab.pane("json").locator(".surface").bounding_box()

    lab.paste("json", THREE_MEGABYTES)

    bar = lab.pane("json").locator(".bar")
    expect(bar).to_contain_text("Large payload (3.0 MB): not measured yet")
    surfaces = [lab.pane(side).locator(".surface").bounding_box() for side in ("json", "toon")]
    tops, heights = zip(*[(box["y"], box["height"]) for box in surfaces if box], strict=True)
    assert surface
    assert (tops[0], heights[0]) == (tops[1], heights[1])
    assert heights[0] == pytest.approx(surface["height"], abs=2)  # its borders
    assert bar.evaluate("bar => bar.clientHeight") < 60
    expect(lab.pane("toon").locator(".badge.stale")).to_be_visible()
    expect(lab.pane("json").locator(".ink")).to_contain_text('"abc", 12345')
    lab.page.wait_for_timeout(800)
    assert lab.area("json").evaluate("a => a.value.length") == 0
    assert lab.control()["convert"] == before
    expect(lab.pane("json").locator(".figures")).to_have_text(
        "3,000,000 chars · too large to edit here"
    )

    lab.pane("json").get_by_role("button", name="Measure").click()

    expect(lab.pane("json").locator(".figures")).to_contain_text("3,000,000 bytes")
    expect(lab.pane("json").locator(".figures")).to_contain_text("too large to edit here")
    expect(lab.pane("toon").locator(".ink")).to_contain_text('"ABC", 12345')
    expect(lab.pane("toon").locator(".badge.stale")).to_be_hidden()
    expect(lab.page.locator(".bar:visible")).to_have_count(0)

    lab.pane("json").get_by_role("button", name="Clear").click()
    lab.area("json").press_sequentially("again")

    expect(lab.area("toon")).to_have_value("AGAIN")


def test_a_paste_over_a_text_too_large_to_edit_replaces_it(lab: Lab) -> None:
    lab.open(text="small")
    lab.paste("json", THREE_MEGABYTES)
    viewer = lab.pane("json").locator(".viewer")
    expect(viewer).to_be_visible()

    viewer.evaluate(
        """viewer => {
            const data = new DataTransfer();
            data.setData("text/plain", "again");
            const options = { clipboardData: data, bubbles: true, cancelable: true };
            viewer.dispatchEvent(new ClipboardEvent("paste", options));
        }"""
    )

    expect(lab.area("json")).to_have_value("again")
    expect(lab.area("toon")).to_have_value("AGAIN")


def test_a_large_text_can_be_measured_after_one_that_is_still_being_measured(lab: Lab) -> None:
    lab.open(text="small")
    lab.control(slow=1.5)
    lab.paste("json", THREE_MEGABYTES)
    bar = lab.pane("json").locator(".bar")
    bar.get_by_role("button", name="Measure").click()
    expect(bar).to_contain_text("Measuring 3.0 MB")
    lab.page.get_by_role("button", name="Large document").click()

    expect(bar).to_contain_text("Large payload (2.8 MB): not measured yet")
    bar.get_by_role("button", name="Measure").click()
    expect(lab.page.locator(".change")).to_have_text("−2800000 %")
    expect(lab.page.locator(".bar:visible")).to_have_text(
        "Your text before is not lost.Bring it back"
    )


def test_a_long_paste_is_shown_at_once_and_edited_with_a_click(lab: Lab) -> None:
    lab.open(text="small")
    lab.paste("json", "'[1, 2]\\n'.repeat(20_000)")

    viewer = lab.pane("json").locator(".viewer")
    expect(viewer).to_be_visible()
    expect(lab.pane("toon").locator(".ink")).to_contain_text("[1, 2]")
    expect(lab.pane("json").get_by_role("button", name="Measure")).to_have_count(0)
    viewer.click(position={"x": 8, "y": 8})
    lab.page.keyboard.type("x")
    expect(lab.pane("toon").locator(".ink")).to_contain_text("X[1, 2]")


def test_twenty_megabytes_leave_the_page_usable(lab: Lab) -> None:
    lab.open(text="small")

    lab.paste("json", THREE_MEGABYTES.replace("200_000", "1_333_334"))

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
    expect(row).not_to_contain_text("[")  # its start

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
def test_coloured_text_is_readable(lab: Lab, scheme: Literal["light", "dark"]) -> None:
    """At least 4.5 to 1, for every kind and token colour on the ground of code."""
    lab.page.emulate_media(color_scheme=scheme)
    lab.open(text="x")

    contrasts = dict(lab.page.locator(".editor").evaluate(CONTRAST))

    assert len(contrasts) == 7
    assert min(contrasts.values()) >= 4.5, contrasts


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
