"""What ``pages/parts/static.py`` drew, read back from its HTML, which is XML too."""

from collections.abc import Iterator
from xml.etree import ElementTree

import pandas as pd
from streamlit.testing.v1 import AppTest

from pages.parts.static import Card
from toon.wording import UNKNOWN

#: A figure as pages write it, and what makes it one for Python.
_FIGURE = str.maketrans("−", "-", ",±")


def _elements(app: AppTest, tag: str) -> Iterator[ElementTree.Element]:
    for element in app.get("html"):
        if element.proto.body.startswith(f"<{tag} "):
            yield ElementTree.fromstring(element.proto.body.replace('" open>', '">', 1))


def cards(app: AppTest) -> list[Card]:
    """All cards of a page, in order."""
    return [_card(box) for row in _elements(app, "dl") for box in row]


def _card(box: ElementTree.Element) -> Card:
    name, *details = box
    texts: dict[str, list[str]] = {}
    for detail in details:
        texts.setdefault(detail.attrib["class"], []).append(detail.text or "")
    card = Card(name.text or "", texts["figure"][0], notes=tuple(texts.get("note", ())))
    card = card._replace(footnote="".join(texts.get("beside", ())))
    for colour in ("gray", "green", "red", "orange"):
        for change in texts.get(f"change {colour}", ()):
            card = card._replace(change=change, colour=colour)
    return card


def verdict(app: AppTest) -> tuple[str, str, list[tuple[str, str]]]:
    """What the dashboard's band says to do, what stands below it, and its figures with names."""
    (band,) = _elements(app, "section")
    say, quiet, figures = band
    pairs = [(figure.text or "", name.text or "") for name, figure in figures]
    return say.text or "", quiet.text or "", pairs


def short_tables(app: AppTest) -> list[pd.DataFrame]:
    """All short tables: figures as numbers, rounded as they are shown; shares of 1."""
    boxed = (table for box in _elements(app, "details") for table in box.iter("table"))
    return [_table(table) for table in (*_elements(app, "table"), *boxed)]


def short_table_with(app: AppTest, column: str) -> pd.DataFrame:
    """The one short table that has this column."""
    (table,) = (table for table in short_tables(app) if column in table.columns)
    return table


def _table(table: ElementTree.Element) -> pd.DataFrame:
    names = [cell.text for cell in table.iter("th")]
    lines = [[_cell(cell) for cell in line] for line in table.iter("tr") if line[0].tag == "td"]
    return pd.DataFrame(lines, columns=names)


def _cell(cell: ElementTree.Element) -> object:
    text = "".join(cell.itertext())
    if cell.attrib["class"] == "text" or text == UNKNOWN:
        return text
    figure = text.translate(_FIGURE)
    if share := figure.endswith("\u202f%"):
        figure = figure[:-2]
    value = float(figure) / (100 if share else 1)
    return value if share or "." in figure else int(value)


def details(app: AppTest) -> dict[str, list[str]]:
    """The lines of each box of lines that the browser opens, by its title."""
    return {
        str(box.findtext("summary")): [item.text or "" for item in box.iter("li")]
        for box in _elements(app, "details")
        if box.find("ul") is not None
    }
