"""OpenAI's tokenizers, counted by tiktoken with vocabularies verified on this machine."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers import vocabulary

if TYPE_CHECKING:
    from tiktoken import Encoding


class OpenAITokenizer:
    """One of OpenAI's encodings. Loads when first used; safe to share between threads.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate, and ``VocabularyError`` if the
    vocabulary cannot be prepared.
    """

    exact = True

    def __init__(self, name: str, label: str) -> None:
        self.name = name
        self.label = label
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def count(self, text: str) -> int:
        return int(_token_ids(self._load(), text).size)

    def pieces(self, text: str) -> list[bytes]:
        loaded = self._load()
        return loaded.encoding.decode_tokens_bytes(_token_ids(loaded, text).tolist())

    def lengths(self, text: str) -> NDArray[np.int64]:
        loaded = self._load()
        lengths: NDArray[np.int64] = loaded.byte_lengths[_token_ids(loaded, text)]
        return lengths

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
