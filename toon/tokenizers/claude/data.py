"""The vocabularies of Claude's families, as ``claude.pack`` holds them.

The pieces were measured by Sander Land and are those of his package ctok 1.3.0 (MIT, see
``LICENSE.ctok``); ``tests/tokenizers/pack_claude.py`` writes the file. Characters have kinds:

====  ==============================================================================
w, W  letters, which make words; W also ends a run of punctuation before it
p, q  ASCII's punctuation, and other punctuation
d, a  ASCII's digits, and Arabic-Indic ones
n     numbers of other scripts
s     white space
V     variation selectors
h     every other character, which is a token or several by itself
x     what normalising rewrites or strips wherever it stands
====  ==============================================================================
"""

import json
import lzma
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("claude.pack")
#: The separators of the lists of the file, and of the pieces of a list.
LISTS: Final = "\x05"
PIECES: Final = "\x06"

#: The marks of a stream: where a word begins and ends, that it has a first capital, or capitals.
BEGIN: Final = "\x01"
END: Final = "\x02"
SHIFT: Final = "\x03"
CAPS: Final = "\x04"


@dataclass(frozen=True, slots=True)
class Family:
    """The way in which a family of Claude's models reads a message.

    Attributes:
        new: Whether its vocabulary is the one from Claude 4.7 on.
        frame: The tokens of a message besides its text.
        begins: Whether the frame ends with the beginning of a word.
        straightens: Whether curly quotes are read as straight ones.
        capitals: How many letters a word in capitals must have to be marked so; None: no word is.
    """

    new: bool
    frame: int
    begins: bool
    straightens: bool
    capitals: int | None


@cache
def _load() -> tuple[dict[str, Any], list[list[str]]]:
    head, *lists = lzma.decompress(FILE.read_bytes()).decode().split(LISTS)
    return json.loads(head), [pieces.split(PIECES) for pieces in lists]


def family(name: str) -> Family:
    """Return how a family of Claude reads a message, by ctok's name: ``v3``, ``v4.7``, ``v4.8``."""
    return Family(**_load()[0]["families"][name])


def pieces(*, new: bool) -> tuple[frozenset[str], frozenset[bytes]]:
    """Return the tokens of a vocabulary of Claude, as text with marks of words and of case.

    The second set has those that are several bytes of a character, but not all of it.
    """
    both, old, new_ones, old_bytes, new_bytes = _load()[1]
    in_bytes = map(bytes.fromhex, new_bytes if new else old_bytes)
    return frozenset(both).union(new_ones if new else old), frozenset(in_bytes)


@cache
def kinds() -> str:
    """Return one text with a letter for the kind of each character below U+10000: d for a digit."""
    runs = _load()[0]["kinds"].split()
    return "".join(run[0] * int(run[1:], 16) for run in runs)


def kind(character: str) -> str:
    """Return the letter of a character's kind in Claude's tokenizers; "-" for an empty text."""
    if not character:
        return "-"
    return kinds()[code] if (code := ord(character)) < 0x10000 else "h"
