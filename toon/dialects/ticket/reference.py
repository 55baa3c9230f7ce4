"""A reference of TOON/1: aliases, codes, envelopes, errors, and the lifecycle of a ticket.

The facts come from the dialect's own document. It draws the lifecycle but lists no transitions, so
these come from the project's public diagram, and the tools from its public server.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from toon.dialects.ticket.grammar import COMMENT, ENUMS, ERROR, LINK, TICKET


class Table(NamedTuple):
    """A table of the reference: the heads of its columns, and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Transition(NamedTuple):
    """A change of status, the tools that make it, and the occasion for it."""

    source: str
    target: str
    tools: tuple[str, ...]
    occasion: str


_ALIASES: Final = tuple(
    (envelope.name, slot.alias, slot.key, slot.meaning)
    for envelope in (TICKET, COMMENT, LINK, ERROR)
    for slot in envelope.fields
)
_CODES: Final = tuple(
    (domain, code, word) for domain, codes in ENUMS.items() for code, word in codes.items()
)
_ENVELOPES: Final = (
    (
        "T",
        "T{id:…,t:…,…}",
        "one ticket with all of its fields",
        "ticket_get, ticket_create, ticket_claim, ticket_update, ticket_comment",
    ),
    (
        "list",
        "[T{…},T{…}]",
        "tickets in summary",
        "ticket_list, ticket_backlog, ticket_search, ticket_children",
    ),
    ("BOARD", "BOARD{bk:[…],td:[…],…}", "tickets in summary, by status", "ticket_board"),
    ("C", "C{a:…,t:…,ts:…}", "a comment, inside cmt", "ticket_get"),
    ("L", "L{f:…,t:…,k:…}", "a link, inside lnk", "ticket_get"),
    ("ok", "{ok:true}", "done, nothing to show", "ticket_archive, ticket_link"),
    ("ERR", "ERR{code:…,msg:…}", "it failed", "every tool"),
)
_ERRORS: Final = (
    (
        "not_found",
        "no such ticket, or it is archived",
        "check the id, or look for the ticket with ticket_search",
    ),
    (
        "conflict",
        "the etag is out of date, or another agent has claimed the ticket",
        "read it again with ticket_get and retry with its new ua",
    ),
    (
        "seq_blocked",
        "an earlier ticket of the sequence is not done",
        "finish the sibling with the lower exec_order first",
    ),
    (
        "invalid",
        "a parameter breaks the schema, such as an exec_order that is taken",
        "compare the parameters with the tool's reference",
    ),
    ("internal", "the server failed", "retry once, and look at /health if it fails again"),
)

TABLES: Final = {
    "Aliases": Table(("Envelope", "Alias", "Field", "Meaning"), _ALIASES),
    "Codes": Table(("Field", "Code", "Word"), _CODES),
    "Envelopes": Table(("Envelope", "Written", "Is", "Answered by"), _ENVELOPES),
    "Errors": Table(("Code", "When", "What to do"), _ERRORS),
}

# -- lifecycle -------------------------------------------------------------------------------

ARCHIVED: Final = "archived"
TERMINAL: Final = ("done", "cancelled")

#: The states in the order they are drawn; ``archived`` is a mark on a ticket, not a status.
STATES: Final = ("backlog", "todo", "in_progress", "blocked", "done", "cancelled", ARCHIVED)

TRANSITIONS: Final[tuple[Transition, ...]] = (
    Transition("backlog", "todo", ("ticket_update",), "refined"),
    Transition("backlog", "in_progress", ("ticket_claim",), "claimed"),
    Transition("backlog", "cancelled", ("ticket_update",), "dropped"),
    Transition("todo", "in_progress", ("ticket_claim",), "claimed"),
    Transition("in_progress", "done", ("ticket_update",), "finished"),
    Transition("in_progress", "blocked", ("ticket_update",), "held up from outside"),
    Transition("in_progress", "cancelled", ("ticket_update",), "dropped"),
    Transition("blocked", "in_progress", ("ticket_claim", "ticket_update"), "free again"),
    Transition("done", ARCHIVED, ("ticket_archive",), "put away"),
    Transition("cancelled", ARCHIVED, ("ticket_archive",), "put away"),
)


def transitions_from(state: str) -> list[Transition]:
    """The transitions that leave a state; none leave ``archived``."""
    return [transition for transition in TRANSITIONS if transition.source == state]


def lifecycle_dot(state: str | None = None) -> str:
    """The lifecycle as Graphviz DOT text.

    ``state`` is filled in. The transitions that leave it are bold and labelled with the tools that
    make them; all others are grey.
    """
    codes = {word: code for code, word in ENUMS["status"].items()}
    lines = ["digraph lifecycle {", "  rankdir=LR", "  node [shape=box style=rounded]"]
    for name in STATES:
        label = f"{codes[name]} · {name}" if name in codes else name
        lines.append(f'  {name} [label="{label}"{_node_style(name, state)}]')
    for transition in TRANSITIONS:
        style = _edge_style(transition, state)
        lines.append(f"  {transition.source} -> {transition.target}{style}")
    return "\n".join([*lines, "}"])


def _node_style(name: str, chosen: str | None) -> str:
    if name == chosen:
        return ' style="rounded,filled,bold"'
    if name == ARCHIVED:
        return ' style="rounded,dashed"'
    return " peripheries=2" if name in TERMINAL else ""


def _edge_style(transition: Transition, chosen: str | None) -> str:
    if chosen is None:
        return ""
    if transition.source != chosen:
        return " [color=gray]"
    return f' [label="{" or ".join(transition.tools)}" style=bold]'
