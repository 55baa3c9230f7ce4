"""What can be saved as a picture is one: charts of any page."""

from __future__ import annotations

import base64
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import wait_for_the_run
from tests.browser.pages import open_cold

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Width, height and the number of colours of a picture.
_LOOK = """async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
    return [image.width, image.height, new Set(pixels).size];
}"""


class Picture(NamedTuple):
    width: int
    height: int
    colours: int


def look_at(page: Page, png: bytes) -> Picture:
    assert png.startswith(b"\x89PNG")
    return Picture(*page.evaluate(_LOOK, base64.b64encode(png).decode()))


def test_every_chart_is_saved_as_a_picture_also_when_drawn_anew(
    page: Page, app_server: str
) -> None:
    open_cold(page, app_server, "")
    page.get_by_role("tab", name="Where the tokens go").click()
    buttons = page.get_by_role("button", name="Save picture: Stacked bars")
    expect(buttons).to_have_count(2)
    page.get_by_role("radio", name="tab", exact=True).click()
    wait_for_the_run(page)
    expect(buttons).to_have_count(2)

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
