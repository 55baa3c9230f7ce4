"""What is pasted is recognised and converted at once, and can be brought back as it was."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.lab import (
    expect_text,
    go_to,
    paste,
    paste_over,
    press_paste,
    put_caret,
    text_of,
    wait_for_the_answer,
    wait_until,
)
from tests.links import read_link
from toon.tokenizers import get

pytestmark = pytest.mark.rest

PYTHON = str({"at": (1, 2), "users": [{"id": n, "name": f"User {n}"} for n in range(9)]})

#: ``tests/playground/test_foreign.py`` has what else is recognised.
PASTES: dict[str, tuple[str, Any]] = {
    "TOON": ("users[1]{id,name}:\n  1,Ada", {"users": [{"id": 1, "name": "Ada"}]}),
    "a log": ('2026-03-09T05:58:02Z INFO served {"a": 1}', {"a": 1}),
    "a page of HTML": ("<!doctype html><p>502</p>", "<!doctype html><p>502</p>"),
}


def test_a_paste_is_recognised_and_converted(page: Page, area: Locator) -> None:
    for title, (text, value) in PASTES.items():
        paste(area, text)

        expect(page.get_by_text(f"This was {title}. It is JSON now")).to_be_visible()
        assert json.loads(text_of(area)) == value
        page.get_by_role("button", name="Undo").click()
        expect_text(area, text)
        expect(page.locator(".aged")).to_have_text(
            re.compile(r"^Not valid JSON: it stops at line \d+\.$")
        )
    paste(area, "<!doctype html><title>502 Bad Gateway</title>")
    expect(page.get_by_text("You pasted an error page (502 Bad Gateway).")).to_be_visible()

    # Also while the text before is being converted.
    paste_over(area, "[1]")
    wait_for_the_answer(page)
    held: list[Route] = []
    page.route("**/api/convert**", lambda route: held.append(route), times=1)
    paste_over(area, '{"a": 1}')
    wait_until(page, lambda: len(held), bool)
    paste(area, "{'a': True}")
    held[0].continue_()
    expect(page.get_by_text("This was a Python literal. It is JSON now")).to_be_visible()


def test_the_first_row_is_what_was_pasted_until_it_is_edited(page: Page, area: Locator) -> None:
    """On every page, after a reload, and in the link."""
    paste(area, PYTHON)
    first = page.locator(".rung").first
    counted = f"Your Python.*{get('o200k_base').count(PYTHON)}"

    expect(first).to_contain_text(re.compile(counted, re.S))
    expect(page.get_by_text("JSON has no tuples: 1 tuple is a list")).to_be_visible()
    assert text_of(area).startswith('{\n  "at"')
    expect_python_in_link(page)
    page.reload()
    expect(first).to_contain_text(re.compile(counted, re.S))
    expect_python_in_link(page)
    go_to(page, "Compare")
    expect_row(page, "your Python", str(get("o200k_base").count(PYTHON)))
    go_to(page, "Playground")
    expect(first).to_contain_text(re.compile(counted, re.S))

    area.press("ControlOrMeta+End")
    page.keyboard.type(" ")
    expect(first).to_contain_text("Your JSON")


def expect_python_in_link(page: Page) -> None:
    """Waits until the address holds the code: until it is recognised, that may stand as JSON."""
    wait_until(page, lambda: read_link(page.url), lambda state: '"side":"python"' in state)


def expect_row(page: Page, *cells: str) -> None:
    """The table of formats, which is drawn on a canvas, has a row that says these to readers."""
    row = page.locator("[data-testid=stDataFrame] tr")
    for cell in cells:
        row = row.filter(has_text=cell)
    expect(row.first).to_be_attached()


def test_a_paste_replaces_a_sample_and_goes_into_what_is_edited(page: Page, area: Locator) -> None:
    sample = text_of(area)
    put_caret(area, 30)
    press_paste(page, "[1, 2]")

    expect_text(area, "[1, 2]")
    press_paste(page, "\n")
    expect_text(area, "[1, 2]\n")
    put_caret(area, 2)
    press_paste(page, ", 7")
    expect_text(area, "[1, 7, 2]\n")
    for before in ("[1, 2]\n", "[1, 2]", sample):
        page.keyboard.press("ControlOrMeta+z")
        expect_text(area, before)

    # What is typed is never converted, and a paste from anywhere goes to the JSON.
    area.press("ControlOrMeta+a")
    page.keyboard.insert_text("{'a': True}")
    expect(page.get_by_role("button", name="Convert Python literal").first).to_be_visible()
    expect_text(area, "{'a': True}")

    paste(area, '{"mine": 1}')
    page.evaluate("document.activeElement.blur()")
    press_paste(page, "[3]")
    expect_text(area, "[3]")
    page.keyboard.press("ControlOrMeta+z")
    expect_text(area, '{"mine": 1}')
