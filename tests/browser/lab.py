"""What the browser tests do on any page, and the editor's harness, whose answers can be slowed."""

import hashlib
import json
import re
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tests.words import YOUR_TEXT

#: Seconds that guard against a hang, and nothing else: under load a large text takes many.
PATIENCE = 90
HARNESS = Path(__file__).parent / "harness" / "editor.py"
Seen = TypeVar("Seen")
#: The answer and its next steps, once both are about the text.
FRESH = ".answer[data-state=fresh] .next[data-state=fresh]"

FIRST = '{\n  "name": "Ada",\n  "tags": ["x", "y"],\n  "n": 42\n}'
SENTENCE = "the quick brown fox jumps over the lazy dog 0123456789"
WIDE = '{\n\t"naïve": "日本語テキスト",\n  "e": "👩‍👩‍👧 🇩🇪 ✅ é e\u0301",\n  "z": [1,\t2]\n}'

OTHER = {"json": "toon", "toon": "json"}
CONVERTED: dict[str, Callable[[str], str]] = {"json": str.upper, "toon": str.lower}

#: The text of an editor as it is drawn; what is drawn in part, or folded, is what the page keeps.
_TEXT = """area => {
    if (area.querySelector(".cm-gap, [contenteditable=false]:not(.cm-placeholder)")) {
        const side = area.ariaLabel.split(" ")[0].toLowerCase();
        return Object.values(window.__tokenLabEditors)[0].states[side].doc.toString();
    }
    const lines = [...area.querySelectorAll(".cm-line")];
    const isEmpty = area.querySelector(".cm-placeholder");
    return isEmpty ? "" : lines.map((line) => line.textContent).join("\\n");
}"""
#: Where the selection begins and ends, and whether the editor has the focus.
_CARET = """area => {
    const root = area.getRootNode();
    const { anchorNode, anchorOffset, focusNode, focusOffset } = root.getSelection();
    const at = (node, offset) => {
        const range = document.createRange();
        range.setStart(area, 0);
        range.setEnd(node, offset);
        const before = range.cloneContents().querySelectorAll(".cm-line");
        return [...before].map((line) => line.textContent).join("\\n").length;
    };
    const ends = [at(anchorNode, anchorOffset), at(focusNode, focusOffset)];
    return [Math.min(...ends), Math.max(...ends), root.activeElement === area];
}"""
#: Puts the caret at an offset of a text that is drawn whole. The editor hears of it from the page,
#: in a task of its own, which comes before those that are queued later.
_SELECT = """(area, offset) => {
    const heard = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    area.focus();
    let rest = offset;
    for (const line of area.querySelectorAll(".cm-line")) {
        if (rest > line.textContent.length) {
            rest -= line.textContent.length + 1;
            continue;
        }
        const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        let node = line;
        for (let next; (next = texts.nextNode()); rest -= next.length) {
            node = next;
            if (rest <= next.length) break;
        }
        area.getRootNode().getSelection().collapse(node, node === line ? 0 : rest);
        return heard();
    }
}"""


def wait_until(
    page: Page,
    look: Callable[[], Seen],
    holds: Callable[[Seen], object],
    *,
    within: float = PATIENCE,
) -> None:
    """Looks until something holds of what is seen; what the page does goes on meanwhile."""
    deadline = time.monotonic() + within
    while not holds(seen := look()):
        assert time.monotonic() < deadline, f"waited in vain: {str(seen)[:1_000]}"
        page.wait_for_timeout(50)


def text_of(area: Locator) -> str:
    """What an editor holds."""
    text: str = area.evaluate(_TEXT)
    return text


def expect_text(area: Locator, wanted: str | re.Pattern[str], *, within: float = PATIENCE) -> None:
    """Waits until an editor holds a text, or one that a pattern is found in."""
    area.wait_for()
    wait_until(
        area.page,
        lambda: text_of(area),
        lambda text: text == wanted if isinstance(wanted, str) else wanted.search(text),
        within=within,
    )


def caret(area: Locator) -> tuple[int, int, bool]:
    """Selection of an editor whose text is drawn whole, and whether it has the focus."""
    start, end, focused = area.evaluate(_CARET)
    return start, end, focused


def put_caret(area: Locator, offset: int) -> None:
    """Puts the caret into a text that is drawn whole; drawing before the editor hears undoes it."""

    def put() -> tuple[int, int, bool]:
        area.evaluate(_SELECT, offset)
        return caret(area)

    wait_until(area.page, put, lambda seen: seen == (offset, offset, True))


def paste_over(area: Locator, text: str) -> None:
    """Selects everything in an editor, or another field, by keys, and pastes over it.

    `fill` selects in the page, which the editor undoes if it draws before it hears of that.
    """
    area.focus()
    area.page.keyboard.press("ControlOrMeta+a")
    if text:
        area.page.keyboard.insert_text(text)
    else:
        area.page.keyboard.press("Delete")


#: Pastes, as the clipboard does.
PASTE = """(area, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    area.dispatchEvent(new ClipboardEvent("paste", options));
}"""


def paste(area: Locator, text: str) -> None:
    """Pastes a large text over everything in an editor."""
    area.focus()
    area.page.keyboard.press("ControlOrMeta+a")
    area.evaluate(PASTE, text)


def press_paste(page: Page, text: str) -> None:
    """Copies a text, and presses the keys that paste it wherever the page has its focus."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("ControlOrMeta+v")


def open_entrance(page: Page, name: str) -> None:
    """Opens what the menu of the header has: the demo, the history, what is shared."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name=name, exact=True).click()


def go_to(page: Page, name: str) -> None:
    """Goes to a page by the header."""
    page.get_by_role("link", name=name, exact=True).click()


def expect_payload(page: Page, text: str, name: str = YOUR_TEXT) -> None:
    """Waits until a page says that it is about a text of this name and length."""
    words = f"The payload of the playground: {name}, {len(text):,} characters"
    expect(page.get_by_text(words)).to_be_visible()


def wait_for_the_run(page: Page) -> None:
    """Waits until Python has run the page."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()


def wait_for_the_answer(page: Page) -> None:
    """Waits until the answer and all figures are of the text: nothing is to be drawn anew."""
    expect(page.locator(".figures.old")).to_have_count(0)
    expect(page.locator(FRESH)).to_have_count(1)


def open_tab(page: Page, name: str) -> Locator:
    """Opens a tab once Python has run the page: Streamlit may lose a click while it runs."""
    tab = page.get_by_role("tab", name=name)
    tab.wait_for()
    wait_for_the_run(page)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    return page.get_by_role("tabpanel", name=name)


#: Notes every text that a node has from now on.
_NOTE = """node => {
    window.noted = [];
    new MutationObserver(() => noted.push(node.textContent)).observe(node, { childList: true });
}"""
#: The drawn texts of an editor in each colour.
_PAINTED = """area => {
    const found = {};
    for (const [name, ranges] of CSS.highlights) {
        const own = [...ranges].filter((each) => area.contains(each.startContainer));
        const live = own.map((each) => {
            const range = document.createRange();
            range.setStart(each.startContainer, each.startOffset);
            range.setEnd(each.endContainer, each.endOffset);
            return range;
        });
        live.sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other));
        if (live.length) found[name] = live.map(String);
    }
    return found;
}"""


class Lab:
    """The harness as a test sees it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def control(self, **settings: float) -> dict[str, int]:
        """Changes the server's behaviour, or reads its counts."""
        query = f"?{urlencode(settings)}" if settings else ""
        method = "POST" if settings else "GET"
        request = urllib.request.Request(f"{self.url}/api/control{query}", method=method)
        with urllib.request.urlopen(request) as response:
            counts: dict[str, int] = json.load(response)
        return counts

    def open(self, **query: str) -> None:
        """Opens the page and waits until the first document has been converted."""
        self.page.goto(f"{self.url}/?{urlencode(query)}")
        expect(self.pane("toon").locator(".figures")).not_to_have_text("…")
        # An empty text is said to be empty before the server has heard of it.
        unanswered = ".answer[data-state=empty], .answer.pending"
        expect(self.page.locator(unanswered)).to_have_count(0)
        self.settle()

    def press(self, name: str) -> None:
        """Presses a tool below the panes."""
        self.page.get_by_role("group", name="Tools").get_by_role(
            "button", name=name, exact=True
        ).click()

    def expect_copied(self, copy: Callable[[], None]) -> None:
        """Calls `copy` and waits for the word "Copied", which a button shows for a second."""
        self.page.locator(".tools .copy").evaluate(_NOTE)
        copy()
        wait_until(self.page, lambda: self.page.evaluate("noted"), lambda said: "Copied" in said)

    def colour(self, name: str) -> Locator:
        """The choice of what the texts are coloured by."""
        return self.pane("json").get_by_role("radio", name=name, exact=True)

    def hear(self, text: str) -> None:
        """Waits until Python has heard of a text and has run: nothing of it is to come."""
        name = hashlib.sha256(text.encode()).hexdigest()[:16]  # the harness's
        expect(self.page.get_by_test_id("stCode")).to_contain_text(name)
        wait_for_the_run(self.page)
        self.settle()

    def settle(self) -> None:
        """Waits until every text shown has its figures, and nothing is under way."""
        expect(self.page.locator(".figures.old")).to_have_count(0)
        to_come = ".answer[data-state=fresh] .next[data-state=stale]"
        expect(self.page.locator(to_come)).to_have_count(0)
        self.rest()

    def rest(self) -> None:
        """Waits until no request is under way, also of the test before."""
        wait_until(self.page, self.control, lambda counts: not counts["now"])

    def pane(self, side: str) -> Locator:
        return self.page.get_by_role("group", name=side.upper(), exact=True)

    def area(self, side: str) -> Locator:
        return self.page.get_by_role("textbox", name=f"{side.upper()} editor", exact=True)

    def painted(self, side: str) -> dict[str, list[str]]:
        """The drawn texts of a pane in each colour, by its name."""
        found: dict[str, list[str]] = self.area(side).evaluate(_PAINTED)
        return found

    def expect_painted(self, side: str, name: str) -> None:
        """Waits until something of a pane is in a colour."""
        self.area(side).wait_for()
        wait_until(self.page, lambda: self.painted(side), lambda found: name in found)

    def reported(self) -> dict[str, Any]:
        """What Python has heard."""
        value: dict[str, Any] = json.loads(self.page.get_by_test_id("stCode").inner_text())
        return value

    def paste(self, side: str, script: str) -> None:
        """Replaces the text by pasting what a JavaScript expression gives."""
        self.area(side).focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.area(side).evaluate(f"(area, script) => ({PASTE})(area, eval(script))", script)
