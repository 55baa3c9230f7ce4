"""How many loads of pages are broken: ``python -m tests.browser.loads [LOADS] [--slowed N] [URL]``.

Opens every page and every old address in turn, as a new visitor and as one who has been here, in
one real browser whose CPU is slowed. A load is broken where the page, its payload or its editors
do not come, or anything on it or in the console is an error. ``URL`` is of a running app.
"""

from __future__ import annotations

import argparse
from collections import Counter
from contextlib import closing
from itertools import cycle as endlessly
from itertools import islice, product
from time import perf_counter

from playwright.sync_api import Browser, Error, Page, StorageState, sync_playwright

from tests.browser.conftest import BROWSER_ARGS, ROOT, served, system_browser, watched
from tests.browser.lab import paste_over, text_of
from tests.browser.pages import ADDRESSES, OLD_ADDRESSES
from tests.words import YOUR_TEXT

#: What whoever has been here typed then: what comes back.
TEXT = '{"mine": [1.0, "é"]}'
#: The pages whose caption names the payload.
NAMING = ("compare", "send-less", "dialects", *OLD_ADDRESSES)
#: Milliseconds until a page that does not come is broken, and for which one that came is watched.
COMES_WITHIN = 40_000
STAYS_FOR = 700

#: Nothing runs and nothing is about to be brought back; where there are editors, they hold text.
_STANDS = """(isEditors) => {
    const hosts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
    const roots = hosts.map(({ shadowRoot }) => shadowRoot).filter(Boolean);
    const areas = roots.flatMap((root) => [...root.querySelectorAll(".pane .cm-content")]);
    return document.querySelector("[data-test-script-state=notRunning]")
        && document.querySelector("h1")
        && !document.documentElement.classList.contains("token-lab-restoring")
        && (!isEditors || (areas.length === 2
            && areas.every((area) => !area.querySelector(".cm-placeholder"))));
}"""
#: Notes what was ever said to have failed, by Streamlit or by us, even if it went again.
NOTES = """
    window.faults = new Set();
    const failed = "[data-testid=stException], [data-testid=stErrorElementStack]"
        + ", [class*=st-key-fault_]";
    const look = () => {
        for (const box of document.querySelectorAll(failed)) faults.add(box.innerText);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
"""


def leave_a_text(page: Page, url: str) -> None:
    """Types a text as a visitor, until the browser keeps it."""
    page.goto(url)
    paste_over(page.get_by_label("JSON editor"), TEXT)
    page.wait_for_function("() => location.hash.startsWith('#s=')")


def left_by_a_visit(browser: Browser, url: str) -> StorageState:
    """What a browser keeps of somebody who typed a text."""
    with closing(browser.new_context()) as context:
        leave_a_text(context.new_page(), url)
        return context.storage_state(indexed_db=True)


def slow(page: Page, rate: float) -> None:
    """Gives the page a CPU that is ``rate`` times as slow."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})


def fault(page: Page, url: str, address: str, *, is_back: bool) -> str:
    """Opens an address; what is wrong with it, or ""."""
    problems: list[str] = []
    with watched(page, problems), page.add_init_script(NOTES):
        try:
            page.goto(f"{url}/{address}")
            page.wait_for_function(_STANDS, arg=address == "", timeout=COMES_WITHIN)
            page.wait_for_timeout(STAYS_FOR)
            page.wait_for_function(_STANDS, arg=address == "", timeout=COMES_WITHIN)
            if is_back and address == "":
                held = text_of(page.get_by_label("JSON editor"))
                problems += [] if held == TEXT else [f"the editor holds {held[:40]}"]
            elif is_back and address in NAMING:
                page.get_by_text(f"{YOUR_TEXT}, {len(TEXT)} characters").wait_for()
        except Error as error:
            problems.append(error.message.splitlines()[0])
    problems += [said.splitlines()[0] for said in page.evaluate("() => [...faults]") if said]
    # Streamlit's client asks for two files below a page's address before it asks at the root.
    return "; ".join(problem for problem in problems if "404 (Not Found)" not in problem)


def run(browser: Browser, url: str, loads: int, slowed: float) -> Counter[str]:
    """The broken loads by what was opened and what was wrong."""
    broken: Counter[str] = Counter()
    kept = left_by_a_visit(browser, url)
    each = product((*ADDRESSES, *OLD_ADDRESSES), (None, kept))
    for number, (address, storage) in enumerate(islice(endlessly(each), loads), 1):
        with closing(browser.new_context(storage_state=storage)) as context:
            page = context.new_page()
            slow(page, slowed)
            if found := fault(page, url, address, is_back=storage is not None):
                what = f"/{address}, {'returning' if storage else 'new'}: {found[:200]}"
                broken[what] += 1
                print(f"{number}: {what}", flush=True)
    return broken


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("loads", nargs="?", type=int, default=300)
    parser.add_argument("--slowed", type=float, default=4, metavar="TIMES")
    parser.add_argument("url", nargs="?")
    options = parser.parse_args()
    start = perf_counter()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=BROWSER_ARGS)
        if options.url:
            broken = run(browser, options.url, options.loads, options.slowed)
        else:
            with served(ROOT / "app.py") as server:
                broken = run(browser, server.url, options.loads, options.slowed)
        browser.close()
    print(f"{broken.total()} of {options.loads} broken, {perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
