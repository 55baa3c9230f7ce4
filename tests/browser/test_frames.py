"""The app in a frame of another page: shown where it is allowed, and told how where it is not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import ROOT, served

pytestmark = pytest.mark.rest


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    """The address of another server, whose page ``hub.html`` is to be written."""
    server = ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("is_allowed", [True, False], ids=["allowed", "not allowed"])
def test_a_frame_shows_the_app_or_the_setting_that_allows_it(
    browser: Browser, hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_allowed: bool
) -> None:
    if is_allowed:
        monkeypatch.setenv("TOON_FRAMES", hub)
    with served(ROOT / "app.py") as server:
        frame = f'<iframe src="{server.url}/" width="1200" height="800"></iframe>'
        (tmp_path / "hub.html").write_text(frame, "utf-8")
        page = browser.new_page()
        page.goto(f"{hub}/hub.html")
        inside = page.frame_locator("iframe")
        if is_allowed:
            expect(inside.get_by_role("group", name="JSON", exact=True)).to_be_visible()
        else:
            expect(inside.get_by_text(f"A page at {hub} holds this one in a frame")).to_be_visible()
            expect(inside.get_by_text(f"TOON_FRAMES={hub} streamlit run")).to_be_visible()
        page.close()
