"""Everybody can use every page: what axe-core finds, the keyboard, and words for pictures."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.pages import open_cold
from tests.conftest import ROOT

pytestmark = pytest.mark.rest

#: The calls that draw on a canvas, which nobody can read aloud.
PICTURES = {"st.dataframe", "st.altair_chart"}


#: What has the focus: its name, and whether that is seen, on it or around it; null for the page.
STOP = """() => {
  let stop = document.activeElement;
  while (stop.shadowRoot?.activeElement) stop = stop.shadowRoot.activeElement;
  if (stop === document.body) return null;
  const outer = (node) => node.parentElement ?? node.getRootNode().host;
  const around = [stop];
  while (around.length < 5 && outer(around.at(-1))) around.push(outer(around.at(-1)));
  const styleOf = (node) => [getComputedStyle(node), getComputedStyle(node, "::before")];
  const styles = around.flatMap(styleOf);
  const look = () => {
    for (const animation of document.getAnimations()) {  // a sign that something runs has no end
      if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
    }
    return JSON.stringify(styles.map((at) => [at.outline, at.border, at.inset, at.clipPath]));
  };
  const [focused, isCut] = [look(), styles.some(({ clipPath }) => clipPath !== "none")];
  stop.blur();
  const isSeen = focused !== look() && !isCut;
  stop.focus();
  return [stop.ariaLabel ?? stop.textContent, isSeen];
}"""


def test_every_stop_of_the_keyboard_is_seen(page: Page, app_server: str) -> None:
    open_cold(page, app_server, "")
    stops = []
    page.keyboard.press("Tab")
    while stop := page.evaluate(STOP):
        stops.append(stop)
        page.keyboard.press("Tab")

    assert [name for name, is_seen in stops if not is_seen] == []
    assert stops[0][0] == "Skip to main content"
    assert {"Model", "JSON editor", "Copy TOON"} <= {name for name, _ in stops}


def pictures(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        # A table without a key is one of HTML, which says what it shows.
        has_key = len(node.args) > 1 or any(keyword.arg == "key" for keyword in node.keywords)
        if name in PICTURES or (name == "draw_table" and has_key):
            yield node


def test_every_chart_and_table_says_what_it_shows() -> None:
    calls = {
        f"{path.relative_to(ROOT)}:{call.lineno}": {keyword.arg for keyword in call.keywords}
        for path in (ROOT / "pages").rglob("*.py")
        for call in pictures(path)
    }

    assert len(calls) > 15
    assert [place for place, names in calls.items() if "alt" not in names] == []
