"""Invalid documents, named by their defect, each beside its exact error message (§14)."""

import pickle
from pathlib import Path

import pytest

import toon
from toon.codec.problems import PROBLEMS
from toon.errors import render

FOLDER = Path(__file__).parent.parent / "invalid"
DOCUMENTS = sorted(FOLDER.glob("*.toon"))

#: Raised only for bytes, in lenient mode, for 3.3 or line by line: tested elsewhere.
ELSEWHERE = {
    "utf-8", "too-shallow", "path-conflict", "field-group", "after-bracket", "not-an-array",
}  # fmt: skip


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_refusal(path: Path) -> None:
    with pytest.raises(toon.ToonDecodeError) as caught:
        toon.decode(path.read_bytes())

    error = caught.value
    assert render(error) + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")
    lines = path.read_text(encoding="utf-8").split("\n")
    assert error.line is not None
    assert error.column is not None
    assert error.source == lines[error.line - 1]
    assert 1 <= error.column <= len(error.source) + 1


def test_every_problem_has_a_document() -> None:
    shown = "".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in DOCUMENTS)
    missing = [
        name
        for name, (message, _) in PROBLEMS.items()
        if message.split("{")[0] not in shown and name not in ELSEWHERE
    ]

    assert missing == []


def test_bytes_that_are_not_utf_8_are_refused_with_their_position() -> None:
    with pytest.raises(toon.ToonDecodeError) as caught:
        toon.decode(b"a: 1\nb: \xffx")

    error = caught.value
    assert (error.line, error.column) == (2, 4)
    assert error.message == "not UTF-8: invalid start byte at byte 8"


def test_lenient_mode_reads_a_block_that_starts_too_deep_unless_it_is_ragged() -> None:
    read = toon.decode("a:\n    b: 1\n    c: 2\nd: 3", strict=False)
    assert read == {"a": {"b": 1, "c": 2}, "d": 3}
    with pytest.raises(toon.ToonDecodeError) as caught:
        toon.decode("a:\n      b: 1\n    c: 2", strict=False)

    assert caught.value.message == "line is indented less than the first line of its block"
    assert (caught.value.line, caught.value.column) == (3, 5)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("t[3]: a,b", {"t": ["a", "b"]}), ("t[1]: a,b", {"t": ["a", "b"]}),
        ("r[9]{a}:\n  1\n  2", {"r": [{"a": 1}, {"a": 2}]}),
        ("a: 1\nb: 2\na: 3", {"a": 3, "b": 2}), ("r[1]{a,a}:\n  1,2", {"r": [{"a": 2}]}),
        ("a:\n   b: 1", {"a": {"b": 1}}), ("a:\n\tb: 1", {"a": {"b": 1}}),
        ("r[2]{a}:\n  1\n\n  2", {"r": [{"a": 1}, {"a": 2}]}),
    ],
)  # fmt: skip
def test_the_five_recoveries(text: str, value: object) -> None:
    with pytest.raises(toon.ToonDecodeError):
        toon.decode(text)

    assert toon.decode(text, strict=False) == value


def test_a_tab_is_a_level_leniently_and_opens_no_comment() -> None:
    assert toon.decode("a:\n\tb:\n\t    c: 1\n\t\n", strict=False, indent_size=4) == {
        "a": {"b": {"c": 1}}
    }
    with pytest.raises(toon.ToonDecodeError, match="indented deeper than anything"):
        toon.decode("a: 1\n\t# note", strict=False)


def test_an_error_keeps_all_attributes_when_pickled() -> None:
    with pytest.raises(toon.ToonDecodeError) as caught:
        toon.decode("a: 1\na: 2")

    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.as_dict() == caught.value.as_dict()
    assert str(copy) == "line 2, column 1: key 'a' appears twice in one object"
