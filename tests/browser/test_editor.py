"""The live editor in a real browser: typing, errors, and what Python hears of it."""

import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import hearing
from tests.browser.lab import (
    CONVERTED,
    OTHER,
    SENTENCE,
    Lab,
    caret,
    expect_text,
    paste_over,
    put_caret,
    text_of,
    wait_for_the_run,
)
from tests.words import BADGES

#: A click, on nothing, and from now on the page believes that it was a moment ago.
CLICK = """() => {
    document.body.click();
    const now = performance.now();
    performance.now = () => now;
}"""
#: Modules of components wait, as on a slow machine, until the page calls ``load()``.
WAITS = """
    const loaded = "await window.loaded;\\n";
    window.loaded = new Promise((resolve) => (window.load = resolve));
    window.Blob = class extends Blob {
        constructor(parts, options) {
            super(options?.type === "text/javascript" ? [loaded, ...parts] : parts, options);
        }
    };
"""
#: What this window has of a text before cannot be read.
BREAKS = """
    window.__tokenLabEditors = { get editor() { if (!window.isMended) throw new Error("no"); } };
    Object.defineProperty(__tokenLabEditors, "editor", { set() {} });
"""


@pytest.mark.rest
@pytest.mark.parametrize(("overtaken", "shown"), [(1, '{\n  "other": true\n}'), (2, "a: 1")])
def test_data_that_overtakes_the_module_costs_no_editor(
    lab: Lab, overtaken: int, shown: str
) -> None:
    """Streamlit ends the calls that newer data has overtaken, once they are made at last."""
    with lab.page.add_init_script(WAITS):
        lab.page.goto(lab.url)
    for version, name in enumerate(("Second document", "TOON document")[:overtaken], start=2):
        lab.page.get_by_role("button", name=name).click()
        expect(lab.page.get_by_test_id("stCode")).to_contain_text(f'"document": {version}')
        wait_for_the_run(lab.page)
    lab.page.evaluate("() => load()")

    side = ("json", "toon")[overtaken - 1]
    expect_text(lab.area("json"), shown)  # the last document, from either side
    lab.settle()
    paste_over(lab.area(side), "mine, one")
    expect_text(lab.area(OTHER[side]), CONVERTED[side]("mine, one"))


@pytest.mark.rest
def test_an_editor_that_fails_or_does_not_come_says_so_and_the_next_document_mends_it(
    lab: Lab, problems: list[str]
) -> None:
    with lab.page.add_init_script(BREAKS):
        lab.page.goto(lab.url)
    fault = lab.page.get_by_role("alert").filter(has_text="This part of the page failed.")
    expect(fault.get_by_role("button", name="Reload")).to_be_visible()
    expect(lab.pane("json")).to_be_hidden()

    lab.page.evaluate("() => { window.isMended = true; }")
    lab.page.get_by_role("button", name="Second document").click()
    expect_text(lab.area("json"), '{\n  "other": true\n}')
    expect(fault).to_have_count(0)
    assert [problem for problem in problems if "Error: no" not in problem] == []
    problems.clear()

    lab.page.route("**/api/built/editor-*", lambda route: route.abort())
    lab.page.goto(lab.url)

    expect(lab.page.get_by_text("This part of the page could not be loaded.")).to_be_visible()
    assert all("ERR_FAILED" in problem for problem in problems)
    problems.clear()


@pytest.mark.rest
def test_a_part_of_the_page_that_fails_says_so_in_its_place(lab: Lab) -> None:
    lab.open()
    paste_over(lab.area("json"), "mine")
    lab.page.get_by_role("button", name="Fail").click()
    again = lab.page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(lab.page.get_by_text("This part of the page failed; the server's log")).to_be_visible()
    expect(lab.page.get_by_text("/a/path")).to_have_count(0)
    expect_text(lab.area("toon"), "MINE")

    wait_for_the_run(lab.page)
    again.click()
    expect(again).to_have_count(0)
    expect_text(lab.area("json"), "mine")


@pytest.mark.rest
def test_typing_loses_nothing(lab: Lab) -> None:
    """Whatever the speed, against a slow server: text, caret and focus are the user's.

    One request of a kind is under way at most.
    """
    lab.open(text="")
    lab.control(delay=0.2)
    for side, pause in (("json", 30), ("toon", 260)):
        area = lab.area(side)
        paste_over(area, "")
        expect_text(lab.area(OTHER[side]), "")
        area.click()
        text = SENTENCE[: 3_000 // pause]  # many conversions, whatever the speed

        area.press_sequentially(text, delay=pause)
        expect_text(lab.area(OTHER[side]), CONVERTED[side](text))
        lab.hear(text)

        assert text_of(area) == text
        assert caret(area) == (len(text), len(text), True)
    assert lab.control()["peak"] == 1


def test_there_is_no_echo(lab: Lab) -> None:
    """Once typing stops, so do the requests."""
    lab.open(text="")
    lab.control(delay=0.05)
    lab.area("json").press_sequentially("hello", delay=50)
    expect_text(lab.area("toon"), "HELLO")
    lab.hear("hello")

    settled = lab.control()
    lab.page.wait_for_timeout(1_500)

    assert settled["convert"] <= 5
    assert lab.control() == settled


@pytest.mark.rest
def test_the_other_pane_follows_and_no_answer_overwrites_the_one_typed_in_meanwhile(
    lab: Lab,
) -> None:
    """A trailing debounce alone would wait for a pause that never comes."""
    lab.open(text="")
    lab.area("json").click()
    for _ in range(40):  # however slow the server is
        lab.page.keyboard.type("x" * 10, delay=60)
        if len(text_of(lab.area("toon"))) > 10:
            break
    else:
        pytest.fail("the other pane does not follow")

    lab.settle()
    lab.control(delay=0.6)
    before = lab.control()["convert"]
    paste_over(lab.area("json"), "two")
    while lab.control()["convert"] == before:  # it is under way
        lab.page.wait_for_timeout(20)

    paste_over(lab.area("toon"), "THREE")
    expect_text(lab.area("json"), "three")
    lab.hear("THREE")

    assert text_of(lab.area("toon")) == "THREE"


@pytest.mark.rest
def test_an_error_is_shown_where_it_is_and_what_is_lost_is_said(lab: Lab) -> None:
    lab.open(text="{\n ok\n}")
    area, pane, error = lab.area("json"), lab.pane("json"), lab.page.locator(".answer .error")
    stale = lab.pane("toon").get_by_text(BADGES["stale"])
    expect(area).to_have_attribute("aria-invalid", "false")
    expect(area).to_have_attribute("aria-multiline", "true")
    paste_over(area, "{\n  BAD\n}")

    expect(error).to_contain_text("this is bad line 2, column 3")
    expect(error).to_contain_text("Hint: write something better")
    expect(pane.locator(".badge.fault")).to_have_text("line 2, column 3: this is bad")
    expect(pane.get_by_role("alert")).to_have_text(re.compile("^this is bad"))
    expect(pane.locator(".cm-lintRange-error")).to_have_text("B")
    expect(area).to_have_attribute("aria-invalid", "true")
    mark, source = (error.locator(name).bounding_box() for name in (".mark", ".source"))
    assert mark is not None
    assert source is not None
    assert mark["x"] - source["x"] == pytest.approx(2 * mark["width"], abs=1)
    expect(stale).to_be_visible()
    expect_text(lab.area("toon"), "{\n OK\n}")

    area.press("ControlOrMeta+Home")
    lab.page.keyboard.press("F8")
    assert caret(area)[0] == 4
    tip = lab.page.locator(".cm-tooltip-lint")
    expect(tip).to_contain_text("this is bad\nHint: write something better")
    expect(tip).to_contain_text("line 2, column 3")
    area.press("ControlOrMeta+Home")  # takes the tip away: a pointer would show a second one
    expect(tip).to_have_count(0)
    pane.locator(".cm-lint-marker-error").hover()
    expect(tip).to_contain_text("this is bad\nHint: write something better")

    paste_over(area, "better")
    expect(stale).to_be_hidden()
    expect_text(lab.area("toon"), "BETTER")
    expect(error).to_be_hidden()
    paste_over(area, "")
    lab.hear("")  # later than an error would be shown
    expect(lab.page.locator(".figures")).to_have_text(["empty", "empty"])
    expect(stale).to_be_hidden()
    expect(error).to_be_hidden()
    expect(area).to_have_text("Paste JSON here")

    # Five notices, how many more, and a failed round trip.
    lab.control(notices=8, round_trip=0)
    paste_over(area, "x")
    items = pane.locator(".notices li")
    expect(items).to_have_count(6)
    expect(items.last).to_have_text("and 3 more")
    trip = lab.pane("toon").locator(".round-trip")
    expect(trip).to_contain_text(f"{BADGES['fails']}: $.a is lost")
    expect(trip).to_have_attribute("data-look", "failed")


@pytest.mark.rest
def test_python_hears_ids_once_the_user_pauses_and_nothing_right_after_a_click(lab: Lab) -> None:
    """Streamlit mounts the editor anew if the runs of a click and a report follow closely."""
    lab.open(text="one")
    paste_over(lab.area("toon"), "TWO")
    expect(lab.page.get_by_test_id("stCode")).to_contain_text('"side": "toon"')

    report = lab.reported()["last"]

    assert report["valid"] is True
    assert report["version"] == 1
    assert report["json"]
    assert report["toon"]

    shown, count = lab.page.get_by_test_id("stCode"), lab.reported()["count"]
    lab.page.evaluate(CLICK)
    paste_over(lab.area("json"), "three")
    lab.settle()
    lab.page.wait_for_timeout(1_500)  # a report would be there by now
    assert lab.reported()["count"] == count
    lab.page.evaluate("() => delete performance.now")
    expect(shown).to_contain_text(f'"count": {count + 1}')


@pytest.mark.rest
def test_a_text_its_colours_and_undo_survive_a_change_of_pages_and_new_options(lab: Lab) -> None:
    """Even what was typed a moment ago, which Python has not heard of."""
    lab.open(text="one")
    area = lab.area("json")
    lab.colour("Tokens").check()
    put_caret(area, 3)
    lab.page.keyboard.insert_text(" two")

    lab.page.get_by_role("link", name="Elsewhere").click()
    expect(lab.page.get_by_text("Nothing to edit here.")).to_be_visible()
    expect(lab.page.locator(".editor")).to_have_count(0)
    asked: list[str] = []
    with hearing(lab.page, request=lambda request: asked.append(request.url)):
        lab.page.wait_for_timeout(1_200)
    assert [url for url in asked if "/api/" in url] == [], "after the component has gone"
    lab.page.get_by_role("link", name="Edit").click()
    expect_text(area, "one two")
    expect_text(lab.area("toon"), "ONE TWO")
    expect(lab.colour("Tokens")).to_be_checked()

    lab.page.get_by_role("radio", name="tab", exact=True).click()
    expect_text(lab.area("toon"), "ONE TWO\n# tab")
    area.press("ControlOrMeta+z")
    expect_text(area, "one")
    expect_text(lab.area("toon"), "ONE\n# tab")
    area.press("ControlOrMeta+Shift+z")
    expect_text(area, "one two")


@pytest.mark.rest
def test_a_server_that_forgot_refuses_or_does_not_answer_loses_nothing(
    lab: Lab, problems: list[str]
) -> None:
    lab.open(text="one")
    request = urllib.request.Request(f"{lab.url}/api/forget", method="POST")
    with urllib.request.urlopen(request):
        pass

    lab.colour("Tokens").check()

    lab.expect_painted("json", "token-0")

    lab.page.route("**/api/convert**", lambda route: route.abort())
    paste_over(lab.area("json"), "typed while away")
    bar = lab.page.get_by_text("Server not reachable")
    expect(bar).to_be_visible()

    lab.page.unroute("**/api/convert**")

    expect(bar).to_be_hidden()
    expect_text(lab.area("toon"), "TYPED WHILE AWAY")

    # The answer above the editors says it as well, and what the server refuses.
    aged, change = lab.page.locator(".aged"), lab.page.locator(".change")
    lab.page.route("**/api/answer**", lambda route: route.abort())
    paste_over(lab.area("json"), "[1, 2]")
    expect(aged).to_have_text("The server cannot be reached.")
    expect_text(lab.area("toon"), "[1, 2]")
    lab.page.unroute("**/api/answer**")
    expect(change).to_have_text("−6 %")
    expect(aged).to_have_text("")

    refusal = {"error": {"message": "no such vocabulary here"}}
    lab.page.route("**/api/answer**", lambda route: route.fulfill(status=400, json=refusal))
    paste_over(lab.area("json"), "[1, 2, 3]")
    expect(aged).to_have_text("no such vocabulary here.")
    expect(change).to_have_text("−6 %")
    assert problems
    problems.clear()
