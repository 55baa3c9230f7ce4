"""The public functions of the codec."""

from toon.codec.reading import decode, decode_lines, load, open_lines
from toon.codec.text import LEGACY_VERSION, SPEC_VERSION
from toon.codec.writing import dump, encode, encode_blocks, encode_lines

__all__ = [
    "LEGACY_VERSION",
    "SPEC_VERSION",
    "decode",
    "decode_lines",
    "dump",
    "encode",
    "encode_blocks",
    "encode_lines",
    "load",
    "open_lines",
]
