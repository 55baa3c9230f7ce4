"""The marked stream of a text, which is cut into pieces chunk by chunk.

A word has the marks of its beginning and its end; the stream leaves out a single space between two
marks. No piece has anything after an end, or anything but a mark of case before a beginning, and
none joins spaces, digits or other scripts to characters of another kind. So a stream falls into
chunks whose costs add up: a word with the single space after it, up to three digits, one ideograph,
a run of white space, or punctuation with the spaces that it sees. A single space costs nothing
where both neighbours mark it. Where a chunk has taken a space that costs all the same, an empty
chunk stands beside it.

Rare shapes (numbers of other scripts, variation selectors) are cut out as regions, with the spaces
and the punctuation around them, and marked by the general rules.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from toon.tokenizers.claude.data import BEGIN, CAPS, END, SHIFT, kind, kinds

_CONTRACTIONS: Final = frozenset({"s", "t", "d", "m", "ll", "re", "ve"})
_ENDINGS: Final = "s|t|d|m|ll|re|ve"


def _ranges(letters: str, limit: int = 0x10000) -> str:
    """Return the characters of some of Claude's kinds as ranges for a regular expression's []."""
    spans = (run.span() for run in re.finditer(f"[{letters}]+", kinds()[:limit]))
    return "".join(f"\\u{start:04x}-\\u{end - 1:04x}" for start, end in spans)


@cache
def chunks(*, ascii: bool) -> re.Pattern[str]:
    """Return the pattern that cuts a text into chunks, whose numbers of Claude's tokens add up; if
    ``ascii``, a shorter one for texts of ASCII alone.
    """
    limit = 0x80 if ascii else 0x10000
    w, q, s = (_ranges(letters, limit) for letters in ("wW", "pq", "s"))
    h, closing = ("", "") if ascii else (_ranges("h") + "\\U00010000-\\U0010ffff", _ranges("W"))
    seam, run = f"(?: (?=[{w}]))?+", f"(?!'[{w}])[{q}]++"
    return re.compile(
        f"[{w}]++{seam}"
        f"|(?<![{q}] )[0-9]{{1,3}}+"
        # Empty: nothing after the space just taken absorbs it, ...
        f"|(?<=[{q}] )(?=[0-9{h}{s}]|'[{w}]|\\Z)"
        f"|(?<=[0-9{h}])(?= {run})"  # ... or nothing before the space about to be taken.
        # A lone apostrophe before a word sees no space, and is one with some endings.
        f"|{closing and f'(?<![{closing}])'}'(?:{_ENDINGS})(?![{w}]){seam}|'(?=[{w}])"
        f"|(?:[{s}]++(?<= )(?!'[{w}]))?+[{q}]++(?: {run})*+(?: (?! ))?+"
        f"|[0-9]{{1,3}}+" + (h and f"|[{h}]") + f"|[{s}]++|(?s:.)"
    )


class Part(NamedTuple):
    """A part of a text; ``before`` and ``after`` stand for the characters beside it.

    They are "" at the ends of the text, "a" for a word, and an ideograph for anything else. Only
    regions have ``after``.
    """

    before: str
    text: str
    after: str = ""
    is_region: bool = False


@cache
def _regions() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return two patterns: of a rare character, such as a foreign digit, and of its region."""
    around, w = _ranges("spqdnaV"), _ranges("wW")
    endings = f"(?:(?<=')(?:{_ENDINGS})(?![{w}])[{around}]*+)*+"
    return re.compile(f"[{_ranges('naV')}]"), re.compile(f"[{around}]*+{endings}")


def parts(body: str) -> Iterator[Part]:
    """Yield the parts of a normalised text: regions around rare characters, and what is between."""

    def stand_in(at: int) -> str:
        return "" if not 0 <= at < len(body) else "a" if kind(body[at]) in "wW" else "一"

    done = 0
    if not body.isascii():
        shape, rest = _regions()
        while rare := shape.search(body, done):
            start = rare.start()
            while start > done and kind(body[start - 1]) in "spqd":
                start -= 1
            if start > done:
                yield Part(stand_in(done - 1), body[done:start])
            matched = rest.match(body, start)
            assert matched  # it matches an empty text too
            done = matched.end()
            yield Part(stand_in(start - 1), body[start:done], stand_in(done), True)
    if done < len(body):
        yield Part(stand_in(done - 1), body[done:])


# ---- letters --------------------------------------------------------------------------------

# Letters of Unicode 16 with both cases, which older Pythons do not know.
_NEW_UPPER: Final = {"\u1c89": "\u1c8a", "\ua7cb": "\u0264"}


def _lower(text: str) -> str:
    return "".join(c if c in "\u03f4İ" else _NEW_UPPER.get(c, c.lower()) for c in text)


def _is_upper(c: str) -> bool:
    return c != "\u03f4" and (c in _NEW_UPPER or (c.isupper() and (c == "İ" or _lower(c) != c)))


def _case(word: str, capitals: int | None) -> tuple[str, str]:
    """Return Claude's mark of a word's case or "", and the word, in small letters if marked."""
    if word.isascii():
        if capitals and len(word) >= capitals and word.isupper():
            return CAPS, word.lower()
        titled = word[0].isupper() and (len(word) == 1 or word[1:].islower())
        return (SHIFT, word.lower()) if titled else ("", word)
    if "ẞ" in word:
        return "", word
    upper = [_is_upper(c) for c in word if c != "İ"]
    if capitals and len(word) >= capitals and "İ" not in word and any(upper):
        others = [c for c in word if not _is_upper(c)]  # neither small letters nor without case
        is_cased = (
            c.islower() or c in _NEW_UPPER.values() or unicodedata.category(c)[0] in "LM"
            for c in others
        )
        if not any(is_cased):
            return CAPS, _lower(word).replace("ς", "σ")
    if word[0] != "İ" and upper[0] and not any(upper[1:]):
        return SHIFT, _lower(word)
    return "", word


def _is_stray(c: str) -> bool:
    """Return whether a character combines with the letter before it; without one it is a word."""
    return unicodedata.combining(c) != 0 and c != "\u0711" and not "\u0730" <= c <= "\u073f"


# ---- streams --------------------------------------------------------------------------------


def stream_of_chunk(chunk: str, capitals: int | None) -> str:
    """Return a chunk of a text with the marks of words and of their case that Claude reads."""
    shape, word = kind(chunk[:1]), chunk.removesuffix(" ")
    if shape in "wW":
        marker, body = ("", word) if _is_stray(word[0]) else _case(word, capitals)
        return marker + BEGIN + body + END
    if shape == "p" and chunk[0] == "'" and kind(chunk[1:2]) in "wW":
        return word + END
    if shape in "pq" or (shape == "s" and not chunk.isspace()):
        body = chunk.lstrip(" \t\n\u3000")
        lead = chunk[: len(chunk) - len(body)]
        runs = body.rstrip(" ").replace(" ", END + BEGIN)
        return (lead if lead != " " else "") + BEGIN * bool(lead) + runs + END * (body[-1] == " ")
    return chunk or " "


class _Run(NamedTuple):
    """Characters of one kind in a row: w any word, m marks without a base, d any digit."""

    kind: str
    body: str


def _runs(text: str) -> list[_Run]:
    runs: list[_Run] = []
    for c in text:
        shape, last = kind(c), runs[-1].kind if runs else ""
        if shape in "wW":
            shape = "m" if last != "w" and _is_stray(c) else "w"
        elif shape == "a":
            shape = "d"
        elif shape == "V":  # a selector rides on what is before it
            shape = last if last in ("q", "n", "h") else "h"
        if shape == last:
            runs[-1] = _Run(shape, runs[-1].body + c)
        else:
            runs.append(_Run(shape, c))
    return runs


def _marks_space(run: _Run, at: int) -> bool:
    """Return whether Claude marks a space beside the first (0) or last (-1) of some characters."""
    if run.kind == "p" or kind(run.body[at]) in "qVW":
        return True
    if run.kind in "dnh" and kind(run.body[at]) in "na":
        return set(map(unicodedata.category, run.body)) in ({"Nd"}, {"No"})
    return False


def _stream_of_any(text: str, capitals: int | None, *, begins: bool) -> str:
    """Return any text with the marks of words and of their case, by all rules of Claude.

    ``begins``: the text is read as if a space stood before it.
    """
    none = _Run("", "")
    runs = [none, none, *_runs(text), none]
    stream: list[str] = []
    for i, run in enumerate(runs[2:-1], 2):
        before, after, body = runs[i - 1], runs[i + 1], run.body
        left = begins if i == 2 else before.kind == "s" and before.body[-1] == " "
        right = after.kind == "s" and after.body[0] == " " and after.body[1:2] != " "
        opens = body == "'" and after.kind in ("w", "m")
        marker = ""
        if run.kind == "w":
            apostrophe = before == ("p", "'") and body in _CONTRACTIONS
            bound = apostrophe and not (runs[i - 2].kind and _marks_space(runs[i - 2], -1))
            begin, end = before.kind != "m" and not bound, True
            if before.kind != "m":
                marker, body = _case(body, capitals)
        elif run.kind == "m":
            begin, end = True, after.kind != "w"
        else:
            begin = run.kind != "s" and left and not opens and _marks_space(run, 0)
            end = run.kind != "s" and right and _marks_space(run, -1)
            if i == 2 and begins and not begin and body[0] != " ":
                stream.append(" " if opens else BEGIN)
        stream.append(marker + BEGIN * begin + body + END * end)
    return re.sub(f"{END} (?=[{SHIFT}{CAPS}]?{BEGIN})", END, "".join(stream))


def stream_of_region(
    before: str, text: str, after: str, capitals: int | None, *, begins: bool
) -> tuple[str, list[int]]:
    """Return part of a text with the marks that Claude reads, and the bytes of each character.

    ``before`` and ``after`` stand for the characters beside it.
    """
    whole = before + text + after
    stream = _stream_of_any(whole, capitals, begins=begins and not before)
    widths = widths_of(stream, whole)
    if after == "a":  # whose beginning may have the space before it
        widths[-4] += widths[-3]
    size = {"": 0, "a": 3, "一": 1}  # a word is marked twice
    within = slice(size[before], len(stream) - size[after])
    return stream[within], widths[within]


def widths_of(stream: str, text: str) -> list[int]:
    """Return how many bytes of a text each character of its marked stream stands for.

    A mark stands for no byte, except the single space between two marks: the space belongs to the
    beginning after it, or to the end before it where nothing begins.
    """
    widths, at = [], 0
    for i, c in enumerate(stream):
        here = text[at : at + 1]
        if c <= CAPS:
            rest = stream[i + 1 :].lstrip(BEGIN + END + SHIFT + CAPS)
            last = not BEGIN <= stream[i + 1 : i + 2] <= CAPS
            is_taken = here == " " != rest[:1] and (c != END or last)
        else:
            is_taken = c != " " or here == " "  # not the space that a message has in its beginning
        widths.append(len(here.encode()) if is_taken else 0)
        at += is_taken
    return widths
