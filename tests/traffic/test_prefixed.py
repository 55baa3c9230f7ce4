"""Text logs of services, and lines that are kept in records."""

import json
from typing import Any

import pytest

from tests.traffic.reading import kind, lines, short
from toon.errors import TextError


def test_the_json_in_a_text_log_is_read_and_its_own_lines_are_passed_over() -> None:
    text = (
        "2024-01-01 10:00:00 [main] INFO started\n"
        '2024-01-01 10:00:00 [main] INFO got {"a": 1.0} in 5 ms\n'
        '2024-01-01 10:00:00 [main] INFO got {\n  "b": "\u2028"\n}\n'
        '2024-01-01 10:00:00 [main] INFO got {"c": \n'
    )

    assert kind(text) == "text log: the JSON in its lines"
    assert short(text) == [
        (2, "log", '{"a": 1.0}'),
        (3, "log", '{\n  "b": "\u2028"\n}'),
        (6, "expected a value, found the end of the text (column 6)"),
    ]


@pytest.mark.parametrize(
    "records",
    [
        [{"log": 'INFO {"a"', "stream": "stdout", "time": "x"},  # docker splits long lines
         {"log": ": 1.0}\n", "stream": "stdout", "time": "x"}],
        [{"@timestamp": "2024", "@message": 'INFO {"a": 1.0}'}],
        [{"__REALTIME_TIMESTAMP": "1", "MESSAGE": '{"a": 1.0}'}],
        [{"textPayload": '{"a": 1.0}', "logName": "x"}],
    ],
)  # fmt: skip
def test_lines_of_a_log_are_taken_out_of_the_records_that_keep_them(records: list[Any]) -> None:
    text = lines(*records)

    assert short(text) == [(len(records), "log", '{"a": 1.0}')]
    assert [row[2] for row in short(json.dumps(records))] == ['{"a": 1.0}']


def test_text_that_only_holds_json_somewhere_is_no_log() -> None:
    for text in ('see {"a": 1}\n', 'key: {"a": 1}\n', 'const x = {"a": 1};\n'):
        with pytest.raises(TextError, match=r"^not recognised"):
            kind(text)
