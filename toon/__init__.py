"""The honest token lab: what JSON costs a language model, and what TOON and its dialects save."""

from toon.codec.api import SPEC_VERSION, decode, decode_lines, encode, encode_lines
from toon.errors import EncodeError, JsonDecodeError, TextError, ToonDecodeError

__version__ = "1.0.0"

__all__ = [
    "SPEC_VERSION",
    "EncodeError",
    "JsonDecodeError",
    "TextError",
    "ToonDecodeError",
    "decode",
    "decode_lines",
    "encode",
    "encode_lines",
]
