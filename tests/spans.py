"""The parts of a text that are names, punctuation, whitespace or values."""

from typing import Any

from toon.layout.spans import KINDS


def spans(text: str, layout: Any) -> list[tuple[str, str]]:
    """Return the parts of ``text`` in order, each with its kind; neighbours differ in kind."""
    found: list[tuple[str, str]] = []
    byte = 0
    for character in text:
        kind = KINDS[layout[byte]]
        byte += len(character.encode())
        if found and found[-1][1] == kind:
            found[-1] = (found[-1][0] + character, kind)
        else:
            found.append((character, kind))
    assert byte == len(layout)
    return found


def parts_by_kind(text: str, layout: Any) -> dict[str, str]:
    """Return for each kind what of ``text`` is of it, joined."""
    found = dict.fromkeys(KINDS, "")
    for part, kind in spans(text, layout):
        found[kind] += part
    return found
