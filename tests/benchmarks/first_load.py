"""From an address to the editor: ``python -m tests.benchmarks.first_load [ROUNDS]``.

Compares the playground with an app of one line, ``st.write("hi")``, in turns, in one real browser,
each load as a new visitor. The editor is usable when it holds the text; the app of one line when
its word is there. Cold is the first load of a fresh server process, warm are later ones. The
targets: at most 2 times as long cold, 1.5 times warm.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.timing import ROOT, Ratios
from tests.browser.conftest import BROWSER_ARGS, served, system_browser

ROUNDS = 5
WARM_LOADS = 2
READY = """
() => document.querySelector("[data-testid=stMarkdown]")?.textContent.trim() === "hi"
  || [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
    .some((host) => host.shadowRoot?.querySelector(".cm-line:not(:has(.cm-placeholder))"))
"""


def load(browser: Browser, url: str) -> float:
    """Seconds from the address until the page can be used."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    start = perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_function(READY, timeout=60_000)
    taken = perf_counter() - start
    page.wait_for_timeout(1_000)
    context.close()
    return taken


def main() -> Ratios:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    cold: list[list[float]] = [[], []]
    warm: list[list[float]] = [[], []]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        line = Path(folder) / "hi.py"
        line.write_text('import streamlit as st\n\nst.write("hi")\n', encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        for _ in range(rounds):
            with served(ROOT / "app.py") as ours, served(line) as bare:
                for which, server in enumerate((ours, bare)):
                    cold[which].append(load(browser, server.url))
                for _ in range(WARM_LOADS):
                    for which, server in enumerate((ours, bare)):
                        warm[which].append(load(browser, server.url))
        browser.close()
    print(f"{'':6}{'editor ms':>11}{'one line ms':>13}   ratio")
    ratios = []
    for name, (mine, theirs) in (("cold", cold), ("warm", warm)):
        editor, one_line = statistics.median(mine) * 1e3, statistics.median(theirs) * 1e3
        print(f"{name:6}{editor:11.0f}{one_line:13.0f}   {editor / one_line:.2f}")
        ratios.append([editor / one_line])
    return ratios


if __name__ == "__main__":
    main()
