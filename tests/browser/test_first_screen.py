"""What is seen without scrolling, and where the next steps lead."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.words import COMPACT

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def answer(page: Page, app_server: str) -> Locator:
    """The answer about the first sample, with its next steps."""
    page.goto(app_server)
    expect(page.get_by_role("navigation", name="Next").get_by_role("button")).to_have_count(3)
    return page.get_by_role("region", name="The answer")


def top(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["y"]


def bottom(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["y"] + box["height"]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
def test_the_answer_and_the_first_lines_need_no_scrolling(
    page: Page, answer: Locator, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    expect(answer.get_by_text(f"Send {COMPACT}: 130 tokens fewer")).to_be_in_viewport(ratio=1)

    controls = [
        top(page.locator(f".st-key-{name}").locator("label").first) for name in ("sample", "model")
    ]
    assert controls[0] == pytest.approx(controls[1], abs=1)  # one aligned row
    assert bottom(answer) < bottom(page.get_by_role("navigation", name="Next")) < 0.7 * height
    assert height - top(page.get_by_label("JSON editor")) > 100  # five lines or more


def test_on_a_phone_the_answer_stands_before_the_editors(page: Page, answer: Locator) -> None:
    page.set_viewport_size({"width": 390, "height": 844})

    expect(answer.locator(".change")).to_be_in_viewport(ratio=1)
    assert bottom(answer) < top(page.get_by_label("JSON editor"))
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_an_editor_that_is_pulled_longer_takes_the_other_along(page: Page, answer: Locator) -> None:
    surfaces = page.locator(".surface")
    surfaces.first.evaluate("surface => { surface.style.height = '600px'; }")

    assert bottom(surfaces.nth(0)) == pytest.approx(bottom(surfaces.nth(1)), abs=1)


def test_the_next_step_explains_more_payloads_together(page: Page, answer: Locator) -> None:
    page.get_by_role("button", name="TOON with 3 payloads in a prompt").click()

    expect(answer.locator(".lead")).to_contain_text("Send TOON")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("spinbutton", name="Payloads in a prompt")).to_have_value("3")


@pytest.mark.parametrize(
    ("step", "title"), [("Send less, lossy", "Send less"), ("Compare 16 formats", "Compare")]
)
def test_the_next_step_opens_its_page(page: Page, answer: Locator, step: str, title: str) -> None:
    page.get_by_role("button", name=step).click()

    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
