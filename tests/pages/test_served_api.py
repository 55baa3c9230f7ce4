"""The routes of ``/api/v1`` on the really running server, spoken to over real connections."""

from __future__ import annotations

import http.client
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.browser.conftest import Server, served
from tests.conftest import ROOT
from tests.http.client import assert_headers
from toon.codec.reading import decode
from toon.costs.choice import SENDABLE
from toon.costs.snippets import snippets
from toon.http.payloads import format_of

SECRET = "correct-horse-battery"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(ROOT / "app.py", "--logger.level", "debug") as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{server.url}/api/v1", timeout=60) as client:
        yield client


@pytest.mark.rest
def test_an_agent_lists_polls_and_fetches(client: httpx2.Client) -> None:
    index = client.get("/")
    lines = client.get("/events?date=today&format=compact&count=claude_3")
    changes = client.get("/events?since=2026-02-18T14:00:00Z&format=compact")
    name = lines.json()["ids"][1]
    record = client.get(f"/events/{name}?format=toon")

    for answer in (index, lines, changes, record):
        assert answer.status_code == 200
        assert_headers(answer)
    assert "/api/v1/{domain}" in [route["path"] for route in index.json()["routes"]]
    assert lines.json()["summary"] == "6 events (today)"
    assert int(lines.headers["x-token-count"]) > 200
    assert changes.json()["meta"]["total_changes"] == 3
    assert decode(record.text)["data"]["id"] == name


@pytest.mark.parametrize("name", SENDABLE)
def test_the_request_that_the_pages_show_writes_what_was_counted(
    server: Server, tmp_path: Path, name: str
) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("there is no curl here")
    format = format_of(name, 4)
    text = (ROOT / "samples" / "nested-uniform-rows.json").read_text(encoding="utf-8")
    (tmp_path / "payload.json").write_text(text, encoding="utf-8")

    request = snippets(format, "", server.url)[-1]
    command = shlex.split(request.code)
    done = subprocess.run([curl, *command[1:]], cwd=tmp_path, capture_output=True, check=True)

    assert command[0] == "curl"
    assert done.stdout.decode() == format.dumps(json.loads(text))


@pytest.mark.rest
def test_many_at_once_each_get_their_own(client: httpx2.Client) -> None:
    def ask(number: int) -> Any:
        if number % 2:
            return client.get(f"/notes?limit=1&offset={number}&format=compact")
        rows = [{"n": number, "text": "x" * number}] * 300
        return client.post("/stats?count=cl100k_base", content=json.dumps({"rows": rows}))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(16)))

    for number, answer in enumerate(answers):
        assert answer.status_code == 200
        assert_headers(answer)
        if number % 2:
            assert answer.json()["summary"].startswith(f"{number + 1}-{number + 1} of 100")
        else:
            row = next(row for row in answer.json()["rows"] if row["format"] == "json-compact")
            text = "x" * number
            assert row["chars"] == len(f'{{"n":{number},"text":"{text}"}},') * 300 + 10


def test_nothing_of_a_body_is_in_the_output_of_the_server(
    client: httpx2.Client, server: Server
) -> None:
    for body in (f'{{"{SECRET}":1}}', f'{{"{SECRET}":', f"{SECRET}: 1\n{SECRET}"):
        for path in ("/convert", "/convert?to=xml", "/stats?tokenizer=claude_3", "/nothing"):
            assert client.post(path, content=body).status_code in (200, 400, 404)
        assert client.post(f"{server.url}/api/convert", content=body).status_code == 200
    left = http.client.HTTPConnection(urlsplit(server.url).netloc)
    left.request("POST", "/api/v1/convert", body=SECRET, headers={"Content-Length": "1000"})
    left.close()  # gone in the middle of the body
    assert client.get("/").status_code == 200

    output = server.log.read_text(encoding="utf-8", errors="replace")
    assert re.search("localhost:[0-9]+", output)  # it is the output of this server
    assert SECRET not in output
    assert "Traceback" not in output
