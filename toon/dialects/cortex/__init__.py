"""What the library of Temporal Cortex writes under the name of TOON, to compare with.

``temporal-cortex-toon`` 0.3.1 says it targets TOON 3.0. Where it differs from that is in
``DEVIATIONS``; the encoder here writes the same bytes, and the decoder reads them by their
counts, which also reads tables that decoders of the specification refuse.
"""

from toon.dialects.cortex.decoder import decode, read
from toon.dialects.cortex.deviations import DEVIATIONS, Deviation, losses, table_names
from toon.dialects.cortex.encoder import encode

__all__ = ["DEVIATIONS", "Deviation", "decode", "encode", "losses", "read", "table_names"]
