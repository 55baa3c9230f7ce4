"""The answer above the editors: it follows every key, and an old one is marked as old."""

import pytest
from playwright.sync_api import expect

from tests.browser.lab import FIRST, Lab, expect_text, paste_over, wait_until

pytestmark = pytest.mark.rest


def test_an_answer_is_drawn_and_its_delimiter_and_next_step_are_chosen(lab: Lab) -> None:
    """The delimiters are one stop of the keyboard, whose arrows choose."""
    lab.open()
    answer = lab.page.get_by_role("region", name="The answer")
    expect(answer.locator(".change")).to_have_text(f"−{len(FIRST)} %")
    expect(answer.locator(".why")).to_have_text("Best saves 5: it is short. Because. It is best.")
    expect(answer.locator(".best .step")).to_have_text(["−50 %"])
    expect(answer.locator(".shared")).to_have_text("2 of the 5 are safe.")
    widths = answer.locator(".strip").evaluate_all(
        "strips => strips.map(strip => strip.getBoundingClientRect().width)"
    )
    assert widths == [pytest.approx(width, rel=0.02) for width in (widths[0], widths[0] / 2)]

    group = lab.pane("toon").get_by_role("radiogroup", name="Delimiter")
    comma, tab = (group.get_by_role("radio", name=name) for name in ("comma", "tab"))
    chosen = group.locator("label:has(:checked)")
    expect(group.locator("label")).to_have_text(["comma 5", "tab 7"])
    expect(chosen).to_have_attribute("title", "4 + 1 note")
    comma.press("ArrowRight")
    expect(tab).to_be_checked()
    expect(chosen).to_have_attribute("title", "6 + 1 note")
    expect_text(lab.area("toon"), f"{FIRST.upper()}\n# tab")
    lab.settle()
    expect(tab).to_be_focused()
    tab.press("ArrowLeft")
    expect(comma).to_be_checked()
    expect_text(lab.area("toon"), FIRST.upper())
    lab.settle()

    expect(lab.page.locator(".flips")).to_have_text("Another for others")
    lab.page.get_by_role("navigation", name="Next").get_by_role("button").click()
    expect(lab.page.get_by_text("chosen: other")).to_be_visible()


TOO_LARGE = "This text is too large to follow every key: press Measure."
REASONS = {
    "BAD": "Not valid JSON: it stops at line 1.",
    "FORMLESS": "This payload has no TOON form.",
    "": "Paste your JSON: what to send, and what that saves, appears here.",
    "PROSE": "Nothing to compare in prose.",
}


def expect_no_figure(lab: Lab, sentence: str) -> None:
    """Nothing of another text is shown, and the answer is as high as it was."""
    answer = lab.page.get_by_role("region", name="The answer")
    expect(answer.locator(".aged")).to_have_text(sentence)
    for name in ("hero", "shared", "worth", "assumes", "send", "to-code", "bars"):
        expect(answer.locator(f".{name}")).to_be_hidden()


WORKED_OUT = "The answer to this text is being worked out."

#: Notes every figure that is shown from now on.
WATCH = """node => {
    window.figures = [];
    const note = () => window.figures.push(node.textContent);
    new MutationObserver(note).observe(node, { childList: true });
}"""


def test_no_answer_is_shown_before_or_after_its_text(lab: Lab) -> None:
    """A model is one of the options: its figures never stand unmarked under another's name."""
    lab.open()
    aged, change = lab.page.locator(".aged"), lab.page.locator(".change")
    lab.control(hold=1)
    paste_over(lab.area("json"), "[1, 2]")
    expect(aged).to_have_text(WORKED_OUT)
    lab.control(hold=0)
    expect(change).to_have_text("−6 %")
    expect(aged).to_have_text("")

    lab.control(hold=1)
    lab.page.get_by_role("radio", name="tab", exact=True).click()
    expect(aged).to_have_text(WORKED_OUT)
    lab.control(hold=0)
    expect(aged).to_have_text("")

    # An answer never comes to another document.
    lab.control(hold=1)
    paste_over(lab.area("json"), "[1, 2, 3]")
    expect_text(lab.area("toon"), "[1, 2, 3]\n# tab")
    wait_until(lab.page, lambda: lab.control()["answer"], bool)  # it is asked for
    lab.page.locator(".change").evaluate(WATCH)
    lab.page.get_by_role("button", name="Second document").click()
    expect_text(lab.area("json"), '{\n  "other": true\n}')
    lab.control(hold=0)

    expect(lab.page.locator(".change")).to_have_text("−19 %")
    # The delimiter that it recommends is taken, which gives one more answer.
    expect_text(lab.area("toon"), '{\n  "OTHER": TRUE\n}')
    lab.settle()
    assert lab.page.evaluate("window.figures") == ["−19 %", "−19 %"]

    # Nothing of the text before stays.
    before = lab.page.get_by_role("region", name="The answer").bounding_box()
    for text, reason in REASONS.items():
        paste_over(lab.area("json"), text)
        expect_no_figure(lab, reason)
        assert lab.page.get_by_role("region", name="The answer").bounding_box() == before
        paste_over(lab.area("json"), "[1]")
        expect(aged).to_have_text("")
        expect(change).to_have_text("−3 %")
    lab.page.get_by_role("button", name="Large document").click()
    expect_no_figure(lab, TOO_LARGE)


#: The moment in which a long text waits for the next key is over when the page calls ``rest()``.
RESTS = """
    const { setTimeout: start, clearTimeout: stop } = window;
    const resting = new Map();
    window.setTimeout = (act, pause, ...more) => {
        const isRest = 599 < pause && pause <= 600;
        const timer = start(act, isRest ? 1e9 : pause, ...more);
        if (isRest) resting.set(timer, act);
        return timer;
    };
    window.clearTimeout = (timer) => (resting.delete(timer), stop(timer));
    window.rest = () => {
        for (const [timer, act] of resting) (clearTimeout(timer), act());
    };
"""


def test_a_long_text_is_answered_once_the_user_rests(lab: Lab) -> None:
    with lab.page.add_init_script(RESTS):
        lab.open()
    area, toon, change = lab.area("json"), lab.area("toon"), lab.page.locator(".change")
    long = "[" + "1," * 60_000 + "1]"
    paste_over(area, long)
    expect_text(toon, long)
    lab.page.evaluate("rest()")
    expect(change).to_have_text(f"−{len(long)} %")
    lab.control(delay=0)
    area.press("End")
    lab.page.keyboard.type(" " * 12, delay=100)

    expect_text(toon, long + " " * 12)
    assert lab.control()["answer"] == 0
    lab.page.evaluate("rest()")
    expect(change).to_have_text(f"−{len(long) + 12} %")
    assert lab.control()["answer"] == 1
