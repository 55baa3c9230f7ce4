"""OpenAI's tokens by tiktoken, its own library, without the network.

tiktoken downloads its vocabularies. splintr carries the same ones, so tiktoken's own constructors
get those; the file they make has the SHA-256 that tiktoken asks for.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from types import FunctionType
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from toon.tokenizers.open_models import OpenModelTokenizer, ordinary_tokens

if TYPE_CHECKING:
    from tiktoken import Encoding


class VocabularyError(RuntimeError):
    """Raised where splintr's vocabulary is not the one that tiktoken asks for."""


class OpenAITokenizer(OpenModelTokenizer):
    """One of OpenAI's encodings: tiktoken cuts the tokens that are shown, splintr counts.

    The counts are the same and take a fifth of the time. tiktoken fails on a million blanks in a
    row, whose tokens splintr cuts.
    """

    def ids(self, text: str) -> NDArray[Any] | None:
        try:
            return encoding_of(self.name).encode_to_numpy(
                text, allowed_special=frozenset(), disallowed_special=()
            )
        except UnicodeEncodeError:
            raise
        except ValueError:
            return super().ids(text)


@cache
def encoding_of(name: str) -> Encoding:
    """Return one of tiktoken's encodings by its name, such as ``o200k_base``.

    Raises:
        VocabularyError: splintr carries another vocabulary than this tiktoken asks for.
    """
    import splintr
    from tiktoken import Encoding
    from tiktoken_ext import openai_public

    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        ranks = {
            token: id for id, token in ordinary_tokens(splintr.Tokenizer.from_pretrained(name))
        }
        file = b"".join(b"%b %d\n" % (b64encode(token), id) for token, id in ranks.items())
        if sha256(file).hexdigest() != expected_hash:
            raise VocabularyError(f"splintr's {name} is not tiktoken's: update both packages")
        return ranks

    known = vars(openai_public) | {"load_tiktoken_bpe": load}
    construct = FunctionType(openai_public.ENCODING_CONSTRUCTORS[name].__code__, known)
    return Encoding(**construct())
