"""Each program of "In your code" runs as shown in an empty folder, from install to print."""

import re
import shlex
import shutil
from functools import cache

import pytest

from tests.conftest import ROOT
from tests.package.conftest import Environment
from toon.costs.snippets import cut_example, snippets
from toon.costs.worth import SENDABLE
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT
from toon.values.json_text import parse_json

pytestmark = pytest.mark.rest


VALUE = cut_example(parse_json((ROOT / "samples" / "world-text.json").read_text("utf-8")).value)
PROGRAMS = {
    (name, snippet.title): snippet
    for name in SENDABLE
    for snippet in snippets(FORMATS[name], "", "http://localhost:8501")
    if snippet.language == "python"
}


@cache
def install(environment: Environment, command: str) -> None:
    """Runs the command that is shown, once."""
    environment.pip(*shlex.split(command)[1:])


@pytest.mark.parametrize("name", PROGRAMS, ids="-".join)
def test_a_program_runs_from_install_to_print(full: Environment, name: tuple[str, str]) -> None:
    snippet = PROGRAMS[name]
    for command in re.findall("`(pip install [^`]*)`", snippet.needs):
        install(full, command)

    printed = full.run("python", "-", given=snippet.program(JSON_COMPACT.dumps(VALUE)))

    assert printed == FORMATS[name[0]].dumps(VALUE) + "\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_the_program_in_javascript_prints_the_same(full: Environment) -> None:
    (snippet,) = (
        found
        for found in snippets(JSON_COMPACT, "", "http://localhost:8501")
        if found.language == "javascript"
    )
    example = JSON_COMPACT.dumps(VALUE)

    assert full.run("node", "-", given=snippet.program(example)) == example + "\n"
