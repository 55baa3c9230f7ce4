"""Memory that is given back after a session: ``python -m tests.benchmarks.sessions``.

Sessions follow one another in a real browser. Each opens every page and every tab, measures the
sample corpus in the dashboard and closes. The server forgets it after a second, and its memory is
read. The target: three sessions leave at most 1.3 times what one leaves.
"""

from __future__ import annotations

import subprocess
import time

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.switches import PAGES, switch
from tests.benchmarks.timing import ROOT, Ratios
from tests.browser.conftest import BROWSER_ARGS, served, system_browser
from tests.browser.lab import wait_for_the_run
from tests.browser.pages import tabs_of

SESSIONS = 3
#: Seconds until a closed session is forgotten: the time to live below, and Streamlit's clock.
ENDED_AFTER = 20
CORPUS = ROOT / "samples" / "corpus.jsonl.gz"


def memories(pid: int) -> tuple[int, list[int]]:
    """The resident memory of a process and of each that it started, in megabytes."""
    listed = subprocess.check_output(["ps", "-eo", "pid=,ppid=,rss="], text=True)
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
    (own,) = (rss // 1024 for process, _, rss in rows if process == pid)
    return own, [rss // 1024 for _, parent, rss in rows if parent == pid]


def memory(pid: int) -> int:
    """The resident memory of a process and of those it started, in megabytes."""
    own, others = memories(pid)
    return own + sum(others)


def measure_corpus(page: Page) -> None:
    """Uploads and measures the sample corpus in the dashboard."""
    page.get_by_text("Measure your own traffic").click()
    source = page.locator(".st-key-dashboard_source")
    source.locator("input[type=file]").set_input_files(CORPUS)
    page.get_by_test_id("stAlert").filter(has_text=CORPUS.name).first.wait_for(timeout=120_000)


def run_session(browser: Browser, url: str) -> None:
    """Opens every page and tab, measures the corpus, and closes; then the session ends."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(url)
    page.get_by_label("JSON editor").wait_for(timeout=120_000)
    for name in PAGES[1:]:
        switch(page, name)
        for _ in tabs_of(page):
            wait_for_the_run(page)
        if name == "Dashboard":
            measure_corpus(page)
    page.close()
    time.sleep(ENDED_AFTER)


def main() -> Ratios:
    flags = ("--server.disconnectedSessionTTL", "1")
    with sync_playwright() as playwright, served(ROOT / "app.py", *flags) as server:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        print(f"{'sessions':>10}{'MB':>8}   against one")
        print(f"{0:10}{memory(server.pid):8}")
        left: list[int] = []
        for number in range(1, SESSIONS + 1):
            run_session(browser, server.url)
            left.append(memory(server.pid))
            print(f"{number:10}{left[-1]:8}   {left[-1] / left[0]:.2f}")
        browser.close()
    return [[left[-1] / left[0]]]


if __name__ == "__main__":
    main()
