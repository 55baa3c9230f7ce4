"""The README's pictures: ``python -m tests.pictures`` takes them anew, of the app as it is."""

from typing import Final, Literal, NamedTuple

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import BROWSER_ARGS, WINDOWLESS, served, system_browser
from tests.browser.pages import open_cold
from tests.conftest import ROOT


class Picture(NamedTuple):
    """What is opened, and the window it is seen in: its theme, and its size in CSS pixels."""

    address: str
    theme: Literal["light", "dark"]
    width: int
    height: int


PICTURES: Final = {
    "playground": Picture("", "light", 1440, 900),
    "playground-dark": Picture("", "dark", 1440, 900),
    "playground-phone": Picture("", "light", 390, 844),
    "dashboard": Picture("dashboard", "light", 1440, 900),
}


def take(page: Page, server: str, name: str) -> None:
    """Opens a page, waits until all of it is there, and writes its picture."""
    picture = PICTURES[name]
    open_cold(page, server, picture.address)
    if not picture.address:
        expect(page.locator(".figures.old")).to_have_count(0)
    page.screenshot(path=ROOT / ".github" / f"{name}.png", caret="hide")


def main() -> None:
    """Takes every picture, one after the other."""
    with served(ROOT / "app.py") as server, sync_playwright() as playwright:
        path = system_browser() or system_browser(WINDOWLESS)
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGS)
        for name, picture in PICTURES.items():
            size = {"width": picture.width, "height": picture.height}
            context = browser.new_context(viewport=size, color_scheme=picture.theme)  # type: ignore[arg-type]
            take(context.new_page(), server.url, name)
            context.close()


if __name__ == "__main__":
    main()
