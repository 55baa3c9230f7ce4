"""Which files that grow a server follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from toon.http.following import allowed_files, files_named
from toon.http.lock import Lock

HERE, OTHERS = Lock(), Lock(token="0123456789abcdef")


@pytest.mark.parametrize(
    ("lock", "named", "allowed"),
    [
        (HERE, "", None),
        (HERE, "a.jsonl", (Path("a.jsonl"),)),
        (OTHERS, "", ()),
        (OTHERS, "a.jsonl, b.jsonl", (Path("a.jsonl"), Path("b.jsonl"))),
    ],
)
def test_a_server_for_others_follows_no_file_but_those_that_are_named(
    lock: Lock, named: str, allowed: tuple[Path, ...] | None
) -> None:
    assert allowed_files(lock, {"TOON_FOLLOW": named}) == allowed


def test_the_start_command_names_files_among_arguments_of_others() -> None:
    assert files_named(["-n", "auto", "--follow", "a.jsonl", "x", "--follow=b.jsonl"]) == (
        "a.jsonl,b.jsonl"
    )
    assert files_named(["app:app", "--port", "1"]) == ""
