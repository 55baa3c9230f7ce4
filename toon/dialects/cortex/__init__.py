"""The text that the library of Temporal Cortex writes and calls TOON.

``temporal-cortex-toon`` 0.3.1 claims to follow TOON 3.0; :mod:`toon.evidence.deviations` lists
where it does not. The encoder here writes the same bytes. The decoder trusts the counts in
headers, so it also reads tables that decoders of the specification reject.
"""

from toon.dialects.cortex.decoder import decode, read
from toon.dialects.cortex.encoder import encode, losses, table_names
from toon.dialects.cortex.kinds import layout

__all__ = ["decode", "encode", "layout", "losses", "read", "table_names"]
