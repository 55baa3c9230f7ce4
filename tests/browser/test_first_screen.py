"""What is seen without scrolling, and where the next steps lead."""

import json
import re
from contextlib import closing
from functools import partial
from itertools import pairwise
from operator import not_
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.lab import (
    FRESH,
    expect_text,
    go_to,
    press_paste,
    wait_for_the_run,
    wait_until,
)
from toon.wording import YOUR_TEXT

pytestmark = pytest.mark.rest


@pytest.fixture
def answer(page: Page, app_server: str) -> Locator:
    """The answer about the first sample, with its next steps."""
    page.goto(app_server)
    expect(page.locator(FRESH)).to_have_count(1)
    return page.get_by_role("region", name="The answer")


def open_sample(page: Page, name: str) -> None:
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")  # a list closes on that
    page.get_by_role("combobox", name="Sample").click()
    page.get_by_role("option").filter(has_text=name).first.click()
    expect(page.get_by_role("combobox", name="Sample")).to_have_attribute(
        "placeholder", f"Sample: {name}"
    )
    expect(page.locator(FRESH)).to_have_count(1)
    wait_for_the_run(page)


def ends(place: Locator) -> tuple[float, float]:
    """Where a place begins and ends."""
    box = place.bounding_box()
    assert box
    return box["y"], box["y"] + box["height"]


MAIN = "document.querySelector('[data-testid=stMain]')"
#: What may stand on the first screen: controls, of which the radios of a choice are one, and words
#: that are no part of a text in the editors. What is seen only with the focus is not there.
MOST = (16, 140)
SEEN = """() => {
    const controls = [], words = [], groups = new Set();
    const isSeen = (node) => {
        const { width, height, top, bottom } = node.getBoundingClientRect();
        if (width < 2 || height < 2 || top >= innerHeight || bottom <= 0) return false;
        if (!node.checkVisibility({ visibilityProperty: true })) return false;
        for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
            const { clipPath, overflow } = getComputedStyle(at);
            if (clipPath === "inset(50%)") return false;
            if (overflow === "hidden" && at.getBoundingClientRect().width < 2) return false;
        }
        return true;
    };
    const isWord = (part) => /[\\p{L}\\p{N}]/u.test(part);
    const read = (text) => {
        const node = text.parentElement;
        const isText = node.closest(
            "style, script, .cm-editor, .best-text, .sent-before, [data-testid=stIconMaterial]",
        );
        const place = document.createRange();
        place.selectNode(text);
        const isBelow = place.getBoundingClientRect().top >= innerHeight;
        if (isText || isBelow || !isSeen(node)) return;
        if (getComputedStyle(node).color === "rgba(0, 0, 0, 0)") return;
        words.push(...text.data.trim().split(/\\s+/).filter(isWord));
    };
    const walk = (root) => {
        const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
        const nodes = document.createTreeWalker(root, kinds);
        for (let node; (node = nodes.nextNode()); ) {
            if (node.nodeType === Node.TEXT_NODE) read(node);
            else {
                if (node.shadowRoot) walk(node.shadowRoot);
                const isPage = node.dataset?.testid === "stMain";
                if (node.tabIndex < 0 || node.disabled || isPage || !isSeen(node)) continue;
                const name = node.type === "radio" ? node.name : controls.length;
                if (!groups.has(name)) controls.push(node.ariaLabel || node.innerText || node.name);
                groups.add(name);
            }
        }
    };
    walk(document.body);
    return [controls, words];
}"""

#: Where the editor begins at the most, by width and height of the screen.
BEGINS = {(1440, 900): 390, (1366, 768): 390, (1024, 768): 420, (390, 844): 820}
#: The texts of elements that have no room for them.
CUT = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"


def unfit(page: Page, answer: Locator, width: int, most: int) -> list[object]:
    """What is not where it belongs, or too much: the page follows its window and its fonts late.

    While Python runs, the header says so.
    """
    controls = page.locator(".st-key-controls")
    first, then = (answer, controls) if width < 760 else (controls, answer)
    pane = page.get_by_role("group", name="JSON", exact=True)
    other = page.get_by_role("group", name="TOON", exact=True)
    places = [ends(place) for place in (first, then, pane)]
    if width < 760:  # the panes are stacked where there is no room
        places.append(ends(other))
    elif ends(other)[0] != places[-1][0]:
        return ["the panes do not stand side by side"]
    found: list[object] = [
        (end, begin) for (_, end), (begin, _) in pairwise(places) if end >= begin
    ]
    editor, _ = ends(page.get_by_label("JSON editor"))
    found += [editor] if editor > most else []
    seen = page.evaluate(SEEN)
    return found + [what for what, number in zip(seen, MOST, strict=True) if len(what) > number]


#: Notes what a button says, and presses it once more when it has copied: it says so for a moment.
PRESS_AGAIN = """button => {
    window.said = [];
    new MutationObserver(() => {
        window.said.push(button.textContent);
        if (window.said.join() === "Copied") button.click();
    }).observe(button, { childList: true });
}"""


def test_the_editor_begins_on_the_first_screen_which_is_calm(page: Page, answer: Locator) -> None:
    for (width, height), most in BEGINS.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(answer.get_by_role("heading", name="Send TOON")).to_be_in_viewport(ratio=1)
        expect(answer.locator(".hero")).to_contain_text("2,128→858 tokens")
        page.wait_for_function(f"() => document.documentElement.scrollWidth == {width}")
        wait_until(page, partial(unfit, page, answer, width, most), not_)

    # The names of models are whole in their list.
    box = page.get_by_role("combobox", name="Model")
    names = page.get_by_role("option").locator("[data-item-hl]")
    for width, height in BEGINS:
        page.set_viewport_size({"width": width, "height": height})
        for part in ("Claude Sonnet", "Mistral", "Tokenizer alone"):
            box.fill(part)
            expect(names.first).to_contain_text(part)
            wait_until(page, lambda: names.evaluate_all(CUT), not_)
        box.press("Escape")


def test_every_cost_has_one_basis_and_few_per_cents(page: Page, answer: Locator) -> None:
    """The answer, its row, its sentence and the pane's own sum say one figure."""
    expect(answer.locator(".best .tokens")).to_have_text("858")
    expect(answer.locator(".best .beside").first).to_have_text("820 + 38 note")
    chosen = page.locator(".delimiters label:has(:checked)")
    expect(chosen).to_have_text("tab 858")
    expect(chosen).to_have_attribute("title", "820 + 38 note")
    shares = re.findall(r"[−+]\d+(?=\s*%)", answer.inner_text())
    assert set(shares) == {"−60", "−38"}

    # What the answer says is copied.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copying = answer.get_by_role("button", name="Copy TOON and note")
    copying.evaluate(PRESS_AGAIN)
    copying.click()
    page.wait_for_function("() => window.said.length >= 4")
    said = page.evaluate("() => window.said")
    assert said.count("Copied") == 2
    assert said[-1] == "Copy TOON and note"  # pressed twice, it says again what it does
    copied = page.evaluate("navigator.clipboard.readText()")

    note, _, text = copied.partition("\n\n")
    expect(page.locator(".sent-before:visible")).to_have_text(note)
    assert text.startswith("orders[26\t]{order_id\tcustomer")

    # Cells between tabs stand below each other.
    rows = page.get_by_label("TOON editor").locator(".cm-line:has(.tab)")
    tabs = rows.evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('.tab')]"
        ".map(tab => Math.round(tab.getBoundingClientRect().right)))"
    )
    header, first, *others = tabs
    assert len(first) == 8
    assert all(row == first for row in others)
    assert header != first
    expect_text(page.get_by_label("TOON editor"), re.compile("50211\tMarlow Fittings\tLeeds"))

    # Both editors are as long as the one that is pulled, and the note stands over its text alone.
    surfaces = page.locator(".surface")
    surfaces.first.evaluate("surface => { surface.style.height = '600px'; }")
    assert ends(surfaces.nth(0))[1] == pytest.approx(ends(surfaces.nth(1))[1], abs=1)
    note = page.locator(".sent-before:visible")
    expect(note).to_have_text(re.compile("^The data is TOON"))

    page.get_by_role("radio", name="pipe").check()  # which is not what to send
    expect(note).to_have_count(0)


#: Keeps the editors' report, which is due 800 milliseconds after the figures, for the test to send.
HELD_REPORT = """{
    const set = window.setTimeout;
    window.setTimeout = (work, pause, ...rest) =>
        pause === 800 ? void (window.report = work) : set(work, pause, ...rest);
}"""
#: Presses Enter in a field, and sends the report in the same task, as if no click had been near.
ENTER_WITH_REPORT = """field => {
    const about = { key: "Enter", code: "Enter", keyCode: 13, bubbles: true };
    for (const name of ["keydown", "keypress"]) field.dispatchEvent(new KeyboardEvent(name, about));
    window.__tokenLab.clicked = -Infinity;
    window.report();
}"""


def test_a_number_that_goes_with_a_report_is_in_the_money_too(page: Page, app_server: str) -> None:
    """Streamlit sends both as one and names the report's part of the page alone."""
    with page.add_init_script(HELD_REPORT):
        page.goto(app_server)
    page.wait_for_function("() => window.report")
    page.get_by_role("button", name="Options").click()
    calls = page.get_by_label("Calls a month")
    calls.fill("200000")
    calls.evaluate(ENTER_WITH_REPORT)

    expect(page.locator(".answer .assumes")).to_have_text(re.compile("^for 200,000 payloads"))


def test_the_money_follows_its_assumptions_and_steps_open_their_pages(
    page: Page, answer: Locator
) -> None:
    page.get_by_role("button", name="Options").click()
    calls = page.get_by_label("Calls a month")
    calls.fill("200000")
    calls.press("Enter")

    expect(answer.locator(".worth")).to_have_text("saves $1,016 a month in input")
    expect(answer.locator(".assumes")).to_have_text(
        "for 200,000 payloads a month, $4.00 a million tokens, uncached"
    )
    wait_for_the_run(page)
    page.get_by_role("button", name="Options").click()

    # The next step puts more payloads into a prompt, another opens its page.
    open_sample(page, "weather")
    page.get_by_role("button", name="TOON with 3 payloads in a prompt").click()

    expect(answer.get_by_role("heading", name="Send TOON")).to_be_visible()
    wait_for_the_run(page)
    page.get_by_role("button", name="Options").click()
    expect(page.get_by_role("spinbutton", name="Payloads in a prompt")).to_have_value("3")

    wait_for_the_run(page)
    page.get_by_role("button", name="Options").click()
    page.get_by_role("button", name="All 8 formats").click()
    page.wait_for_url("**/compare*")
    expect(page.get_by_role("tab", name="Formats")).to_have_attribute("aria-selected", "true")
    go_to(page, "Playground")
    page.get_by_role("button", name="Read as well as JSON by 4 models").click()
    page.wait_for_url("**/evidence*")
    # What asks a model is a folder, made when it is pressed for.
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the folder (.zip)").click()
    with ZipFile(download.value.path()) as folder:
        assert "reading/questions.py" in folder.namelist()
        row = json.loads(folder.read("reading/questions.jsonl").split(b"\n")[0])
        assert row["id"] == "1-1"


def test_a_sample_is_called_one_until_ones_own_json_is_pasted(page: Page, answer: Locator) -> None:
    """By the button, or by keys where the clipboard may not be read."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = page.get_by_role("combobox", name="Sample")
    expect(opened).to_have_attribute("placeholder", "Sample: orders")
    expect(answer.locator(".called").first).to_have_text("This JSON")
    expect(page.locator(".introduction")).to_be_visible()

    page.evaluate('navigator.clipboard.writeText(\'[{"mine": 1}, {"mine": 2}]\')')
    page.get_by_role("button", name="Paste your JSON").click()
    expect(opened).to_have_attribute("placeholder", YOUR_TEXT)
    expect(answer.locator(".called").first).to_contain_text("Your JSON")
    expect(page.locator(".introduction")).to_be_hidden()

    open_sample(page, "orders")
    page.evaluate("() => { navigator.clipboard.readText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Paste your JSON").click()
    said = page.get_by_text("This page may not read the clipboard: press Ctrl+V")
    expect(said).to_be_visible()
    expect(page.get_by_label("JSON editor")).to_be_focused()
    press_paste(page, "[1]")
    expect(page.get_by_label("JSON editor")).to_have_text("[1]")
    expect(said).to_be_hidden()


def test_what_to_send_is_shown_where_it_is_no_toon(page: Page, answer: Locator) -> None:
    open_sample(page, "weather")
    shown = page.get_by_role("radiogroup", name="What is shown")
    best = page.locator(".best-text")
    expect(best).to_contain_text('{"city":"Port Almery"')
    expect(shown.locator("label:has(:checked)")).to_have_text("✓ minified JSON")
    expect(shown.locator(".badge")).to_be_visible()
    for width in (390, 1400):  # a phone does not scroll sideways
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(f"() => {MAIN}.scrollWidth == {width}")
        expect(shown.locator(".badge")).to_be_visible()

    page.get_by_label("TOON editor").focus()  # who goes there wants to see it
    expect(best).to_have_count(0)
    expect(shown.locator(".badge")).to_have_count(0)
    shown.get_by_role("radio", name="TOON").press("ArrowRight")
    expect(best).to_be_visible()
    expect(shown.get_by_role("radio", checked=True)).to_be_focused()

    page.get_by_label("JSON editor").press("End")
    page.keyboard.type("}")
    expect(best).to_have_count(0)  # what to send of another text

    open_sample(page, "orders")
    expect(shown).to_be_hidden()
    expect(best).to_have_count(0)


def test_a_page_that_is_tapped_while_a_number_is_typed_opens_with_that_number(
    browser: Browser, app_server: str
) -> None:
    """The press and what it does come at once in a window that is tapped."""
    with closing(browser.new_context(has_touch=True)) as context:
        tablet = context.new_page()
        tablet.goto(app_server)
        expect(tablet.locator(FRESH)).to_have_count(1)
        wait_for_the_run(tablet)  # a run redraws the box of the options
        tablet.get_by_role("button", name="Options").click()
        tablet.get_by_label("Calls a month").fill("6000")
        pages = tablet.get_by_test_id("stTopNavLink")
        pages.filter(has_text="Compare").first.tap()
        expect(tablet.get_by_role("button", name="6,000 calls a month")).to_be_visible()
        pages.filter(has_text="Playground").first.tap()
        expect(tablet.locator(".answer .assumes")).to_have_text(
            re.compile("^for 6,000 payloads a month, ")
        )
