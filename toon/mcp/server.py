"""The server, by MCP's official SDK. What a client sends is neither logged nor kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from toon.errors import TextError, render
from toon.installed import VERSION
from toon.mcp import tools

_INSTRUCTIONS: Final = """\
Before you send JSON to a language model again and again, ask `recommend` in which format it costs
fewest tokens; it often is compact JSON. `known` says how well a tokenizer is known."""

_TOOLS: Final = (tools.count, tools.recommend, tools.encode, tools.decode, tools.measure)


def new_server() -> MCPServer[Any]:
    """Return a server with all tools."""
    server = MCPServer(
        "token-lab", version=VERSION, instructions=_INSTRUCTIONS, log_level="CRITICAL"
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in _TOOLS:
        server.tool(annotations=reads)(_told(tool))
    return server


def _told(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool with its documented errors as messages to the client."""

    @wraps(tool)
    def called(*arguments: Any, **options: Any) -> Any:
        try:
            return tool(*arguments, **options)
        except TextError as error:
            raise ToolError(render(error)) from None
        except (OSError, ValueError, RuntimeError) as error:
            raise ToolError(str(error)) from None

    return called
