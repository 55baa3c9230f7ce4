"""``toon budget --mcp``: the tokens of a server's tools in every prompt, and their growth."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from toon.cli.options import excess_words, leave_uncounted, read_choices
from toon.cli.output import align, end_progress, read_file, say, say_failure, show_progress
from toon.costs.models import Choice
from toon.files import write_file
from toon.measuring.definitions import count_definition
from toon.text import clean
from toon.traffic.definitions import MAX_TEXT, find_definitions
from toon.traffic.locate import name_group
from toon.wording import count, listed, plural

#: The most tools that a sentence names.
_NAMED: Final = 3


class _Counts(NamedTuple):
    """The tokens of each tool definition of an MCP server by one tokenizer, the largest first."""

    choice: Choice
    tools: dict[str, int]

    @property
    def sum(self) -> int:
        return sum(self.tools.values())


def run_definitions(options: argparse.Namespace) -> int:
    """Count the tool definitions of an MCP server; return 1 if over a limit or failed, else 0."""
    limits = options.max_tokens, options.max_tool_tokens
    if options.max_vs or any(limit is not None and limit < 0 for limit in limits):
        options.parser.error("with --mcp, limits are --max-tokens N and --max-tool-tokens N")
    choices = leave_uncounted(read_choices(options))
    try:
        saved = _Baseline.read(options.against) if options.against else None
        server, counted = _count(options.files, choices)
        excess = [line for sums in counted for line in _find_excess(server, sums, limits, saved)]
        end_progress()
        for line in excess:
            print(clean(line), flush=True)
        if limits == (None, None) and saved is None:
            print("\n".join(align([*_table(counted)])), flush=True)
        for sums in counted:
            tools, tokens = plural(len(sums.tools), "tool"), plural(sums.sum, "token")
            say(f"{server}: {tools} with {tokens} in every prompt, by {sums.choice.title}")
        if options.save and not excess:
            write_file(Path(options.save), _dump_counts(counted).encode())
    except (OSError, ValueError, RuntimeError) as error:
        return say_failure(name_group(options.files[0]), error)
    return int(bool(excess))


def _count(command: list[str], choices: list[Choice]) -> tuple[str, list[_Counts]]:
    """Start an MCP server by ``command`` and count its tool definitions with each tokenizer; return
    the server's name and the counts.

    Raises:
        OSError, RuntimeError: The server cannot be started, or does not list its tools.
        ValueError: The tools are too long.
    """
    from toon.mcp.listing import list_tools

    show_progress(f"asking {command[0]} for its tools")
    server, tools, noise = list_tools(command)
    if noise:
        lines = plural(noise, "line")
        say(f"{server} writes {lines} to its output that are no messages: some clients stop there")
    text = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    if len(text) > MAX_TEXT:
        raise ValueError(f"{server} defines its tools in {len(text):,} characters: too long")
    counted = []
    for choice in choices:
        tokens = dict[str, int]()
        for tool in find_definitions(tools, text):
            show_progress(f"counting {tool.tool}")
            takes, _ = count_definition(tool.text, choice.tokenizer)
            tokens[tool.tool] = tokens.get(tool.tool, 0) + takes
        counted.append(_Counts(choice, dict(sorted(tokens.items(), key=lambda item: -item[1]))))
    return server, counted


def _table(counted: list[_Counts]) -> Iterator[list[str]]:
    yield ["tool", *(sums.choice.name for sums in counted), ""]
    for tool in counted[0].tools:
        yield [tool, *(count(sums.tools[tool]) for sums in counted), ""]


def _find_excess(
    server: str, counted: _Counts, limits: tuple[int | None, int | None], saved: _Baseline | None
) -> Iterator[str]:
    """Yield a sentence for each limit of tokens that an MCP server's tools pass, and for each tool
    that is new or larger than in the file ``saved``.
    """
    limit, tool_limit = limits
    by = f"by {counted.choice.title}"
    if limit is not None and counted.sum > limit:
        named = listed((f"{tool} {count(its)}" for tool, its in counted.tools.items()), _NAMED)
        yield f"{server}: {excess_words(counted.sum, limit)} of the budget, {by}: {named}"
    for tool, tokens in counted.tools.items():
        if tool_limit is not None and tokens > tool_limit:
            yield f"{server}: {tool}: {excess_words(tokens, tool_limit)} of the budget, {by}"
    if saved is None:
        return
    before = saved.tools(counted.choice)
    for tool, tokens in counted.tools.items():
        if tool not in before:
            yield f"{saved.file}:1: {tool}: {plural(tokens, 'token')}, a new tool, {by}"
        elif tokens > before[tool]:
            line = saved.line(counted.choice, tool)
            yield f"{saved.file}:{line}: {tool}: {excess_words(tokens, before[tool])} saved, {by}"


# -- saved states -----------------------------------------------------------------------------


def _dump_counts(counted: list[_Counts]) -> str:
    """Return the text for ``--save``: JSON of the tokens by tokenizer and tool, a tool a line."""
    counts = {sums.choice.tokenizer: dict(sorted(sums.tools.items())) for sums in counted}
    return json.dumps(counts, indent=2, ensure_ascii=False) + "\n"


class _Baseline(NamedTuple):
    """A file that ``--save`` wrote: its name, its text, and tokens by tokenizer and tool."""

    file: str
    text: str
    tokens: Mapping[str, Mapping[str, int]]

    @classmethod
    def read(cls, file: str) -> _Baseline:
        """Read a file that ``--save`` wrote, with the tokens of an MCP server's tools.

        Raises:
            OSError, ValueError: The file cannot be read, or holds something else.
        """
        text = read_file(file)
        try:
            saved = json.loads(text)
            counts = (tokens for tools in saved.values() for tokens in tools.values())
            is_one = all(type(tokens) is int for tokens in counts)
        except (ValueError, AttributeError, RecursionError):
            is_one = False
        if not is_one:
            raise ValueError(f"{file} is nothing that --save wrote")
        return cls(file, text, saved)

    def tools(self, choice: Choice) -> Mapping[str, int]:
        """Return the tokens of each tool by the tokenizer of ``choice``, from a file of ``--save``.

        Raises:
            ValueError: The file has no counts by that tokenizer.
        """
        if choice.tokenizer not in self.tokens:
            raise ValueError(f"{self.file} has no counts by {choice.tokenizer}")
        return self.tokens[choice.tokenizer]

    def line(self, choice: Choice, tool: str) -> int:
        """Return the number of the line of a tool's tokens by the tokenizer of ``choice``, in this
        file of ``--save``; 1 if none.
        """
        start = max(0, self.text.find(f"\n  {json.dumps(choice.tokenizer)}:"))
        place = self.text.find(f"\n    {json.dumps(tool, ensure_ascii=False)}:", start)
        return 1 + self.text.count("\n", 0, place + 1)
