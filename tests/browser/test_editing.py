"""What people know from the editor they use all day, and texts that break editors."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lab import FIRST, PASTE, Lab, expect_text, paste, paste_over, put_caret, text_of

pytestmark = pytest.mark.rest

#: A file or a folder that is dropped; a folder cannot be read.
DROPS = """(area, name) => {
    const data = new DataTransfer();
    data.items.add(new File(["dropped"], name));
    if (name === "folder") {
        File.prototype.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
    }
    const options = { dataTransfer: data, bubbles: true, cancelable: true };
    area.dispatchEvent(new DragEvent("drop", options));
}"""
#: Two of three calls of painting the text fail.
BREAKS = """() => {
    const { add } = Highlight.prototype;
    Highlight.prototype.add = () => { throw new Error("no"); };
    window.mend = () => { Highlight.prototype.add = add; };
}"""
#: The most characters that an editor has drawn at a frame, from now until ``stop()``.
FRAMES = """(area) => {
    let [most, goesOn] = [0, true];
    const look = () => {
        most = Math.max(most, area.textContent.length);
        if (goesOn) requestAnimationFrame(look);
    };
    look();
    window.stop = () => { goesOn = false; return most; };
}"""
#: More than a window shows of any text: what is drawn is what a frame costs.
DRAWN = 20_000


def test_brackets_close_lines_are_indented_and_carets_are_several(lab: Lab) -> None:
    lab.open(text="x")
    area = lab.area("json")
    paste_over(area, "")
    area.press_sequentially('{"a')
    expect_text(area, '{"a"}')
    area.press_sequentially('": [')
    lab.page.keyboard.press("Enter")
    area.press_sequentially("1")
    expect_text(area, '{"a": [\n  1\n]}')
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("End")
    lab.page.keyboard.press("ArrowLeft")
    area.press_sequentially(",")
    lab.page.keyboard.press("Enter")
    area.press_sequentially("2")
    expect_text(area, '{"a": [\n  1\n],\n2}')

    toon = lab.area("toon")
    paste_over(toon, "")
    toon.press_sequentially("a:")
    lab.page.keyboard.press("Enter")
    toon.press_sequentially("b: [1")
    lab.page.keyboard.press("End")
    lab.page.keyboard.press("Enter")
    toon.press_sequentially("c: 2")
    expect_text(toon, "a:\n  b: [1]\n  c: 2")
    expect_text(area, "a:\n  b: [1]\n  c: 2")  # or it would come between selecting and writing

    paste_over(area, "one 1\none 2\none 3")
    put_caret(area, 1)
    for _ in range(4):  # the word, then the next ones
        lab.page.keyboard.press("ControlOrMeta+d")
    lab.page.keyboard.type("two")
    expect_text(area, "two 1\ntwo 2\ntwo 3")
    expect_text(toon, "TWO 1\nTWO 2\nTWO 3")


def test_lines_fold_by_click_and_by_key_and_the_text_stays_whole(lab: Lab) -> None:
    lab.open(text='{\n  "a": [\n    "]",\n    2\n  ],\n  "b": 3\n}')
    pane, area = lab.pane("json"), lab.area("json")
    text = text_of(area)
    folds = pane.locator(".folds .cm-gutterElement:visible span")
    expect(folds).to_have_count(2)

    folds.nth(1).click()
    expect(area).to_have_text(re.compile(r'"a": \[…\],'))
    expect_text(area, text)
    pane.locator(".cm-foldPlaceholder").click()
    expect(pane.locator(".cm-foldPlaceholder")).to_have_count(0)
    put_caret(area, 0)
    lab.page.keyboard.press("ControlOrMeta+Shift+BracketLeft")
    expect(area).to_have_text("{…}")
    lab.page.keyboard.press("ControlOrMeta+Shift+BracketRight")
    expect(pane.locator(".cm-foldPlaceholder")).to_have_count(0)

    toon = lab.area("toon")
    paste_over(toon, "a:\n  b: 1\n\n  c: 2\nd: 3")
    toon.press("ControlOrMeta+Home")
    lab.page.keyboard.press("ControlOrMeta+Shift+BracketLeft")
    expect(toon).to_have_text(re.compile("^a:…d: 3$"))


def test_an_editor_that_fails_says_so_in_its_pane_and_keeps_the_text(
    lab: Lab, problems: list[str]
) -> None:
    lab.open(text=FIRST)
    lab.expect_painted("json", "kind-0")
    lab.page.evaluate(BREAKS)
    put_caret(lab.area("json"), len(FIRST))
    lab.page.keyboard.type(" 1")
    fault = lab.pane("json").get_by_role("alert").filter(has_text="The editor failed.")
    expect(fault).to_contain_text("Your text is safe.")

    lab.page.evaluate("() => mend()")
    fault.get_by_role("button", name="Reload the editor").click()
    expect(fault).to_have_count(0)
    expect_text(lab.area("json"), f"{FIRST} 1")
    lab.page.keyboard.press("ControlOrMeta+z")
    expect_text(lab.area("json"), FIRST)
    lab.expect_painted("json", "kind-0")
    assert [problem for problem in problems if "no" not in problem] == []
    problems.clear()


#: Line ends, right to left, zero width, clusters and controls; and what is held of them.
STRANGE = {
    "a\rb\r\nc": "a\nb\nc",
    "שלום, עולם": "שלום, עולם",
    "a\u200bb\ufeffc\u202ed": "a\u200bb\ufeffc\u202ed",
    "👩‍👩‍👧e\u0301\u0000\u0007": "👩‍👩‍👧e\u0301\u0000\u0007",
}


def test_an_input_method_and_strange_characters_lose_nothing(lab: Lab) -> None:
    lab.open(text="")
    lab.control(delay=0.1)
    area = lab.area("json")
    area.click()
    method = lab.page.context.new_cdp_session(lab.page)
    for composed in ("に", "にほ", "にほん"):
        method.send(
            "Input.imeSetComposition",
            {"text": composed, "selectionStart": len(composed), "selectionEnd": len(composed)},
        )
        expect_text(area, composed)
        lab.page.wait_for_timeout(300)  # answers of the server come meanwhile
    method.send("Input.insertText", {"text": "日本"})
    lab.page.keyboard.type("!")
    expect_text(area, "日本!")
    expect_text(lab.area("toon"), "日本!")

    lab.control(delay=0)
    for text, held in STRANGE.items():
        paste(area, text)

        expect_text(area, held)
        expect_text(lab.area("toon"), held.upper())

    # Half a character can be typed around and deleted.
    lab.paste("json", r"'a\ud800b'")
    lab.area("json").press("End")
    lab.page.keyboard.type("c")

    expect(lab.area("json").locator(".cm-line")).to_have_text(re.compile("a.bc"))
    for _ in range(4):
        lab.page.keyboard.press("Backspace")
    expect_text(lab.area("json"), "")

    # A document with line ends of Windows is said to change.
    lab.page.get_by_role("button", name="Windows document").click()
    expect_text(lab.area("json"), "[\n1\n]")
    expect(lab.pane("json").locator(".notices")).to_contain_text("counted as line feeds")


def test_pastes_that_follow_closely_are_all_there_and_a_file_that_is_dropped(lab: Lab) -> None:
    lab.open(text="x")
    lab.control(delay=0.5)
    area = lab.area("json")
    paste(area, "first ")
    lab.page.wait_for_timeout(300)  # its conversion is on its way
    area.press("End")
    for text in ("second ", "third"):
        area.evaluate(PASTE, text)

    expect_text(area, "first second third")
    expect_text(lab.area("toon"), "FIRST SECOND THIRD")
    area.press("ControlOrMeta+z")
    area.press("ControlOrMeta+z")
    expect_text(area, "first ")

    # A file is taken, and a folder is not.
    area.evaluate(DROPS, "a.json")
    expect_text(area, "dropped")
    area.press("ControlOrMeta+z")
    expect_text(area, "first ")

    area.evaluate(DROPS, "folder")
    expect(lab.pane("json").locator(".bar")).to_contain_text(
        "folder is not UTF-8 text; nothing was changed."
    )
    expect_text(area, "first ")


def test_no_frame_draws_more_of_a_long_text_or_line_than_is_seen(lab: Lab) -> None:
    lab.open(text="x")
    lab.paste("json", "'[\\n' + '  {\"name\": \"Ada\", \"n\": 1},\\n'.repeat(19_000) + ']'")
    area = lab.area("json")
    expect(lab.pane("json").locator(".figures")).to_have_text("128,251 tokens")
    lab.settle()
    area.press("ControlOrMeta+Home")
    area.evaluate(FRAMES)

    lab.page.keyboard.press("ControlOrMeta+Shift+BracketLeft")
    lab.page.keyboard.press("ControlOrMeta+Shift+BracketRight")
    lab.page.keyboard.press("PageDown")
    lab.page.keyboard.type("abc")
    most = lab.page.evaluate("() => stop()")

    assert 0 < most < DRAWN
    assert "abc" in text_of(area)

    lab.paste("json", "'[' + '1234567,'.repeat(50_000) + '0]'")
    expect(area.locator(".cm-line")).to_have_count(1)
    expect(area).to_contain_text("1234567")
    area.evaluate(FRAMES)
    area.press("ControlOrMeta+End")
    lab.page.keyboard.type("x")
    expect(area.locator(".cm-line")).to_have_text(re.compile("1234567,0]x$"))
    assert 0 < lab.page.evaluate("() => stop()") < DRAWN
    expect_text(area, "[" + "1234567," * 50_000 + "0]x")
