"""The output of VibeMCP's tools: as it is deployed, and in a variant that loses nothing.

Both profiles have three forms; tabs separate the cells of a row:

    messages[2]{id,subject}      a list of objects, one row each
    labels[3]                    a list of anything else, one item per line
    message:                     one object, two spaces and ``key: value`` per line

A scalar is one line of text. This is not TOON: no colon follows a header, and rows are not
indented. ``encoder`` says what a cell holds.
"""

from toon.dialects.vibemcp.decoder import read
from toon.dialects.vibemcp.encoder import encode, losses
from toon.dialects.vibemcp.grammar import LOSSLESS, LOSSY, Profile, Unfit
from toon.dialects.vibemcp.kinds import layout

__all__ = ["LOSSLESS", "LOSSY", "Profile", "Unfit", "encode", "layout", "losses", "read"]
