"""The rewriting of a text by Claude's tokenizers, before they cut it.

The order matters: a mark that stripping lays bare is not composed with the letter before it.
"""

import re
import unicodedata
from functools import partial
from typing import Final

from toon.tokenizers.rewriting import Rewriting

_CONTROLS: Final = "\x01-\x08\x0b-\x1f\x7f-\x9f"
_SPACES: Final = "\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"
_PRIVATE: Final = "\ue000-\uf8ff"
_REWRITTEN: Final = re.compile(f"[\0{_CONTROLS}{_SPACES}{_PRIVATE}]")
_STRIPPED: Final = re.compile(f"[{_CONTROLS}{_PRIVATE}]")
_OTHER_SPACE: Final = re.compile(f"[{_SPACES}\0]")
_QUOTES: Final = {ord("\u2018"): "'", ord("\u2019"): "'", ord("\u201c"): '"', ord("\u201d"): '"'}

#: Thai's vowel AM, which NFC leaves in two characters.
_SARA_AM: Final = ("\u0e4d\u0e32", "\u0e33")

# Stretches that are normalised alike apart and together: ASCII, or a character with all after it
# that may combine with it. What is stripped stands with the character before it.
_PART: Final = re.compile(
    f"[\t\n -~]+(?=[\t\n -~]|\\Z)|(?s:.)[{_CONTROLS}\u0300-\u1fff\u20d0-\u20ff"
    "\u302a-\u302f\u3099\u309a\ua66f-\uabff\ud7b0-\ud7ff\ufb1e\ufe20-\ufe2f\U00010000-\U0001efff]*"
)


def normalise(text: str, *, straightens: bool) -> str:
    """Return a text as Claude's tokenizers cut it: in NFC, without controls, with plain spaces.

    ``straightens`` makes curly quotes straight.
    """
    composed = unicodedata.is_normalized("NFC", text)
    if not composed or _SARA_AM[0] in text or _REWRITTEN.search(text):
        text = unicodedata.normalize("NFC", text)
        # The vowel is joined once controls are gone, and before characters for private use are.
        text = re.sub(f"[{_CONTROLS}]", "", text).replace(*_SARA_AM)
        text = _OTHER_SPACE.sub(" ", _STRIPPED.sub("", text))
    return text.translate(_QUOTES) if straightens and not text.isascii() else text


def rewriting(*, straightens: bool) -> Rewriting:
    """Return Claude's rewriting: :func:`normalise`, and the parts that it changes one by one."""
    rewrite = partial(normalise, straightens=straightens)

    def parts(text: str) -> list[str]:
        stretches = _PART.findall(text)
        return stretches if "".join(map(rewrite, stretches)) == rewrite(text) else [text]

    return Rewriting(rewrite, parts)
