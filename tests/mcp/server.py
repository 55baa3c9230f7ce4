"""A server of MCP that lists its tools as it is told: ``python server.py MODE``."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

MODE = sys.argv[1]


def tool(name: str, about: str = "About it.") -> dict[str, Any]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    aside = {"title": "A tool", "outputSchema": {"type": "object"}, "annotations": {"title": "x"}}
    return {"name": name, "description": about, "inputSchema": schema, **aside}


def page(cursor: int) -> dict[str, Any]:
    """What is listed in the modes that list something."""
    if MODE == "pages":
        more = {"nextCursor": str(cursor + 1)} if cursor < 2 else {}
        return {"tools": [tool(f"tool_{cursor}")], **more}
    if MODE == "again":
        return {"tools": [tool("a")], "nextCursor": "1"}
    if MODE == "many":
        # A reading of logs tells fewer apart.
        return {"tools": [tool(f"tool_{number}") for number in range(2_500)]}
    if MODE == "huge":
        return {"tools": [tool("a", "word " * 200_000)]}
    if MODE == "invalid":
        return {"tools": [{"name": 3}]}
    two = tool("read", "Reads \x1b[31m a file."), tool("write")
    return {"tools": [*two, *map(tool, sys.argv[2:])]}


def send(number: int, **message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", "id": number, **message}), flush=True)


for line in sys.stdin if MODE != "ends" else ():
    message = json.loads(line)
    method, number = message["method"], message.get("id")
    if MODE == "noise":
        print("Listening on nothing", flush=True)
    if method == "initialize":
        info = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
        send(number, result={**info, "serverInfo": {"name": "files", "version": "1"}})
    elif method == "tools/list" and MODE == "dies":
        print('{"jsonrpc": "2.0", "id"', end="", flush=True)
        os._exit(3)
    elif method == "tools/list" and MODE == "silent":
        print(os.getpid(), file=sys.stderr, flush=True)
        time.sleep(600)
    elif method == "tools/list" and MODE == "refuses":
        send(number, error={"code": -32603, "message": "no key\nset KEY"})
    elif method == "tools/list":
        cursor = (message.get("params") or {}).get("cursor")
        send(number, result=page(int(cursor or 0)))
