"""What the browser tests do on any page, and the editor's harness, whose answers can be slowed."""

from __future__ import annotations

import hashlib
import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

HARNESS = Path(__file__).parent / "harness" / "editor.py"
FIRST = '{\n  "name": "Ada",\n  "tags": ["x", "y"],\n  "n": 42\n}'
SENTENCE = "the quick brown fox jumps over the lazy dog 0123456789"
WIDE = '{\n\t"naïve": "日本語テキスト",\n  "e": "👩‍👩‍👧 🇩🇪 ✅ é e\u0301",\n  "z": [1,\t2]\n}'

OTHER = {"json": "toon", "toon": "json"}
CONVERTED: dict[str, Callable[[str], str]] = {"json": str.upper, "toon": str.lower}


def paste_over(area: Locator, text: str) -> None:
    """Selects everything in a textarea and pastes over it."""
    area.click()
    area.page.keyboard.press("ControlOrMeta+a")
    area.page.keyboard.insert_text(text)


#: Pastes over all, as the clipboard does: the editor may take the text itself.
_PASTE = """(area, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    area.focus();
    area.select();
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    area.dispatchEvent(new ClipboardEvent("paste", options));
}"""


def paste(area: Locator, text: str) -> None:
    """Pastes a large text over everything in a textarea of the editor."""
    area.evaluate(_PASTE, text)


def wait_for_the_run(page: Page) -> None:
    """Waits until Python has run the page."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible(
        timeout=30_000
    )


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
        self.settle()

    def hear(self, text: str) -> None:
        """Waits until Python has heard of a text and has run: nothing of it is to come."""
        name = hashlib.sha256(text.encode()).hexdigest()[:16]  # the harness's
        expect(self.page.get_by_test_id("stCode")).to_contain_text(name)
        wait_for_the_run(self.page)

    def settle(self) -> None:
        """Waits until every text shown has its figures, and nothing is under way."""
        expect(self.page.locator(".figures.old")).to_have_count(0)
        to_come = ".answer[data-state=fresh] + .next[data-state=stale]"
        expect(self.page.locator(to_come)).to_have_count(0)
        deadline = time.monotonic() + 5
        while self.control()["now"] and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)

    def pane(self, side: str) -> Locator:
        return self.page.get_by_role("group", name=side.upper(), exact=True)

    def area(self, side: str) -> Locator:
        return self.page.get_by_label(f"{side.upper()} editor")

    def ink(self, side: str) -> str:
        """The text that is drawn."""
        lines = self.pane(side).locator(".ink .line:not([hidden])").all_text_contents()
        return "\n".join(lines)

    def reported(self) -> dict[str, Any]:
        """What Python has heard."""
        value: dict[str, Any] = json.loads(self.page.get_by_test_id("stCode").inner_text())
        return value

    def paste(self, side: str, script: str) -> None:
        """Replaces the text by pasting what a JavaScript expression gives."""
        self.area(side).evaluate(f"(area, script) => ({_PASTE})(area, eval(script))", script)


def caret(area: Locator) -> tuple[int, int, bool]:
    """Selection of a textarea, and whether it has the focus."""
    start, end, focused = area.evaluate(
        "a => [a.selectionStart, a.selectionEnd, a.getRootNode().activeElement === a]"
    )
    return start, end, focused
