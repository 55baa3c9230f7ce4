"""The app in a frame of another page, which it does not allow; ``test_replicas`` allows one."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.rest


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def hub(tmp_path: Path, app_server: str) -> Iterator[str]:
    """The address of another server, whose page has the app in a frame."""
    frame = f'<iframe src="{app_server}/" width="1200" height="800"></iframe>'
    (tmp_path / "index.html").write_text(frame, "utf-8")
    server = ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_frame_shows_the_setting_that_allows_it(browser: Browser, hub: str) -> None:
    page = browser.new_page()
    page.goto(hub)
    inside = page.frame_locator("iframe")

    expect(inside.get_by_text(f"A page at {hub} holds this one in a frame")).to_be_visible()
    expect(inside.get_by_text(f"TOON_FRAMES={hub} streamlit run")).to_be_visible()
    page.close()
