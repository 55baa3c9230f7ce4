"""The JSON in lines of logs, by how loggers write what stands around it."""

import pytest

from toon.values.log_lines import find_json, group_entries, is_logged

#: What a logger writes around its JSON.
LOGGERS = {
    "logback": ("2024-01-01 10:00:00.123 [main] INFO  c.e.Shop - body ", ""),
    "Spring": ("2024-01-01T10:00:00.123Z  INFO 12345 --- [     main] c.e.Shop : body ", ""),
    "log4j": ("2024-01-01 10:00:00,123 INFO [main] shop.Shop (Shop.java:12) - ", ""),
    "Serilog": ("[10:00:00 INF] body ", ""),
    "Rails": ("I, [2024-01-01T00:00:00.123456 #1234]  INFO -- : ", ""),
    "Nest": ("\x1b[32m[Nest] 12345  - \x1b[39m01/01/2024, 10:00:00 AM     LOG [App] ", "\x1b[39m"),
    "nginx": ('127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 2 "a {x}" ', ""),
    "Elixir": ("10:00:00.123 request_id=F [info] ", ""),
    "Monolog": ("[2024-01-01T00:00:00+00:00] app.INFO: body ", ' {"uid": "abcdef"} []'),
    "Claude Desktop": (
        "2025-11-02T10:00:00Z [shop] [info] From server: ",
        " { metadata: undefined }",
    ),
    "syslog": ("Jan 01 10:00:00 host app[123]: ", ""),
    "Python": ("INFO:root:", ""),
    "logfmt": ("level=info msg=x body=", " took=5ms"),
    "a process": ("[12345] WARN ", ""),
}


@pytest.mark.parametrize("name", LOGGERS)
@pytest.mark.parametrize(
    "json", ['{"a": {"b": "}"}}', '[{"a": 1.0}]', '{\n  "a": [\n    1\n  ]\n}']
)
def test_json_is_found_between_what_a_logger_writes(name: str, json: str) -> None:
    before, after = LOGGERS[name]
    lines = f"start\n{before}{json}{after}\nend {{".split("\n")
    first, entry, last = ("\n".join(group) for group in group_entries(lines, str))
    place = find_json(entry)

    assert is_logged(entry)
    assert place is not None
    assert entry[place] == json
    assert find_json(first) is find_json(last) is None


@pytest.mark.parametrize(
    ("line", "json"),
    [
        ('INFO cut {"a": {"b": 1}, "c": tru', '{"a": {"b": 1}, "c": tru'),
        ("INFO ids [1, 2] of [3, 4]", "[1, 2]"),
        ("INFO worker [7] has {} and []", None),
        ('INFO {"a"=>1} ruby', None),
        ("INFO " + "{" * 9_999, None),
    ],
)
def test_what_is_damaged_is_taken_whole_and_what_is_empty_is_none(
    line: str, json: str | None
) -> None:
    place = find_json(line)

    assert (line[place] if place else None) == json
