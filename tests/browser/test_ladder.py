"""The answer above the editors: it follows every key, and an old one is marked as old."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import FIRST, Lab, paste_over

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_answer_is_drawn_with_the_first_document(lab: Lab) -> None:
    lab.open()
    answer = lab.page.get_by_role("region", name="The answer")

    expect(answer.locator(".change")).to_have_text(f"−{len(FIRST)} %")
    expect(answer.locator(".why")).to_have_text("Because. It is best.")
    expect(answer.locator(".worth")).to_contain_text("✓ comes back exactly saves $1 a month")
    expect(answer.get_by_role("listitem")).to_have_count(2)
    widths = answer.locator(".strip").evaluate_all(
        "strips => strips.map(strip => strip.getBoundingClientRect().width)"
    )
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.02)  # on one scale


def test_the_answer_follows_what_is_typed(lab: Lab) -> None:
    lab.open()
    paste_over(lab.area("json"), "[1, 2]")

    expect(lab.page.locator(".change")).to_have_text("−6 %")
    lab.area("json").press("End")
    lab.page.keyboard.type("   ")
    expect(lab.page.locator(".change")).to_have_text("−9 %")


def test_the_last_good_answer_stays_marked_as_old(lab: Lab) -> None:
    lab.open()
    answer = lab.page.get_by_role("region", name="The answer")
    paste_over(lab.area("json"), "BAD")

    expect(answer.locator(".aged")).to_have_text(
        "This is the answer of the last text that could be read."
    )
    expect(answer.locator(".change")).to_have_text(f"−{len(FIRST)} %")
    paste_over(lab.area("json"), "[1]")
    expect(answer.locator(".aged")).to_have_text("")
    expect(answer.locator(".change")).to_have_text("−3 %")


def test_a_text_too_large_to_follow_leaves_the_answer_marked_as_old(lab: Lab) -> None:
    lab.open()
    paste_over(lab.area("json"), "[" + "1," * 600_000 + "1]")

    expect(lab.page.locator(".aged")).to_have_text("This is the answer of the text before.")


def test_where_there_is_nothing_to_compare_only_that_is_said(lab: Lab) -> None:
    lab.open(text="{}")

    expect(lab.page.locator(".lead")).to_have_text("Send best")
    expect(lab.page.locator(".bars > li")).to_have_count(0)


def test_a_next_step_reaches_python(lab: Lab) -> None:
    lab.open()
    lab.page.get_by_role("navigation", name="Next").get_by_role("button").click()

    expect(lab.page.get_by_text("chosen: other")).to_be_visible()
