from __future__ import annotations
import statistics, sys, time
from pathlib import Path
from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import BROWSER_ARGS, served, system_browser

PAGES = {
    "Playground": "What does this JSON cost a model, and what would TOON?",
    **{n: n for n in ("Compare", "Send less", "Compact", "Dialects", "Dashboard", "Pipeline")},
}
WATCH = """
(title) => { window.switched = new Promise((resolve) => {
  let start = null, t1 = null;
  addEventListener("click", (event) => { start = event.timeStamp; requestAnimationFrame(look); },
    { once: true, capture: true });
  const roots = () => [document, ...[...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
      .map((host) => host.shadowRoot).filter(Boolean)];
  const stands = () => document.querySelector("h1")?.textContent === title
    && document.querySelector("[data-test-script-state=notRunning]")
    && !document.querySelector("[data-testid=stSkeleton]")
    && [...document.querySelectorAll("[data-testid=stVegaLiteChart]")].filter(c => c.checkVisibility())
         .every((chart) => chart.querySelector("canvas, svg"))
    && [...document.querySelectorAll("[data-testid=stDataFrame]")].filter(c => c.checkVisibility())
         .every((table) => table.querySelector("canvas"))
    && (!title.startsWith("What") || roots().some((r) => r.querySelector("textarea")?.value));
  const look = () => {
    if (t1 === null && document.querySelector("h1")?.textContent === title
    && document.querySelector("[data-test-script-state=notRunning]")) t1 = performance.now();
    if (!stands()) return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve([performance.now() - start, t1 - start]));
  };
}); }
"""


def switch(page: Page, name: str) -> float:
    page.evaluate(WATCH, PAGES.get(name, name))
    page.get_by_role("link", name=name, exact=True).click()
    a, b = page.evaluate("() => window.switched")
    page.wait_for_timeout(400)
    return a, b


def main() -> None:
    rounds = int(sys.argv[1])
    pages = sys.argv[2:] or list(PAGES)
    with (
        sync_playwright() as playwright,
        served(Path(__file__).parent / "switches_app.py") as server,
    ):
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        T = {}
        for r in range(rounds):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(f"{server.url}/empty")
            page.get_by_role("heading", name="Empty").wait_for()
            page.wait_for_timeout(1500)
            for name in pages:
                for kind in ("first", "later", "later"):
                    T.setdefault((name, kind), []).append(switch(page, name))
                    T.setdefault(("Empty after page", "x"), []).append(switch(page, "Empty"))
                T.setdefault(("Blank", "x"), []).append(switch(page, "Blank"))
                T.setdefault(("Empty after blank", "x"), []).append(switch(page, "Empty"))
            page.close()
        med = {k: [statistics.median(x) * 1 for x in zip(*v)] for k, v in T.items()}
        base = statistics.median(
            [a for k in T if k[1] == "x" and "after page" not in k[0] for a, _ in T[k]]
        )
        for k, v in med.items():
            print(
                f"{k[0]:20}{k[1]:7} {v[0]:7.0f} ms (script {v[1]:6.0f})  {v[0] / base:.2f}  {v[0] / med[('Empty after page', 'x')][0]:.2f}"
            )
        print(open(server.log).read()[-2000:])


if __name__ == "__main__":
    main()
