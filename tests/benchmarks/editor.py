"""From a key press to the repaint of the other pane: ``python -m tests.benchmarks.editor``.

Compares the page with its own routes and with routes that only echo, in one real browser. The
ratio leaves out the 150 ms for which the editor waits for the next key.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.timing import ROOT
from tests.browser.conftest import BROWSER_ARGS, served, system_browser

DEBOUNCE = 150.0  # milliseconds
KEYS = 15
SIZES = (1_000, 50_000)  # characters

# Resolves with the milliseconds from the next key press to the frame after the other pane's
# text changed.
WATCH = """
([source, drawn]) => new Promise((resolve) => {
  const before = drawn.textContent;
  source.addEventListener("keydown", ({ timeStamp }) => {
    const look = () => {
      if (drawn.textContent === before) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - timeStamp);
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  }, { once: true });
})
"""


def payload(size: int) -> str:
    """Indented JSON of about ``size`` characters."""
    rows = [{"name": "Ada", "city": "Porto", "age": 36 + i % 9} for i in range(size // 72)]
    return json.dumps(rows, indent=2)


def latencies(page: Page, url: str, size: int) -> list[float]:
    page.goto(url)
    area = page.get_by_label("JSON editor")
    area.wait_for(timeout=30_000)
    area.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(payload(size))
    page.wait_for_timeout(3000)
    area.evaluate(
        "area => { const at = area.value.indexOf('Ada') + 3; area.focus();"
        " area.setSelectionRange(at, at); area.scrollTop = 0 }"
    )
    drawn = page.get_by_role("group", name="TOON", exact=True).locator(".ink")
    source, target = area.element_handle(), drawn.element_handle()
    times = []
    for _ in range(KEYS):
        page.evaluate(f"(pair) => {{ window.seen = ({WATCH})(pair); }}", [source, target])
        page.keyboard.press("x")
        times.append(float(page.evaluate("() => window.seen")))
        page.wait_for_timeout(1500)
    return times


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        print(f"{'characters':>12}{'ours ms':>10}{'echo ms':>10}   ratio without the wait")
        with served(ROOT / "app.py") as ours, served(Path(__file__).parent / "echo_app.py") as echo:
            for size in SIZES:
                page = browser.new_page(viewport={"width": 1400, "height": 1000})
                medians = [
                    statistics.median(latencies(page, url, size)) for url in (ours.url, echo.url)
                ]
                page.close()
                ratio = (medians[0] - DEBOUNCE) / (medians[1] - DEBOUNCE)
                print(f"{size:12,}{medians[0]:10.0f}{medians[1]:10.0f}   {ratio:.2f}")
        browser.close()


if __name__ == "__main__":
    main()
