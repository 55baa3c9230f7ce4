"""Formats of pasted texts that are or hold JSON values in another form: code, tables, logs, chats.

``toon.playground.foreign`` reads them. Such a text, with the words around its JSON, has figures of
its own as the text sent today. A curl command and an HTTP message are no such texts: only their
body goes to a model, and the editor shows it.
"""

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
    """The format of a pasted text that holds JSON in another form, such as Python code or a log; it
    has a label and a layout, but no writer or reader here.
    """

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


#: Formats by the names of their readers.
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
