"""From a key press to the other pane: ``python -m tests.benchmarks.editor``.

Compares the app with one whose routes only echo, in one real browser; the ratio leaves out the
150 ms for which the editor waits for the next key.
"""

import json
import statistics
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.timing import ROOT, Ratios
from tests.browser.conftest import BROWSER_ARGS, WINDOWLESS, served, system_browser
from tests.browser.lab import paste

DEBOUNCE = 150.0  # milliseconds
KEYS = 7
SIZES = (1_000, 50_000)  # characters

# Resolves with the milliseconds from the next key press to the frame after a node changed.
WATCH = """
([source, node]) => new Promise((resolve) => {
  source.addEventListener("keydown", ({ timeStamp }) => {
    const observer = new MutationObserver(() => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        observer.disconnect();
        resolve(performance.now() - timeStamp);
      };
      channel.port2.postMessage(0);
    }));
    observer.observe(node, { childList: true, subtree: true, characterData: true });
  }, { once: true });
})
"""


def payload(size: int) -> str:
    """JSON of records, of about ``size`` characters."""
    row = {"name": "Ada", "city": "Porto", "age": 36}
    one = len(json.dumps([row] * 100, indent=2)) / 100
    return json.dumps([{**row, "age": 36 + i % 9} for i in range(int(size / one))], indent=2)


def until_shown(page: Page, url: str, text: str) -> float:
    """The median milliseconds of a key until the other pane has changed."""
    page.goto(url)
    area = page.get_by_label("JSON editor")
    area.wait_for(timeout=60_000)
    paste(area, text)
    page.wait_for_timeout(3_000 + len(text) // 100)
    area.press("ControlOrMeta+Home")
    area.press("ControlOrMeta+f")
    page.keyboard.type("Ada")
    for key in ("Escape", "ArrowRight"):  # behind the first name
        page.keyboard.press(key)
    nodes = [area.element_handle(), page.get_by_label("TOON editor").element_handle()]
    times = []
    for _ in range(KEYS):
        page.evaluate(f"(nodes) => {{ window.seen = ({WATCH})(nodes); }}", nodes)
        page.keyboard.press("x")
        times.append(page.evaluate("() => window.seen"))
        page.wait_for_timeout(1_500)
    return statistics.median(times)


def main() -> Ratios:
    ratios = []
    with (
        sync_playwright() as playwright,
        served(ROOT / "app.py") as ours,
        served(Path(__file__).parent / "echo_app.py") as echo,
    ):
        browser = playwright.chromium.launch(
            executable_path=system_browser(WINDOWLESS), args=BROWSER_ARGS
        )
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        print(f"{'characters':>12}{'ours ms':>10}{'echo ms':>10}   ratio without the wait")
        for size in SIZES:
            whole, bare = (until_shown(page, each.url, payload(size)) for each in (ours, echo))
            ratios.append((whole - DEBOUNCE) / (bare - DEBOUNCE))
            print(f"{size:12,}{whole:10.0f}{bare:10.0f}   {ratios[-1]:.2f}")
        browser.close()
    return [ratios]


if __name__ == "__main__":
    main()
