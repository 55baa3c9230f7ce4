"""What was pasted is what is sent today, also where the editor shows JSON made of it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE
from toon.formats import AS_TYPED, PASTED, label
from toon.layout.spans import KINDS
from toon.playground.conversion import rewrite
from toon.playground.figures import bill
from toon.playground.panes import Options, Pane, Pasted
from toon.tokenizers import get

ROWS: Any = [{"id": n, "name": "Ada", "ok": True, "note": None} for n in range(30)]
PASTES = {
    "python": repr(ROWS),
    "javascript": f"const rows = {[{'id': 1}] * 9};",
    "lines": '{"a": 1, "b": "x"}\n' * 20,
    "toon": "users[2]{id,name}:\n  1,Ada\n  2,Bob",
}


def pane_of(kind: str, text: str) -> Pane:
    converted = rewrite(kind, text)
    assert converted["ok"]
    return Pane("json", converted["text"], Options(pasted=Pasted(kind, "id", text)))


@pytest.mark.parametrize("kind", PASTES)
def test_what_was_pasted_is_the_first_row_everywhere(kind: str) -> None:
    text = PASTES[kind]
    pane, tokens = pane_of(kind, text), get("o200k_base").count(text)
    document = pane.document
    name = "your TOON" if kind == "toon" else label(AS_TYPED, kind)

    verdict = answer(document)
    first, row = verdict["ladder"][0], bill(document, pane.options, "o200k_base", ALONE)["rows"][0]
    assert (first["label"], first["tokens"]) == (name, tokens)
    assert (row["format"], row["tokens"], row["chars"]) == (AS_TYPED, tokens, len(text))
    assert sum(row["breakdown"][each] for each in KINDS) == pytest.approx(tokens)
    assert document.value == Document.of(Pane("json", pane.text, Options()).document.value).value


def test_a_worker_reads_the_same() -> None:
    pane = pickle.loads(pickle.dumps(pane_of("python", PASTES["python"])))

    assert answer(pane.document)["ladder"][0]["label"] == "your Python"


def test_names_values_and_marks_of_a_literal_are_told_apart() -> None:
    text = "{'a b': [True, \"x:y\"], c: `é`}"
    layout = PASTED["javascript"].layout(text)

    drawn = "".join("npwv"[kind] for kind in layout)
    assert drawn == "ppnnnppwpvvvvpwpvvvpppwnpwpvvpp"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("{'a': [1]}", ""),
        ("{'a': (1, 2)}", "Tuples are arrays now."),
        ("{1: (2,)}", "Tuples are arrays now. Keys are texts now."),
    ],
)
def test_what_json_cannot_keep_is_said(text: str, note: str) -> None:
    assert rewrite("python", text)["note"] == note  # type: ignore[typeddict-item]
