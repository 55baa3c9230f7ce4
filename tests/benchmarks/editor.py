"""From a key press to its change on the page: ``python -m tests.benchmarks.editor [--live | URL]``.

The first table compares the repaint of the other pane with routes that only echo; the ratio leaves
out the 150 ms for which the editor waits for the next key. The second one, with ``--live``, is
milliseconds from a key press to its own pane, the other pane, the answer above them and its next
steps, by size and by JSON of one line or of many, in one real browser. ``URL`` measures a running
app, without echo.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.timing import ROOT, Ratios
from tests.browser.conftest import BROWSER_ARGS, served, system_browser
from tests.browser.lab import paste

DEBOUNCE = 150.0  # milliseconds
KEYS = 7
SIZES = (1_000, 50_000)  # characters
LIVE_SIZES = (1_000, 50_000, 500_000, 2_500_000, 10_000_000)
STAGES = ("own pane", "other pane", "answer", "next")

# Resolves with the milliseconds from the next key press to the frame after each node changed; null
# for one that did not within the time given, or that is not there.
WATCH = """
([source, ...nodes], most) => new Promise((resolve) => {
  const times = nodes.map(() => null);
  source.addEventListener("keydown", ({ timeStamp }) => {
    const done = () => (observers.forEach((each) => each?.disconnect()), resolve(times));
    const painted = (index) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        times[index] ??= performance.now() - timeStamp;
        if (times.every((time, index) => time !== null || !nodes[index])) done();
      };
      channel.port2.postMessage(0);
    });
    const seen = { childList: true, subtree: true, characterData: true };
    const observers = nodes.map((node, index) => {
      if (!node) return null;
      const observer = new MutationObserver(() => painted(index));
      observer.observe(node, seen);
      return observer;
    });
    setTimeout(done, most);
  }, { once: true });
})
"""


def payload(size: int, indent: int | None = 2) -> str:
    """JSON of records, of about ``size`` characters; all of it in one line for no indent."""
    separators = (",", ": ") if indent else (",", ":")
    row = {"name": "Ada", "city": "Porto", "age": 36}
    one = len(json.dumps([row] * 100, indent=indent, separators=separators)) / 100
    rows = [{**row, "age": 36 + i % 9} for i in range(int(size / one))]
    return json.dumps(rows, indent=indent, separators=separators)


def stages(page: Page, url: str, text: str, most: int = 20_000) -> list[float | None]:
    """The median milliseconds of a key until each of ``STAGES``; None where nothing happens."""
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
    panes = [page.get_by_label(f"{name} editor") for name in ("JSON", "TOON")]
    places = [*panes, *map(page.locator, (".bars", ".next"))]
    nodes = [place.element_handle() if place.count() else None for place in places]
    times = []
    for _ in range(KEYS):
        arguments = [[area.element_handle(), *nodes], most]
        page.evaluate(f"([nodes, most]) => {{ window.seen = ({WATCH})(nodes, most); }}", arguments)
        page.keyboard.press("x")
        times.append(page.evaluate("() => window.seen"))
        page.wait_for_timeout(1_500)
    return [_median(column) for column in zip(*times, strict=True)]


def _median(times: Sequence[float | None]) -> float | None:
    known = [time for time in times if time is not None]
    return statistics.median(known) if known else None


def print_stages(page: Page, url: str) -> None:
    """The second table."""
    print(f"{'characters':>12}{'lines':>7}" + "".join(f"{stage:>12}" for stage in STAGES))
    for size in LIVE_SIZES:
        for indent in (2, None):
            found = stages(page, url, payload(size, indent))
            cells = "".join("           –" if each is None else f"{each:9.0f} ms" for each in found)
            print(f"{size:12,}{'many' if indent else 'one':>7}{cells}", flush=True)


def print_echo(page: Page, url: str) -> list[float]:
    """The first table; its ratios."""
    ratios = []
    print(f"{'characters':>12}{'ours ms':>10}{'echo ms':>10}   ratio without the wait")
    with served(Path(__file__).parent / "echo_app.py") as echo:
        for size in SIZES:
            ours, bare = (stages(page, each, payload(size), 5_000)[1] for each in (url, echo.url))
            assert ours
            assert bare
            ratio = (ours - DEBOUNCE) / (bare - DEBOUNCE)
            ratios.append(ratio)
            print(f"{size:12,}{ours:10.0f}{bare:10.0f}   {ratio:.2f}")
    return ratios


def main() -> Ratios:
    ratios = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        live = sys.argv[1:] == ["--live"]
        if sys.argv[1:] and not live:
            print_stages(page, sys.argv[1])
        else:
            with served(ROOT / "app.py") as ours:
                ratios = print_echo(page, ours.url)
                if live:
                    print_stages(page, ours.url)
        browser.close()
    return [ratios]


if __name__ == "__main__":
    main()
