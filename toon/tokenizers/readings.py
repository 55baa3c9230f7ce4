"""What a model reads where that is not the text as typed, and how its tokens lie over that text.

Some tokenizers rewrite a text before they cut it. The count is that of the rewritten text; the
pieces are still to be the typed one's, so the ends of the tokens are carried back to it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Reading(NamedTuple):
    """A rewriting that can be done part by part."""

    rewrite: Callable[[str], str]
    parts: Callable[[str], list[str]]  # joined they are the text; rewritten apart, and joined, too


def carried_back(text: str, reading: Reading, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Carry tokens of ``reading.rewrite(text)`` back to ``text``.

    Takes and returns the tokens' lengths in bytes. A token that ends where a part does ends there
    in the typed text too; one that ends inside a part ends in proportion to it. Every token keeps a
    byte at least, if need be a neighbour's; should the text have fewer bytes than tokens, there are
    as many tokens as bytes.
    """
    parts = reading.parts(text)
    typed = _ends(parts)
    read = _ends([reading.rewrite(part) for part in parts])
    ends = np.rint(np.interp(np.cumsum(lengths), read, typed)).astype(np.int64)
    ends = ends[: typed[-1]]
    fewest = np.arange(1, ends.size + 1)  # bytes up to the end of each, one for every token
    ends = np.maximum.accumulate(np.maximum(ends - fewest, 0)) + fewest
    carried: NDArray[np.int64] = np.minimum(ends, typed[-1] - ends.size + fewest)
    return np.diff(carried, prepend=0)


def _ends(parts: list[str]) -> NDArray[np.int64]:
    return np.cumsum([0, *(len(part.encode()) for part in parts)])


def _canonical_parts(text: str) -> list[str]:
    return _canonical_part().findall(text)


_PLANES_THAT_COMBINE: Final = 0x30000  # those beyond have none that does


@functools.cache
def _canonical_part() -> re.Pattern[str]:
    """Any character, and all that may combine with it or change places under NFC."""
    decomposed = {
        character: unicodedata.normalize("NFD", character)
        for character in map(chr, range(_PLANES_THAT_COMBINE))
        if not "\ud800" <= character <= "\udfff"
    }
    second = {
        inner for character, form in decomposed.items() if form != character for inner in form[1:]
    }
    joining = "".join(
        character
        for character, form in decomposed.items()
        if form[0] in second or unicodedata.combining(form[0])
    )
    return re.compile(f".[{re.escape(joining)}]*", re.DOTALL)


#: Unicode's canonical composition: "e" with a combining accent is read as "é".
NFC: Final = Reading(functools.partial(unicodedata.normalize, "NFC"), _canonical_parts)

#: SentencePiece writes a blank as U+2581, so it cannot tell one typed from a blank.
LOW_BLOCK_AS_BLANK: Final = Reading(
    lambda text: text.replace("\u2581", " "), re.compile("\u2581|[^\u2581]+").findall
)
