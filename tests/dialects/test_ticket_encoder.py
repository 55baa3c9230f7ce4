"""Writing TOON/1: the acceptance examples, losses and errors."""

from decimal import Decimal
from typing import Any

import pytest

from tests.dialects.tickets import FIRST, FIRST_TEXT, THIRD, THIRD_DETAIL, THIRD_HEAD, THIRD_TAIL
from toon.dialects.ticket import encode, losses
from toon.errors import EncodeError

A: dict[str, Any] = {"id": "a-1", "title": "x"}


def inner(ticket: dict[str, Any]) -> str:
    """The text after ``T{id:a-1,`` for a ticket of that id with the fields of ``ticket``."""
    text = encode(A | ticket)
    assert text.startswith("TOON/1 T{id:a-1,")
    assert text.endswith("}")
    return text[len("TOON/1 T{id:a-1,") : -1]


# -- acceptance ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (FIRST, FIRST_TEXT),
        (THIRD, f"TOON/1 {THIRD_HEAD}{THIRD_DETAIL}{THIRD_TAIL}"),
        ([THIRD], f"TOON/1 [{THIRD_HEAD}{THIRD_TAIL}]"),
        (
            {"board": {
                "done": [{"id": "a-2", "title": "y", "status": "done"}],
                "backlog": [{"id": "a-1", "title": "x", "status": "backlog"}],
                "todo": [],
            }},
            "TOON/1 BOARD{bk:[T{id:a-1,t:x,s:bk}],dn:[T{id:a-2,t:y,s:dn}]}",
        ),
        ({"board": {"in_progress": [THIRD]}},
         f"TOON/1 BOARD{{ip:[{THIRD_HEAD}{THIRD_TAIL}]}}"),
        # A ticket in the wrong bucket keeps its status.
        ({"board": {"todo": [A | {"status": "done"}]}}, "TOON/1 BOARD{td:[T{id:a-1,t:x,s:dn}]}"),
        ({"board": {}}, "TOON/1 BOARD{}"),
        ([], "TOON/1 []"),
        ({"ok": True}, "TOON/1 {ok:true}"),
        ({"error": {"code": "not_found", "message": "myapp-999 does not exist"}},
         'TOON/1 ERR{code:not_found,msg:"myapp-999 does not exist"}'),
        ({"error": {"code": "conflict"}}, "TOON/1 ERR{code:conflict}"),
        ({"error": {"code": "invalid", "message": "conflict"}},
         "TOON/1 ERR{code:invalid,msg:conflict}"),
        ({"error": {"code": "invalid", "message": ""}}, 'TOON/1 ERR{code:invalid,msg:""}'),
    ],
)  # fmt: skip
def test_what_is_written(value: Any, text: str) -> None:
    assert encode(value) == text


@pytest.mark.parametrize(
    ("title", "token"),
    [
        ("nospace", "nospace"), ("has:colon", '"has:colon"'), ("has,comma", '"has,comma"'),
        ("has{brace}", '"has{brace}"'), ('say "hello"', r'"say \"hello\""'),
        ("line1\nline2", r'"line1\nline2"'), ("back\\slash", r'"back\\slash"'),
        ("[WIP]", '"[WIP]"'), ("", '""'), ("a\tb\r\x01\x7f", r'"a\tb\r\u0001\u007f"'),
        ("a\u00a0b", '"a\u00a0b"'), ("007", "007"), ("null", "null"), ("bug", "bug"),
        ("日本語😀", "日本語😀"),
    ],
)  # fmt: skip
def test_a_title_is_quoted_only_if_needed(title: str, token: str) -> None:
    assert inner({"title": title}) == f"t:{token}"


@pytest.mark.parametrize(
    ("ticket", "text"),
    [
        ({"exec_order": 0}, "t:x,ord:0"),
        ({"exec_order": -(10**30)}, f"t:x,ord:-1{'0' * 30}"),
        ({"exec_mode": "parallel"}, "t:x"), ({"children": []}, "t:x"),
        ({"description": "", "assignee": None, "labels": None}, "t:x"),
        ({"created_at": "2024-01-15T23:30:00-05:00"}, "t:x,ca:2024-01-16"),
        ({"created_at": "2024-01-15T01:00+05:30"}, "t:x,ca:2024-01-14"),
        ({"created_at": "2016-12-31T23:59:60Z"}, "t:x,ca:2016-12-31"),
        ({"created_at": "2024-01-15"}, "t:x,ca:2024-01-15"),
        ({"updated_at": "2024-01-15T09:00:00.100-05:00"}, "t:x,ua:2024-01-15T09:00:00.100-05:00"),
        ({"labels": ["ip", "security", "a,b"]}, 't:x,lbl:[ip,security,"a,b"]'),
        ({"assignee": "h", "priority": "low"}, "t:x,p:l,as:h"),
        ({"links": [{"from_id": "a", "to_id": "b", "link_type": "duplicates"}]},
         "t:x,lnk:[L{f:a,t:b,k:dup}]"),
    ],
)  # fmt: skip
def test_what_a_field_becomes(ticket: dict[str, Any], text: str) -> None:
    assert inner(ticket) == text


@pytest.mark.parametrize(
    ("field", "spelling", "token"),
    [
        ("status", "ip", "s:ip"), ("status", "In Progress", "s:ip"),
        ("status", "in-progress", "s:ip"), ("status", "inprogress", "s:ip"),
        ("status", "canceled", "s:cl"), ("priority", "MED", "p:m"),
        ("priority", "critical", "p:cr"), ("type", "Feature", "typ:ft"),
        ("exec_mode", "seq", "em:seq"),
    ],
)  # fmt: skip
def test_codes_are_known_by_many_spellings(field: str, spelling: str, token: str) -> None:
    assert inner({field: spelling}) == f"t:x,{token}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "1", "b": 1, "c": "null", "d": None}, 'TOON/1 {a:"1",b:1,c:"null",d:null}'),
        ({"a b": [True, "true", {}, []]}, 'TOON/1 {"a b":[true,"true",{},[]]}'),
        ([A, 1], "TOON/1 [{id:a-1,title:x},1]"),
        ({"id": 5, "title": "x"}, "TOON/1 {id:5,title:x}"),
        ({"ok": 1}, "TOON/1 {ok:1}"),
        ({"1": 2**70}, "TOON/1 {1:1180591620717411303424}"),
        ([Decimal("1e400"), 0.5], "TOON/1 [1e+400,0.5]"),
        ("T{", 'TOON/1 "T{"'),
        (None, "TOON/1 null"),
    ],
)
def test_other_json_has_a_generic_form(value: Any, text: str) -> None:
    assert encode(value) == text


# -- losses ----------------------------------------------------------------------------------


def test_losses() -> None:
    odd = {**A, "status": "ip", "exec_mode": "parallel", "labels": [], "created_at": "2024-01-15"}

    assert losses([THIRD, THIRD, odd]) == [
        "description of 2 tickets",
        "assignee of 2 tickets",
        "comments of 2 tickets",
        "links of 2 tickets",
        "created_at cut to its date in 2 tickets",
        "project_id of 2 tickets",
        "status respelled in 1 ticket",
        "exec_mode left out as the default in 1 ticket",
        "empty labels left out in 1 ticket",
    ]


def test_losses_in_comments_links_and_boards() -> None:
    comment = THIRD["comments"][0] | {"id": 7}
    link = THIRD["links"][0] | {"note": "x", "link_type": "blk"}

    assert losses(A | {"comments": [comment, comment], "links": [link]}) == [
        "created_at written in UTC to the minute in 2 comments",
        "id of 2 comments",
        "link_type respelled in 1 link",
        "note of 1 link",
    ]
    assert losses({"board": {"bk": [A], "todo": []}}) == [
        "buckets respelled in 1 board",
        "empty buckets left out in 1 board",
    ]


def test_fields_without_an_alias_are_dropped() -> None:
    ticket = A | {"project_id": "my app", "t": 1}

    assert encode(ticket) == encode(A)
    assert losses(ticket) == ["project_id of 1 ticket", "t of 1 ticket"]


# -- refusals --------------------------------------------------------------------------------

LINK = THIRD["links"][0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (A | {"status": "zz"}, "$.status: unknown status 'zz': it is one of backlog, todo, "
         "in_progress, done, blocked, cancelled"),
        (A | {"priority": 1}, "$.priority: expected a text, found a number"),
        (A | {"labels": "x"}, "$.labels: expected an array, found a text"),
        (A | {"labels": ["x", 1.5]}, "$.labels[1]: expected a text, found the number 1.5"),
        (A | {"children": [A]}, "$.children[0]: expected a text, found an object"),
        (A | {"exec_order": 2.5}, "$.exec_order: expected a whole number, found the number 2.5"),
        (A | {"exec_order": True}, "$.exec_order: expected a whole number, found a boolean"),
        (A | {"exec_order": Decimal("1E+999999")},
         "$.exec_order: expected a whole number, found a number"),
        (A | {"created_at": "yesterday"},
         "$.created_at: expected a time such as 2024-01-15T10:00:00Z, found 'yesterday'"),
        (A | {"created_at": "2024-02-30"},
         "$.created_at: '2024-02-30' is not a valid time"),
        (A | {"created_at": "0001-01-01T00:00+05:00"},
         "$.created_at: '0001-01-01T00:00+05:00' is not a valid time"),
        (A | {"created_at": "2024-01-01T00:00+24:00"},
         "$.created_at: '2024-01-01T00:00+24:00' is not a valid time"),
        (A | {"updated_at": 5},
         "$.updated_at: expected a time such as 2024-01-15T10:00:00Z, found a number"),
        (A | {"comments": ["x"]}, "$.comments[0]: expected an object, found a text"),
        (A | {"comments": [{"body": "x"}]}, "$.comments[0]: author is missing"),
        (A | {"links": [LINK | {"to_id": None}]},
         "$.links[0].to_id: expected a text, found null"),
        (A | {"links": [LINK | {"link_type": "x"}]}, "$.links[0].link_type: unknown link_type "
         "'x': it is one of blocks, relates, duplicates"),
        ([A, A | {"type": []}], "$[1].type: expected a text, found an array"),
        ({"board": {"bk": [], "backlog": [A]}}, "$.board.backlog: a second bucket of status bk"),
        ({"board": {"later": [A]}}, "$.board.later: unknown status 'later': it is one of "
         "backlog, todo, in_progress, done, blocked, cancelled"),
        (A | {"title": "\ud800"}, r"$.title: lone surrogate in '\ud800': UTF-8 cannot carry it"),
    ],
)  # fmt: skip
def test_the_path_of_a_refused_value(value: Any, message: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode(value)

    assert str(caught.value) == message
