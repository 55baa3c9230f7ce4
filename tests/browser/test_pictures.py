"""What can be saved as a picture is one: charts of any page, the answer as a card; and slides."""

import base64
import json
import re
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.lab import Lab, open_entrance, open_tab, wait_for_the_run, wait_until
from tests.browser.pages import open_cold
from tests.conftest import ROOT
from toon.costs.document import Document, Typed
from toon.costs.headline import Headline, Nothing, empty_headline, headline
from toon.costs.models import choose
from toon.costs.prices import Traffic
from toon.drawing.card import card
from toon.layout.spans import KINDS

pytestmark = pytest.mark.rest

SOURCES = ROOT / "pages" / "browser" / "src"

#: Width, height, number of colours, and the number of those in a frame of so many pixels.
_LOOK = """async ([base64, frame]) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { width, height } = image;
    const pixels = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
    const isOutside = (_, at) => {
        const [x, y] = [at % width, Math.floor(at / width)];
        return Math.min(x, y, width - 1 - x, height - 1 - y) < frame;
    };
    return [width, height, new Set(pixels).size, new Set(pixels.filter(isOutside)).size];
}"""

#: The pixels around a card that stay empty.
FRAME = 20

#: Makes a picture of a card and gives its bytes, by the module that the dialog uses.
_DRAW = """async (card) => {
    const { pngOf } = await import("/src/shared/picture.js");
    const drawing = new DOMParser().parseFromString(card, "image/svg+xml").documentElement;
    const blob = await pngOf(drawing, 1200, 630);
    const reader = new FileReader();
    await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(blob); });
    return reader.result.split(",")[1];
}"""


class Picture(NamedTuple):
    width: int
    height: int
    colours: int
    in_frame: int


def look_at(page: Page, png: bytes, frame: int = 1) -> Picture:
    assert png.startswith(b"\x89PNG")
    return Picture(*page.evaluate(_LOOK, [base64.b64encode(png).decode(), frame]))


#: What is drawn on the colours of the bars, each once.
_PATTERNS = """() => {
    const bars = [...document.querySelectorAll("[data-testid=stVegaLiteChart] .mark-rect path")];
    const ids = new Set(bars.map((bar) => bar.getAttribute("fill").match(/^url\\(#(.+)\\)$/)[1]));
    const drawn = [...ids].map((id) => document.querySelector(`pattern#${id} path`));
    return drawn.filter(Boolean).map((path) => path.getAttribute("d"));
}"""


def test_every_chart_is_saved_as_a_picture_also_when_drawn_anew(
    page: Page, app_server: str
) -> None:
    open_cold(page, app_server, "")
    open_tab(page, "Where the tokens go")
    buttons = page.get_by_role("button", name="Save picture: Stacked bars")
    expect(buttons).to_have_count(1)
    page.get_by_role("radio", name=re.compile("^pipe ")).check()
    # The table below the bars is of that text: they are drawn anew.
    expect(page.locator("td").filter(has_text=re.compile("^908$")).first).to_be_attached()
    wait_for_the_run(page)
    expect(buttons).to_have_count(1)
    expect(page.locator("[data-testid=stVegaLiteChart] svg.marks")).to_have_count(1)
    # For a moment the drawing of before, or its patterns, are gone and the next ones not there.
    wait_until(
        page,
        lambda: page.evaluate(_PATTERNS),
        lambda patterns: len(patterns) == len(set(patterns)) == len(KINDS),
    )

    chart = page.get_by_test_id("stVegaLiteChart").first
    drawn = chart.bounding_box()
    buttons.first.focus()
    with page.expect_download() as saved:
        page.keyboard.press("Enter")

    assert drawn is not None
    assert saved.value.suggested_filename.startswith("stacked-bars-of-names")
    picture = look_at(page, saved.value.path().read_bytes())
    assert picture.width == pytest.approx(2 * (drawn["width"] + 32), abs=2)
    assert picture.height == pytest.approx(2 * (drawn["height"] + 56), abs=2)
    assert picture.colours > 4  # the background and the four kinds
    assert picture.in_frame == 1


def give_source(route: Route) -> None:
    """A module as it stands in the repository."""
    route.fulfill(path=SOURCES / urlsplit(route.request.url).path.removeprefix("/src/"))


def card_of(page: Page, found: Headline | Nothing, name: str, model: str) -> Picture:
    """The card of a headline, made a picture by the keeper's own module."""
    page.route("**/src/**", give_source)
    drawn = page.evaluate(_DRAW, card(found, name, model))
    return look_at(page, base64.b64decode(drawn), FRAME)


def test_the_card_is_a_picture_for_a_chat_and_nothing_sticks_out(lab: Lab) -> None:
    text = (ROOT / "samples" / "uniform-rows.json").read_text(encoding="utf-8")
    found = headline(
        Document.of(json.loads(text), Typed(text)), choose("gpt-5"), traffic=Traffic(100_000)
    )
    lab.page.goto(lab.url)

    picture = card_of(lab.page, found, "uniform rows", "GPT-5")
    assert picture[:2] == (1200, 630)
    assert picture.colours > 5
    assert picture.in_frame == 1

    long: Headline = {**found, "figure": "−99 %" * 9, "lead": "word " * 99, "money": "$1 " * 99}
    long["bars"] = [{**bar, "label": "label " * 99, "credit": "by " * 99} for bar in found["bars"]]
    assert card_of(lab.page, long, "name " * 99, "model " * 99).in_frame == 1
    nothing = empty_headline("Nothing to compare: " * 30)
    assert card_of(lab.page, nothing, "name", "model").in_frame == 1


@pytest.mark.usefixtures("area")
def test_five_slides_end_on_what_is_saved_and_keys_go_through_them(page: Page) -> None:
    """What slides say is in ``tests/drawing/test_drawing.py``, those of a run in the reports."""
    open_entrance(page, "Demo")
    dialog = page.get_by_role("dialog")
    for number in range(1, 6):
        expect(dialog.locator(".step")).to_have_text(f"{number} of 5")
        expect(dialog.locator(".slide:visible .about")).to_have_text("")
        page.keyboard.press("ArrowRight")

    expect(dialog.locator(".slide:visible .title")).to_have_text("Saved: $508 a month")
    page.keyboard.press("ArrowLeft")
    expect(dialog.locator(".step")).to_have_text("4 of 5")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
