"""Runs of 100,000 and 1,000,000 rows in the dashboard: ``python -m tests.benchmarks.dashboard``.

Compares the dashboard with a bare page that draws the same panels from prepared figures, in turns,
in one real browser. Times run from the upload of the run, and from a search, until the page shows
the new figures. The target is at most 1.5 times as long. The memory is the most that the server had
resident, against what it had before the first upload.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.corpus import Peak, resident
from tests.benchmarks.timing import ROOT, SEARCHES, Ratios
from tests.browser.conftest import BROWSER_ARGS, served, system_browser
from toon.measuring.table import KEY, open_run

SIZES = (100_000, 1_000_000)
ROUNDS = 5
LIMIT = 1.5

READY = """
(expected) => document.querySelector("[data-test-script-state=notRunning]") !== null
  && [...document.querySelectorAll(".cards .figure")]
       .some((figure) => figure.textContent.trim() === expected)
"""


def big_run(path: Path, rows: int) -> dict[str, str]:
    """Writes the sample's rows over and over; returns how many payloads each search matches."""
    run = open_run(ROOT / "samples" / "corpus.parquet")
    table = run.table()
    times = -(-rows // table.num_rows)
    whole = pa.concat_tables([table] * times).unify_dictionaries().slice(0, rows)
    about = json.dumps(run.about | {"records": rows})
    pq.write_table(whole.replace_schema_metadata({KEY: about}), path, compression="zstd")
    groups = whole.filter(pc.is_null(whole["error"]))["group"].to_pylist()
    return {search: f"{sum(search in group for group in groups):,}" for search in ("", *SEARCHES)}


def wait_for_figures(page: Page, expected: str) -> float:
    start = time.perf_counter()
    page.wait_for_function(READY, arg=expected, timeout=60_000)
    return time.perf_counter() - start


def visit(page: Page, url: str, run: Path, expected: dict[str, str]) -> tuple[float, list[float]]:
    """Seconds from the upload to its figures, and from each search to its figures."""
    page.goto(url)
    if not url.endswith("bare"):
        page.get_by_role("link", name="Dashboard").click()
        page.wait_for_function(READY, arg="2,594", timeout=60_000)
        page.get_by_text("Measure your own traffic").click()
    upload = page.locator(".st-key-dashboard_upload input[type=file]")
    upload.wait_for(state="attached", timeout=60_000)
    page.wait_for_timeout(1_500)
    upload.set_input_files(run)
    opened = wait_for_figures(page, expected[""])
    field = page.get_by_role("textbox", name="Search", exact=True)
    searched = []
    for search in SEARCHES:
        page.wait_for_timeout(1_500)
        if not field.is_visible():
            page.get_by_role("button", name="Filter").click()
        field.fill(search)
        field.press("Enter")
        searched.append(wait_for_figures(page, expected[search]))
    return opened, searched


def compare(browser: Browser, run: Path, rows: int) -> list[float]:
    """Prints the times of both pages with a run of so many rows, and the memory of ours.

    Gives the ratios of opening and of searching, and of the most memory against that before.
    """
    expected = big_run(run, rows)
    os.environ["BARE_RUN"] = str(run)
    opened: list[list[float]] = [[], []]
    searched: list[list[float]] = [[], []]
    bare_page = Path(__file__).parent / "dashboard_bare.py"
    with served(ROOT / "app.py") as ours, served(bare_page) as bare:
        before, peak = resident(ours.pid), Peak(ours.pid)
        peak.start()
        for turn in range(ROUNDS + 1):
            for which, url in enumerate((ours.url, f"{bare.url}/?bare")):
                page = browser.new_page(viewport={"width": 1400, "height": 1000})
                first, searches = visit(page, url, run, expected)
                page.close()
                if turn:  # the first turn warms up both servers
                    opened[which].append(first)
                    searched[which] += searches
    peak.join()
    print(f"{rows:,} rows, {run.stat().st_size / 1e6:.1f} MB; ", end="")
    print(f"memory {before / 1e6:.0f} MB before, {peak.bytes / 1e6:.0f} MB at most")
    print("              ours ms   bare ms   ratio   bound")
    ratios = []
    for name, (mine, theirs) in (("open", opened), ("search", searched)):
        medians = statistics.median(mine), statistics.median(theirs)
        ratio = medians[0] / medians[1]
        ratios.append(ratio)
        print(f"{name:12}{medians[0] * 1e3:9.0f}{medians[1] * 1e3:10.0f}{ratio:8.2f}{LIMIT:8}")
    return [*ratios, peak.bytes / before]


def main() -> Ratios:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        path = Path(folder) / "run.parquet"
        opened, searched, held = zip(*[compare(browser, path, rows) for rows in SIZES], strict=True)
        browser.close()
    return [[*opened], [*searched], [*held]]


if __name__ == "__main__":
    main()
