"""The public names of the library, and what importing it does not load."""

import os
import pydoc
import re
import subprocess
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import toon
from tests.conftest import ROOT

#: What a program of a user must not say, with what mypy says of it.
MISTAKES = {
    "from toon import Answer": 'Module "toon" has no attribute "Answer"  [attr-defined]',
    'toon.encode([], delimiter="tab")': 'Argument "delimiter" to "encode" has incompatible type '
    "\"Literal['tab']\"; expected \"Literal[',', '\\t', '|']\"  [arg-type]",
    'toon.decode("", spec="4")': 'Argument "spec" to "decode" has incompatible type '
    "\"Literal['4']\"; expected \"Literal['4.4', '3.3']\"  [arg-type]",
    "toon.dump([], sys.stdout, delimitr='|')": 'Unexpected keyword argument "delimitr" for "dump"; '
    'did you mean "delimiter"?  [call-arg]',
    "toon.load(sys.stdin, strickt=True)": 'Unexpected keyword argument "strickt" for "load"; '
    'did you mean "strict"?  [call-arg]',
    'toon.stats([]).verdict["sentense"]': 'TypedDict "Verdict" has no key "sentense"  '
    "[typeddict-item]",
}


#: What such a program may say, of which a strict checker knows every type.
USES = """\
from toon.context import ContextConfig, Result, Run, Savings
from toon.pandas import ToonAccessor
toon.encode([], delimiter="|").upper()
toon.stats([]).verdict["sentence"].upper()
said: list[str] = list(toon.encode_lines([1, 2], indent_size=4))
result: Result = Run(ContextConfig("toon", fallback="smaller")).format_json("[]")
saved: Savings = Run(ContextConfig()).savings
counts: tuple[int, int | None] = saved.passed, result.saved_tokens
def shown(accessor: ToonAccessor) -> str: return accessor.encode(delimiter="|")
""".splitlines()


def test_all_is_every_public_name() -> None:
    homes = {name: home for home, names in toon._HOMES.items() for name in names}

    assert set(toon.__all__) == {*homes, "__version__"}
    assert set(toon.__all__) <= set(dir(toon))
    for name, home in homes.items():
        assert getattr(toon, name) is getattr(import_module(f"toon.{home}"), name)
    with pytest.raises(AttributeError, match="has no attribute 'encodes'"):
        _ = toon.encodes  # type: ignore[attr-defined]


def test_help_lists_every_public_name() -> None:
    listed = re.findall(r"^    (?:class )?(\w+)", pydoc.plain(pydoc.render_doc(toon)), re.MULTILINE)

    assert {name for names in toon._HOMES.values() for name in names} <= set(listed)


@pytest.mark.rest
def test_a_checker_finds_every_misspelt_name_and_option(tmp_path: Path) -> None:
    wrong = {f"toon.{name}_": f'has no attribute "{name}_"' for name in toon.__all__} | MISTAKES
    right = [*(f"toon.{name}" for name in toon.__all__), *USES]
    (tmp_path / "program.py").write_text("\n".join(["import sys, toon", *wrong, *right]), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent",
         "--no-error-summary", "--cache-dir=cache", "program.py"],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(ROOT)},
    )  # fmt: skip

    found = re.findall(r"^program\.py:(\d+): error: (.*)", done.stdout, re.MULTILINE)
    assert [int(line) for line, _ in found] == [*range(2, 2 + len(wrong))], done.stdout
    for (_, said), expected in zip(found, wrong.values(), strict=True):
        assert expected in said


@pytest.mark.parametrize("write", [toon.encode, lambda value: list(toon.encode_lines(value))])
@pytest.mark.parametrize("value", [{"a": {1}}, ["\ud800"], {"a": [(1,), {1: 2, "1": 3}]}])
def test_an_error_of_a_value_is_one_traceback(write: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(toon.EncodeError) as raised:
        write(value)

    assert "".join(traceback.format_exception(raised.value)).count("Traceback") == 1


@pytest.mark.rest
@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        ("import toon.cli, toon.costs.compare, toon.playground.panes, toon.http",
         {"streamlit", "pandas", "altair"}),
        ("toon.decode(toon.encode({'a': [1]}))", {"numpy", "splintr"}),
        ("import toon.cli; toon.cli.main(['encode', 'samples/tickets.json', '--format=toon'])",
         {"orjson", "toon.codec.decoder", "typing", "inspect", "locale", "pathlib", "numpy",
          "toon.formats", "toon.costs", "toon.tokenizers"}),
    ],
    ids=["the library", "the codec alone", "the command encode"],
)  # fmt: skip
def test_what_it_never_loads(program: str, unwanted: set[str]) -> None:
    found = f"sorted({unwanted} & set(sys.modules))"
    code = f"import sys, toon; {program}; print({found}, file=sys.stderr)"
    unguarded = {**os.environ, "PYTHONPATH": ""}  # the guard of the tests loads typing
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=ROOT, env=unguarded,
    )  # fmt: skip

    assert result.stderr.strip() == "[]"
