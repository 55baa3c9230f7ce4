"""This editor beside that of another checkout: ``python -m tests.benchmarks.two_editors FOLDER``.

``FOLDER`` is another commit of this repository, with its ``app.py``. Both apps run at once, and one
real browser asks them in turns: from an address to the usable editor, cold and warm; from a key to
the frame that shows it, by the size of a coloured text, with the longest gap between two frames;
undo, folding and finding in 10 MB; what one click on a delimiter moves over the network; and what
24 changes of pages leave in memory. ``--only PART...`` measures some of them.
"""

from __future__ import annotations

import argparse
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.editor import payload
from tests.benchmarks.timing import ROOT
from tests.browser.conftest import BROWSER_ARGS, served, system_browser
from tests.browser.lab import go_to

SIZES: Final = (1_000, 50_000, 500_000, 2_450_000, 10_000_000)  # characters
#: Loads of a page, bursts of keys, and keys in each.
LOADS, BURSTS, KEYS = 7, 6, 20
#: Seconds in which the processes of a server that was just started have loaded what they need.
SETTLED = 4
#: Milliseconds between keys: faster than most people type, so that answers arrive between them.
PAUSE = 120
PAGES = ("Compare", "Dialects", "Reading", "Playground")

#: An editor holds text, whichever it is made of.
_READY = """() => [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].some(
    ({ shadowRoot: root }) => root?.querySelector("textarea")?.value
        || root?.querySelector(".cm-line:not(:has(.cm-placeholder))"))"""
_FRESH = """() => ![...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].some(
    ({ shadowRoot }) => shadowRoot?.querySelector(".figures.old"))"""
_FILL = """(area, text) => {
    if (area.tagName === "TEXTAREA") {
        area.value = text;
        return area.dispatchEvent(new Event("input"));
    }
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    area.dispatchEvent(new ClipboardEvent("paste", options));
}"""
#: From now on ``times`` gets the milliseconds from each key until its frame is painted.
_WATCH = """() => {
    window.times = [];
    addEventListener("keydown", ({ timeStamp, key }) => {
        if (["Control", "Shift"].includes(key)) return;
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => times.push(performance.now() - timeStamp);
            channel.port2.postMessage(0);
        });
    }, { capture: true });
}"""
#: From now on ``longest`` is the longest time between two frames.
_GAPS = """() => {
    let last = performance.now();
    window.longest = 0;
    const look = (now) => {
        longest = Math.max(longest, now - last);
        last = now;
        window.frame = requestAnimationFrame(look);
    };
    window.frame = requestAnimationFrame(look);
}"""


_STANDS = """(name) => document.querySelector("h1")?.textContent.startsWith(name)
    && document.querySelector("[data-test-script-state=notRunning]")"""


class App(NamedTuple):
    """A running app, and the page of a visitor."""

    name: str
    page: Page

    @property
    def area(self) -> Any:
        return self.page.get_by_role("textbox", name="JSON editor", exact=True)

    def fill(self, size: int) -> None:
        """Puts a text there and, when it has its figures, the caret into one of its strings."""
        self.area.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.area.evaluate(_FILL, payload(size))
        self.rest()
        self.press("ControlOrMeta+Home", "ArrowDown", "ArrowDown", "End", "ArrowLeft", "ArrowLeft")
        self.page.wait_for_timeout(1_500)

    def rest(self) -> None:
        """Waits until the text has its figures, and a moment for what comes after them."""
        self.page.wait_for_timeout(1_500)
        self.page.wait_for_function(_FRESH, timeout=180_000)
        self.page.wait_for_timeout(1_500)

    def press(self, *keys: str) -> list[float]:
        """Milliseconds from each key to its frame."""
        self.page.evaluate("() => { times.length = 0; }")
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(PAUSE)
        self.page.wait_for_function("(count) => times.length >= count", arg=len(keys))
        times: list[float] = self.page.evaluate("() => times")
        return times


def typed(app: App) -> tuple[list[float], float]:
    """A burst of keys: the times to their frames, and then the longest gap of another."""
    times = app.press(*"x" * KEYS)
    app.page.evaluate(_GAPS)
    app.press(*"x" * KEYS)
    app.page.wait_for_timeout(500)
    longest: float = app.page.evaluate("() => { cancelAnimationFrame(frame); return longest; }")
    return times, longest


def at(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def print_keys(apps: list[App], sizes: Sequence[int]) -> None:
    print(f"\nkey to frame, ms{'':>10}{'p50':>8}{'p95':>8}{'most':>8}{'longest gap':>14}")
    for size in sizes:
        times: dict[str, list[float]] = {app.name: [] for app in apps}
        gaps: dict[str, list[float]] = {app.name: [] for app in apps}
        those = [app for app in apps if app.name == "new" or size < SIZES[-1]]
        for app in those:
            app.fill(size)
        for _ in range(BURSTS):
            for app in those:
                taken, gap = typed(app)
                times[app.name] += taken
                gaps[app.name].append(gap)
        for app in those:
            each, gap = times[app.name], statistics.median(gaps[app.name])
            cells = "".join(f"{at(each, share):8.0f}" for share in (0.5, 0.95, 1))
            print(
                f"{size:12,} {app.name:>12}{cells}{gap:10.0f} ({max(gaps[app.name]):.0f})",
                flush=True,
            )


def print_large(app: App) -> None:
    """Undo, folding and finding in the largest text."""
    app.fill(SIZES[-1])
    fold, unfold = (f"ControlOrMeta+Shift+Bracket{side}" for side in ("Left", "Right"))
    keys = {
        "undo": ["x", "ControlOrMeta+z"],
        "fold an object": ["ArrowUp", fold, unfold, "ArrowDown"],
        "fold all of it": ["ControlOrMeta+Home", fold, unfold],
        "open Find": ["ControlOrMeta+f", "Escape"],
        "find what is often": ["ControlOrMeta+f", *"Porto", "Enter", "Escape"],
        "find what is not": ["ControlOrMeta+f", *"nowhere", "Enter", "Escape"],
    }
    print(f"\nin 10 MB, ms to the frame of the slowest key{'':>4}median of {BURSTS}, most")
    for name, each in keys.items():
        app.rest()
        slowest = [max(app.press(*each)) for _ in range(BURSTS)]
        print(f"{name:>24}{statistics.median(slowest):10.0f}{max(slowest):8.0f}", flush=True)


class Traffic:
    """Bytes of WebSocket messages and of HTTP bodies, to the server and from it."""

    def __init__(self, page: Page) -> None:
        self.bytes = dict.fromkeys(("ws sent", "ws received", "http sent", "http received"), 0)
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        for way in ("Sent", "Received"):
            network.on(f"Network.webSocketFrame{way}", self.adding(f"ws {way.lower()}", _frame))
        network.on("Network.requestWillBeSentExtraInfo", self.adding("http sent", _body))
        network.on("Network.loadingFinished", self.adding("http received", _length))

    def adding(self, name: str, size: Callable[[Any], int]) -> Callable[[Any], None]:
        def add(event: Any) -> None:
            self.bytes[name] += size(event)

        return add


def _frame(event: Any) -> int:
    response = event["response"]
    length = len(response["payloadData"])
    return length * 3 // 4 if response["opcode"] == 2 else length  # base64 of what is binary


def _body(event: Any) -> int:
    return int(event["headers"].get("Content-Length", 0))


def _length(event: Any) -> int:
    return int(event["encodedDataLength"])


def print_click(app: App) -> None:
    pipe = app.page.get_by_role("button", name=re.compile("^pipe ")).or_(
        app.page.locator("[data-testid=stButtonGroup] button", has_text="pipe")
    )
    app.page.wait_for_timeout(3_000)
    traffic = Traffic(app.page)
    pipe.first.click()
    app.page.wait_for_timeout(5_000)
    parts = ", ".join(f"{name} {size / 1_000:.1f}" for name, size in traffic.bytes.items())
    total = sum(traffic.bytes.values())
    print(f"{app.name:>8} a click on a delimiter moves {total / 1_000:.1f} KB: {parts}", flush=True)


def print_memory(app: App) -> None:
    """What is left after so many changes of pages, when all garbage is gone."""
    app.fill(SIZES[1])
    inside = app.page.context.new_cdp_session(app.page)
    inside.send("Performance.enable")
    print(f"\n{app.name:>8} {'changes':>8}{'heap MB':>10}{'nodes':>10}{'listeners':>11}")
    for count in range(25):
        if count % len(PAGES) == 0:
            app.page.wait_for_timeout(1_500)
            for _ in range(2):
                inside.send("HeapProfiler.collectGarbage")
            found = {
                each["name"]: each["value"]
                for each in inside.send("Performance.getMetrics")["metrics"]
            }
            heap, nodes, listeners = (
                found[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")
            )
            print(f"{'':>8} {count:8}{heap / 1e6:10.1f}{nodes:10.0f}{listeners:11.0f}", flush=True)
        name = PAGES[count % len(PAGES)]
        link = app.page.get_by_role("link", name=name, exact=True)
        if link.count():  # else it is in a menu, as in the header of today
            link.click()
        else:
            go_to(app.page, name)
        app.page.wait_for_function(_STANDS, arg=name, timeout=60_000)
        app.page.wait_for_timeout(1_000)


def load(browser: Browser, url: str) -> float:
    """Milliseconds from the address until the editor holds its text, to a new visitor."""
    with closing(browser.new_context(viewport={"width": 1440, "height": 900})) as context:
        page = context.new_page()
        start = perf_counter()
        page.goto(url, wait_until="commit")
        page.wait_for_function(_READY, timeout=60_000)
        taken = (perf_counter() - start) * 1e3
        page.wait_for_timeout(1_000)
        return taken


def print_loads(browser: Browser, folders: dict[str, Path]) -> None:
    cold: dict[str, list[float]] = {name: [] for name in folders}
    warm: dict[str, list[float]] = {name: [] for name in folders}
    for _ in range(LOADS):
        with ExitStack() as stack:
            urls = {name: stack.enter_context(served_in(each)) for name, each in folders.items()}
            sleep(SETTLED)  # else the processes of the last started server slow the first asked
            for times in (cold, warm, warm):
                for name, url in urls.items():
                    times[name].append(load(browser, url))
    for words, times in (("cold", cold), ("warm", warm)):
        new, old = (statistics.median(times[name]) for name in ("new", "old"))
        print(
            f"usable {words}: new {new:.0f} ms, old {old:.0f} ms, ratio {new / old:.2f}", flush=True
        )


@contextmanager
def served_in(folder: Path) -> Iterator[str]:
    with served(folder / "app.py", root=folder) as server:
        yield server.url


@contextmanager
def opened(browser: Browser, name: str, folder: Path, hosts: set[str]) -> Iterator[App]:
    with served_in(folder) as url, closing(browser.new_context()) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1440, "height": 900})
        page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname or ""))
        page.goto(url)
        page.wait_for_function(_READY, timeout=60_000)
        page.evaluate(_WATCH)
        yield App(name, page)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parts = ("loads", "click", "keys", "large", "memory")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, metavar="PART")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="CHARACTERS")
    options = parser.parse_args()
    folders = {"new": ROOT, "old": options.folder.resolve()}
    hosts: set[str] = set()
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        if "loads" in options.only:
            print_loads(browser, folders)
        apps = [
            stack.enter_context(opened(browser, name, each, hosts))
            for name, each in folders.items()
        ]
        for app in apps if "click" in options.only else ():
            print_click(app)
        if "keys" in options.only:
            print_keys(apps, options.sizes)
        if "large" in options.only:
            print_large(apps[0])
        for app in apps if "memory" in options.only else ():
            print_memory(app)
    print(f"hosts asked: {', '.join(sorted(filter(None, hosts)))}")


if __name__ == "__main__":
    main()
