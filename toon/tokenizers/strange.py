"""Parts of a text that estimators were not made for: other scripts, random letters, escapes."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.wording import percent

ESCAPES: Final = r"\u escapes"
BASE64: Final = "base64"
HASHES: Final = "hashes or UUIDs"
ACCENTED: Final = "words with accented letters"
CAPITALS: Final = "capitals without a break"

#: How much of a text each part may be, as a share of its characters; every script and symbols may
#: be a tenth. With that much of a part the estimates of known tokenizers stay near their bands:
#: ``python -m tests.benchmarks.models`` measures it.
MOST: Final = {ESCAPES: 0.1, BASE64: 0.2, HASHES: 0.4, ACCENTED: 0.15, CAPITALS: 0.2}
_MOST_OF_A_SCRIPT: Final = 0.1
#: Literals are at most 0.1 of a payload of the fits; one or two are much of a short text.
_MOST_LITERALS: Final = 0.15
_SHORT: Final = 60

# A word with a character beyond ASCII; dashes, quotation marks and arrows are not letters.
_WORD: Final = re.compile(
    r"(?<![A-Za-z])[A-Za-z]*+[\x80-\u200f\u2c00-\U0010ffff]"
    r"[A-Za-z\x80-\u200f\u2c00-\U0010ffff]*+"
)
#: The fewest characters of a hash or a key.
_FEWEST: Final = 16
_CHANGE: Final = re.compile(r"[A-Z]+|[a-z]+|[0-9]+|[_-]+")
_ESCAPE: Final = re.compile(r"\\u[0-9A-Fa-f]{4}")

_LETTERS, _DIGITS, _SIGNS, _BLANKS = range(4)
_CLASSES: Final = np.full(256, _SIGNS, np.uint8)
_CLASSES[0x41:0x5B] = _CLASSES[0x61:0x7B] = _CLASSES[0x80:] = _LETTERS
_CLASSES[0x30:0x3A] = _DIGITS
_CLASSES[[0x09, 0x0A, 0x0D, 0x20]] = _BLANKS
_OF_KEYS: Final = _CLASSES <= _DIGITS
_OF_KEYS[0x80:] = False
_OF_KEYS[[0x2D, 0x5F]] = True

#: What the names of characters do not say; every other script is their first word.
_NAMED: Final = {
    "CJK": "Chinese letters",
    "HIRAGANA": "Japanese letters",
    "KATAKANA": "Japanese letters",
    "LATIN": ACCENTED,
}


def too_strange(text: str, letters: float = 1.0) -> str | None:
    """Return what makes a text strange, such as ``82 % of it is Cyrillic letters``, or None.

    Parts add up: half of what two parts may be each is as much as all that one may be. Of accented
    and other scripts there may be ``letters`` times as much.
    """
    parts = strange_parts(text)
    weighed = {what: part / _most_of(what, letters) for what, part in parts.items()}
    if sum(weighed.values()) <= 1:
        literals = _literals_share(text)
        return is_of_it(literals, "true, false and null") if literals > _MOST_LITERALS else None
    what = max(weighed, key=weighed.__getitem__)
    return is_of_it(parts[what], what)


def _most_of(what: str, letters: float) -> float:
    most = MOST.get(what, _MOST_OF_A_SCRIPT)
    return most if what in (ESCAPES, BASE64, HASHES, CAPITALS) else most * letters


def is_of_it(share: float, what: str) -> str:
    """Return a reason: ``82 % of it is Cyrillic letters``."""
    return f"{percent(share)} of it is {what}"


def strange_parts(text: str) -> dict[str, float]:
    """Return the shares of a text's characters that are strange, by what they are."""
    raw = text.encode()
    words = [] if text.isascii() else _WORD.findall(" ".join(_runs_beyond_ascii(raw)))
    counts = Counter({ESCAPES: sum(map(len, _ESCAPE.findall(text)))})
    counts[_script(words)] += sum(map(len, words))
    for run in _long_runs(raw):
        if run.isupper() and run.isalpha():
            counts[CAPITALS] += len(run)
        elif _is_random(run):
            counts[HASHES if run in (run.lower(), run.upper()) else BASE64] += len(run)
    return {what: count / len(text) for what, count in counts.items() if count}


def _long_runs(raw: bytes) -> Iterator[str]:
    """Yield the runs of letters, digits, ``_`` and ``-`` that are as long as a key."""
    starts, ends = _runs(raw, _OF_KEYS)
    long = ends - starts >= _FEWEST
    for start, end in zip(starts[long].tolist(), ends[long].tolist(), strict=True):
        yield raw[start:end].decode()


def _runs_beyond_ascii(raw: bytes) -> Iterator[str]:
    """Yield the runs of letters and characters beyond ASCII that hold any of the latter."""
    starts, ends = _runs(raw, _CLASSES == _LETTERS)
    beyond = np.flatnonzero(np.frombuffer(raw, np.uint8) >= 0x80)
    chosen = np.unique(np.searchsorted(starts, beyond, "right") - 1)
    for start, end in zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True):
        yield raw[start:end].decode()


def _runs(raw: bytes, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where runs of chosen bytes start and end; regular expressions take five times."""
    inside = chosen[np.frombuffer(raw, np.uint8)]
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    return edges[::2], edges[1::2]


def _is_random(run: str) -> bool:
    """Whether letters and digits change at least at every third character."""
    return not (run.isdigit() or run.isalpha()) and 3 * len(_CHANGE.findall(run)) > len(run)


def _script(words: list[str]) -> str:
    """Return what most letters beyond ASCII are: ``Cyrillic letters``, or ``symbols``."""
    scripts: Counter[str] = Counter()
    for character, count in Counter("".join(words)).items():
        if character >= "\x80" and unicodedata.category(character)[0] in "LM":
            scripts[unicodedata.name(character, "unnamed").split()[0]] += count
    if not scripts:
        return "symbols"
    script = max(scripts, key=scripts.__getitem__)
    return _NAMED.get(script, f"{script.capitalize()} letters")


def words_share(text: str) -> float:
    """Return which share words are of a text's words, numbers and runs of signs.

    It is at most 0.55 in the benchmark's payloads, and 0.9 in prose.
    """
    classes = _CLASSES[np.frombuffer(text.encode(), np.uint8)]
    last = np.append(classes[1:] != classes[:-1], True)[: classes.size]
    runs = np.bincount(classes[last], minlength=4)
    return float(runs[_LETTERS] / max(1, runs[:_BLANKS].sum()))


_LONG_NUMBER: Final = re.compile(r"[0-9]{9,}")


def long_numbers_share(text: str) -> float:
    """Return which share of a text's characters is in numbers of nine digits and more."""
    return sum(map(len, _LONG_NUMBER.findall(text))) / max(1, len(text))


def _literals_share(text: str) -> float:
    """Return which share of a text's characters is in ``true``, ``false`` and ``null``."""
    if len(text) < _SHORT:
        return 0.0
    letters = sum(len(word) * text.count(word) for word in ("true", "false", "null"))
    return letters / len(text)


_TAG: Final = re.compile(
    r"</?(?:a|b|body|br|button|div|em|footer|form|h[1-6]|head|header|html|i|img|input|label|li|link"
    r"|main|meta|nav|ol|option|p|script|section|select|small|span|strong|style|svg|table|tbody|td"
    r"|th|thead|title|tr|ul)\b[^<>]*+>"
)


def tags_share(text: str) -> float:
    """Return which share of a text's characters is in HTML tags."""
    return sum(map(len, _TAG.findall(text))) / max(1, len(text))
