"""What ``pages/parts/static.py`` drew, read back from its HTML, which is XML too."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from streamlit.testing.v1 import AppTest

from pages.parts.static import Card


def _drawn(app: AppTest, tag: str) -> Iterator[ElementTree.Element]:
    for element in app.get("html"):
        if element.proto.body.startswith(f"<{tag} "):
            yield ElementTree.fromstring(element.proto.body)


def cards(app: AppTest) -> list[Card]:
    """All cards of a page, in order."""
    return [_card(box) for row in _drawn(app, "dl") for box in row]


def _card(box: ElementTree.Element) -> Card:
    name, *details = box
    texts: dict[str, list[str]] = {}
    for detail in details:
        texts.setdefault(detail.attrib["class"], []).append(detail.text or "")
    change = next((kind for kind in texts if kind.startswith("change")), "")
    return Card(
        name.text or "",
        texts["figure"][0],
        texts[change][0] if change else "",
        change.removeprefix("change ") or "gray",  # type: ignore[arg-type]
        tuple(texts.get("note", ())),
    )


def short_tables(app: AppTest) -> list[list[list[str]]]:
    """The texts of all short tables: a list of lines each, the head first."""
    return [
        [[cell.text or "" for cell in line] for line in _lines(table)]
        for table in _drawn(app, "table")
    ]


def _lines(table: ElementTree.Element) -> list[ElementTree.Element]:
    return table.findall(".//tr")


def details(app: AppTest) -> dict[str, list[str]]:
    """The lines of each box that the browser opens, by its title."""
    return {
        str(box.findtext("summary")): [item.text or "" for item in box.iter("li")]
        for box in _drawn(app, "details")
    }
