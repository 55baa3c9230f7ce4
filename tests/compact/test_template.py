"""Templates: the lines they write, and no record breaks a line."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import keys, scalars, strings, values
from toon.compact.context import Envelope
from toon.compact.inline import one_line
from toon.compact.relative import zone_of
from toon.compact.templates import FORMATTERS, parse
from toon.values.projection import project

NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)


def choose_envelope(template: str, payload: Any) -> Envelope:
    envelope = parse(template).lines(payload, now=NOW)
    assert envelope is not None
    return envelope


def render(pattern: str, record: Any) -> str:
    (text,) = choose_envelope(f"line: {pattern}", [record])["lines"]
    return text


# -- fields and parts ------------------------------------------------------------------------

RECORD: dict[str, Any] = {
    "title": "Night\nshift",
    "empty": "",
    "blank": " \t",
    "null": None,
    "zero": 0,
    "yes": True,
    "no": False,
    "list": ["a", None, "", 2, [3], {"name": "n"}],
    "none": [],
    "object": {"name": "Ana", "deep": [{"x": 1}, {"y": 2}, {"x": None}, {"x": 3}]},
    "bare": {},
    "full name": "quoted",
    "or": "or itself",
    "?": "mark",
    "$": "dollar",
    "xml:lang": "en",
}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{title}", "Night shift"), ("  a \n b\t{title}  ", "a b Night shift"),
        ("{zero} {yes} {no}", "0 true false"), ("{list}", "a, 2, n"),
        ("{object.deep[].x|count} {object.deep|count} {none[].x|count}", "2 4"),
        ("{object}", "Ana"),
        ("{object.name} {object.deep[0].x} {object.deep[-1].x}", "Ana 1 3"),
        ("{object.deep[].x}", "1, 3"),
        ("{object.deep[9].x} {object.deep[-9].x} {list.title} {title[0]} {title[]}", ""),
        ('{["full name"]} {["$"]} {["?"]} {or} {xml:lang}', "quoted dollar mark or itself en"),
        ('{object["name"]} {$.object.name}', "Ana Ana"), ("{ title | upper\n| short:5 }", "NIGHT"),
        ("{empty or blank or null or none or gone or title}", "Night shift"),
        ('{gone or "(none)"} {title or "(none)"}', "(none) Night shift"),
        ('{gone|upper\n or\n title|upper or "x"}', "NIGHT SHIFT"),
        ("{or or or}", "or itself"),
        (r"\{title\} \<{title}\> \\ | ? ! or", r"{title} <Night shift> \ | ? ! or"),
        ("[{gone}] ({title})", "[] (Night shift)"),
        ("a <[{gone}]> b <({title})>", "a b (Night shift)"),
        ("a<, {title}><, {gone}>", "a, Night shift"), ("<a {title}< and {gone}>>", "a Night shift"),
        ("<a {gone}< and {title}>>", ""), ("<(<{gone} ><{title}>)>", "(Night shift)"),
        ("<(<{gone} ><{null}>)>", ""),
        ("<x {blank}><x {empty}><x {none}><x {bare}><x {null}>", ""),
        ("<{?yes}on><{!yes}off> <{?no}on><{!no}off> <{?gone}on><{!gone}off>", "on off off"),
        ("<{?zero}a><{?blank}b><{?none}c><{?bare}d><{?list}e><{?object}f><{?title}g>", "efg"),
        ("<{?gone or yes}a><{?gone or no}b><{!gone or yes}c><{!gone or no}d>", "ad"),
        ("<{?yes}{gone}a><{?yes}<{gone}>b>", "b"),
        ("<{?list|count}{list|count} entries>", "6 entries"),
        ("no field at all", "no field at all"),
    ],
)  # fmt: skip
def test_a_line(pattern: str, expected: str) -> None:
    assert render(pattern, RECORD) == expected


@pytest.mark.parametrize(
    ("record", "pattern", "expected"),
    [
        ("text", "{$}", "text"),
        ([1, "two"], "{[1]} {$[0]} {[]}", "two 1 1, two"),
        (None, "{$} {a}", ""), (7, "{$} {a.b} {[0]}", "7"), ({"name": "n"}, "{$}", "n"),
    ],
)  # fmt: skip
def test_a_record_need_not_be_an_object(record: Any, pattern: str, expected: str) -> None:
    assert render(pattern, record) == expected


def test_a_template_cannot_reach_python() -> None:
    pattern = "<a{__class__}><b{title.__class__.__mro__}><c{list.append}><d{$.keys}>{title.0}-"

    assert render(pattern, RECORD) == "-"
    assert render("{__class__}", {"__class__": "a key like any other"}) == "a key like any other"


def test_records_are_not_read_as_templates() -> None:
    held = r'{b} <{?b}x> \{ {b|upper} %s {0} ${b} $(b) or "b"'

    assert render("{a} {b}", {"a": held, "b": "B"}) == f"{held} B"


# -- formatters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "value", "expected"),
    [
        ("date", "2026-02-18T23:30:00+02:00", "2026-02-18"),
        ("date", "2026-02-18", "2026-02-18"), ("date", "soon", ""), ("date", 1771425000, ""),
        ("time", "2026-02-18T23:30:00+02:00", "23:30"), ("time", "2026-02-18", ""),
        ("time", ["2026-02-18T01:02:03Z", "x", None], "01:02"),
        ("ago", "2026-02-15T10:00:00Z", "3d ago"), ("ago", "2026-02-18T16:30:00Z", "in 2h"),
        ("ago", {"at": 1}, ""), ("size", 1536, "1.5KB"), ("size", "1536", ""), ("size", True, ""),
        ("round:2", 12.3456, "12.35"), ("round:2", 11.9, "11.9"), ("round:0", 48.0, "48"),
        ("round:2", 48, "48"), ("round:1", "1.25", ""),
        ("round:2", Decimal("1" * 34 + ".567"), f"1.{'1' * 33}57e+33"),
        ("round:2", Decimal("0.1234567890123456789"), "0.12"),
        ("round:2", Decimal("1e400"), "1e+400"), ("round:2", Decimal("1e-400"), "0"),
        ("round:2", Decimal("-2.5000"), "-2.5"), ('plural:"one","many"', 1, "one"),
        ('plural:"one","many"', 1.0, "one"), ('plural:"one","many"', 0, "many"),
        ('plural:"one","many"', True, ""),
        ("preview:12", "Great day at the office", "Great day at..."),
        ("preview:60", "short", "short"), ("short", "550e8400-e29b", "550e8400"),
        ("short:3", 123456, "123"), ("upper", ["a", {"name": "b"}], "A, B"), ("lower", "ÄB", "äb"),
        ("upper", True, "TRUE"), ('before:"@"', "ana@example.com", "ana"),
        ('before:"@"', "ana", "ana"), ('after:"."', "backup.tar.gz", "gz"),
        ('after:"."', "README", ""), ('map:"good","🙂","bad",""', "GOOD", "🙂"),
        ('map:"good","🙂","bad",""', "bad", ""),
        ('map:"good","🙂","bad",""', "wistful", "wistful"),
        ('map:"true","on"', True, "on"), ('join:" / "', ["a", "", None, "b"], "a / b"),
        ('join:" / "', "a", "a"), ('join:"\t\\n-\\""', ["a", "b"], 'a -"b'),
        ('map:"","x"', [None, "a"], "a"), ("first:2", ["a", "b", "c"], "a, b"),
        ("first:2", "abc", "abc"), ("count", [1, None, 2], "3"), ("count", [], "0"),
        ("count", {"a": 1}, "1"), ("count", "abc", ""), ('trim:"/"', "Docs//", "Docs"),
        ("extension", ["IMG.JPEG", ".env", "v1.2 final", "README"], "jpeg"),
        ("text", {"name": "n"}, "n"), ('is:"a","1"', 1, "true"),
        ("address", [{"email": "a@b.c"}, {"value": "d@e.f", "is_primary": True}], "d@e.f"),
        ("address", [{}, "a@b.c"], "a@b.c"), ("address", "a@b.c", "a@b.c"),
        ('with:"gone"', "Mia", "Mia"), ('days:"gone"', "2026-02-18", ""),
        ('first:2|upper|join:"+"', ["a", "b", "c"], "A+B"),
    ],
)  # fmt: skip
def test_a_formatter(call: str, value: Any, expected: str) -> None:
    assert render(f"{{x|{call}}}", {"x": value}) == expected


def test_dates_and_times_follow_the_zone() -> None:
    record = {"at": "2026-02-18T23:30:00Z", "day": "2026-02-18", "local": "2026-02-18T23:30:00"}
    pattern = "{at|date} {at|time} {day|date} {local|time}"

    assert render(pattern, record) == "2026-02-18 23:30 2026-02-18 23:30"
    template = parse(f"line: {pattern}")
    assert template.write([record], template.context([], NOW, zone_of("Europe/Madrid"))) == [
        "2026-02-19 00:30 2026-02-18 23:30"
    ]


def test_formatters_may_read_another_field_of_the_record() -> None:
    record = {"first": "Mia", "last": "Ek", "from": "2026-02-18T22:00Z", "to": "2026-02-19T06:00Z"}
    template = parse('line: {first|with:"last"} {to|days:"from"}<{to|days:"to"}>')

    assert template.write([record, None], template.context([], NOW, None)) == ["Mia Ek +1d", ""]
    assert template.patterns([]) == ["[].first", "[].last", "[].to", "[].from", "[].id"]
    assert template.missing_paths([{"first": 1, "to": 2}]) == ["last", "from"]


def test_what_does_not_vary_is_left_out() -> None:
    pattern = "line: <{day|varying} >{x}"
    one = [{"day": 1, "x": "a"}, {"day": 1, "x": "b"}, {"x": "c"}]
    beside = choose_envelope(f"summary: {{day|varying}}x\n{pattern}", {"day": 2, "all": one})

    assert (beside["summary"], beside["lines"]) == ("x", ["a", "b", "c"])


def test_two_values_are_enough_to_know_that_a_field_varies() -> None:
    records = iter([{"day": 1}, {"day": 2}, {"day": 3}])
    context = parse("line: {day|varying}").context(records, NOW, None)

    assert (context.seen, list(records)) == ({"1", "2"}, [{"day": 3}])


# -- the envelope ----------------------------------------------------------------------------


def test_the_envelope() -> None:
    template = parse(
        "rows: data.orders\n"
        "id: number\n"
        'summary: {count} {count|plural:"order","orders"} of {shop}<, page {gone}>\n'
        "line: {number|short:3} {total|round:1}"
    )
    payload = {
        "shop": "Tea",
        "count": 99,
        "data": {"orders": [{"number": "SO-9031", "total": 1.25}, {"total": 2}, None,
                            {"number": 7}]},
        "meta": {"total": 80, "offset": 40, "limit": "all", "has_more": True, "took_ms": 3},
    }  # fmt: skip
    meta = {"total": 80, "limit": 20, "offset": 40, "has_more": True}
    envelope = {"format": "compact", "summary": "4 orders of Tea"}
    lines, ids = ["SO- 1.2", "2", "", "7"], ["SO-9031", "", "", "7"]

    assert json.dumps(template.lines(payload, now=NOW)) == json.dumps(
        envelope | {"lines": lines, "ids": ids, "meta": meta}
    )


@pytest.mark.parametrize(
    ("payload", "summary"),
    [([], "0 records"), ([{}], "1 record"), ({"a": [1, 2], "b": {"c": [3]}}, "2 records"),
     ([1] * 30, "30 records")],
)  # fmt: skip
def test_without_settings_the_only_list_is_used(payload: Any, summary: str) -> None:
    envelope = choose_envelope("line: {$}", payload)

    assert envelope["summary"] == summary
    assert len(envelope["lines"]) == len(envelope["ids"]) == envelope["meta"]["total"]
    assert envelope["meta"]["limit"] == max(20, len(envelope["lines"]))


@pytest.mark.parametrize(
    ("rows", "payload"),
    [
        ("", {"error": {"code": "NOT_FOUND"}}), ("", {"a": [1], "b": [2]}), ("", "text"),
        ("", None), ("rows: data\n", {"data": {"id": 1}}), ("rows: data\n", {"error": "x"}),
        ("rows: data.items\n", [1, 2]),
    ],
)  # fmt: skip
def test_a_payload_without_a_list_of_records_has_no_lines(rows: str, payload: Any) -> None:
    template = parse(f"{rows}line: {{a}}")

    assert template.lines(payload, now=NOW) is None
    assert template.records(payload) is None
    assert template.missing_paths(payload) == [rows[6:-1] or "$"]


def test_rows_may_come_from_several_lists() -> None:
    payload = {"pages": [{"rows": [{"id": 1}]}, {}, {"rows": [{"id": 2}]}]}

    envelope = choose_envelope("rows: pages[].rows[]\nline: {id}", payload)

    assert envelope["lines"] == envelope["ids"] == ["1", "2"]
    assert parse("rows: pages[0].rows\nline: {id}").records(payload) == [{"id": 1}]


# -- the fields of a template ----------------------------------------------------------------

TEMPLATE = parse(
    "rows: data\nid: uuid\nsummary: {count} of {all}\n"
    'line: {a or b.c|upper} <{?d[0].e}x> {f[].g|join:" "} {["h i"]} {a}'
)


def test_the_fields_used() -> None:
    assert TEMPLATE.patterns({"data": []}) == [
        "data[].a", "data[].b.c", "data[].d[].e", "data[].f[].g", 'data[]["h i"]', "data[].uuid",
        "all",
    ]  # fmt: skip
    assert parse("line: {a}").patterns([]) == ["[].a", "[].id"]
    assert parse("line: {a}").patterns({"b": [], "c": 1}) == ["b[].a", "b[].id"]
    assert parse("line: {a}").patterns({"c": 1}) == []
    assert parse("summary: {n or count}\nline: {a}").patterns([]) == ["[].a", "[].id", "n"]
    assert parse("rows: b[].c[]\nline: {id}").patterns({}) == ["b[].c[].id"]
    assert parse("rows: b[0].c\nline: {id}").patterns({}) == ["b[].c[].id"]


def test_paths_that_no_record_has() -> None:
    record = {"b": {"c": None}, "d": [], "h i": 1, "uuid": ""}

    assert TEMPLATE.missing_paths({"data": [{}, record]}) == ["d[].e", "f[].g", "a", "all"]
    assert TEMPLATE.missing_paths({"data": [{"a": 1}, record], "all": None}) == ["d[].e", "f[].g"]
    assert TEMPLATE.missing_paths({"data": [{}], "all": 1}) == [
        "a", "b.c", "d[].e", "f[].g", '["h i"]', "uuid",
    ]  # fmt: skip
    assert TEMPLATE.missing_paths({"data": [], "all": 1}) == []
    assert parse("summary: {n or count} {m}\nline: a").missing_paths([{}]) == ["m"]
    assert parse("line: {count}").missing_paths([{"count": 1}]) == []


def test_fields_are_all_that_the_lines_need() -> None:
    record = {"a": "x", "b": {"c": 1, "z": 2}, "d": [{"e": 1}], "f": [{"g": "y", "z": 3}], "z": 4}
    payload = {"data": [{**record, "uuid": "u"}, {"h i": 5, "z": 6}], "all": 9, "z": 7}

    kept = project(payload, TEMPLATE.patterns(payload))

    assert "z" not in json.dumps(kept)
    assert TEMPLATE.lines(kept, now=NOW) == TEMPLATE.lines(payload, now=NOW)


# -- laws ------------------------------------------------------------------------------------

_paths = st.sampled_from(["$", "id", "name", "k1", "k1.x", "k2[]", "k2[0].name", "[]", "k1.y.z"])
_calls = st.lists(st.sampled_from([f"|{f.usage}" for f in FORMATTERS.values()]), max_size=3)
_values = st.builds(lambda path, calls: path + "".join(calls), _paths, _calls)
_fields = st.lists(_values, min_size=1, max_size=3).map(" or ".join)
_patterns = st.recursive(
    st.one_of(_fields.map(lambda f: f"{{{f}}}"), _fields.map(lambda f: f'{{{f} or "-"}}')),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("  ".join),
        inner.map(lambda p: f"<[{p}]>"),
        st.tuples(_fields, inner).map(lambda p: f"<{{?{p[0]}}} {p[1]}>"),
    ),
    max_leaves=6,
)
_records = st.one_of(values, st.dictionaries(st.sampled_from(["id", "name", "k1", "k2"]), values))


@pytest.mark.rest
@given(_patterns, _records)
def test_any_record_gives_one_line_and_never_an_exception(pattern: str, record: Any) -> None:
    written = render(pattern, record)

    assert written == one_line(written)
    assert len(written.splitlines()) <= 1


@given(keys, scalars)
def test_any_key_can_be_written(key: str, value: Any) -> None:
    quoted = json.dumps(key, ensure_ascii=False)

    assert render(f"{{[{quoted}]}}", {key: value}) == render("{x}", {"x": value})


@given(strings)
def test_a_text_shows_as_it_is(text: str) -> None:
    escaped = "".join(f"\\{c}" if c in "{}<>\\" else c for c in text)

    assert render(f"-{escaped}-", {}) == one_line(f"-{text}-")
    assert render("-{x}-", {"x": text}) == f"-{one_line(text)}-"
