"""The logs of tools that wrap what was sent to a model: one file and one line for each."""

from __future__ import annotations

from typing import Final

from toon.traffic.envelopes import (
    bedrock,
    chat,
    claude_code,
    codex,
    collection,
    gateway,
    helicone,
    langfuse,
    langsmith,
    litellm,
    mcp,
    mlflow,
    openai_agents,
    openinference,
    otel,
    pydantic_ai,
    tap,
)
from toon.traffic.kinds import Envelope

#: The first that recognises one of a file's first records reads them all: the general ones, which
#: recognise messages and calls wherever they lie, stand last.
ENVELOPES: Final[tuple[Envelope, ...]] = (
    tap.KIND,
    collection.KIND,
    claude_code.KIND,
    codex.KIND,
    bedrock.KIND,
    helicone.KIND,
    litellm.KIND,
    langfuse.KIND,
    langsmith.KIND,
    openai_agents.KIND,
    pydantic_ai.KIND,
    openinference.KIND,
    mlflow.KIND,
    otel.KIND,
    gateway.KIND,
    mcp.KIND,
    chat.KIND,
)
