"""The package as people get it: built, installed into an empty environment, and used."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

import toon
from tests.browser.conftest import free_port
from tests.conftest import ROOT
from tests.package.conftest import Environment
from tests.processes import Process
from toon.costs.answer import answer
from toon.costs.document import Document, Typed
from toon.installed import EXTRAS

pytestmark = pytest.mark.rest


#: Python 3.11 is the first that will do; ``-m`` leaves no traceback.
OLD = "import sys; sys.version_info = (3, 9, 1); sys.argv = {}; import toon"
#: One payload, the run that the dashboard opens, and the program that writes its log.
SAMPLES = ("samples/weather.json", "samples/corpus.parquet", "samples/make_corpus.py")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def requirements(extra: str) -> set[str]:
    """The lines of an extra, with those of the extras that it includes."""
    lines: set[str] = set()
    for line in PROJECT["optional-dependencies"][extra]:
        included = re.fullmatch(r"token-lab\[(.*)\]", line)
        lines |= set().union(*map(requirements, included[1].split(","))) if included else {line}
    return lines


def test_the_extras_are_the_libraries_of_the_requirements() -> None:
    text = (ROOT / "requirements.txt").read_text("utf-8")
    listed = set(re.findall(r"^[A-Za-z][^ \n]*", text, re.MULTILINE))

    assert requirements("app") | set(PROJECT["dependencies"]) == listed
    for extra, modules in EXTRAS.items():
        assert len(modules) == len(requirements(extra)), extra


def test_the_wheel_is_small_and_holds_what_the_app_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        sizes = {info.filename: info.compress_size for info in packed.infolist()}
    core = sum(size for name, size in sizes.items() if "/_lab/" not in name)

    assert wheel.name == f"token_lab-{toon.__version__}-py3-none-any.whl"
    assert core < 1_000_000
    assert wheel.stat().st_size < 1_500_000
    for name in ("app.py", "pages/main.py", ".streamlit/config.toml", *SAMPLES):
        assert f"toon/_lab/{name}" in sizes
    assert {name.partition("/")[0].partition("-")[0] for name in sizes} == {"toon", "token_lab"}


def test_the_core_encodes_and_decodes_with_one_library(core: Environment) -> None:
    text = (ROOT / "samples" / "nested-uniform-rows.json").read_text("utf-8")
    written = core.run("toon", "encode", given=text)
    returned = core.run("toon", "decode", given=written)

    assert written == toon.encode(json.loads(text))
    assert json.loads(returned) == json.loads(text)
    assert core.run("toon", "--version") == f"token-lab {toon.__version__}\n"
    assert "    stats(value" in core.run("python", "-c", "from toon import *; help('toon')")


def test_what_decode_writes_does_not_depend_on_numpy(core: Environment) -> None:
    value = [{"n": number, "s": 'a "1.0,', "t": "\\"} for number in (1.0, -0.5, 1e300, 2**70, 1e-9)]
    text = toon.encode(value * 40)
    with_numpy = subprocess.run(
        [sys.executable, "-m", "toon", "decode"],
        input=text, capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip

    assert core.run("toon", "decode", given=text) == with_numpy.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (["toon", "stats", "-"], "tokens"),
        (["toon", "measure", "x", "-o", "y"], "traffic"),
        (["toon", "questions", "-", "--format", "inspect", "-o", "x"], "tokens"),
        (["token-lab"], "app"),
    ],
    ids=["stats", "measure", "questions", "the app"],
)
def test_a_missing_extra_is_one_sentence_with_its_command(
    core: Environment, command: list[str], extra: str
) -> None:
    said = core.run(*command, status=1)

    assert re.fullmatch(
        rf"(toon \w+|token-lab) needs [a-z0-9_, ]+: pip install 'token-lab\[{extra}\]'\n", said
    )


def test_help_needs_no_extra(core: Environment) -> None:
    for name in ("stats", "budget", "measure", "questions", "reading", "mcp", "tap"):
        shown = core.run("toon", name, "--format", "toon", "--help")
        assert shown.startswith(f"usage: toon {name} [")


@pytest.mark.parametrize("module", ["toon.tokenizers", "toon.layout", "toon.formats"])
def test_a_missing_extra_is_said_to_a_program_too(core: Environment, module: str) -> None:
    said = core.run("python", "-c", f"import {module}", status=1)

    assert said.splitlines()[-1].endswith("pip install 'token-lab[tokens]'")


def test_an_old_python_is_one_sentence() -> None:
    for argv, before in (["-m"], ""), (["x"], "ImportError: "):
        done = subprocess.run(
            [sys.executable, "-c", OLD.format(argv)], capture_output=True, text=True, cwd=ROOT
        )
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == (
            f"{before}token-lab needs Python 3.11 or later, and this is 3.9:"
            " python3.11 -m venv .venv"
        )


def test_another_package_that_took_the_name_is_named(new: Callable[[], Environment]) -> None:
    clashing = new()
    clashing.pip("install", "--no-deps", "token-lab")
    (clashing.site / "toon" / "__init__.py").write_text("encode = decode = print\n", "utf-8")

    for command in ("toon", "token-lab"):
        said = clashing.run(command, status=1)
        assert said.startswith(f"another package has written over this one in {clashing.site}")
        assert said.count("\n") == 1


def test_all_of_it_runs_in_an_empty_folder_with_a_home_that_cannot_be_written(
    full: Environment,
) -> None:
    full.pip("install", "token-lab[app]")
    full.environment["HOME"] = "/proc/1/nowhere"
    sample = str(full.site / "toon" / "_lab" / "samples" / "weather.json")

    text = Path(sample).read_text("utf-8")
    expected = answer(Document.of(json.loads(text), Typed(text)))
    assert expected["sentence"] in full.run("toon", "stats", sample)
    port = str(free_port())
    server = Process(
        [full.bin / "token-lab", "--server.headless", "true", "--server.port", port],
        cwd=full.work,
        env=full.environment,
    )
    try:
        with httpx2.Client(transport=httpx2.HTTPTransport(retries=10), timeout=60) as client:
            for _ in range(120):
                try:
                    page = client.get(f"http://localhost:{port}/")
                    break
                except httpx2.ConnectError:
                    assert server.poll() is None
            converted = client.post(f"http://localhost:{port}/api/v1/convert", content=b'{"a":1}')
        assert page.status_code == 200
        assert converted.text == "a: 1"
    finally:
        server.terminate()
        server.wait()
    assert list(full.work.iterdir()) == []
