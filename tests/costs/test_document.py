"""The document of a payload: what it keeps, and what its figures are judged by."""

from __future__ import annotations

from toon.costs.document import Document
from toon.costs.typed import Typed
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


def test_an_estimate_is_judged_by_the_text_as_typed_and_by_compact_json() -> None:
    plain = [{"id": number, "name": f"part {number}"} for number in range(40)]
    strange = ["Съешь же ещё этих мягких французских булок" * 9]
    typed = Typed(FORMATS["json-compact"].dumps(strange))

    assert Document.of(plain).no_estimate(HAIKU) is None
    reasons = [
        Document.of(strange).no_estimate(HAIKU),
        Document.of(plain, typed).no_estimate(HAIKU),
    ]
    assert reasons[0] == reasons[1]
    assert str(reasons[0]).startswith("No estimate within ")
    assert Document.of(strange).no_estimate(O200K) is None
