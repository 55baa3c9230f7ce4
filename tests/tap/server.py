"""A server of the official SDK: ``python -m tests.tap.server [TRANSPORT [PORT]]``."""

import asyncio
import json
import sys

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("shop")


def orders(count: int) -> list[dict[str, object]]:
    names = ("Müller", "O'Brien", "李", "Ana")
    return [
        {"id": 1_000 + n, "name": names[n % 4], "total": n * 1.25, "paid": n % 2 == 0}
        for n in range(count)
    ]


@server.tool(structured_output=False)
async def list_orders(ctx: Context, count: int = 20, seconds: float = 0.0) -> str:
    """Orders, newest first."""
    await ctx.report_progress(0, 1)
    await asyncio.sleep(seconds)
    return json.dumps(orders(count))


@server.tool(structured_output=False)
async def count_up(ctx: Context, to: int = 3) -> str:
    """Counts, and reports its progress."""
    for n in range(to):
        await ctx.report_progress(n + 1, to)
    return f"counted to {to}"


@server.tool(structured_output=False)
def fail() -> str:
    """Fails."""
    raise ValueError("no such order")


@server.tool(structured_output=False)
def complain(text: str) -> str:
    """Writes to standard error."""
    print(text, file=sys.stderr, flush=True)
    return "{}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[2]))
    else:
        server.run("stdio")
