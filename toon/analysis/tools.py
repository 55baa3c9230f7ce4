"""The tools of a run, the dearest first: what each costs, and what a format saves of that.

A tool's results are paid once when they enter a prompt (``first``) and again with every later call
of the same context (``carried``). Results that are no JSON cost money as well; formats touch the
others alone.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toon.analysis.analysis import Analysis
from toon.analysis.billed import ModelBill, find_bills
from toon.analysis.columns import Floats, Places, codes_of
from toon.costs.named import find_price
from toon.costs.prices import call_price
from toon.formats import AS_TYPED

#: How agents write the server of a tool before its name.
_SERVER: Final = re.compile(r"mcp(?:__(.+?)__|_([^_]+)_)(.+)", re.DOTALL)
#: Tokens whose price is that of one, so many times.
_MANY: Final = 1_000


@dataclass(frozen=True, slots=True)
class RankedTool:
    """A tool with its results in a run: how many, what they cost, and what a format saves.

    Where the log tells some sessions' calls, money is of the results in those alone.

    Attributes:
        tool: The tool's name, without its server.
        server: The MCP server that has it; None where no name tells one.
        groups: The whole names, one for each way that agents write it, which a filter asks for;
            that of most tokens first.
        calls: The number of the tool's results.
        tokens: The tokens of all of them, as they were sent.
        paid: The tokens of the results that money is known of.
        first: US dollars for the calls that the results entered with; None: not known.
        carried: US dollars for the later calls that sent them again; None: not known.
        share: ``money`` as a part of the log's whole bill, 0 to 1; None: not known.
        send_as: The recommended format of those that are JSON; None: stay with today's.
        saves_tokens: The tokens that it saves of ``tokens``, explanation taken off.
        saves_money: The US dollars that it saves of ``money``; None: not known.
    """

    tool: str
    server: str | None
    groups: tuple[str, ...]
    calls: int
    tokens: int
    paid: int
    first: Decimal | None
    carried: Decimal | None
    share: float | None
    send_as: str | None
    saves_tokens: int
    saves_money: Decimal | None

    @property
    def money(self) -> Decimal | None:
        """US dollars for all calls that sent a tool's results, as far as known, or None."""
        return add_up([self.first, self.carried])

    @property
    def name(self) -> str:
        """A tool's name with its MCP server, if it has one: ``query of postgres``."""
        return tool_name(self.server, self.tool)

    @property
    def group(self) -> str:
        """A tool's whole name in the log, with its server; of several, that of most tokens."""
        return self.groups[0]


def tool_name(server: str | None, tool: str) -> str:
    """Write a tool with its MCP server, ``query of postgres``; the tool alone if it has none."""
    return f"{tool} of {server}" if server else tool


def add_up(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """Return the sum of amounts of money, leaving out None; None if all are None."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if known else None


def split_names(groups: Iterable[str]) -> dict[str, tuple[str | None, str]]:
    """Map whole names of tools, such as ``mcp__github__list_issues``, to the server and the tool.

    The server is None if unknown. Some agents write no more than ``github_list_issues``: there the
    server is one that another name tells. Names that differ in case alone are of one tool, which is
    called as the first of them.
    """
    names = dict[str, tuple[str | None, str]]()
    for group in groups:
        told = _SERVER.fullmatch(group)
        names[group] = (told[1] or told[2], told[3]) if told else (None, group)
    servers = sorted({server for server, _ in names.values() if server}, key=len, reverse=True)
    for group in [group for group, (server, _) in names.items() if server is None]:
        for server in servers:
            rest = group.removeprefix(server)
            if len(rest) < len(group) and (tool := rest.lstrip("_-")) not in ("", rest):
                names[group] = server, tool
                break
    called = dict[tuple[str | None, str], str]()
    return {
        group: (server, called.setdefault((server, tool.casefold()), tool))
        for group, (server, tool) in names.items()
    }


class _Results(NamedTuple):
    """Results of tools as arrays: group, tokens, whether formats can differ on them, US dollars.

    The dollars (NaN: not known) are for the call that they ``first`` entered, and later
    (``carried``).
    """

    group: NDArray[np.int64]
    tokens: Floats
    touched: NDArray[np.bool_]
    first: Floats
    carried: Floats

    def of(self, where: NDArray[np.bool_]) -> _Results:
        """Return the results that are flagged in ``where``, an array of one boolean a result."""
        group, tokens, touched, first, carried = self
        return _Results(group[where], tokens[where], touched[where], first[where], carried[where])

    @property
    def spent(self) -> Floats:
        """US dollars for all calls that sent each result, as far as they are known; else NaN."""
        return self.first + np.nan_to_num(self.carried)


def rank_tools(analysis: Analysis, others: Iterable[str] = ()) -> tuple[RankedTool, ...]:
    """Return the tools of the rows that pass an analysis's filter, the dearest first.

    A name is split into server and tool as the names of the run and ``others`` tell servers.
    """
    found, bill = _results(analysis), find_bill(analysis)
    advice = {each.group: each for each in analysis.policy.advice}
    names = split_names([*others, *analysis.rows.names])
    ranked = defaultdict[object, list[RankedTool]](list)
    for code in np.unique(found.group):
        group, results = analysis.rows.names[code], found.of(found.group == code)
        advised = advice.get(group)
        switched = advised if advised and advised.switch else None
        saved = switched.now - switched.cost if switched else 0.0
        share = saved / switched.now if switched else 0.0
        spent = _sum(results.spent)
        tool = RankedTool(
            names[group][1],
            names[group][0],
            (group,),
            calls=results.tokens.size,
            tokens=round(results.tokens.sum()),
            paid=round(results.tokens[~np.isnan(results.first)].sum()),
            first=_sum(results.first),
            carried=_sum(results.carried),
            share=float(spent / bill) if spent is not None and bill else None,
            send_as=switched.format if switched else None,
            saves_tokens=round(saved),
            saves_money=_sum(results.of(results.touched).spent * share) if saved else Decimal(0),
        )
        ranked[names[group]].append(tool)

    def order(tool: RankedTool) -> tuple[Decimal, int, tuple[str, ...]]:
        return -(tool.money or Decimal(0)), -tool.tokens, tool.groups

    return tuple(sorted(map(_merge, ranked.values()), key=order))


def _merge(ways: list[RankedTool]) -> RankedTool:
    """Join the spellings of one tool; its format is that of the spelling of most tokens."""
    ways = sorted(ways, key=lambda each: -each.tokens)
    shares = [each.share for each in ways if each.share is not None]
    return replace(
        ways[0],
        groups=tuple(each.group for each in ways),
        calls=sum(each.calls for each in ways),
        tokens=sum(each.tokens for each in ways),
        paid=sum(each.paid for each in ways),
        first=add_up(each.first for each in ways),
        carried=add_up(each.carried for each in ways),
        share=sum(shares) if shares else None,
        send_as=next((each.send_as for each in ways if each.send_as), None),
        saves_tokens=sum(each.saves_tokens for each in ways),
        saves_money=add_up(each.saves_money for each in ways),
    )


def find_bill(analysis: Analysis) -> Decimal | None:
    """Return US dollars for all calls whose tokens an analysed log states; None if unknown."""
    bills = find_bills(analysis.rows.about.get("usages"))
    return add_up(bill.dollars for bill in bills)


def find_reach(analysis: Analysis) -> float | None:
    """Return the part of a log's bill, from 0 to 1, that formats can touch; None: not known.

    That is the money of the results that are JSON in which formats can differ.
    """
    found, bill = _results(analysis), find_bill(analysis)
    spent = _sum(found.of(found.touched).spent)
    return float(spent / bill) if spent is not None and bill else None


def _sum(dollars: Floats) -> Decimal | None:
    """Add up an array of US dollars without its NaN; return None if all are NaN."""
    known = dollars[~np.isnan(dollars)]
    return Decimal(repr(float(known.sum()))) if known.size else None


def _results(analysis: Analysis) -> _Results:
    rows, selected = analysis.rows, analysis.selected
    counts = rows.tokens[analysis.choice.tokenizer].at(AS_TYPED, selected.measured)
    places = np.concatenate([selected.measured, selected.skipped])
    tokens = np.concatenate([counts, rows.skipped[selected.skipped]])
    touched = np.zeros(places.size, np.bool_)
    touched[: selected.measured.size] = rows.comparable[selected.measured]
    first, carried = (rows.rates[name][places] for name in ("first", "carried"))
    if np.isnan(rows.rates["first"]).all():
        first = _untold(analysis, places)
    found = _Results(rows.group[places], tokens, touched, tokens * first, tokens * carried)
    return found.of(~np.isnan(tokens) & (found.group >= 0))


def _untold(analysis: Analysis, places: Places) -> Floats:
    """Return US dollars for an input token of each row at ``places``, if the log tells no calls.

    The price is of the model that the record names, with the part of cached input in that model's
    bill; else of the chosen model.
    """
    bills = {bill.model: bill for bill in find_bills(analysis.rows.about.get("usages"))}
    names, model = analysis.rows.models.dictionary.to_pylist(), analysis.choice.model
    prices = [_price(find_price(str(name)), bills.get(str(name))) for name in names]
    rates = np.array([*prices, _price(model.price if model else None)])
    return rates[codes_of(analysis.rows.models)[places]]


def _price(key: str | None, bill: ModelBill | None = None) -> float:
    """Return US dollars for an input token, partly cached as in the bill; NaN if unpriced."""
    cached = bill.tokens.cached / bill.tokens.input if bill and bill.tokens.input else 0.0
    price = call_price(key or "", _MANY, cached_share=cached)
    return math.nan if price is None else float(price) / _MANY


@dataclass(frozen=True, slots=True)
class ComparedTool:
    """A tool's figures in an earlier run (``before``) and in a later one (``now``).

    The data of calls differ too: a saving is of a format only where calls ask for the same.
    """

    before: RankedTool
    now: RankedTool

    @property
    def realised(self) -> float:
        """Tokens that a tool's later calls took less than as many calls of the earlier run."""
        return self.before.tokens * (self.now.calls / self.before.calls) - self.now.tokens

    @property
    def promised(self) -> float:
        """Tokens that the format recommended earlier would have saved of a tool's later calls."""
        return self.before.saves_tokens * (self.now.calls / self.before.calls)

    def price(self, tokens: float) -> Decimal | None:
        """Return US dollars for ``tokens`` of a tool's results at the later run's price or None."""
        if self.now.money is None or not self.now.paid:
            return None
        return self.now.money * Decimal(tokens) / self.now.paid


def compare_runs(before: Analysis, now: Analysis) -> tuple[ComparedTool, ...]:
    """Return the tools that two analyses share, with both figures, the dearest later one first.

    The analyses are of two runs that one tokenizer counts, or of one run before and since a day.
    """
    names = *before.rows.names, *now.rows.names
    earlier = {(tool.server, tool.tool): tool for tool in rank_tools(before, names)}
    pairs = ((earlier.get((tool.server, tool.tool)), tool) for tool in rank_tools(now, names))
    return tuple(ComparedTool(then, tool) for then, tool in pairs if then)
