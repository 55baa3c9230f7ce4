"""Whether a page comes whole to somebody who has been here, with the text that they left."""

from playwright.sync_api import Error, Page

from tests.browser.conftest import watched
from tests.browser.lab import paste_over, text_of
from tests.browser.pages import OLD_ADDRESSES
from tests.words import YOUR_TEXT

#: What whoever has been here typed then: what comes back.
TEXT = '{"mine": [1.0, "é"]}'
#: The pages whose caption names the payload.
NAMING = ("compare", *(old for old, (page, _) in OLD_ADDRESSES.items() if page == "compare"))
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


def fault(page: Page, url: str, address: str) -> str:
    """Opens an address; what is wrong with it, or "".

    It is wrong where the page, its payload or its editors do not come, or anything on it or in the
    console is an error.
    """
    problems: list[str] = []
    with watched(page, problems), page.add_init_script(NOTES):
        try:
            page.goto(f"{url}/{address}")
            page.wait_for_function(_STANDS, arg=address == "", timeout=COMES_WITHIN)
            page.wait_for_timeout(STAYS_FOR)
            page.wait_for_function(_STANDS, arg=address == "", timeout=COMES_WITHIN)
            if address == "":
                held = text_of(page.get_by_label("JSON editor"))
                problems += [] if held == TEXT else [f"the editor holds {held[:40]}"]
            elif address in NAMING:
                page.get_by_text(f"{YOUR_TEXT}, {len(TEXT)} characters").wait_for()
        except Error as error:
            problems.append(error.message.splitlines()[0])
    problems += [said.splitlines()[0] for said in page.evaluate("() => [...faults]") if said]
    # Streamlit's client asks for two files below a page's address before it asks at the root.
    return "; ".join(problem for problem in problems if "404 (Not Found)" not in problem)
