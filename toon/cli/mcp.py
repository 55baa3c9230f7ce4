"""``toon mcp``: the tools for agents, as a server that an MCP client starts."""

import argparse
from typing import Final

from toon.cli.options import Commands

_EPILOG: Final = """\
A client starts it and speaks with it over standard input and output; it listens to no port, and
nothing leaves this machine. In the settings of a client, with the path of toon if need be:
  {"mcpServers": {"token-lab": {"command": "toon", "args": ["mcp"]}}}
"""


def add_mcp(commands: Commands) -> None:
    parser = commands.add_parser(
        "mcp",
        help="count, recommend, encode, decode and measure for agents",
        description="Serves the tools count, recommend, encode, decode and measure by the Model "
        "Context Protocol.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )

    def run(_: argparse.Namespace) -> int:
        from toon.mcp.tools import make_server

        make_server().run("stdio")
        return 0

    parser.set_defaults(run=run)
