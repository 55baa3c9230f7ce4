"""Users at the same time never see one another's data."""

import json
import re
from contextlib import ExitStack, closing

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.lab import go_to, paste_over, wait_for_the_answer, wait_for_the_run

pytestmark = pytest.mark.rest

MARKERS = ("marker_0", "marker_1")


class User:
    """A browser of its own, and what came to it: answers of routes, and frames of the WebSocket."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.answers: list[Response] = []
        self.frames: list[bytes] = []
        page.on("response", lambda answer: self.answers.append(answer))
        page.on("websocket", lambda socket: socket.on("framereceived", self.take))
        page.goto(url)

    def take(self, frame: bytes | str) -> None:
        self.frames.append(frame if isinstance(frame, bytes) else frame.encode())

    def seen(self) -> set[str]:
        """The markers in all that came."""
        bodies = [answer.body() for answer in self.answers if "/api/" in answer.url]
        return {
            found.decode() for found in re.findall(rb"marker_\d", b"".join(bodies + self.frames))
        }


def test_nothing_of_one_user_comes_to_another(browser: Browser, app_server: str) -> None:
    """Each has a marker in the text; whatever comes back is searched for those of the others."""
    with ExitStack() as stack:
        users = {
            marker: User(stack.enter_context(closing(browser.new_context())).new_page(), app_server)
            for marker in MARKERS
        }
        for marker, user in users.items():
            text = json.dumps({marker: [{"id": row, "name": marker} for row in range(40)]})
            paste_over(user.page.get_by_label("JSON editor"), text)
        for marker, user in users.items():
            expect(user.page.get_by_label("TOON editor")).to_contain_text(marker)
            wait_for_the_answer(user.page)
        for title in ("Compare", "Playground"):
            for user in users.values():
                go_to(user.page, title)
            for user in users.values():
                expect(user.page).to_have_title(re.compile(f"^{title} "))
                wait_for_the_run(user.page)
        for user in users.values():
            wait_for_the_answer(user.page)

        assert {marker: user.seen() for marker, user in users.items()} == {
            marker: {marker} for marker in MARKERS
        }
        assert all(user.frames for user in users.values())
