"""What people paste that is a JSON value in another form, or holds one: code, tables, logs, chats.

``toon.playground.foreign`` reads it. As a text that is sent today it has its own figures, with the
words around the JSON. A curl command and a message of HTTP are none: no model is sent their flags
and headers, but the body, which the editor shows as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.formats.base import Format, NotApplicable, OneWay
from toon.formats.csv import CSV, CsvFormat
from toon.formats.xml import XML
from toon.formats.yaml import YAML
from toon.layout.literal import literal_layout
from toon.layout.spans import Layout


@dataclass(frozen=True, slots=True)
class Pasted(Format):
    """A text that was pasted. Every program in its language reads it."""

    name: str
    label: str
    lossless = True
    public = True

    @property
    def explanation(self) -> str:
        return f"The data is {self.label}."

    def dumps(self, value: Any) -> str:
        raise NotApplicable(f"nothing is written as {self.label} here")

    def loads(self, text: str) -> Any:
        raise OneWay(f"{self.label} is read where it is pasted")

    def layout(self, text: str) -> Layout:
        return literal_layout(text)


#: By the names of their readers.
PASTED: Final[dict[str, Format]] = {
    format.name: format
    for format in (
        Pasted("python", "Python"),
        Pasted("javascript", "JavaScript"),
        Pasted("lines", "JSON Lines"),
        Pasted("string", "JSON in a string"),
        Pasted("html", "HTML"),
        Pasted("prose", "text with JSON"),
        Pasted("markdown", "Markdown"),
        Pasted("log", "log"),
        Pasted("events", "event stream"),
        Pasted("jwt", "JSON Web Token"),
        CSV,
        CsvFormat("tsv", "TSV", "\t"),
        CsvFormat("semicolons", "CSV with semicolons", ";"),
        YAML,
        XML,
    )
}
