"""The answer above the editors: it follows every key, and an old one is marked as old."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import FIRST, Lab, expect_text, paste_over

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_answer_is_drawn_with_the_first_document(lab: Lab) -> None:
    lab.open()
    answer = lab.page.get_by_role("region", name="The answer")

    expect(answer.locator(".change")).to_have_text(f"−{len(FIRST)} %")
    expect(answer.locator(".why")).to_have_text("Because. It is best.")
    expect(answer.locator(".proof")).to_have_text("✓ comes back exactly")
    expect(answer.locator(".money")).to_have_text("saves $1 a month")
    expect(answer.get_by_role("listitem")).to_have_count(2)
    widths = answer.locator(".strip").evaluate_all(
        "strips => strips.map(strip => strip.getBoundingClientRect().width)"
    )
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.02)  # on one scale


def test_what_was_tried_is_a_click_away(lab: Lab) -> None:
    lab.open()
    tried = lab.page.locator(".tried")

    expect(tried.get_by_text("best 1")).to_be_hidden()
    tried.get_by_text("2 tried").click()
    expect(tried.get_by_role("listitem")).to_have_text(["best 1", "other 2"])


def test_the_answer_follows_what_is_typed(lab: Lab) -> None:
    lab.open()
    paste_over(lab.area("json"), "[1, 2]")

    expect(lab.page.locator(".change")).to_have_text("−6 %")
    lab.area("json").press("End")
    lab.page.keyboard.type("   ")
    expect(lab.page.locator(".change")).to_have_text("−9 %")


# -- no answer to this text ----------------------------------------------------------------------

STANDS = " Shown is the answer before."
TOO_LARGE = "This text is too large to follow every key: press Measure."
REASONS = {
    "BAD": "This text cannot be read.",
    "FORMLESS": "This payload has no TOON form.",
    "": "There is no text.",
    "PROSE": "No estimate for prose.",
}


@pytest.mark.parametrize("text", REASONS)
def test_the_last_good_answer_stays_marked_as_old(lab: Lab, text: str) -> None:
    lab.open()
    answer = lab.page.get_by_role("region", name="The answer")
    lab.area("json").fill(text)

    expect(answer.locator(".aged")).to_have_text(REASONS[text] + STANDS)
    expect(answer.locator(".change")).to_have_text(f"−{len(FIRST)} %")
    expect(answer.locator(".lead")).to_have_text("Send best")
    expect(answer.get_by_role("listitem")).to_have_count(2)
    lab.area("json").fill("[1]")
    expect(answer.locator(".aged")).to_have_text("")
    expect(answer.locator(".change")).to_have_text("−3 %")


@pytest.mark.parametrize("text", [text for text in REASONS if text])
def test_where_no_answer_was_before_the_reason_stands_alone(lab: Lab, text: str) -> None:
    lab.open(text=text)
    answer = lab.page.get_by_role("region", name="The answer")

    expect(answer.locator(".lead")).to_have_text(REASONS[text])
    expect(answer.locator(".aged")).to_have_text("")
    expect(answer.get_by_role("listitem")).to_have_count(0)


def test_a_document_too_large_to_follow_marks_the_answer_before_it(lab: Lab) -> None:
    lab.open()
    lab.page.get_by_role("button", name="Large document").click()

    expect(lab.page.locator(".aged")).to_have_text(f"{TOO_LARGE}{STANDS}")
    expect(lab.page.locator(".change")).to_have_text(f"−{len(FIRST)} %")


def test_a_text_too_large_to_follow_leaves_the_answer_marked_as_old(lab: Lab) -> None:
    lab.open()
    lab.paste("json", "'[' + '1,'.repeat(5_300_000) + '1]'")
    aged = lab.page.locator(".aged")

    expect(aged).to_have_text(f"{TOO_LARGE}{STANDS}")
    lab.pane("json").get_by_role("button", name="Measure").click()
    expect(lab.page.locator(".change")).to_have_text("−10600003 %")
    expect(aged).to_have_text("")


def test_where_there_is_nothing_to_compare_only_that_is_said(lab: Lab) -> None:
    lab.open(text="{}")

    expect(lab.page.locator(".lead")).to_have_text("Nothing to compare.")
    expect(lab.page.locator(".bars > li")).to_have_count(0)


# -- an answer that takes its time ---------------------------------------------------------------

WORKED_OUT = f"The answer to this text is being worked out.{STANDS}"

#: Notes every figure that is shown from now on.
WATCH = """node => {
    window.figures = [];
    const note = () => window.figures.push(node.textContent);
    new MutationObserver(note).observe(node, { childList: true });
}"""


def test_the_answer_is_marked_as_old_until_that_of_the_text_is_there(lab: Lab) -> None:
    lab.open()
    lab.control(slow=1.5)
    paste_over(lab.area("json"), "[1, 2]")

    expect(lab.page.locator(".aged")).to_have_text(WORKED_OUT)
    expect(lab.page.locator(".change")).to_have_text("−6 %")
    expect(lab.page.locator(".aged")).to_have_text("")


def test_other_options_mark_the_answer_at_once(lab: Lab) -> None:
    """A model is one of the options: its figures never stand unmarked under another's name."""
    lab.open()
    lab.control(slow=1.5)
    lab.page.get_by_role("radio", name="tab").click()

    expect(lab.page.locator(".aged")).to_have_text(WORKED_OUT)
    expect(lab.page.locator(".aged")).to_have_text("")


def test_an_answer_never_comes_to_another_document(lab: Lab) -> None:
    lab.open()
    lab.control(slow=1.0)
    paste_over(lab.area("json"), "[1, 2]")
    expect_text(lab.area("toon"), "[1, 2]")
    lab.page.locator(".change").evaluate(WATCH)
    lab.page.get_by_role("button", name="Second document").click()

    expect(lab.page.locator(".aged")).to_have_text(WORKED_OUT)
    expect(lab.page.locator(".change")).to_have_text("−19 %")
    assert lab.page.evaluate("window.figures") == ["−19 %"]


def test_a_server_that_does_not_answer_leaves_the_answer_marked(
    lab: Lab, problems: list[str]
) -> None:
    lab.open()
    lab.page.route("**/api/answer**", lambda route: route.abort())
    lab.area("json").fill("[1, 2]")
    expect(lab.page.locator(".aged")).to_have_text(f"The server cannot be reached.{STANDS}")
    expect_text(lab.area("toon"), "[1, 2]")

    lab.page.unroute("**/api/answer**")
    expect(lab.page.locator(".change")).to_have_text("−6 %")
    expect(lab.page.locator(".aged")).to_have_text("")
    assert problems
    problems.clear()


def test_what_the_server_refuses_is_said_where_the_answer_stands(
    lab: Lab, problems: list[str]
) -> None:
    lab.open()
    refusal = {"error": {"message": "no such vocabulary here"}}
    lab.page.route("**/api/answer**", lambda route: route.fulfill(status=400, json=refusal))
    lab.area("json").fill("[1, 2]")
    expect(lab.page.locator(".aged")).to_have_text(f"no such vocabulary here.{STANDS}")
    expect(lab.page.locator(".change")).to_have_text(f"−{len(FIRST)} %")
    assert problems
    problems.clear()


def test_a_long_text_is_answered_once_the_user_rests(lab: Lab) -> None:
    lab.open()
    long = "[" + "1," * 60_000 + "1]"
    lab.area("json").fill(long)
    expect(lab.page.locator(".change")).to_have_text(f"−{len(long)} %")
    lab.control(delay=0)
    lab.area("json").press("End")
    lab.page.keyboard.type("     ", delay=300)

    expect(lab.page.locator(".change")).to_have_text(f"−{len(long) + 5} %")
    assert lab.control()["answer"] == 1


def test_a_next_step_reaches_python(lab: Lab) -> None:
    lab.open()
    lab.page.get_by_role("navigation", name="Next").get_by_role("button").click()

    expect(lab.page.get_by_text("chosen: other")).to_be_visible()
