"""What was pasted is what is sent today, also where the editor shows JSON made of it."""

import json
import pickle
from typing import Any

import pytest

from toon.costs.answer import answer
from toon.costs.explanation import ALONE
from toon.costs.headline import picture
from toon.formats import AS_TYPED, label
from toon.formats.pasted import PASTED
from toon.layout.spans import KINDS
from toon.playground.editors import bill
from toon.playground.foreign import read_pasted
from toon.playground.panes import Options, Pane, Side
from toon.playground.state import read_kept, read_state
from toon.tokenizers import get

ROWS: Any = [{"id": n, "name": "Ada", "ok": True, "note": None} for n in range(30)]
PASTES: dict[Side, str] = {
    "python": repr(ROWS),
    "javascript": f"const rows = {[{'id': 1}] * 9};",
    "lines": '{"a": 1, "b": "x"}\n' * 20,
    "prose": f"Sure! Here it is:\n{json.dumps(ROWS)}\nShall I go on?",
    "markdown": f"The rows:\n```json\n{json.dumps(ROWS, indent=1)}\n```\n",
    "log": '2026-01-01T10:00:00 INFO got {"a": [1, 2]}\n' * 9,
    "events": 'event: delta\ndata: {"a": "x"}\n\n' * 9,
    "jwt": "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3IiwiYWRtaW4iOnRydWV9.c2ln",
}
#: A curl command is sent to no model, but its body is, as it stands there.
BODY = '{"a":  1.50}'


@pytest.mark.parametrize("side", PASTES)
def test_what_was_pasted_is_the_first_row_everywhere(side: Side) -> None:
    text = PASTES[side]
    pane, tokens = Pane(side, text, Options()), get("o200k_base").count(text)
    document = pane.document

    first = answer(document)["ladder"][0]
    row = bill(document, pane.options, "o200k_base", ALONE)[0]
    assert (first["label"], first["cost"]) == (label(AS_TYPED, side), tokens)
    assert (row["format"], row["tokens"], row["chars"]) == (AS_TYPED, tokens, len(text))
    assert sum(row["breakdown"][kind] for kind in KINDS) == pytest.approx(tokens)
    assert Pane("json", pane.pasted.text, Options()).document.value == document.value
    assert answer(pickle.loads(pickle.dumps(pane)).document) == answer(document)


def test_the_body_of_a_command_is_what_is_sent() -> None:
    assert read_pasted("curl", f"curl -H 'A: b' -d '{BODY}' https://a.test").text == BODY
    assert read_pasted("http", f"HTTP/1.1 200 OK\nContent-Type: a/json\n\n{BODY}").text == BODY
    assert PASTED.keys().isdisjoint(("curl", "http"))


def test_toon_that_was_pasted_is_counted_without_a_note_and_shown_once() -> None:
    text = "users[2]{id,name}:\n  1,Ada\n  2,Bob"
    bars = picture(Pane("toon", text, Options()).document, "o200k_base").bars

    assert [bar["label"] for bar in bars] == ["your TOON", "minified JSON"]
    assert bars[0]["cost"] == get("o200k_base").count(text)


@pytest.mark.parametrize("side", PASTES)
def test_a_state_keeps_what_was_pasted(side: Side) -> None:
    kept = {"side": side, "text": PASTES[side], "name": "mine"}
    linked, problems = read_state({"tokenLab": 1, **kept})
    stored, _ = read_kept(kept)

    assert (linked.side, linked.text, problems) == (side, PASTES[side], [])
    assert stored == linked
