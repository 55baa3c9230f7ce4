"""A measured log as five scenes: its cost, the dearest group, why, what to send, the saving."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

import numpy as np

from toon.analysis.tools import add_up, find_bill, rank_tools
from toon.costs.why import family
from toon.costs.worth import COMPACT
from toon.drawing.bars import CLASSES
from toon.drawing.slides import (
    CELLS,
    NO_DISCOUNT,
    Scene,
    bar,
    columns,
    explain_minifying,
    hundred_cells,
    page,
    rows,
    slides,
)
from toon.errors import RunError
from toon.formats import label
from toon.layout.spans import KINDS, VALUES
from toon.reports.billed import NO_MODEL, billed_cost, log_bills
from toon.reports.facts import Report, assumption, headline, no_price
from toon.reports.figures import has_month, list_ways, switch_words
from toon.reports.tools import ranked_tools, saving_words, top_tool_words
from toon.wording import (
    UNKNOWN,
    capitalised,
    count,
    dollars,
    listed,
    percent,
    plural,
    short_dollars,
    signed_percent,
)

#: The most bars in a slide, and the most groups in a sentence.
_DRAWN: Final = 5
_NAMED: Final = 3


def as_slides(report: Report, source: str) -> str:
    """Write a report's slides as HTML for a page; ``source`` is a line on the log they are from."""
    return slides(_all_scenes(report), source)


def as_deck(report: Report, source: str) -> str:
    """Write a report's slides as an HTML page that opens offline and prints one slide a sheet."""
    return page(_all_scenes(report), report.name, source)


def _all_scenes(report: Report) -> list[Scene]:
    """Return the slides of a report; if its run turns out to be damaged, one slide that says so."""
    try:
        return list(scenes(report))
    except RunError as error:
        words = f"{error}."
        return [{"title": "No slides", "figure": "", "saves": False, "words": words, "drawing": ""}]


def scenes(report: Report) -> Iterator[Scene]:
    """Yield a report's slides: cost, dearest tool, why, advice, and the saving if it is known.

    Where nothing can be compared, there is only the first.
    """
    yield _cost_scene(report)
    if report.analysis.nothing:
        return
    yield from _top_scenes(report)
    yield _advice_scene(report)
    yield from _saving_scene(report)


def _cost_scene(report: Report) -> Scene:
    """Return the first slide on a log: what was billed, else a month's price, else its tokens."""
    analysis = report.analysis
    now = analysis.ways["now"]
    bills = [(bill.model or NO_MODEL, bill.dollars) for bill in log_bills(report)]
    costs = [(model, cost) for model, cost in bills if cost is not None]
    most = max((cost for _, cost in costs), default=0) or 1
    bars = ((model, bar(dollars(cost), float(cost / most))) for model, cost in costs[:_DRAWN])
    if bill := billed_cost(report):
        total = sum((cost for _, cost in costs), Decimal(0))
        title, figure, words = "What was spent, as it was billed", dollars(total), bill[1]
    elif not has_month(report):
        title, figure = "What these payloads take today", plural(round(now.cost), "token")
        words = f"{plural(analysis.payloads, 'payload')}. {no_price(analysis)}".strip()
    else:
        title, figure = "What these payloads cost a month", dollars(now.dollars)
        words = f"{capitalised(_month_words(report))}."
    return {
        "title": title,
        "figure": figure,
        "saves": False,
        "words": words if analysis.nothing is None else f"{words} {analysis.nothing}.",
        "drawing": rows(bars) if bill else _kind_strip(report),
    }


def _kind_strip(report: Report) -> str:
    """Return HTML for a slide: a strip of the tokens of a report's log as minified JSON, by kind
    (names, values and so on).
    """
    kinds = [float(report.analysis.kinds[kind].sum()) for kind in KINDS]
    total = sum(kinds) or 1
    pieces = "".join(
        f'<span class="{style}" style="width:{100 * tokens / total:.3f}%">{count(tokens)}</span>'
        for style, tokens in zip(CLASSES, kinds, strict=False)
        if tokens
    )
    used = [tokens > 0 for tokens in kinds]
    return rows([(capitalised(label(COMPACT)), f'<div class="strip">{pieces}</div>')], used)


def _top_scenes(report: Report) -> Iterator[Scene]:
    """Yield the slides on the tool that costs most, by the log's bill or by tokens, and on why."""
    tools = [tool for tool in ranked_tools(report) if tool.money is not None]
    costs = report.analysis.sums.columns[report.analysis.choice.now].cost
    groups = report.analysis.sums.groups
    if tools:
        most, named_so = float(tools[0].money or 0) or 1, tools[0].groups
        words = " ".join(top_tool_words(tools[0]))
        figure = UNKNOWN if tools[0].share is None else percent(tools[0].share)
        bars = [(tool.name, dollars(tool.money), float(tool.money or 0) / most) for tool in tools]
    else:
        ranked = np.argsort(-costs, kind="stable")
        named_so = (groups[ranked[0]],)
        total, most = float(costs.sum()) or 1, float(costs.max()) or 1
        payloads = plural(int(report.analysis.sums.payloads[ranked[0]]), "payload")
        words = f"{count(costs.max())} of {count(total)} tokens, in {payloads}."
        figure = percent(float(costs.max()) / total)
        bars = [(groups[row], count(costs[row]), float(costs[row]) / most) for row in ranked]
    yield {
        "title": f"The most expensive: {bars[0][0]}",
        "figure": figure,
        "saves": False,
        "words": words,
        "drawing": rows(
            (name, bar(amount, share, marked=not place))
            for place, (name, amount, share) in enumerate(bars[:_DRAWN])
        ),
    }
    yield from _kind_scene(report, [groups.index(group) for group in named_so if group in groups])


def _kind_scene(report: Report, places: list[int]) -> Iterator[Scene]:
    """Yield the slide that says how many of a hundred tokens of the groups at ``places``, as
    minified JSON, are data; none if they have no JSON.
    """
    kinds = [float(report.analysis.kinds[kind][places].sum()) for kind in KINDS]
    if not sum(kinds):
        return
    values = round(CELLS * kinds[VALUES] / sum(kinds))
    yield {
        "title": f"Why: how many of its tokens are data, as {label(COMPACT)}",
        "figure": f"{values} of {CELLS}",
        "saves": False,
        "words": f"The other {CELLS - values} are names and punctuation, paid with every payload.",
        "drawing": hundred_cells(kinds),
    }


def _advice_scene(report: Report) -> Scene:
    """Return the slide on the formats recommended for a log, with a bar for each way to send it."""
    analysis = report.analysis
    ways, switches = analysis.ways, analysis.policy.switches
    steps = [(name, way) for name, way in list_ways(report) if way is not ways.get("format")]
    most = max(way.cost for _, way in steps) or 1
    tools = sorted(rank_tools(analysis), key=lambda tool: -tool.saves_tokens)
    sent = (f"{tool.name} → {family(tool.send_as)}" for tool in tools if tool.send_as)
    return {
        "title": switch_words(report) if switches else headline(report),
        "figure": signed_percent(ways["mix"].vs_now),
        "saves": bool(switches),
        "words": f"{listed(sent, _NAMED)}; {assumption(report)}"
        if switches
        else capitalised(assumption(report)),
        "drawing": rows(
            (name, bar(count(way.cost), way.cost / most, marked=way is ways["mix"]))
            for name, way in steps
        ),
    }


def _saving_scene(report: Report) -> Iterator[Scene]:
    """Yield the slide on the recommended formats' saving, a month or of the bill, if known."""
    ways = report.analysis.ways
    saved = report.saving(ways["mix"].dollars)
    if not report.analysis.policy.switches:
        return
    if not has_month(report):
        yield from _bill_scene(report)
    elif saved and saved > 0:
        levels = [
            (name, dollars(way.dollars), float(way.dollars or 0))
            for name, way in list_ways(report)
            if way is not ways.get("format")
        ]
        minified = report.saving(ways["compact"].dollars) if "compact" in ways else None
        is_step = minified is not None and 0 < minified <= saved
        of_it = explain_minifying(dollars(saved), dollars(minified) if is_step else "")
        yield {
            "title": f"Saved: {dollars(saved)} a month",
            "figure": f"{short_dollars(12 * saved)} a year",
            "saves": True,
            "words": f"{of_it} {capitalised(_month_words(report))}.".strip(),
            "drawing": columns(levels),
        }


def _bill_scene(report: Report) -> Iterator[Scene]:
    """Yield the slide on what recommended formats would have saved of a log's bill, if known."""
    tools = ranked_tools(report)
    saved, bill = add_up(tool.saves_money for tool in tools), find_bill(report.analysis)
    if not saved or not bill:
        return
    after = bill - saved
    yield {
        "title": "Saved, had it been sent as recommended",
        "figure": f"≈ {dollars(saved)}",
        "saves": True,
        "words": saving_words(tools),
        "drawing": columns(
            [
                ("As billed", dollars(bill), float(bill)),
                ("As recommended", f"≈ {dollars(after)}", float(after)),
            ]
        ),
    }


def _month_words(report: Report) -> str:
    """Say what a month's price assumes: the number of payloads, the model, no discount."""
    analysis = report.analysis
    model = analysis.choice.model
    usage = f" with {model.label}" if model else ""
    payloads = plural(round(analysis.monthly or 0), "payload")
    return f"input of {payloads} a month{usage}, {NO_DISCOUNT}"
