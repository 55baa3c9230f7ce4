"""Gemma 3's tokenizer: SentencePiece pieces, counted by splintr, which has all but 70 of them.

It was compared token by token with Gemma's own file, read by Hugging Face's ``tokenizers``:

- No blank is added before the text, blanks and line breaks are kept, and characters outside the
  vocabulary become one token per byte.
- U+2581 is read as a blank. It is one byte of a token but three bytes of the text, and the pieces
  have three. (Gemma's file makes a run of them right after a blank a separate token.)
- 70 HTML tags such as ``<table>`` and ``</b>`` are single tokens of Gemma, cut out first; splintr
  spells them. They are one token here, ``<s>`` included, which is struck-out text to Gemma: its
  mark for the start of a text is ``<bos>``. The marks of a conversation, ``<mask>``,
  ``[multimodal]`` and ``<unused0>`` to ``<unused6241>`` are text.
"""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.open_models import Loaded, OpenModelTokenizer, Tokens
from toon.tokenizers.rewriting import LOW_BLOCK_AS_BLANK

_TAG: Final = re.compile(  # every one of them both ways, as <b> and </b>
    "(</?(?:table|caption|thead|tbody|tfoot|tr|th|td|h[1-6]|blockquote|strong|em|b|i|u|s|sub|sup"
    "|code|a|html|body|img|span|bbox|ul|li|div|iframe|footer)>)"
)

# What splintr finds in a text by default, besides the tags and the special tokens it lists.
_MARK: Final = re.compile(
    rb"<unused\d+>|<mask>|\[multimodal\]|<(?:start|end)_of_(?:turn|image)>|" + _TAG.pattern.encode()
)

# Merging pieces takes longer per character the longer a text is. No piece of the vocabulary has an
# ASCII letter or digit followed by one of these characters, so texts can be split there without
# changing the tokens; most of the parts occur often.
_NO_PIECE_HOLDS: Final = re.compile(r'(?<=[A-Za-z0-9])(?=[ \n"])')

# It takes the square of the time where line breaks or tabs stand in a long part. Pieces with these
# have nothing else, 31 at most, and are taken before all others.
_LONG_PART: Final = 1_000
_PIECES_OF_BREAKS: Final = re.compile(r"(\n{1,31}|\t{1,31})")


class GemmaTokenizer(OpenModelTokenizer):
    """Gemma's tokenizer, which takes HTML tags for single tokens, as splintr does not."""

    _marks = _MARK

    def __init__(self, name: str, label: str, evidence: str = "") -> None:
        super().__init__(name, label, evidence, LOW_BLOCK_AS_BLANK)

    def _cut(self, loaded: Loaded, text: str) -> Tokens:
        chunks: list[str] = []
        before_tag: list[int] = []  # the number of chunks before each tag
        texts_and_tags = _TAG.split(text)
        for between in texts_and_tags[::2]:
            chunks += _parts_of(between)
            before_tag.append(len(chunks))
        ids, lengths, ends = _tokens_of(loaded, chunks)
        places = ends[np.array(before_tag[:-1], np.int64)]
        tags = texts_and_tags[1::2]
        flat = loaded.encoder.encode_flat("".join(tags))  # to splintr they are special tokens
        return (
            np.insert(ids, places, np.frombuffer(flat, np.uint32)),
            np.insert(lengths, places, [len(tag) for tag in tags]),
        )


def _parts_of(text: str) -> Iterator[str]:
    """Yield parts of a text, most of them short, that have the same tokens apart and together."""
    for part in _NO_PIECE_HOLDS.split(text):
        if len(part) <= _LONG_PART:
            yield part
        else:
            yield from filter(None, _PIECES_OF_BREAKS.split(part))


def _tokens_of(
    loaded: Loaded, chunks: list[str]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids and byte lengths of the tokens of some texts, of which many are alike.

    The third array has the number of tokens before each text, and in all.
    """
    numbers: dict[str, int] = {}
    indexes = np.array([numbers.setdefault(chunk, len(numbers)) for chunk in chunks], np.int64)
    flat, offsets = loaded.encoder.encode_batch_flat(list(numbers))
    ids = np.frombuffer(flat, np.uint32)
    lengths = loaded.byte_lengths[ids]
    ends = np.frombuffer(offsets, np.uint64).astype(np.int64)
    if not lengths.all():  # a special token was found in a chunk; see OpenModelTokenizer
        tokens = [loaded.encoder.encode_ordinary(chunk) for chunk in numbers]
        ids = np.array([id for row in tokens for id in row], np.uint32)
        lengths = loaded.byte_lengths[ids]
        ends = np.cumsum([0, *map(len, tokens)])
    sizes = np.diff(ends)[indexes]
    all_ends = np.concatenate(([0], np.cumsum(sizes)))
    places = np.repeat(ends[indexes] - all_ends[:-1], sizes) + np.arange(all_ends[-1])
    return ids[places], lengths[places], all_ends
