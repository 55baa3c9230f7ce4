"""Pipe tables: the form of TOON that Temporal Cortex's article shows, made exact.

A container's key stands on its own line, fields are ``key: value``, lists of uniform rows are
tables between pipes. The article leaves open how much of this is read back; the rules here give
every JSON value one text and the text one value. What nothing can mend: a table says nowhere how
many rows it has, so a text that was cut off between two of them reads like a whole one.
"""

from toon.dialects.pipe.decoder import decode, read
from toon.dialects.pipe.encoder import encode
from toon.dialects.pipe.layout import pipe_layout

__all__ = ["decode", "encode", "pipe_layout", "read"]
