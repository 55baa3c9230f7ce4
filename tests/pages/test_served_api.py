"""The routes of ``/api/v1`` on the really running server, spoken to over real connections."""

import http.client
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.browser.conftest import Server, served
from tests.conftest import ROOT
from toon.costs.snippets import snippets
from toon.costs.worth import SENDABLE
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
