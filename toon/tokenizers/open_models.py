"""Tokenizers of models with public vocabularies, counted by splintr, which carries them.

``README.md`` says what the tokens were compared with. Nothing is added to the text: no start token,
no leading space. The special tokens of a chat, such as ``<|im_start|>`` or ``[INST]``, count as
plain text. Two models read a text in their own way:

- ``qwen3``: after canonical composition (NFC), which splintr omits and this module adds. If NFC
  changes a text ("e" and an accent), ``rewriting.map_back`` maps the tokens back to the text as
  typed. NFC makes a few characters longer (some musical signs, Hebrew presentation forms). A text
  with so many of them that it has fewer bytes than tokens is counted as one token per byte, which
  is too low; every other count is exact.
- ``kimi_k2``: its own code also cuts a text every 400,000 characters, and a run of whitespace, or
  of other characters, every 25,000. Each cut may add a token.
"""

import re
import threading
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.facts import Tokenizer
from toon.tokenizers.rewriting import Rewriting, map_back

_ID_BYTES: Final = np.dtype(np.uint32).itemsize


class Loaded(NamedTuple):
    """A vocabulary of the library splintr in memory, with the length in bytes of every token."""

    encoder: Any  # splintr.AnyTokenizer
    byte_lengths: NDArray[np.int64]  # of every token, by its id; 0 for special ones
    signs: frozenset[str]  # the characters that special tokens begin with


#: The ids and the lengths in bytes of a text's tokens.
Tokens: TypeAlias = tuple[NDArray[np.uint32], NDArray[np.int64]]


class OpenModelTokenizer(Tokenizer):
    """A tokenizer with one of splintr's vocabularies; safe to share between threads.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate.
    """

    #: The special tokens that splintr does not list as such; None: it lists all.
    _marks: re.Pattern[bytes] | None = None

    def __init__(
        self, name: str, label: str, evidence: str = "", rewriting: Rewriting | None = None
    ) -> None:
        super().__init__(name, label, evidence)
        self._rewriting = rewriting
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None

    def count(self, text: str) -> int:
        loaded = self.load()
        if self._rewriting is None and not any(sign in text for sign in loaded.signs):
            return len(loaded.encoder.encode_flat(text)) // _ID_BYTES  # none of them is special
        return self.lengths(text).size

    def lengths(self, text: str) -> NDArray[np.int64]:
        return self._tokens(text)[1]

    def ids(self, text: str) -> NDArray[Any] | None:
        """Return each token's id, in order; None for a text with fewer bytes than tokens."""
        ids, lengths = self._tokens(text)
        return ids if ids.size == lengths.size else None

    def _tokens(self, text: str) -> Tokens:
        loaded = self.load()
        if self._rewriting is None or (read := self._rewriting.rewrite(text)) == text:
            return self._cut(loaded, text)
        ids, lengths = self._cut(loaded, read)
        return ids, map_back(text, self._rewriting, lengths)

    def _cut(self, loaded: Loaded, text: str) -> Tokens:
        """Return the ids and byte lengths of the tokens of a text that is rewritten already."""
        # encode_flat is twice as fast as encode_ordinary, but it finds special tokens in the text.
        # These have the length 0 here, so a 0 shows that it found one.
        ids = np.frombuffer(loaded.encoder.encode_flat(text), np.uint32)
        lengths = loaded.byte_lengths[ids]
        if not lengths.all():
            ids = np.array(loaded.encoder.encode_ordinary(text), np.uint32)
            lengths = loaded.byte_lengths[ids]
        return ids, lengths

    def load(self) -> Loaded:
        """Return the vocabulary of this tokenizer; the first call loads it."""
        if self._loaded is None:
            import splintr

            with self._lock:
                if self._loaded is None:
                    encoder = splintr.Tokenizer.from_pretrained(self.name)
                    signs = frozenset(token[0] for token in encoder.special_tokens())
                    byte_lengths = np.zeros(encoder.vocab_size, np.int64)
                    for id, token in ordinary_tokens(encoder):
                        if not (self._marks and self._marks.fullmatch(token)):
                            byte_lengths[id] = len(token)
                    self._loaded = Loaded(encoder, byte_lengths, signs)
        return self._loaded


def ordinary_tokens(encoder: Any) -> Iterator[tuple[int, bytes]]:
    """Yield the id and the bytes of each token of a splintr vocabulary that is not special."""
    special = set(encoder.special_tokens().values())
    for id in range(encoder.vocab_size):
        if id not in special:
            try:
                token = bytes(encoder.decode_token_bytes(id))
            except ValueError:  # an unused id among the special tokens
                continue
            yield id, token
