"""OpenAI's tokenizers, counted by tiktoken with vocabularies verified on this machine."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers import vocabulary
from toon.tokenizers.facts import Counter

if TYPE_CHECKING:
    from tiktoken import Encoding


class OpenAITokenizer(Counter):
    """One of OpenAI's encodings. Loads when first used; safe to share between threads.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate, and ``VocabularyError`` if the
    vocabulary cannot be prepared.
    """

    def __init__(self, name: str, label: str, evidence: str = "") -> None:
        super().__init__(name, label, evidence)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def count(self, text: str) -> int:
        return int(self.ids(text).size)

    def pieces(self, text: str) -> list[bytes]:
        return self._load().encoding.decode_tokens_bytes(self.ids(text).tolist())

    def lengths(self, text: str) -> NDArray[np.int64]:
        lengths: NDArray[np.int64] = self._load().byte_lengths[self.ids(text)]
        return lengths

    def ids(self, text: str) -> NDArray[Any]:
        """Return every token's place in ``vocabulary()``, in order."""
        return _token_ids(self._load(), text)

    def vocabulary(self) -> list[bytes]:
        """Return the bytes of every token by its id; special tokens have none."""
        encoding = self._load().encoding
        pieces = [b""] * encoding.n_vocab
        for piece, rank in encoding._mergeable_ranks.items():
            pieces[rank] = piece
        return pieces

    def _load(self) -> _Loaded:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    encoding = vocabulary.load(self.name)
                    self._loaded = _Loaded(encoding, _byte_lengths(encoding))
        return self._loaded


class _Loaded(NamedTuple):
    encoding: Encoding
    byte_lengths: NDArray[np.int64]  # of every token, by its id


def _byte_lengths(encoding: Encoding) -> NDArray[np.int64]:
    # A private table: the public methods return one token a call and take ten times as long.
    ranks = encoding._mergeable_ranks
    lengths = np.zeros(encoding.n_vocab, np.int64)
    lengths[np.fromiter(ranks.values(), np.int64)] = np.fromiter(map(len, ranks), np.int64)
    return lengths


def _token_ids(loaded: _Loaded, text: str) -> NDArray[Any]:
    # "<|endoftext|>" in a pasted chat log is text, and models read it as text. By default tiktoken
    # refuses it; as an allowed special token it would count as one token instead of seven.
    try:
        return loaded.encoding.encode_to_numpy(
            text, allowed_special=frozenset(), disallowed_special=()
        )
    except UnicodeEncodeError:
        raise
    except ValueError:
        return token_ids_by_splintr(loaded.encoding.name, text)


def token_ids_by_splintr(name: str, text: str) -> NDArray[Any]:
    """Return the ids of a text on which tiktoken fails, as on a million blanks in a row.

    splintr cannot count every text: it splits "'ſ", which is "'s" to tiktoken, differently.
    """
    import splintr

    return np.array(splintr.Tokenizer.from_pretrained(name).encode_ordinary(text), np.uint32)
