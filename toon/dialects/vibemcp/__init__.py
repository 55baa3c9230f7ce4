"""The output of VibeMCP's tools, as it is deployed and as a form that loses nothing.

Three forms, in both profiles; the cells of a row stand between tabs:

    messages[2]{id,subject}      a list of objects, one a row
    labels[3]                    a list of anything else, one item a line
    message:                     one object, two spaces and ``key: value`` a line

Anything else is a scalar: one line of text. No colon stands behind a header and no row is
indented, so this is not TOON. See ``encoder`` and ``lossless`` for what a cell holds.
"""

from toon.dialects.vibemcp.decoder import decode, read
from toon.dialects.vibemcp.encoder import Encoded, encode
from toon.dialects.vibemcp.grammar import LOSSLESS, LOSSY, Unfit
from toon.dialects.vibemcp.layout import vibemcp_layout
from toon.dialects.vibemcp.lossless import lossless_encode
from toon.dialects.vibemcp.presets import PRESETS, Preset

__all__ = [
    "LOSSLESS",
    "LOSSY",
    "PRESETS",
    "Encoded",
    "Preset",
    "Unfit",
    "decode",
    "encode",
    "lossless_encode",
    "read",
    "vibemcp_layout",
]
