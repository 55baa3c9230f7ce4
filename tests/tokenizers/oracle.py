"""OpenAI's own tokenizers, tiktoken's, without the network."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from functools import cache
from hashlib import sha256
from unittest.mock import patch

from tiktoken import Encoding
from tiktoken_ext import openai_public

from toon.tokenizers.open_models import splintr


@cache
def tiktoken_encoding(name: str) -> Encoding:
    """Return tiktoken's encoding of that name; its vocabulary is splintr's, byte for byte."""

    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        tokenizer, ranks = splintr().Tokenizer.from_pretrained(name), dict[bytes, int]()
        for id in sorted({*range(tokenizer.vocab_size)} - {*tokenizer.special_tokens().values()}):
            with suppress(ValueError):  # an unused id among the special tokens
                ranks[tokenizer.decode_token_bytes(id)] = id
        file = b"".join(b"%b %d\n" % (b64encode(token), id) for token, id in ranks.items())
        assert sha256(file).hexdigest() == expected_hash
        return ranks

    with patch.object(openai_public, "load_tiktoken_bpe", load):
        return Encoding(**openai_public.ENCODING_CONSTRUCTORS[name]())
