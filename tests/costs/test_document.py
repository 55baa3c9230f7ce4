"""The document of a payload: what it keeps, and what its figures are judged by."""

from __future__ import annotations

from toon.costs.document import Document
from toon.formats import FORMATS

O200K, HAIKU = "o200k_base", "claude_haiku_4_5"


def test_a_document_keeps_a_thousand_things_and_drops_all_for_one_more() -> None:
    document, found = Document([1]), list[int]()

    def find(_: Document, number: int) -> None:
        found.append(number)

    for number in [*range(1000), *range(1000), 1000, 1000, 0]:
        document.ask(find, number)
    assert found == [*range(1000), 1000, 0]


def test_a_format_may_be_asked_for_by_itself_as_by_its_name() -> None:
    document, yaml = Document.of([{"a": 1}, {"a": 2}]), FORMATS["yaml"]

    assert document.format(yaml) is yaml
    assert document.text(yaml) == document.text("yaml") == "- a: 1\n- a: 2"
    assert document.tokens(yaml, O200K) == document.tokens("yaml", O200K)
    assert document.proof(yaml).ok
