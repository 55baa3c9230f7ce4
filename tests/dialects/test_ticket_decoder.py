"""Reading TOON/1: what is tolerated, notices, and errors."""

from typing import Any

import pytest

from tests.dialects.tickets import FIRST, FIRST_TEXT, THIRD, THIRD_DETAIL, THIRD_HEAD, THIRD_TAIL
from toon.dialects.ticket import read
from toon.errors import DialectError


def notices(text: str) -> list[tuple[str, int | None, int | None]]:
    return [(n.message, n.line, n.column) for n in read(text).notices]


# -- meaning ---------------------------------------------------------------------------------


def test_every_field_is_read() -> None:
    text = f"TOON/1 {THIRD_HEAD}{THIRD_DETAIL}{THIRD_TAIL}"
    expected = {key: item for key, item in THIRD.items() if key != "project_id"}
    comment = THIRD["comments"][0] | {"created_at": "2024-01-15T10:10:00Z"}

    assert read(text).value == expected | {"created_at": "2024-01-15", "comments": [comment]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (FIRST_TEXT, FIRST | {"created_at": "2024-01-15"}),
        ("TOON/1 []", []),
        ("TOON/1 BOARD{}", {"board": {}}),
        ("TOON/1 {ok:true}", {"ok": True}),
        ("TOON/1 ERR{code:conflict}", {"error": {"code": "conflict"}}),
        ('TOON/1 ERR{code:x,msg:"a b"}', {"error": {"code": "x", "message": "a b"}}),
        ("TOON/1 T{id:007,t:null,as:true}", {"id": "007", "title": "null", "assignee": "true"}),
        ("TOON/1 T{id:par,t:x,ord:0,par:par}",
         {"id": "par", "title": "x", "parent_id": "par", "exec_order": 0}),
        ("TOON/1 T{id:a,t:x,ca:2024-01-15T10:00:00.5+01:00}",
         {"id": "a", "title": "x", "created_at": "2024-01-15T10:00:00.5+01:00"}),
        ('TOON/1 {a:1,b:"1",c:[null,-0.5,1e400x,{}]}',
         {"a": 1, "b": "1", "c": [None, -0.5, "1e400x", {}]}),
        ("TOON/1 T", "T"),
    ],
)  # fmt: skip
def test_what_it_reads(text: str, value: Any) -> None:
    assert read(text).value == value


A: dict[str, Any] = {"id": "a", "title": "x"}
TOLERANCES: list[tuple[str, Any]] = [
    ("TOON/1 T{id:a-1,t:[WIP],s:bk,lbl:[a]b,[x],\"p:q\"],par:a-9}",
     {"id": "a-1", "title": "[WIP]", "status": "backlog", "labels": ["a]b", "[x]", "p:q"],
      "parent_id": "a-9"}),
    ("TOON/1  T{id:a,t:x}", A),
    ("\nTOON/1 T{id:a,t:x}", A),
    ("TOON/1 T{id:a,t:x}\n", A),
    ("TOON/1 T { id : a , t : x }", A),
    ("TOON/1 T{t:x,id:a}", A),
    ("TOON/1 T{id:a,t:x: y z}", {"id": "a", "title": "x: y z"}),
    ('TOON/1 T{id:a,t:"x"}', A),
    ('TOON/1 T{id:a,t:"a\tb"}', {"id": "a", "title": "a\tb"}),
    ("TOON/1 T{id:a,t:x,lbl:[]}", A | {"labels": []}),
    ("TOON/1 T{id:a,t:x,lbl:[]]}", A | {"labels": ["]"]}),
    ("TOON/1 T{id:a,t:x,cmt:[]}", A | {"comments": []}),
    ("TOON/1 T{id:a,t:x,lbl:[ a b , c ] , par:d}",
     A | {"labels": ["a b", "c"], "parent_id": "d"}),
    ("TOON/1 BOARD{dn:[T{id:a,t:x}],bk:[T{id:a,t:x}]}",
     {"board": {"done": [A], "backlog": [A]}}),
    ("TOON/1 BOARD{bk:[]}", {"board": {"backlog": []}}),
    ("TOON/1 {a:b c,d:[x [y,\n1]}", {"a": "b c", "d": ["x [y", 1]}),
    ("TOON/1{ok:true}", {"ok": True}),
    ("TOON/1 [\n    T{id:a,t:Fix session expiry,lbl:[auth],ca:2024-01-15},\n    T{id:a,t:x}\n  ]",
     [{"id": "a", "title": "Fix session expiry", "labels": ["auth"], "created_at": "2024-01-15"},
      A]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), TOLERANCES)
def test_tolerances_are_silent(text: str, value: Any) -> None:
    assert read(text).value == value
    assert notices(text) == []


@pytest.mark.parametrize(
    ("text", "value", "notice"),
    [
        ("T{id:a,t:x}", A, ("no TOON/1 at the start: read as TOON/1 anyway", 1, 1)),
        ("[T{id:a,t:x}]", [A], ("no TOON/1 at the start: read as TOON/1 anyway", 1, 1)),
        ("{ok:true}", {"ok": True}, ("no TOON/1 at the start: read as TOON/1 anyway", 1, 1)),
        ("\ufeffTOON/1 []", [], ("byte-order mark at the start: ignored", 1, 1)),
        ("TOON/1 T{id:a,t:x,s:zz}", A | {"status": "zz"},
         ("unknown status 'zz': kept unchanged", 1, 21)),
        ("TOON/1 T{id:a,t:x,s:in_progress}", A | {"status": "in_progress"},
         ("status 'in_progress': its code is ip", 1, 21)),
        ("TOON/1 T{id:a,t:x,zz:[1,{b:c}]}", A | {"zz": [1, {"b": "c"}]},
         ("unknown field zz of T: kept unchanged", 1, 19)),
        ("TOON/1 T{id:a,title:x}", A, ("title in full: its alias is t", 1, 15)),
        ("TOON/1 T{id:a,t:x,ord:1.5}", A | {"exec_order": "1.5"},
         ("ord is '1.5', not a whole number: kept unchanged", 1, 23)),
        ("TOON/1 T{id:a,t:x,ca:today}", A | {"created_at": "today"},
         ("ca is 'today', not a time: kept unchanged", 1, 22)),
        ("TOON/1 BOARD{later:[T{id:a,t:x}]}", {"board": {"later": [A]}},
         ("unknown status 'later': kept unchanged", 1, 14)),
        ("TOON/1 BOARD{td:[T{id:a,t:x,s:dn}]}", {"board": {"todo": [A | {"status": "done"}]}},
         ("ticket 'a' in bucket todo has status done: its own status counts", 1, 17)),
    ],
)  # fmt: skip
def test_oddities_give_a_notice(text: str, value: Any, notice: tuple[str, int, int]) -> None:
    assert read(text).value == value
    assert notices(text) == [notice]


# -- errors ----------------------------------------------------------------------------------

ENVELOPES = "there are T, BOARD and ERR, lists in [ ] and the generic { }"
QUOTE = 'put a text with , { } " or \\ in quotes: "…"'
CUT = "the text may be cut off"
ESCAPES = 'only \\\\ \\" \\n \\r \\t and \\u with four hex digits are escapes'
START = "every TOON/1 text starts with TOON/1 and a space"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("TOON/2 {ok:true}", "line 1, column 1: version '2' of TOON/ is not known, only 1", None),
        ("", "line 1, column 1: the text is empty", START),
        ('{"id":"a"}', "line 1, column 1: no TOON/1 at the start", START),
        ("id: 1", "line 1, column 1: no TOON/1 at the start", START),
        ("TOON/1", "line 1, column 7: expected a value, found the end of the text", CUT),
        ("TOON/1 X{a:b}", "line 1, column 8: unknown envelope X", ENVELOPES),
        ("TOON/1 t{id:a,t:x}", "line 1, column 8: unknown envelope t", ENVELOPES),
        ("TOON/1 C{a:x,t:y,ts:2024-01-01}",
         "line 1, column 8: C{ belongs inside a ticket, in cmt or lnk", None),
        ("TOON/1 T{id:a,id:b}", "line 1, column 15: id appears twice in one T", None),
        ("TOON/1 BOARD{bk:[T{id:a,t:x}],bk:[T{id:b,t:y}]}",
         "line 1, column 31: bucket bk appears twice", None),
        ("TOON/1 {a:1,a:2}", "line 1, column 13: key 'a' appears twice in one object", None),
        ("TOON/1 T{id:a,t:x}x",
         "line 1, column 19: text after the end of the payload: 'x'", None),
        ('TOON/1 T{id:a,t:"x', "line 1, column 17: string is not closed", 'add the closing "'),
        ('TOON/1 T{id:a,t:"\\x"}', "line 1, column 18: unknown escape \\x", ESCAPES),
        ('TOON/1 T{id:a,t:"\\ud800"}', "line 1, column 18: \\ud800 is a surrogate, not a character",
         "write the character itself: TOON has no surrogate pairs"),
        ('TOON/1 T{id:a,t:"a\nb"}',
         "line 1, column 19: line break or control character inside a string",
         "write \\n for a line break"),
        ("TOON/1 T{id:a,t:x", "line 1, column 18: expected , or }, found the end of the text", CUT),
        ("TOON/1 T{id:a,t:}", "line 1, column 17: expected a value, found '}'",
         'the empty text is written ""'),
        ("TOON/1 T{id:a,t:a, b}", "line 1, column 21: expected : after b, found '}'", QUOTE),
        ("TOON/1 T{id:a,t:a{b}}", "line 1, column 18: expected , or }, found '{'", QUOTE),
        ('TOON/1 T{id:a,t:say "hi"}', "line 1, column 21: expected , or }, found '\"'", QUOTE),
        ('TOON/1 T{id:a,t:"a" b}', "line 1, column 21: expected , or }, found 'b'", QUOTE),
        ("TOON/1 T{t:x}", "line 1, column 8: T without id (id)", None),
        ("TOON/1 T{id:a,t:x,lbl:a}", "line 1, column 23: expected [, found 'a'", None),
        ("TOON/1 T{id:a,t:x,lbl:[a,,b]}", "line 1, column 26: expected a value, found ','",
         'the empty text is written ""'),
        ("TOON/1 T{id:a,t:x,lnk:[L{f:a,t:b}]}", "line 1, column 24: L without k (link_type)", None),
        ("TOON/1 T{id:a,t:x,ch:[T{id:b,t:y}]}",
         "line 1, column 24: expected , or ], found '{'", QUOTE),
        ("TOON/1 [T{id:a,t:x},1]", "line 1, column 21: expected T{, found '1'", None),
        ("TOON/1 {a:1}}", "line 1, column 13: text after the end of the payload: '}'", None),
        ("TOON/1 \ud800", "line 1, column 8: lone surrogate U+D800: UTF-8 cannot carry it", None),
        ("TOON/1 [1e9999999999999999999]",
         "line 1, column 9: number 1e9999999999999999999 is out of range", None),
    ],
)  # fmt: skip
def test_damaged_text_is_refused(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(DialectError) as caught:
        read(text)

    assert (str(caught.value), caught.value.hint) == (message, hint)
