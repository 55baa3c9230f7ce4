"""Claude's tokenizers, reconstructed: the counts, and one way to cut a text into as many tokens.

Anthropic publishes no tokenizer. Sander Land measured the counts of its service and rebuilt the
vocabularies (ctok 1.3.0, MIT, see ``LICENSE.ctok``). This package counts by his rules and is held
to his counts; it is its own code, because ctok needs Python 3.12 and counts 0.2 MB a second. A
message's text costs what :meth:`ClaudeTokenizer.count` says, and its frame ``frame`` tokens more.

The service gives counts, not tokens. The ends of tokens are therefore chosen here: the fewest
pieces of the vocabulary. The mark of a word or of its case can be a token without a byte of the
text. Here every token has a byte, if necessary a neighbour's, and a text with fewer bytes than
tokens has as many pieces as bytes. The service takes no text of white space alone: the empty text
has no token here, and every other text has at least one.
"""

import re
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.claude import data, marking
from toon.tokenizers.claude.data import BEGIN, Family, kind
from toon.tokenizers.claude.marking import Part, chunks, parts
from toon.tokenizers.claude.normalising import rewriting
from toon.tokenizers.claude.tiling import Vocabulary, vocabulary
from toon.tokenizers.facts import Tokenizer
from toon.tokenizers.rewriting import give_each_a_byte, map_back

_Value = TypeVar("_Value")

# Chunks and stretches to remember, and the longest one.
_REMEMBERED: Final = 1 << 17
_LONGEST: Final = 96

# Where no chunk sees what is on the other side: a text is a row of stretches between such seams,
# which are fewer than chunks, and mostly those of the text before.
_SEAM: Final = re.compile(r"(?<=[a-z])(?=[\n\",.:;)\]}<])")
# The characters that are cut into stretches at a time.
_BLOCK: Final = 1 << 20


class _Memory(dict[str, _Value]):
    """A cache of what ``make`` returns for short texts; it is emptied when it has too many."""

    def __init__(self, make: Callable[[str], _Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> _Value:
        value = self._make(text)
        if len(text) <= _LONGEST:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[text] = value
        return value


class ClaudeTokenizer(Tokenizer):
    """The tokenizer of one family of Claude's models; safe to share between threads.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate.
    """

    def __init__(self, name: str, label: str, evidence: str, family: str) -> None:
        super().__init__(name, label, evidence)
        self._family_name = family
        self._lock = threading.Lock()
        self._costs = _Memory(
            lambda chunk: self._vocabulary.cost(
                marking.stream_of_chunk(chunk, self._family.capitals)
            )
        )
        self._totals = _Memory(
            lambda text: sum(
                map(self._costs.__getitem__, chunks(ascii=text.isascii()).findall(text))
            )
        )
        self._tilings = _Memory(self._tile)
        self._cuts = _Memory(self._cut)
        self._regions = _Memory(self._measure_region)

    @cached_property
    def _family(self) -> Family:
        return data.family(self._family_name)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        with self._lock:
            return vocabulary(new=self._family.new)

    def _tile(self, chunk: str) -> list[int]:
        stream = marking.stream_of_chunk(chunk, self._family.capitals)
        return self._vocabulary.tile(stream, marking.widths_of(stream, chunk))

    def _measure_region(self, key: str) -> tuple[int, list[int]]:
        before, text, after = key.split("\0")
        capitals, begins = self._family.capitals, self._family.begins
        stream, widths = marking.stream_of_region(before, text, after, capitals, begins=begins)
        return self._vocabulary.cost(stream), self._vocabulary.tile(stream, widths)

    def count(self, text: str) -> int:
        size = len(text.encode())
        return max(self._count(text), 1) if size else 0

    def _count(self, text: str) -> int:
        read = rewriting(straightens=self._family.straightens).rewrite(text)
        body, ends = self._body(text, read)
        # The message adds two newlines, and the last token is the message's own.
        total = self._costs["\n" * (ends + 2)] - 1 + (self._family.begins and not body)
        for part in parts(body):
            if part.is_region:
                total += self._regions["\0".join(part[:3])][0]
            else:
                head, seen = self._head(part)
                total += len(head) + self._sum(seen)
        return total

    def lengths(self, text: str) -> NDArray[np.int64]:
        size = len(text.encode())
        rewritten = rewriting(straightens=self._family.straightens)
        read = rewritten.rewrite(text)
        sizes = np.array(self._lengths(text, read) if text else [], np.int64)
        if not sizes.size:
            return np.array([size] * bool(size), np.int64)
        if read != text:
            return map_back(text, rewritten, sizes)
        return give_each_a_byte(np.cumsum(sizes), size)

    def _body(self, text: str, read: str) -> tuple[str, int]:
        """Return ``read``, the normalised ``text``, without its last newlines, and their number.

        A first space is left out too if Claude's message begins with one anyway.
        """
        body = read.rstrip("\n")
        ends = len(read) - len(body)
        own = self._family.begins and text[:1] == " " and body[:1] == " " and body[1:2] != " "
        return (body[1:] if own else body), ends

    def _head(self, part: Part) -> tuple[str, str]:
        """Return the token that counts before the first ``part`` of Claude's message, or "", and
        the part's text, with a space before punctuation that reads one; other parts as they are.
        """
        body, begins = part.text, self._family.begins
        if part.before:
            return "", body
        shape, second = kind(body[0]), kind(body[1:2])
        if shape in "wW":
            return "", body
        if shape in "pq":
            opens = body[0] == "'" and second in "wW"
            return (" ", body) if opens and begins else ("", " " * begins + body)
        if body[0] == " ":  # punctuation would take this space for one between two marks
            opens = body[1:2] == "'" and kind(body[2:3]) in "wW"
            return (" " if second in "pq" and not opens else ""), body
        return BEGIN * begins, body

    def _sum(self, body: str) -> int:
        total, start = 0, 0
        while start < len(body):
            seam = _SEAM.search(body, start + _BLOCK)
            end = seam.start() if seam else len(body)
            total += sum(map(self._totals.__getitem__, _SEAM.split(body[start:end])))
            start = end
        return total

    def _lengths(self, text: str, read: str) -> list[int]:
        """Return the byte lengths of the tokens of a text as Claude rewrote it; some are 0."""
        body, ends = self._body(text, read)
        sizes: list[int] = [] if body or not self._family.begins else [0]
        for part in parts(body):
            if part.is_region:
                sizes += self._regions["\0".join(part[:3])][1]
                continue
            head, seen = self._head(part)
            # A space that the frame lends is none of the text; one it makes a token is one twice.
            is_twice = head == " " == part.text[0]
            first, *others = _SEAM.split(seen)
            sizes += [int(is_twice)] * len(head)
            sizes += self._cut(first, lent=is_twice or len(seen) > len(part.text))
            for stretch in others:
                sizes += self._cuts[stretch]
        if sizes:
            sizes[0] += len(read) - ends - len(body)
        rest = ends
        for length in self._vocabulary.tile("\n" * (ends + 2), [1] * (ends + 2))[:-1]:
            sizes.append(min(length, rest))
            rest -= sizes[-1]
        if sizes:
            sizes[-1] += rest
        return sizes

    def _cut(self, stretch: str, *, lent: bool = False) -> list[int]:
        """Return the byte lengths of tokens of part of a text, less its first byte if ``lent``."""
        sizes: list[int] = []
        for match in chunks(ascii=stretch.isascii()).finditer(stretch):
            chunk = match[0]
            if chunk:
                lengths = self._tilings[chunk]
                if lent and any(lengths):
                    place = next(i for i, length in enumerate(lengths) if length)
                    lengths = [*lengths[:place], lengths[place] - 1, *lengths[place + 1 :]]
                sizes += lengths
                lent = False
            elif stretch[match.start() - 1] == " ":
                sizes[-1] -= 1
                sizes.append(1)
            else:
                sizes.append(1)
                lent = True
        return sizes
