"""Texts written anew in the JSON pane: laid out, and converted from what is no JSON."""

import re
from base64 import b64encode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import ROOT
from tests.browser.lab import caret, expect_text, open_entrance, paste_over, put_caret

pytestmark = pytest.mark.rest

CURL = r"""curl 'https://api.example/orders?a=1' \
  -H 'content-type: application/json' -H 'authorization: Bearer a-key' \
  --data-raw $'{"note":"it\'s \u0021","n":1.0}'"""

#: All that the browser keeps.
_KEPT = """async () => {
  const all = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const open = (request) =>
      new Promise((done) => (request.onsuccess = () => done(request.result)));
    const base = await open(indexedDB.open(name));
    for (const store of base.objectStoreNames)
      all.push(JSON.stringify(await open(base.transaction(store).objectStore(store).getAll())));
    base.close();
  }
  return all.join();
}"""


def press(area: Locator, name: str) -> None:
    area.page.get_by_role("button", name=name, exact=True).click()


def test_a_text_is_converted_formatted_and_minified_with_one_click_each(area: Locator) -> None:
    literal = "{'rows': [{'a': None, 'b': (1, 2.0)}], 'ok': True}"
    json_text = (
        '{\n  "rows": [\n    {\n      "a": null,\n      "b": [\n        1,\n        2.0\n'
        '      ]\n    }\n  ],\n  "ok": true\n}'
    )
    offers = area.page.locator(".answer .offers")
    paste_over(area, literal)

    press(area, "Convert Python literal")
    expect_text(area, json_text)
    expect(offers).to_be_hidden()
    expect_text(
        area.page.get_by_label("TOON editor"), "rows[1]:\n  - a: null\n    b[2]: 1,2\nok: true"
    )

    area.page.keyboard.press("ControlOrMeta+z")
    expect_text(area, literal)
    expect(offers).to_be_visible()

    # Format and Minify keep the caret, and can be undone.
    typed = '{"a": 1.0, "a": [1e400, "\\u00e9 <b>&amp;"]}'
    paste_over(area, typed)
    at = typed.index("e400")
    put_caret(area, at)

    press(area, "Format")
    indented = '{\n  "a": 1.0,\n  "a": [\n    1e400,\n    "\\u00e9 <b>&amp;"\n  ]\n}'
    expect_text(area, indented)
    at = indented.index("e400")
    assert caret(area) == (at, at, True)

    press(area, "Minify")
    expect_text(area, '{"a":1.0,"a":[1e400,"\\u00e9 <b>&amp;"]}')
    for before in (indented, typed):
        area.page.keyboard.press("ControlOrMeta+z")
        expect_text(area, before)

    area.press_sequentially("'")
    press(area, "Minify")
    refused = area.page.get_by_role("status").filter(has_text="Nothing was changed: ")
    expect(refused).to_be_visible()


def test_a_curl_command_gives_its_body(area: Locator) -> None:
    page = area.page
    linked = re.compile(r"#s=[\w-]+$")
    paste_over(area, '{"a": 1}')
    expect(page).to_have_url(linked)
    paste_over(area, CURL)
    expect(page).not_to_have_url(linked)
    open_entrance(page, "Share")
    expect(page.get_by_text("may hold keys and gets no link")).to_be_visible()
    page.keyboard.press("Escape")
    assert "a-key" not in page.evaluate(_KEPT)

    press(area, "Take the body of this curl command")
    expect_text(area, '{"note":"it\'s !","n":1.0}')
    expect_text(page.get_by_label("TOON editor"), "note: it's !\nn: 1")
    expect(page).to_have_url(linked)


KEY = "Authorization: Bearer sk-1"
WITH_KEYS = [
    CURL,
    "curl localhost -d @- <<'EOF'",
    f'DATA=\'{{"a":1}}\'\ncurl -H "{KEY}" https://api.example',
    f"BODY='{'b' * 20_000}'\ncurl [::1]:80 -d \"$BODY\" -H '{KEY}'",
    f"echo '{{\n  \"a\": 1\n}}' | curl -H '{KEY}' -d @- localhost",
    f"[me@host ~]$ curl https://api.example -H '{KEY}'",
    f"➜ lab git:(main) ✗ sudo -E /usr/bin/curl -H '{KEY}' api.example",
    f"# {'why ' * 200}\nTOKEN='a b' time curl \\\n  -H '{KEY}' api.example",
    f"\n  PS C:\\> curl.exe `\n  -H '{KEY}'",
    "GET /v1/items?filter[a]=1 HTTP/1.1\nHost: a",
    "* Trying\n> POST /x HTTP/2\n> Host: a",
    "HTTP/2 200\netag: 1",
    "etag: 1\nset-cookie: id=1",
    f"> Host: a\n> {KEY}",
    "AUTHORIZATION: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    ":path: /\ncookie:\nid=1",
    "Accept: */*\nX-API-Key: 1",
    "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    "my token\neyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
]
WITHOUT = [
    "protocol: HTTP/1.1\nstatus: 200\ncookie: oatmeal",
    "[1]{line,status}:\n  GET / HTTP/1.1,200",
    'host,request,status\n::1,"GET / HTTP/1.1",200\n::1,GET / HTTP/1.1,200',
    '{"headers": {\n"authorization": "Bearer sk-1"},\n"protocol":\n"HTTP/1.1 200 OK"}',
    '"use curl to fetch"',
    "use curl to fetch",
    '["run curl -s x",\n"then curl -s y"]\n[1, "or curl -s z"]',
    f'["{"run curl -s x " * 2_000}"]',
    '{\n  "a": 1}, {"b": "run curl -s x"}',
    "run: curl -s x\nsteps[1]:\n  - curl -s x\nrows[1]{id,run}:\n  1,curl -s x",
    "<run>a curl -s x</run>",
    "HTTP/2 is faster than HTTP/1.1",
    "",
]


def test_a_text_that_may_hold_keys_is_told_by_its_lines_and_data_that_names_them_is_not(
    page: Page,
) -> None:
    source = (ROOT / "pages/browser/src/keeper/keys.js").read_bytes()
    told = page.evaluate(
        "async ([module, texts]) => texts.filter((await import(module)).mayHoldKeys)",
        [f"data:text/javascript;base64,{b64encode(source).decode()}", WITH_KEYS + WITHOUT],
    )

    assert told == WITH_KEYS
