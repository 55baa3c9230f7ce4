"""What is kept in the browser, brought back, linked to, and forgotten."""

import json
import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import ROOT, free_port, served
from tests.browser.lab import (
    expect_payload,
    expect_text,
    go_to,
    open_entrance,
    paste_over,
    wait_for_the_answer,
    wait_for_the_run,
    wait_until,
)
from tests.browser.pages import forget_the_probes
from tests.links import read_link, write_link, write_state
from tests.words import YOUR_TEXT
from toon.playground.state import State

pytestmark = pytest.mark.rest

TEXT = '{"mine": [1.0, "é"]}'
HOSTILE = "<img src=x onerror=alert(1)> **b** :material/home:"


def editor(page: Page) -> Locator:
    return page.get_by_label("JSON editor")


def kept(page: Page) -> Locator:
    open_entrance(page, "History")
    return page.get_by_role("dialog", name="History")


def test_a_text_and_its_delimiter_survive_reloads_and_stand_in_a_second_tab_and_a_link(
    page: Page, app_server: str
) -> None:
    page.goto(app_server)
    wait_for_the_answer(page)
    page.route("**/api/answer?*", lambda route: None)  # which says the cheapest delimiter
    paste_over(editor(page), TEXT)
    page.keyboard.type(" ")
    # The page is hidden for a moment, and what is typed after that is newer.
    page.evaluate("() => window.dispatchEvent(new PageTransitionEvent('pagehide'))")
    page.keyboard.type(" ")
    expect(page).to_have_url(re.compile(r"/#s=[\w-]+$"))
    page.keyboard.type(" ")
    page.unroute("**/api/answer?*")
    page.reload()

    expect_text(editor(page), f"{TEXT}   ")
    # The delimiter is the text's own, not that of the sample shown before.
    expect_text(page.get_by_label("TOON editor"), re.compile(r"^mine\[2\]: 1"))
    expect(page.get_by_role("radio", name=re.compile("^comma "))).to_be_checked()
    second = page.context.new_page()
    # By an old address, with what it asks for: all are in ``tests/pages/test_compare.py``.
    second.goto(f"{app_server}/compact?of=4")
    expect_payload(second, f"{TEXT}   ")
    expect(second.get_by_role("tab", selected=True)).to_have_text("Compact lines")
    expect(second).to_have_url(re.compile(r"/compare\?of=4\b.*#s=[\w-]+$"))
    second.close()

    # A chosen delimiter is there after a reload and in a link.
    paste_over(editor(page), '{"mine": [1, 2]}')
    wait_for_the_answer(page)  # which draws the delimiters anew
    pipe = re.compile("^pipe ")
    page.get_by_role("radio", name=pipe).check()
    expect_text(page.get_by_label("TOON editor"), "mine[2|]: 1|2")
    wait_until(page, lambda: read_link(page.url), lambda state: '"pipe"' in state)
    expect(page.locator(".answer[data-state=fresh]")).to_be_visible()
    page.reload()

    expect_text(page.get_by_label("TOON editor"), "mine[2|]: 1|2")
    expect(page.get_by_role("radio", name=pipe)).to_be_checked()


def test_a_killed_server_costs_no_character(page: Page, problems: list[str]) -> None:
    port = free_port()
    with served(ROOT / "app.py", port=port) as before:
        page.goto(before.url)
        page.get_by_role("combobox", name="Model").fill("Phi 4")
        page.keyboard.press("Enter")
        paste_over(editor(page), TEXT)
        os.kill(before.pid, signal.SIGKILL)
        page.keyboard.type(" \n")
    with served(ROOT / "app.py", port=port):
        expect(editor(page)).to_be_focused()
        page.keyboard.type("  ")
        # The client waits longer and longer for a server that is away, up to a minute.
        expect(page.get_by_role("combobox", name="Sample", exact=True)).to_have_attribute(
            "placeholder", YOUR_TEXT, timeout=100_000
        )
        go_to(page, "Compare")
        expect_payload(page, f"{TEXT}    ")
        expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("^Phi 4"))
        page.goto("about:blank")
    problems.clear()  # while there was no server, requests failed


def test_a_link_shows_another_browser_the_same_and_is_data(
    page: Page, app_server: str, problems: list[str]
) -> None:
    options = {"model": "gpt-4", "explained_together": 3, "theme": "x", "calls": "<b>"}
    link = write_link(State("json", f'{{"a": "{HOSTILE}"}}', HOSTILE, options))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{app_server}/dialects{link}")

    expect(
        page.get_by_text("Left out, because unknown or out of range here: theme, calls.")
    ).to_be_visible()
    expect(page.get_by_text(HOSTILE)).to_be_visible()
    expect(page.get_by_role("button", name="3 payloads in a prompt")).to_be_visible()
    expect(page.get_by_role("combobox", name="Model")).to_have_value("GPT-4")
    assert page.locator("img[src='x'], strong:text-is('b')").count() == 0
    assert not any(link[3:40] in url for url in asked)

    # Once the text is kept, the address is of the state without what was left out.
    expect(page).not_to_have_url(f"{app_server}/compare?tab=Formats{link}")
    page.goto(f"{app_server}/#s=damaged")
    expect(page.get_by_text("This link is damaged")).to_be_visible()
    expect_text(editor(page), f'{{"a": "{HOSTILE}"}}')
    forget_the_probes(problems)


def replace_by_a_sample(page: Page) -> None:
    """Opens a sample in place of a text that somebody pasted."""
    paste_over(editor(page), TEXT)
    expect(page.locator(".answer .act")).to_have_text("Keep your JSON")
    page.get_by_role("combobox", name="Sample", exact=True).click()
    page.get_by_role("option", name="event log").click()
    expect_text(editor(page), re.compile("^(?!.*mine)", re.DOTALL))


def test_what_was_replaced_comes_back_and_history_forgets(
    page: Page, app_server: str, problems: list[str]
) -> None:
    page.goto(app_server)
    replace_by_a_sample(page)
    page.get_by_role("button", name="Bring it back").click()
    expect_text(editor(page), TEXT)

    # Of two texts the last one.
    other = '{"another": "of mine"}'
    replace_by_a_sample(page)
    paste_over(editor(page), other)
    expect(page.locator(".answer .act")).to_have_text("Keep your JSON")
    for text in (TEXT, other):  # each replaces the other
        row = kept(page).get_by_role("listitem").filter(has_text=f"{len(text)} characters")
        row.get_by_role("button", name="Open").click()
        expect_text(editor(page), text)
    page.get_by_role("button", name="Bring it back").click()
    expect_text(editor(page), TEXT)

    page.get_by_role("link", name="Compare", exact=True).click()
    expect_payload(page, TEXT)
    wait_for_the_run(page)
    rows = kept(page).get_by_role("listitem")
    expect(rows).to_have_count(2)
    rows = rows.filter(has_text=f"JSON · {len(TEXT)} characters")
    rows.get_by_role("button", name="Open").click()
    expect_payload(page, TEXT)
    dialog = kept(page)
    dialog.get_by_label("Keep my work in this browser").uncheck()
    expect(dialog.get_by_text("Nothing yet")).to_be_visible()
    page.reload()
    expect_payload(page, " " * 6_420, "orders")
    stored = page.evaluate("() => Object.keys({ ...localStorage, ...sessionStorage })")
    assert [key for key in stored if key.startswith("tokenLab")] == ["tokenLab.off"]
    forget_the_probes(problems)


#: The text of a link is packed when the test says so.
_PACKED_LATER = """
    const { arrayBuffer } = Response.prototype;
    window.packing = [];
    Response.prototype.arrayBuffer = async function () {
        await new Promise((go) => window.packing.push(go));
        return arrayBuffer.call(this);
    };
"""


def test_a_link_that_is_being_written_is_forgotten_too(page: Page, app_server: str) -> None:
    with page.add_init_script(_PACKED_LATER):
        page.goto(app_server)
        paste_over(editor(page), TEXT)
        page.wait_for_function("() => packing.length")
        dialog = kept(page)
        dialog.get_by_label("Keep my work in this browser").uncheck()
        expect(dialog.get_by_text("Nothing yet")).to_be_visible()
        page.evaluate("() => packing.forEach((go) => go())")
        page.wait_for_timeout(300)

        assert "#s=" not in page.url


def test_a_state_file_opens_when_dropped(page: Page, app_server: str, tmp_path: Path) -> None:
    page.goto(app_server)
    paste_over(editor(page), TEXT)
    expect(page.locator(".answer .act")).to_have_text("Keep your JSON")
    open_entrance(page, "Share")
    dialog = page.get_by_role("dialog", name="Share this state")
    expect(dialog).to_contain_text(f"the whole JSON text ({len(TEXT)} characters)")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save state file").click()
    document = json.loads(Path(saved.value.path()).read_text("utf-8"))
    assert (document["tokenLab"], document["text"]) == (1, TEXT)
    dialog.get_by_role("button", name="Close").click()

    state = write_state(State("toon", "a[2|]: 1|2", "small", {"delimiter": "pipe"}))
    drop = """(surface, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "x.tokenlab.json"));
        surface.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
    }"""
    page.locator(".surface").first.evaluate(drop, state)
    expect_text(page.get_by_label("TOON editor"), "a[2|]: 1|2")
    expect_text(editor(page), re.compile('"a"'))
    # It brings its delimiter along, though another is cheaper.
    paste_over(editor(page), '{"b": [1, 2]}')
    expect(page.get_by_role("radio", name=re.compile("^pipe "))).to_be_checked()
    expect_text(page.get_by_label("TOON editor"), "b[2|]: 1|2")


#: What a browser does that keeps nothing.
_FORBIDDEN = """
    const forbid = () => { throw new DOMException("no", "SecurityError"); };
    Storage.prototype.setItem = forbid;
    IDBFactory.prototype.open = forbid;
"""


def test_storage_that_is_forbidden_is_said_and_costs_nothing_else(
    page: Page, app_server: str
) -> None:
    with page.add_init_script(_FORBIDDEN):
        page.goto(app_server)
    paste_over(editor(page), TEXT)

    expect(page.get_by_text("This browser does not keep your work")).to_be_visible()
    expect(page.locator(".answer .act")).to_have_text("Keep your JSON")
