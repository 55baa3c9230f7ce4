"""The fewest pieces of a vocabulary that make up a stream."""

import re
from bisect import bisect_right
from functools import cache
from itertools import accumulate, pairwise
from typing import Final

from toon.tokenizers.claude import data
from toon.tokenizers.claude.data import CAPS

# Above 128 * 129 + 2 * 130: a longer run of one character has its longest piece in a best tiling.
_HUGE: Final = 20_000
_LONGEST_RUN: Final = 128  # in a piece, at least


def run_longer_than(size: int) -> re.Pattern[str]:
    """Return the pattern of one character that stands more than ``size`` + 128 times in a row."""
    return re.compile(rf"(?s)(.)\1{{{size + _LONGEST_RUN},}}")


_HUGE_RUN: Final = run_longer_than(_HUGE)


class Vocabulary:
    """A vocabulary of Claude, old or new; ``cost`` and ``tile`` find a text's fewest tokens."""

    def __init__(self, *, new: bool) -> None:
        self.pieces, in_bytes = data.pieces(new=new)
        # Of pieces of three characters and more: their lengths, by their first three characters.
        lengths: dict[str, int] = {}
        for piece in self.pieces:
            lengths[piece[:3]] = lengths.get(piece[:3], 0) | 1 << len(piece)
        tuples = {
            bits: tuple(place for place in range(3, bits.bit_length()) if bits >> place & 1)
            for bits in {*lengths.values()}
        }
        self._lengths = {start: tuples[bits] for start, bits in lengths.items() if bits > 7}
        singles = {c.encode() for c in self.pieces if len(c) == 1 and c > CAPS}
        self._byte_pieces = singles | in_bytes
        self._spellings: dict[str, tuple[int, ...]] = {}

    def _spell(self, c: str) -> tuple[int, ...]:
        """Return the byte lengths of the fewest tokens that spell one character."""
        if (sizes := self._spellings.get(c)) is not None:
            return sizes
        raw = c.encode()
        best: list[tuple[int, ...]] = [()]
        for end in range(1, len(raw) + 1):
            ways = [
                (*best[start], end - start)
                for start in range(end)
                if end - start == 1 or raw[start:end] in self._byte_pieces
            ]
            best.append(min(ways, key=len))
        self._spellings[c] = sizes = (len(raw),) if c in self.pieces else best[-1]
        return sizes

    def cost(self, stream: str) -> int:
        """Return the least number of tokens that make up a text with the marks Claude reads."""
        if stream in self.pieces:
            return 1
        saved = 0

        def shorten(run: re.Match[str]) -> str:
            nonlocal saved
            piece, times = self._measure_run(run)
            saved += times * (len(self._spell(piece)) if len(piece) == 1 else 1)
            return run[0][times * len(piece) :]

        if len(stream) > _HUGE:
            stream = _HUGE_RUN.sub(shorten, stream)
        pieces, lengths = self.pieces, self._lengths
        i = n = len(stream)
        best = [0] * (n + 1) + [n * 4]  # of the stream from each place on
        for c in reversed(stream):
            i -= 1
            least = best[i + 1] + (1 if c < "\x80" else len(self._spell(c)))
            if best[i + 2] + 1 < least and stream[i : i + 2] in pieces:
                least = best[i + 2] + 1
            for length in lengths.get(stream[i : i + 3], ()):
                if (end := i + length) > n:
                    break
                if best[end] + 1 < least and stream[i:end] in pieces:
                    least = best[end] + 1
            best[i] = least
        return best[0] + saved

    def _measure_run(self, run: re.Match[str]) -> tuple[str, int]:
        """Return the longest token of a huge run of one character, and how often it can be taken.

        The rest of the run is as long as the longest that is cut in every way.
        """
        longest = max(
            (k for k in range(1, _LONGEST_RUN + 1) if run[1] * k in self.pieces), default=1
        )
        return run[1] * longest, (len(run[0]) - _HUGE) // longest

    def tile(self, stream: str, widths: list[int]) -> list[int]:
        """Return the byte lengths of the fewest tokens that make up a text with Claude's marks.

        ``widths`` are the bytes of each of its characters. Of several ways with the fewest tokens,
        that with the longest last token is taken.
        """
        if len(stream) > _HUGE and (run := _HUGE_RUN.search(stream)):
            piece, times = self._measure_run(run)
            start, end = run.start(), run.start() + times * len(piece)
            around = self.tile(stream[:start] + stream[end:], widths[:start] + widths[end:])
            lengths = self._spell(piece) if len(piece) == 1 else (len(piece.encode()),)
            # All characters of the run are alike: the repeated pieces stand after its first one.
            place = bisect_right([*accumulate(around)], sum(widths[:start])) + 1
            return [*around[:place], *lengths * times, *around[place:]]
        n = len(stream)
        best, start_of = [0] + [n * 4] * n, [0] * (n + 1)
        for i in range(n):
            for length in (1, 2, *self._lengths.get(stream[i : i + 3], ())):
                if (end := i + length) <= n and (length == 1 or stream[i:end] in self.pieces):
                    cost = best[i] + (len(self._spell(stream[i])) if length == 1 else 1)
                    if cost < best[end]:
                        best[end], start_of[end] = cost, i
        sizes: list[int] = []
        while n:
            start = start_of[n]
            size = sum(widths[start:n])
            # The tokens of one character share its bytes, of which its source may have fewer.
            lengths = self._spell(stream[start]) if n - start == 1 else (size,)
            ends = [0, *(min(end, size) for end in accumulate(lengths[:-1])), size]
            sizes += [end - begin for begin, end in pairwise(ends)][::-1]
            n = start
        return sizes[::-1]


#: Returns Claude's vocabulary, the new one from 4.7 on or the old; the first call reads it.
vocabulary: Final = cache(Vocabulary)
