"""Token counts of tools' definitions, each counted once at the end of a run."""

from typing import Any

from toon.costs.worth import COMPACT
from toon.formats import AS_TYPED
from toon.measuring.measure import read_typed
from toon.measuring.table import LogNotes
from toon.traffic.account import Account
from toon.traffic.definitions import Definitions


def note(account: Account, tokenizer: str) -> LogNotes:
    """Return what the readers of a log noted in an account (files, tool definitions counted by a
    tokenizer, usage) as plain values for a run's metadata.
    """
    usages = account.usages
    parts = usages.part_facts()
    return {
        "read_as": account.facts(),
        "definitions": count_definitions(account.definitions, tokenizer),
        "usages": usages.facts(),
        "shares": parts["shares"],
        "days": parts["days"],
        "projects": parts["projects"],
        "sessions": parts["sessions"],
        "turns": usages.turns.facts(),
    }


def count_definition(text: str, tokenizer: str) -> tuple[int, int]:
    """Return the tokens of a tool definition, a JSON text, as it is sent and as minified JSON.

    Raises:
        ValueError, RecursionError: The text cannot be counted.
    """
    document = read_typed(text)
    return document.tokens(AS_TYPED, tokenizer), document.tokens(COMPACT, tokenizer)


def count_definitions(definitions: Definitions, tokenizer: str) -> dict[str, Any]:
    """Return tool definitions as a dict for a run's metadata, each with its tokens as sent and
    minified; count in ``left_out`` the sendings of those that cannot be counted.
    """
    tools, left_out = [], definitions.left_out
    for tool, sent in definitions.sent.items():
        try:
            tokens, minified = count_definition(tool.text, tokenizer)
        except (ValueError, RecursionError):
            left_out += sent.requests + sent.listed
            continue
        tools.append(
            {
                "tool": tool.tool,
                "server": tool.server,
                "tokens": tokens,
                "minified": minified,
                "requests": sent.requests,
                "listed": sent.listed,
                "called": definitions.was_called(tool),
            }
        )
    return {
        "tokenizer": tokenizer,
        "requests": definitions.requests,
        "servers": definitions.servers,
        "timed": definitions.timed,
        "moments": len(definitions.moments),
        "first": definitions.first,
        "last": definitions.last,
        "left_out": left_out,
        "conversations": len(definitions.conversations or ()),
        "tools": tools,
    }
