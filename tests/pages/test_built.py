"""The browser's built code: what a build gives, how it is served, what words it is given."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pages.parts import built
from pages.parts.built import TABLE, styles
from tests.conftest import ROOT
from tests.http.client import client_of
from toon import colours
from toon.formats import FORMATS
from toon.wording import BADGES, YOUR_TEXT

PROJECT = ROOT / "pages" / "browser"
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
FILES = sorted(path.name for path in (PROJECT / "built").glob("*.js"))


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with client_of(built.ROUTE) as client:
        yield client


def address_of(name: str) -> str:
    """The address in the two lines that a component is given."""
    (address,) = re.findall(r'"\./(api/built/[^"]+)"', built.module(name))
    return f"/{address}"


@pytest.mark.rest
def test_a_build_gives_the_committed_files(tmp_path: Path) -> None:
    if not shutil.which("npm"):
        pytest.skip("no npm here")
    project = tmp_path / "browser"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns("node_modules", "built"))

    for command in (["npm", "ci", "--prefer-offline"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=project, check=True, capture_output=True, timeout=300)

    committed = {path.name: path.read_bytes() for path in (PROJECT / "built").iterdir()}
    assert {path.name: path.read_bytes() for path in (project / "built").iterdir()} == committed


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_served_with_the_table_under_a_name_that_is_kept_for_good(
    client: TestClient, name: str
) -> None:
    stem = name.removesuffix(".js")
    address = address_of(stem)
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    packed = client.get(address)
    table, code = plain.text.split("\n", 1)

    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert table == f"const TABLE = {json.dumps(TABLE, ensure_ascii=False)};"
    assert TABLE["baseline"] in FORMATS
    assert code == (PROJECT / "built" / name).read_text("utf-8")
    assert len(built.module(stem)) < 500
    assert client.get(address.replace("-", "-0")).status_code == 404


def test_the_lockfile_names_no_registry_and_no_version_is_open() -> None:
    package = json.loads((PROJECT / "package.json").read_text("utf-8"))

    assert "resolved" not in (PROJECT / "package-lock.json").read_text("utf-8")
    assert all(re.fullmatch(r"[0-9.]+", version) for version in package["devDependencies"].values())


def test_every_package_that_is_built_in_has_its_licence_beside_the_files() -> None:
    lock = json.loads((PROJECT / "package-lock.json").read_text("utf-8"))["packages"]
    texts = (PROJECT / "built" / "LICENSES.txt").read_text("utf-8")
    shipped = {
        f"{path.removeprefix('node_modules/')} {package['version']}"
        for path, package in lock.items()
        if path and not package.get("dev")
    }

    assert {name for name in shipped if name not in texts} == set()


# -- words and colours ------------------------------------------------------------------------


def test_no_script_spells_what_the_table_says() -> None:
    texts = {*BADGES.values(), YOUR_TEXT, *(format.label for format in FORMATS.values())}
    phrases = {words for words in texts if " " in words}
    places = [*(ROOT / "pages/browser/src").rglob("*.js"), *(ROOT / "pages/parts").rglob("*.html")]
    texts = {path.name: COMMENT.sub("", path.read_text()) for path in places}
    spelled = {(name, words) for name, text in texts.items() for words in phrases if words in text}

    assert len(places) > 25
    assert spelled == set()


def test_styles_have_the_colours_of_both_themes() -> None:
    light, dark = colours.KINDS["light"][0], colours.KINDS["dark"][0]

    assert f"--kind-0: light-dark({light}, {dark});" in styles()
