"""Gemma 3's tokenizer: SentencePiece pieces, counted by splintr, which knows them all but 70.

Compared token by token with Gemma's own file read by Hugging Face's ``tokenizers``:

- No blank is put before the text, blanks and line breaks are kept, and what is not in the
  vocabulary is spelled in bytes, one token each.
- U+2581 is read as a blank, and is one byte of a token there but three in the text: the pieces have
  the three. (In Gemma's file, a run of them right after a blank is a token of its own.)
- ``<table>``, ``</b>`` and 68 other tags of HTML are pieces of text to Gemma, cut out before all
  else; splintr spells them. They are one token here, ``<s>`` among them: that is struck-out text to
  Gemma, whose mark for the beginning is ``<bos>``. The conversation's marks, ``<mask>``,
  ``[multimodal]`` and ``<unused0>`` to ``<unused6241>`` are text.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.open_models import Loaded, OpenModelTokenizer
from toon.tokenizers.readings import LOW_BLOCK_AS_BLANK

_TAG: Final = re.compile(  # every one of them both ways, as <b> and </b>
    "(</?(?:table|caption|thead|tbody|tfoot|tr|th|td|h[1-6]|blockquote|strong|em|b|i|u|s|sub|sup"
    "|code|a|html|body|img|span|bbox|ul|li|div|iframe|footer)>)"
)

# What splintr finds in a text unless told not to, beside the tags and what it lists as special.
_MARK: Final = re.compile(
    rb"<unused\d+>|<mask>|\[multimodal\]|<(?:start|end)_of_(?:turn|image)>|" + _TAG.pattern.encode()
)

# Pieces are merged over a whole text at once, ever slower the longer it is. No piece of the
# vocabulary has a letter or digit of ASCII and then one of these, so nothing is merged over such a
# place, and what lies on either side may as well be cut apart from it; most of it comes often.
_NO_PIECE_HOLDS: Final = re.compile(r'(?<=[A-Za-z0-9])(?=[ \n"])')


class GemmaTokenizer(OpenModelTokenizer):
    """Gemma's pieces; see the module."""

    def __init__(self, name: str, label: str) -> None:
        super().__init__(name, label, LOW_BLOCK_AS_BLANK)

    def _cut(self, loaded: Loaded, text: str) -> NDArray[np.int64]:
        chunks: list[str] = []
        before_tag: list[int] = []  # how many chunks
        texts_and_tags = _TAG.split(text)
        for between in texts_and_tags[::2]:
            chunks += _NO_PIECE_HOLDS.split(between)
            before_tag.append(len(chunks))
        lengths, ends = _lengths_of_all(loaded, chunks)
        places = ends[np.array(before_tag[:-1], np.int64)]
        return np.insert(lengths, places, [len(tag) for tag in texts_and_tags[1::2]])

    def _is_mark(self, token: bytes) -> bool:
        return _MARK.fullmatch(token) is not None


def _lengths_of_all(
    loaded: Loaded, chunks: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lengths of all chunks' tokens, and how many there are before each, and in all."""
    known: dict[str, int] = {}
    which = np.array([known.setdefault(chunk, len(known)) for chunk in chunks], np.int64)
    lengths, ends = _lengths_of_each(loaded, list(known))
    sizes = np.diff(ends)[which]
    all_ends = np.concatenate(([0], np.cumsum(sizes)))
    places = np.repeat(ends[which] - all_ends[:-1], sizes) + np.arange(all_ends[-1])
    return lengths[places], all_ends


def _lengths_of_each(
    loaded: Loaded, chunks: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    flat, offsets = loaded.encoder.encode_batch_flat(chunks)
    lengths = loaded.byte_lengths[np.frombuffer(flat, np.uint32)]
    ends = np.frombuffer(offsets, np.uint64).astype(np.int64)
    if not lengths.all():  # a special token was found in a chunk; see OpenModelTokenizer
        ids = [loaded.encoder.encode_ordinary(chunk) for chunk in chunks]
        lengths = loaded.byte_lengths[np.array([id for each in ids for id in each], np.uint32)]
        ends = np.cumsum([0, *map(len, ids)])
    return lengths, ends
