"""Rewritings that some tokenizers apply to a text first, and their tokens in the text as typed.

The tokens are those of the rewritten text. Pieces must be pieces of the text as typed, so the ends
of the tokens are mapped back to it.
"""

import functools
import re
import unicodedata
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Rewriting(NamedTuple):
    """A change of a text that a tokenizer makes before it cuts tokens, such as to composed accents.

    ``rewrite(text)`` is the rewritten text. ``parts(text)`` joined is ``text``, and the parts
    rewritten one by one and joined are the rewritten text.
    """

    rewrite: Callable[[str], str]
    parts: Callable[[str], list[str]]


def map_back(text: str, rewriting: Rewriting, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Convert the ``lengths`` of tokens in bytes of a rewritten text to bytes of the text as typed.

    A token that ends with a part ends there in the text as typed, too; one that ends inside a part
    ends at the proportional place. Every token keeps at least one byte, if necessary a neighbour's.
    If the text as typed has fewer bytes than tokens, there are as many as bytes.
    """
    parts = rewriting.parts(text)
    typed = np.cumsum([0, *(len(part.encode()) for part in parts)])
    read = np.cumsum([0, *(len(rewriting.rewrite(part).encode()) for part in parts)])
    ends = np.rint(np.interp(np.cumsum(lengths), read, typed)).astype(np.int64)
    return give_each_a_byte(ends, int(typed[-1]))


def give_each_a_byte(ends: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the byte lengths of tokens that end at ``ends`` in a text of ``size`` bytes, none 0.

    A token without a byte gets one of a neighbour. If there are fewer bytes than tokens, there are
    as many tokens as bytes.
    """
    ends = ends[:size]
    fewest = np.arange(1, ends.size + 1)  # the end of each token if all had one byte
    ends = np.maximum.accumulate(np.maximum(ends - fewest, 0)) + fewest
    return np.diff(np.minimum(ends, size - ends.size + fewest), prepend=0)


#: No character from here on combines with another.
COMBINING_END: Final = 0x30000


@functools.cache
def _canonical_part() -> re.Pattern[str]:
    """Return the pattern of a character with all following ones that NFC may join or reorder."""
    decomposed = {
        character: unicodedata.normalize("NFD", character)
        for character in map(chr, range(COMBINING_END))
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
NFC: Final = Rewriting(
    functools.partial(unicodedata.normalize, "NFC"),
    lambda text: _canonical_part().findall(text),  # not before it is needed: the pattern is large
)

#: SentencePiece writes a blank as U+2581, so it takes a typed U+2581 for a blank.
LOW_BLOCK_AS_BLANK: Final = Rewriting(
    lambda text: text.replace("\u2581", " "), re.compile("\u2581|[^\u2581]+").findall
)
