"""From a click in the header to the page: ``python -m tests.benchmarks.switches [ROUNDS]``.

Compares every page with an empty one of the same app, in turns, in one real browser. Each round is
a new session. A switch begins with the click. It is over when Python has run the page, its heading
is there (and the text in the editor of the playground), and each chart and table in the window is
drawn. The target: at most 2.5 times as long as to the empty page.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import BROWSER_ARGS, served, system_browser

ROUNDS = 5
VISITS = 3
#: Milliseconds between switches, for what a page does after it stands.
PAUSE = 500
EMPTY = "Empty"
PAGES = ("Playground", "Compare", "Send less", "Compact", "Dialects", "Dashboard", "Pipeline")

# Resolves with the milliseconds from the next click to the frame in which the page stands.
WATCH = """
(name) => { window.switched = new Promise((resolve) => {
  const isDrawn = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const isInView = element.checkVisibility() && bottom > 0 && top < innerHeight;
    return !isInView || element.querySelector("canvas, svg.marks");
  };
  const holdsText = () => [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
    .some((host) => host.shadowRoot?.querySelector("textarea")?.value);
  const heading = () => document.querySelector("h1")?.textContent;
  const before = heading();
  const stands = () => heading() && heading() !== before
    && (name !== "Playground" || holdsText())
    && document.querySelector("[data-test-script-state=notRunning]")
    && !document.querySelector("[data-testid=stSkeleton]")
    && [...document.querySelectorAll("[data-testid=stVegaLiteChart], [data-testid=stDataFrame]")]
      .every(isDrawn);
  addEventListener("click", ({ timeStamp }) => {
    const look = () => requestAnimationFrame(() => {
      if (!stands()) look();
      else requestAnimationFrame(() => resolve(performance.now() - timeStamp));
    });
    look();
  }, { once: true, capture: true });
}); }
"""


def switch(page: Page, name: str) -> float:
    page.evaluate(WATCH, name)
    page.get_by_role("link", name=name, exact=True).click()
    taken = float(page.evaluate("() => window.switched"))
    page.wait_for_timeout(PAUSE)
    return taken


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    first: dict[str, list[float]] = {name: [] for name in PAGES}
    later: dict[str, list[float]] = {name: [] for name in PAGES}
    empty: list[float] = []
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
    base = statistics.median(empty)
    print(f"{'':12}{'later visits':>20}{'first in a session':>26}")
    print(f"{EMPTY:12}{base:10.0f} ms")
    for name in PAGES:
        again, once = statistics.median(later[name]), statistics.median(first[name])
        print(f"{name:12}{again:10.0f} ms{again / base:7.1f}{once:16.0f} ms{once / base:7.1f}")


if __name__ == "__main__":
    main()
