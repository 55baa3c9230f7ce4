"""What is kept when tabs share it, and when the browser's storage is full or cleared."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import expect_text, open_entrance, paste_over, wait_for_the_answer
from tests.browser.test_keeper import TEXT, editor

pytestmark = pytest.mark.rest

#: A disk that is full makes a browser give up a transaction at its end; one that is busy with what
#: it is to store is never done.
TROUBLED = """
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (entry) {
    const goOn = () => { this.get("nothing").onsuccess = goOn; };
    if (window.isBusy) goOn();
    const request = put.call(this, entry);
    if (window.isFull) request.onsuccess = () => this.transaction.abort();
    this.transaction.addEventListener("complete", () => (window.stored = window.isFull === false));
    return request;
  };
"""
FULL = "This browser does not keep your work: its storage is full or forbidden."
#: What of a browser's store may be damaged, or of another version: records, and what points to one.
DAMAGES = """async (text) => {
    const isOurs = ({ name }) => name === "tokenLab";
    while (!(await indexedDB.databases()).some(isOurs)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise((resolve) => {
        const request = indexedDB.open("tokenLab", 1);
        request.onsuccess = () => {
            const writing = request.result.transaction("payloads", "readwrite");
            const store = writing.objectStore("payloads");
            const wrong = [5, null, "", {}, [[]], "\\ud800"];
            for (const name of ["time", "side", "text", "name", "sample", "figure", "against"]) {
                const good = { time: 1, side: "json", text, name: "kept", sample: false };
                for (const [at, value] of wrong.entries()) {
                    store.put({ ...good, id: `${name} ${at}`, unknown: value, [name]: value });
                }
                delete good[name];
                store.put({ ...good, id: name });
            }
            store.put({ id: 7 });
            writing.oncomplete = () => (request.result.close(), resolve());
        };
    });
    const lasts = ["{", "5", "null", '{"text": "1"}', '{"id": {}, "text": "2"}'];
    for (const [at, last] of lasts.entries()) {
        localStorage.setItem(`tokenLab.last.${at}`, last);
    }
}"""
#: What a tab may work on by its storage, and whether its text comes back.
POINTERS = [
    ('{"id": "name", "options": 5, "hash": {}}', True),
    ('{"id": {}}', False),
]


def test_damaged_records_cost_themselves_alone(page: Page, app_server: str) -> None:
    page.goto(app_server)
    expect(page.locator(".answer .act")).to_contain_text("Send")
    page.evaluate(DAMAGES, TEXT)
    for pointer, comes_back in POINTERS:
        page.goto(f"{app_server}/_stcore/health")  # nothing of ours writes there
        page.evaluate("(pointer) => sessionStorage.setItem('tokenLab', pointer)", pointer)
        page.goto(app_server)
        held = re.compile(f"^{re.escape(TEXT)}$" if comes_back else "Marlow Fittings")
        expect_text(editor(page), held)
        expect(page.locator(".answer .act")).to_contain_text(re.compile("^(Send|Keep|Minify) "))
    open_entrance(page, "History")
    dialog = page.get_by_role("dialog", name="History")
    rows = dialog.get_by_role("listitem")
    for shown in ("kept", TEXT):  # each text once: the half character, and what was opened last
        expect(rows.filter(has_text=shown)).to_have_count(1)
    dialog.get_by_role("button", name="Close").click()
    paste_over(editor(page), f"{TEXT} ")
    expect(page).to_have_url(re.compile(r"/#s=[\w-]+$"))


def test_two_tabs_of_one_text_go_on_apart_and_both_come_back(page: Page, app_server: str) -> None:
    page.goto(app_server)
    paste_over(editor(page), TEXT)
    expect(page).to_have_url(re.compile(r"/#s=[\w-]+$"))  # it is stored before
    with page.expect_popup() as opened:  # with the same session storage, as a duplicate has
        page.evaluate("() => void window.open(location.href)")
    second = opened.value
    expect_text(editor(second), TEXT)
    # The answer is no longer the sample's: what was kept is back, and nothing is drawn anew.
    expect(second.locator(".answer .act")).to_have_text("Keep your JSON")

    for tab, typed in ((page, " "), (second, "\n\n")):
        editor(tab).press("Control+End")
        tab.keyboard.type(typed)
    for tab in (page, second):  # all go at the same moment, right after a key
        tab.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pagehide'))")
    for tab in (page, second):
        tab.reload()

    expect_text(editor(page), f"{TEXT} ")
    expect_text(editor(second), f"{TEXT}\n\n")


def test_a_full_a_cleared_and_a_busy_storage_cost_nothing(page: Page, app_server: str) -> None:
    with page.add_init_script(TROUBLED):
        page.goto(app_server)
    paste_over(editor(page), TEXT)
    expect(page.locator(".answer .act")).to_have_text("Keep your JSON")
    browser = page.context.new_cdp_session(page)
    browser.send("Storage.clearDataForOrigin", {"origin": app_server, "storageTypes": "indexeddb"})
    page.evaluate("() => (window.isFull = true)")
    page.keyboard.type(" ")

    expect(page.get_by_text(FULL)).to_be_visible()
    expect_text(editor(page), f"{TEXT} ")
    page.evaluate("() => (window.isFull = false)")
    page.keyboard.type(" ")
    page.wait_for_function("() => window.stored === true")

    # What is being stored when the page goes never is.
    expect(page).to_have_url(re.compile(r"/#s=[\w-]+$"))
    page.evaluate("() => (window.isBusy = true)")
    page.keyboard.type(" ")
    wait_for_the_answer(page)
    page.wait_for_function("() => !__tokenLabKeeper.saveTimer && __tokenLabKeeper.storing")
    page.goto(f"{app_server}/_stcore/health")
    page.goto(app_server)
    expect_text(editor(page), f"{TEXT}   ")
