"""The logs of tools that wrap what was sent to a model: one file and one line for each."""

from __future__ import annotations

from typing import Final

from toon.traffic.envelopes import bedrock, chat, claude_code, codex, helicone, litellm, mcp
from toon.traffic.kinds import Envelope

#: The first that recognises one of a file's first records reads them all: the general ones, which
#: recognise messages and calls wherever they lie, stand last.
ENVELOPES: Final[tuple[Envelope, ...]] = (
    claude_code.KIND,
    codex.KIND,
    bedrock.KIND,
    helicone.KIND,
    litellm.KIND,
    mcp.KIND,
    chat.KIND,
)
