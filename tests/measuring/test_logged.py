"""Which model a log is measured for."""

import pytest

from toon.measuring.logged import find_logged_model
from toon.traffic.payload import BadRecord, Payload, Record

SMALL, LARGE = "[1]", "[1,2,3,4,5]"


def sent(model: str | None, text: str = SMALL) -> Payload:
    return Payload("a", 1, "g", text, None, model)


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ([[sent("gpt-5"), sent("gpt-5"), sent("claude-opus-4-8", LARGE)]], "claude-opus-4-8"),
        ([[sent("unheard-of", LARGE), sent("gpt-5")]], "gpt-5"),
        ([[sent("gpt-5")], [sent("o3"), sent("o3")]], "o3"),
        ([[sent(None), BadRecord("a", 2, "no JSON")], []], None),
    ],
)
def test_the_model_of_most_bytes_is_taken_of_those_that_can_be_counted(
    files: list[list[Record]], name: str | None
) -> None:
    assert find_logged_model(map(iter, files), len(files)) == name


def test_each_of_many_files_is_looked_at_and_none_is_read_whole() -> None:
    long = iter([sent("gpt-5")] * 9_999)
    files = [long, *([sent("o3", LARGE)] for _ in range(600))]
    assert find_logged_model(files, len(files)) == "o3"
    assert len(list(long)) == 9_979
