"""Parts of a text that estimators were not made for: other scripts, random letters, escapes."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

#: Estimators give no estimate where more of the characters are strange than this. Strange parts
#: have about twice the tokens, so an error of one half on them moves the whole by about 10 %.
MOST_STRANGE: Final = 0.1

#: For what was fitted to English: a word is strange with its first letter beyond ASCII.
ASCII: Final = "\x80"
#: German and Polish words are not strange, all but Latin letters are.
LATIN: Final = "\u0250"

_WORD: Final = re.compile(r"[A-Za-z\x80-\u200f\u2c00-\U0010ffff]+")
_RANDOM: Final = re.compile(r"[A-Za-z0-9_-]{16,}")
_CHANGE: Final = re.compile(r"[A-Z]+|[a-z]+|[0-9]+|[_-]+")
_ESCAPE: Final = re.compile(r"\\u[0-9A-Fa-f]{4}")

#: What the names of characters do not say; every other script is their first word.
_NAMED: Final = {
    "CJK": "Chinese letters",
    "HIRAGANA": "Japanese letters",
    "KATAKANA": "Japanese letters",
    "LATIN": "words with accented letters",
}


def strange_parts(text: str, first: str) -> dict[str, float]:
    """Return the shares of a text's characters that are strange, by what they are.

    A word is strange with a character from ``first`` on, which is ``ASCII`` or ``LATIN``.
    """
    words = [] if text.isascii() else [w for w in _WORD.findall(text) if max(w) >= first]
    counts = {
        r"\u escapes": sum(map(len, _ESCAPE.findall(text))),
        "base64 or hashes": sum(map(len, _random_runs(text))),
        _script(words, first): sum(map(len, words)),
    }
    return {what: count / len(text) for what, count in counts.items() if count}


def _random_runs(text: str) -> Iterator[str]:
    """Yield long runs in which letters and digits change at least at every third character."""
    for run in _RANDOM.findall(text):
        if not (run.isdigit() or run.isalpha()) and 3 * len(_CHANGE.findall(run)) > len(run):
            yield run


def _script(words: list[str], first: str) -> str:
    """Return what most letters from ``first`` on are: ``Cyrillic letters``, or ``symbols``."""
    scripts: Counter[str] = Counter()
    for character, count in Counter("".join(words)).items():
        if character >= first and unicodedata.category(character)[0] in "LM":
            scripts[unicodedata.name(character, "unnamed").split()[0]] += count
    if not scripts:
        return "symbols"
    script = max(scripts, key=scripts.__getitem__)
    return _NAMED.get(script, f"{script.capitalize()} letters")
