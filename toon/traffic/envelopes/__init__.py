"""The logs of tools that wrap what was sent to a model: one file and one line for each."""

from __future__ import annotations

from typing import Final

from toon.traffic.envelopes import chat, collection, gateway, mcp
from toon.traffic.kinds import Envelope

#: The first that recognises one of a file's first records reads them all: the general ones, which
#: recognise messages and calls wherever they lie, stand last.
ENVELOPES: Final[tuple[Envelope, ...]] = (collection.KIND, gateway.KIND, mcp.KIND, chat.KIND)
