"""From a click in the header to the page: ``python -m tests.benchmarks.switches [ROUNDS]``.

Compares every page with an empty one of the same app, in turns, in one real browser. Each round is
a new session. A switch begins with the click. The words are there when Python has run the page and
its heading stands; the page is drawn when each chart, table and editor in the window is too. The
target: both at most 2.5 times as long as for the empty page.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.timing import Ratios
from tests.browser.conftest import BROWSER_ARGS, served, system_browser

ROUNDS = 8
VISITS = 3
#: Milliseconds between switches, for what a page does after it stands.
PAUSE = 500
EMPTY = "Empty"
PAGES = (
    "Playground",
    "Compare",
    "Send less",
    "Compact",
    "Dialects",
    "Dashboard",
    "Pipeline",
    "Reading",
)

# Resolves with the milliseconds from the next click to the frames in which the words are there, and
# in which all is drawn.
WATCH = """
(name) => { window.switched = new Promise((resolve) => {
  const isDrawn = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const isInView = element.checkVisibility() && bottom > 0 && top < innerHeight;
    return !isInView || element.querySelector("canvas, svg.marks");
  };
  const holdsText = () => [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
    .some((host) => host.shadowRoot?.querySelector(".cm-line:not(:has(.cm-placeholder))"));
  const heading = () => document.querySelector("h1")?.textContent;
  const before = heading();
  const hasWords = () => heading() && heading() !== before
    && document.querySelector("[data-test-script-state=notRunning]");
  const stands = () => !document.querySelector("[data-testid=stSkeleton]")
    && (name !== "Playground" || holdsText())
    && [...document.querySelectorAll("[data-testid=stVegaLiteChart], [data-testid=stDataFrame]")]
      .every(isDrawn);
  addEventListener("click", ({ timeStamp }) => {
    let words = null;
    const since = () => performance.now() - timeStamp;
    const look = () => requestAnimationFrame(() => {
      if (!hasWords()) return look();
      words ??= since();
      if (!stands()) look();
      else requestAnimationFrame(() => resolve([words, since()]));
    });
    look();
  }, { once: true, capture: true });
}); }
"""


class Switch(NamedTuple):
    """Milliseconds from a click until the words are there, and until all is drawn."""

    words: float
    drawn: float


def switch(page: Page, name: str) -> Switch:
    page.evaluate(WATCH, name)
    page.get_by_role("link", name=name, exact=True).click()
    taken = Switch(*page.evaluate("() => window.switched"))
    page.wait_for_timeout(PAUSE)
    return taken


def median(switches: list[Switch]) -> Switch:
    return Switch(*map(statistics.median, zip(*switches, strict=True)))


def main() -> Ratios:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    first: dict[str, list[Switch]] = {name: [] for name in PAGES}
    later: dict[str, list[Switch]] = {name: [] for name in PAGES}
    empty: list[Switch] = []
    with sync_playwright() as playwright, served(Path(__file__).parent / "switches_app.py") as app:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        for _ in range(rounds):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{app.url}/empty")
            page.get_by_role("heading", name=EMPTY).wait_for()
            page.wait_for_timeout(2 * PAUSE)
            for name in PAGES:
                for visit in range(VISITS):
                    (later if visit else first)[name].append(switch(page, name))
                    empty.append(switch(page, EMPTY))
            page.close()
        browser.close()
    base = median(empty)
    print(f"{'':12}{'later visits: words, drawn':>34}{'first in a session':>26}")
    print(f"{EMPTY:12}{base.words:10.0f} ms{'':7}{base.drawn:10.0f} ms")
    words, drawn = [], []
    for name in PAGES:
        again, once = median(later[name]), median(first[name])
        words.append(again.words / base.words)
        drawn.append(again.drawn / base.drawn)
        print(
            f"{name:12}{again.words:10.0f} ms{again.words / base.words:7.1f}"
            f"{again.drawn:10.0f} ms{again.drawn / base.drawn:7.1f}"
            f"{once.drawn:16.0f} ms{once.drawn / base.drawn:7.1f}"
        )
    return [words, drawn]


if __name__ == "__main__":
    main()
