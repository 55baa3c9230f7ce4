"""The programs that write a payload are run as shown, and compared with what was counted."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.strategies import indents, values
from toon.costs.snippets import Snippet, differences, snippets
from toon.costs.worth import SENDABLE
from toon.formats import FORMATS, Format
from toon.formats.json import JSON_COMPACT
from toon.formats.json_columns import JSON_COLUMNS
from toon.formats.toon import TOON, TOON_PIPE, TOON_TAB, ToonFormat
from toon.formats.tron import TRON
from toon.formats.yaml import YAML

SERVER = "http://localhost:8501"
JSON_NUMBERS = "Python's json and orjson write"
ORJSON_NUMBERS = "orjson writes"
REFUSED = "orjson refuses integers of more than 64 bits."
REORDERED = "JavaScript moves keys that are whole numbers, such as 12, before others."
NOT_PYYAMLS = "PyYAML leaves texts such as 1e5 bare, which YAML 1.2 takes for numbers."

#: What may be recommended, TOON with every delimiter and indent.
formats = st.one_of(
    st.sampled_from([FORMATS[name] for name in SENDABLE]),
    st.builds(replace, st.sampled_from([TOON, TOON_TAB, TOON_PIPE]), indent_size=indents),
)


def run_python(snippet: Snippet, payload: Any) -> str:
    """The text that a program in Python makes."""
    names = {"payload": payload}
    exec(snippet.code, names)
    return str(names["text"])


def programs(format: Format, language: str) -> list[Snippet]:
    return [snippet for snippet in snippets(format, "", SERVER) if snippet.language == language]


@example(FORMATS["yaml"], {"a": [{"": None}, {"\r": 1, "é" * 100: 2, "x" * 128: 3}]})
@given(formats, values)
def test_python_writes_what_was_counted_or_the_page_says_what_differs(
    format: Format, value: Any
) -> None:
    counted = format.dumps(value)
    notes = " ".join(differences(format, value, counted))

    texts, refused = {}, False
    for snippet in programs(format, "python"):
        try:
            texts[snippet.title] = run_python(snippet, value)
        except TypeError:  # orjson's word for an integer that it refuses
            assert snippet.title == "Python, orjson"
            assert REFUSED in notes
            refused = True
    other = any(text != counted for text in texts.values())
    reasons = any(why in notes for why in (JSON_NUMBERS, ORJSON_NUMBERS, NOT_PYYAMLS))
    assert texts
    assert other == reasons or (refused and reasons)
    if isinstance(format, ToonFormat):
        assert not other


def test_each_program_as_shown() -> None:
    tab = replace(TOON_TAB, indent_size=4)

    shown = {snippet.title: snippet.code for snippet in snippets(tab, "The data is TOON.", SERVER)}

    assert shown == {
        "Python, our library": "import toon\n\n"
        'text = toon.encode(payload, delimiter="\\t", indent_size=4)',
        "Python, toon-format": "import toon_format\n\n"
        'text = toon_format.encode(payload, delimiter="\\t", indent_size=4)',
        "JavaScript": 'import { encode } from "@toon-format/toon";\n\n'
        'const text = encode(payload, { delimiter: "\\t", indentSize: 4 });',
        "curl, our API": f"curl -s '{SERVER}/api/v1/convert?from=json&to=toon-tab&indent=4' "
        "--data-binary @payload.json",
        "Note to the model": "The data is TOON.",
    }


def test_every_format_that_may_be_recommended_has_a_program_and_a_request() -> None:
    for name in SENDABLE:
        languages = [snippet.language for snippet in snippets(FORMATS[name], "", SERVER)]

        assert languages[0] == "python"
        assert languages[-1] == "bash"


@pytest.mark.parametrize(
    ("keys", "notes"),
    [
        (("a", "b"), []),
        (("a", "null"), ["writes the key class, null, true or false so that it is not read."]),
        (("a,b", "c"), ["may take two shapes for one where a key holds a comma."]),
    ],
)
def test_where_the_reference_of_tron_writes_otherwise_is_said(
    keys: tuple[str, str], notes: list[str]
) -> None:
    value = [dict.fromkeys(keys, 1)] * 2

    assert differences(TRON, value, TRON.dumps(value)) == [
        f"@tron-format/tron {words}" for words in notes
    ]


def test_what_has_no_program_is_said() -> None:
    (older,) = differences(FORMATS["toon-3"], [1], "[1]: 1")
    (yaml,) = differences(YAML, [1], "- 1")

    assert older == "The current toon-format and @toon-format/toon write TOON 4.4, not 3.3."
    assert yaml == "JavaScript's yaml quotes other texts, so its tokens are not those counted."


@pytest.mark.parametrize(
    ("value", "counted", "notes"),
    [
        ([1.0], "[1]", [f"{JSON_NUMBERS} 1.0, where 1 was counted."]),
        ([1e22], "[1e+22]", []),
        ([1e16], "[10000000000000000]",
         [f"{JSON_NUMBERS} 1e+16, where 10000000000000000 was counted."]),
        ([0.5, 1e-10], "[0.5,1e-10]", []),
        ([2**64], "[18446744073709551616]", [REFUSED]),
        ([1000000], "[1e6]",
         ["Counted was the text as typed without its whitespace; these write its numbers and "
          "escapes anew, which takes more tokens."]),
        ([2**53 + 1], "[9007199254740993]",
         ["Numbers change when the JSON is read: Python's json reads it; "
          "JavaScript changes 1 integer beyond 2^53."]),
    ],
)  # fmt: skip
def test_numbers_that_differ_are_named(value: Any, counted: str, notes: list[str]) -> None:
    assert differences(JSON_COMPACT, value, counted) == notes


# -- JavaScript ----------------------------------------------------------------------------------


def run_javascript(snippet: Snippet, payload: str, folder: Path) -> str:
    """The text that a program in JavaScript makes of the JSON ``payload``."""
    node, modules = shutil.which("node"), os.environ.get("NODE_PATH", "")
    if node is None:
        pytest.skip("there is no Node.js here")
    package = re.search(r'from "(.+)";', snippet.code)
    if package and not (Path(modules) / package[1]).is_dir():
        pytest.skip(f"NODE_PATH names no folder with {package[1]}")
    if modules and not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(modules)
    program = folder / "program.mjs"
    program.write_text(
        'import { readFileSync } from "node:fs";\n'
        'const payload = JSON.parse(readFileSync(0, "utf8"));\n'
        f"{snippet.code}\n"
        "process.stdout.write(text);\n",
        encoding="utf-8",
    )
    command = [node, str(program)]
    done = subprocess.run(command, input=payload.encode(), capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.rest
@pytest.mark.parametrize(
    "format",
    [JSON_COMPACT, JSON_COLUMNS, TRON, TOON, replace(TOON_PIPE, indent_size=4)],
    ids=attrgetter("name"),
)
def test_javascript_writes_what_was_counted(format: Format, tmp_path: Path) -> None:
    texts = [
        (ROOT / "samples" / f"{name}.json").read_text(encoding="utf-8")
        for name in ("nested-uniform-rows", "keyed-objects", "world-text")
    ]
    texts.append('[[{"a":[{"b":1}]},{"a":[{"b":2},{"b":3}]}],[{"c":[]}],[],{"columns":null}]')
    texts.append('{"a":[1.0,-0.0,1e16,1e21,1e22,1.5e-7,0.1],"1":"keys in order","b c":"\\u2028"}')
    for text in texts:
        value = json.loads(text)
        counted = format.dumps(value)
        (snippet,) = programs(format, "javascript")

        same = run_javascript(snippet, text, tmp_path) == counted
        assert same == (REORDERED not in differences(format, value, counted))


@pytest.mark.parametrize(
    ("value", "is_moved"),
    [
        ({"2": 0, "10": 0, "a": 0}, False),
        ({"10": 0, "2": 0}, True),
        ([{"a": [{"b": 0, "0": 0}]}], True),
        ({"a": 0, "01": 0, "-1": 0, "4294967295": 0, "²": 0}, False),
        ({"a": 0, "4294967294": 0}, True),
    ],
)
def test_javascript_moves_exactly_the_keys_that_are_named(
    value: Any, is_moved: bool, tmp_path: Path
) -> None:
    counted = JSON_COMPACT.dumps(value)
    (snippet,) = programs(JSON_COMPACT, "javascript")

    assert (REORDERED in differences(JSON_COMPACT, value, counted)) == is_moved
    assert (run_javascript(snippet, counted, tmp_path) != counted) == is_moved
