"""Pipe tables: the form of TOON in Temporal Cortex's article, made exact.

A container's key stands alone on its line, a field is ``key: value``, and a list of uniform rows
is a table between pipes. The article leaves open how to read such text. The rules here give each
JSON value one text, and each text one value. One weakness remains: a table does not say how many
rows it has, so a text that was cut off between two rows looks complete.
"""

from toon.dialects.pipe.decoder import read
from toon.dialects.pipe.encoder import encode, losses
from toon.dialects.pipe.kinds import layout

__all__ = ["encode", "layout", "losses", "read"]
