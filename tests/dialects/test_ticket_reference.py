"""The reference agrees with the tables, and the lifecycle is consistent."""

from __future__ import annotations

import pytest

from toon.dialects.ticket.grammar import ENUMS
from toon.dialects.ticket.reference import (
    ARCHIVED,
    STATES,
    TABLES,
    TERMINAL,
    TRANSITIONS,
    lifecycle_dot,
    transitions_from,
)


def test_the_aliases_are_the_documents() -> None:
    rows = TABLES["Aliases"].rows
    ticket = {alias: key for envelope, alias, key, _ in rows if envelope == "T"}

    assert ticket == {
        "id": "id", "t": "title", "s": "status", "p": "priority", "typ": "type",
        "em": "exec_mode", "ord": "exec_order", "lbl": "labels", "par": "parent_id",
        "ch": "children", "d": "description", "as": "assignee", "cmt": "comments",
        "lnk": "links", "ca": "created_at", "ua": "updated_at",
    }  # fmt: skip
    assert [key for _, alias, key, _ in rows if alias == "t"] == ["title", "body", "to_id"]


def test_the_codes_are_the_documents() -> None:
    shown: dict[str, list[str]] = {domain: [] for domain in ENUMS}
    for domain, code, word in TABLES["Codes"].rows:
        shown[domain].append(f"{code} {word}")

    assert shown == {
        "status": ["bk backlog", "td todo", "ip in_progress", "dn done", "bl blocked",
                   "cl cancelled"],
        "priority": ["cr critical", "h high", "m medium", "l low"],
        "type": ["bug bug", "ft feature", "tsk task", "ep epic", "chr chore"],
        "exec_mode": ["par parallel", "seq sequential"],
        "link_type": ["blk blocks", "rel relates", "dup duplicates"],
    }  # fmt: skip


def test_the_envelopes_and_errors_are_the_documents() -> None:
    envelopes, errors = TABLES["Envelopes"].rows, TABLES["Errors"].rows

    assert [row[0] for row in envelopes] == ["T", "list", "BOARD", "C", "L", "ok", "ERR"]
    assert envelopes[1][3] == "ticket_list, ticket_backlog, ticket_search, ticket_children"
    assert [row[0] for row in errors] == [
        "not_found", "conflict", "seq_blocked", "invalid", "internal",
    ]  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_no_cell_of_a_table_is_empty(name: str) -> None:
    columns, rows = TABLES[name]

    assert {len(row) for row in rows} == {len(columns)}
    assert all(cell for row in rows for cell in row)


def test_the_states_are_the_statuses_and_archived() -> None:
    assert set(STATES) == {*ENUMS["status"].values(), ARCHIVED}
    assert {t.source for t in TRANSITIONS} | {t.target for t in TRANSITIONS} == set(STATES)


@pytest.mark.parametrize("state", TERMINAL)
def test_from_a_terminal_state_a_ticket_can_only_be_archived(state: str) -> None:
    assert [(t.target, t.tools) for t in transitions_from(state)] == [
        (ARCHIVED, ("ticket_archive",))
    ]


def test_every_other_state_leads_to_a_terminal_one() -> None:
    reached = set(TERMINAL)
    for _ in STATES:
        reached |= {t.source for t in TRANSITIONS if t.target in reached}

    assert reached == set(STATES) - {ARCHIVED}


def test_transitions_from_a_state() -> None:
    found = transitions_from("in_progress")

    assert [transition.target for transition in found] == ["done", "blocked", "cancelled"]
    assert transitions_from(ARCHIVED) == []


def test_the_chosen_states_transitions_name_their_tools() -> None:
    assert lifecycle_dot("blocked").split("\n") == [
        "digraph lifecycle {",
        "  rankdir=LR",
        "  node [shape=box style=rounded]",
        '  backlog [label="bk · backlog"]',
        '  todo [label="td · todo"]',
        '  in_progress [label="ip · in_progress"]',
        '  blocked [label="bl · blocked" style="rounded,filled,bold"]',
        '  done [label="dn · done" peripheries=2]',
        '  cancelled [label="cl · cancelled" peripheries=2]',
        '  archived [label="archived" style="rounded,dashed"]',
        "  backlog -> todo [color=gray]",
        "  backlog -> in_progress [color=gray]",
        "  backlog -> cancelled [color=gray]",
        "  todo -> in_progress [color=gray]",
        "  in_progress -> done [color=gray]",
        "  in_progress -> blocked [color=gray]",
        "  in_progress -> cancelled [color=gray]",
        '  blocked -> in_progress [label="ticket_claim or ticket_update" style=bold]',
        "  done -> archived [color=gray]",
        "  cancelled -> archived [color=gray]",
        "}",
    ]


def test_without_a_chosen_state_nothing_stands_out() -> None:
    dot = lifecycle_dot()

    assert "bold" not in dot
    assert "gray" not in dot
    assert dot.count("->") == len(TRANSITIONS)
