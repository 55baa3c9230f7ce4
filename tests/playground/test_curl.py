"""The body of a pasted curl command."""

import json
import shlex
from typing import Any

import pytest
from hypothesis import given

from tests import strategies
from toon.playground.curl import COMMAND, read_body
from toon.playground.foreign import read_pasted
from toon.playground.rewrite import Obstacle

CHROME = r"""curl 'https://api.example/orders?a=1&b=2' \
  -H 'accept: application/json' \
  -b 'id=-d' \
  --data-raw $'{"note":"it\'s \u0021 \ud83d\ude00","path":"C:\\\\x"}' \
  --compressed"""
WINDOWS = r"""curl ^"https://api.example/orders?a=1^&b=2^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^\^"note^\^":^\^"100^% ^^ ^\^\^\^"so^\^\^\^"^\^"^}^" ^
  --compressed"""


@pytest.mark.parametrize(
    ("command", "body"),
    [
        ("""curl http://x -d '{"a": 1}'""", '{"a": 1}'),
        ("""curl http://x -XPOST --data '{"a": 1}' -o out""", '{"a": 1}'),
        ('curl --json "{\\"a\\": \\"\\$1 \\x\\"}" x | jq -d 1', '{"a": "$1 \\x"}'),
        ("""$ curl -sSd'{"a":'" 1"\\} x""", '{"a": 1}'),
        ("curl x --data-binary '[1,\n2]'", "[1,\n2]"),
        ("curl x \\\r\n --data-raw '@1'", "@1"),
        ("curl.exe x -d [1, -d 2]", "[1,&2]"),
        ("curl x -d $HOME&b", "$HOME&b"),
        ("curl x -d $'\\x41\\101\\t\\q\\e'", "AA\t\\q\x1b"),
        ("curl x -d '[1]'\ncurl y -d '[2]'", "[1]"),
        ("\ncurl x \\\n -d \\\n '[1]'", "[1]"),
        ("curl.exe x `\n -d '[1]'", "[1]"),
        ("# create it\n\nsudo -E time A='b c' /usr/bin/curl x -d '[1]' # -d [2]", "[1]"),
        ("me@host:~/x$ curl x -d '[1]'", "[1]"),
        (r"PS C:\> curl.exe x -d '[1]'", "[1]"),
        ("curl --json '{\"tea\":' --json ' 1' --json '}' x", '{"tea": 1}'),
        ("curl x -d @- <<-EOF\n\t[1,\n\t2]\n\tEOF\ncurl y", "[1,\n2]"),
        ('curl x -d "$(cat <<\'EOF\'\n{"a": "it\'s"}\nEOF\n)" -s', '{"a": "it\'s"}'),
        ("curl -d @- x <<< '[1]'", "[1]"),
        (CHROME, r'{"note":"it' + "'" + r's ! 😀","path":"C:\\x"}'),
        (WINDOWS, r'{"note":"100% ^ \"so\""}'),
    ],
)
def test_the_body_is_what_curl_would_send(command: str, body: str) -> None:
    assert COMMAND.match(command)
    assert read_body(command) == body


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("curl x", "it sends no body: there is no -d, --data or --json"),
        ("curl x\ncurl x -d 1", "it sends no body: there is no -d, --data or --json"),
        ("curl x --data-urlencode 'a={}'", "its body is a form, no JSON text"),
        ("curl x --form a=1", "its body is a form, no JSON text"),
        ("curl x -sFa=1", "its body is a form, no JSON text"),
        ("curl x -d @b.json", "its body is in a file, @b.json: paste what the file holds"),
        ("curl x -d '{", "a quote in it is not closed"),
        ("curl x -d $'\\ud800'", "an escape in it names no character"),
        ("curl x -d a=1", "its body is not JSON"),
    ],
)
def test_what_is_in_the_way_is_said(command: str, reason: str) -> None:
    with pytest.raises(Obstacle) as raised:
        read_pasted("curl", command)

    assert str(raised.value) == f"this looks like a curl command, but {reason}"


@pytest.mark.rest
@given(strategies.values)
def test_any_json_comes_through_a_shell(value: Any) -> None:
    text = json.dumps(value, indent=1)

    assert read_pasted("curl", f"curl x --data-raw {shlex.quote(text)} -s").text == text


def test_a_body_of_lines_becomes_an_array() -> None:
    command = r"""curl x --data-binary $'{"a":1}\n{"a":2}\n'"""

    assert read_pasted("curl", command).text == '[\n{"a":1},\n{"a":2}\n]'
