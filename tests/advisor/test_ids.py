"""Which ids are opaque, and so may be cut."""

from contextlib import suppress
from typing import Any

import pytest

from toon.advisor import STEPS
from toon.advisor.steps.base import Applied, StepOptions
from toon.costs.document import Document
from toon.formats.base import NotApplicable

UUID = "4b0c9d52-7e1f-4a86-9f0e-2f6f4a8c1d10"


def apply(value: Any) -> Applied:
    return STEPS["short-ids"].apply(Document.of(value), StepOptions())


def count_kept(value: Any) -> int:
    """How many ids the map of the step holds; 0 where the step has nothing to do."""
    with suppress(NotApplicable):
        return len(apply(value).kept)
    return 0


OPAQUE = [
    ("a UUID", UUID),
    ("a UUID in capitals", UUID.upper()),
    ("a UUID without hyphens", UUID.replace("-", "")),
    ("a trace id, hex", "9c41f07ab2de6635"),
    ("a commit, hex", "02fd0873b4a5c6f1e2d39708c4b5a6d7e8f90123"),
    ("hex of almost only digits", "4820917355a1"), ("base36", "k3v9x1q8z7w2m5b0t4r6"),
    ("a typed id, base62", "cus_NffrFeUfNV2Hib"), ("a typed id, hex", "run-4f2a9c1b7d33"),
    ("a ULID", "01HZX3Q4V5W6X7Y8Z9ABCDEFGH"), ("base62", "7Hq2Lm9XbT4pKwR8vNc3"),
]  # fmt: skip
MEANT = [
    ("a slug", "red-cotton-shirt-xl"), ("a slug with a number", "summer-sale-2026"),
    ("a region", "eu-central-1"), ("a zone", "us-east-1a"), ("a model name", "gpt-5.4-nano-2026"),
    ("a model name with a date", "claude-opus-4-20250514"),
    ("a model name in one piece", "gpt4o2024mini08"),
    ("a model name in one piece, sizes in it", "llama370b8192x"),
    ("a model name in one piece, quantised", "q4k3m8gguf7b1"),
    ("a long model name in one piece", "llama3p170b8192q4k3m8gguf7b1"),
    ("a model name after its family", "gpt-4o2024mini08"),
    ("letters and digits too few to be told from a code", "7Hq2Lm9XbT4pKw"),
    ("an e-mail address", "ada.lovelace42@example.org"), ("a file name", "report_q3_final.pdf"),
    ("a file name without a suffix", "IMG_20260309091500"),
    ("a date", "2026-03-09"), ("a date and time", "20260309T091500Z"),
    ("a version", "10.15.7-beta.2"), ("a stock-keeping unit in words", "SHIRT-COTTON-RED-XL"),
    ("a product name", "iPhone15ProMax256"), ("a counter", "customer-0000017"),
    ("a number", "9007199254740993"), ("a word", "internationalisation"),
    ("a short code", "msg-7f31c0"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "text"), OPAQUE)
def test_an_opaque_id_is_cut(what: str, text: str) -> None:
    (short,) = apply([{"id": text}]).kept

    assert text.startswith(short)
    assert len(short) < len(text), what


@pytest.mark.parametrize(("what", "text"), MEANT)
def test_what_means_something_is_never_cut(what: str, text: str) -> None:
    assert count_kept([{"id": text}]) == 0
    assert apply([{"id": text}, {"id": UUID}]).value == [{"id": text}, {"id": UUID[:8]}]


@pytest.mark.parametrize(("lengths", "cut"), [((16, 16, 16), 3), ((16, 16, 14), 3), ((16, 14), 0)])
def test_the_ids_of_a_field_have_one_length(lengths: tuple[int, ...], cut: int) -> None:
    """A generator writes one length; names differ in theirs."""
    ids = ["9c41f07ab2de6635", "7b0e3d9a1f5244c8", "02fd0873b4a5c6f1"]
    rows = [{"id": text[:length]} for text, length in zip(ids, lengths, strict=False)]

    assert count_kept(rows) == cut


@pytest.mark.parametrize(("repeats", "cut"), [(1, True), (2, True), (3, False)])
def test_a_field_whose_texts_repeat_holds_categories(repeats: int, cut: bool) -> None:
    rows = [{"build_id": "9c41f07ab2de"}, {"build_id": "7b0e3d9a1f52"}] * repeats

    assert count_kept(rows) == (2 if cut else 0)


def test_a_reference_is_cut_as_often_as_it_stands() -> None:
    """An id that is unique in its own field is cut in a field of references too."""
    rows = [{"id": UUID, "of": [{"order_id": "9c41f07ab2de"}] * 5}, {"id": "9c41f07ab2de"}]

    applied = apply(rows)

    assert applied.kept == {"4b0c9d52": UUID, "9c41f07a": "9c41f07ab2de"}
    assert applied.note == "7 ids cut, 2 distinct"
