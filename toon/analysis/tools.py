"""The tools of a run, the dearest first: what each costs, and what a format saves of that.

A tool's results are paid once when they enter a prompt (``first``) and again with every later call
of the same conversation (``carried``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from toon.analysis.analysis import Analysis
from toon.analysis.billed import find_bills
from toon.analysis.fixed import find_fixed_bill
from toon.analysis.policy import Advice
from toon.costs.prices import call_price

#: How agents write the server of a tool before its name.
_SERVER: Final = re.compile(r"mcp(?:__(.+?)__|_([^_]+)_)(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RankedTool:
    """A tool with its results in a run.

    Attributes:
        tool: The tool's name, without that of its server.
        server: The MCP server that has it; None where the name tells none.
        group: The whole name, which a filter asks for.
        calls: The results of the tool.
        tokens: The tokens of all of them, as they were sent.
        first: US dollars for the calls that the results entered with; None: not known.
        carried: US dollars for the later calls that sent them again; None: not known.
        share: ``money`` as a share of the log's whole bill; None: not known.
        send_as: The recommended format; None: stay with today's.
        saves_tokens: The tokens that the recommended format saves of ``tokens``, explanation taken
            off; negative: it adds.
        saves_money: The same of ``money``; None: not known.
    """

    tool: str
    server: str | None
    group: str
    calls: int
    tokens: int
    first: Decimal | None
    carried: Decimal | None
    share: float | None
    send_as: str | None
    saves_tokens: int
    saves_money: Decimal | None

    @property
    def money(self) -> Decimal | None:
        """US dollars for all calls that sent the results, as far as they are known."""
        return None if self.first is None else self.first + (self.carried or 0)


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions of a server's tools, which every request sends again.

    Attributes:
        server: The MCP server; "" for the agent's own tools.
        tokens: The tokens of the definitions, each once.
        sent: The tokens of all sendings.
        tools: How many tools are defined.
        calls: The results of the server's tools in the run.
        never_called: The names of the tools that no file calls.
    """

    server: str
    tokens: int
    sent: int
    tools: int
    calls: int
    never_called: tuple[str, ...]


def split_name(group: str) -> tuple[str | None, str]:
    """Return the server and the tool of a whole name such as ``mcp__github__list_issues``."""
    named = _SERVER.fullmatch(group)
    return (named[1] or named[2], named[3]) if named else (None, group)


def rank_tools(analysis: Analysis) -> tuple[RankedTool, ...]:
    """Return the tools of the rows that pass the analysis's filter, the dearest first."""
    bill = find_bill(analysis)
    tools = [_rank(analysis, advice, bill) for advice in analysis.policy.advice]
    return tuple(sorted(tools, key=lambda tool: (-(tool.money or 0), -tool.tokens, tool.group)))


def find_bill(analysis: Analysis) -> Decimal | None:
    """Return the US dollars of all calls that the log names the usage of; None: not known."""
    bills = find_bills(analysis.rows.about.get("usages"))
    known = [bill.dollars for bill in bills if bill.dollars is not None]
    return sum(known, Decimal(0)) if known else None


def _rank(analysis: Analysis, advice: Advice, bill: Decimal | None) -> RankedTool:
    server, tool = split_name(advice.group)
    first = _first(analysis, advice.now)
    saves = advice.now - advice.cost if advice.switch else 0.0
    return RankedTool(
        tool,
        server,
        advice.group,
        calls=advice.payloads,
        tokens=round(advice.now),
        first=first,
        carried=None,
        share=float(first / bill) if first is not None and bill else None,
        send_as=advice.format if advice.switch else None,
        saves_tokens=round(saves),
        saves_money=None if first is None else first * Decimal(saves / advice.now),
    )


def _first(analysis: Analysis, tokens: float) -> Decimal | None:
    model = analysis.choice.model
    return call_price(model.price or "", round(tokens)) if model else None


def rank_definitions(analysis: Analysis, tools: Iterable[RankedTool]) -> tuple[Definitions, ...]:
    """Return the definitions in a run by server, those with most tokens first."""
    bill = find_fixed_bill(analysis.rows.about.get("definitions"))
    calls = dict[str, int]()
    for each in tools:
        calls[each.server or ""] = calls.get(each.server or "", 0) + each.calls
    return tuple(
        Definitions(
            each.server,
            each.tokens,
            each.sent,
            each.tools,
            calls.get(each.server, 0),
            tuple(tool.tool for tool in bill.unused if tool.server == each.server),
        )
        for each in (bill.servers if bill else ())
    )


def find_reach(analysis: Analysis) -> float | None:
    """Return the share of the log's bill that formats can touch; None: not known.

    That is the money of the results that are JSON in which formats can differ.
    """
    bill, shares = find_bill(analysis), [tool.share for tool in rank_tools(analysis)]
    known = [share for share in shares if share is not None]
    return sum(known) if bill and known else None
